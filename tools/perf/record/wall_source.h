/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of thread states: perf record --wall. */
#ifndef RECORD_WALL_SOURCE_H
#define RECORD_WALL_SOURCE_H

#include "record/options.h"
#include "record/source.h"

/* NULL with @error where opts->wall_source asks for what is not to be had. */
struct source *wall_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			       GError **error);

#endif
