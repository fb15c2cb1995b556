/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source behind --off-cpu: each wait of a thread that is long enough becomes samples of the event "offcpu-time", one for
 * the time that it was blocked and one for the time that it then waited for a CPU; and one of who woke it, of the event
 * "offcpu-waker". Shorter waits of a thread are added up. So the sums are exact, whatever the threshold. Needs BPF.
 */
#ifndef RECORD_OFFCPU_H
#define RECORD_OFFCPU_H

#include "record/base/source.h"

/* @tls: the source of activities, or NULL. It must have been added before this. */
struct source *offcpu_source_new(const struct record_options *opts,
				 const struct kernel_paths *paths, const struct source *tls);

#endif
