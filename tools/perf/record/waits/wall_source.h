/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of thread states: perf record --wall. */
#ifndef RECORD_WALL_SOURCE_H
#define RECORD_WALL_SOURCE_H

#include "record/base/options.h"
#include "record/base/source.h"

/* @tls: the source of activities, which comes before this one; NULL: none. */
struct source *wall_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			       const struct source *tls, const struct source *latency);

#endif
