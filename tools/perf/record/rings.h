/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first source: the kernel's rings of all open events. There is one ring per CPU (per thread
 * with --per-thread), shared by all events there, so the records of one CPU stay in order. Events
 * that overwrite have a second ring, which is read only when a file ends.
 */
#ifndef RECORD_RINGS_H
#define RECORD_RINGS_H

#include "record/base/source.h"

/* The rings of rec->set and rec->more_events, @pages data pages each. open() maps them and lists them in rec->rings. */
struct source *rings_source_new(u32 pages);

#endif
