/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of inputs that a path can name. Each kind is one row of a table. The first row that fits opens the path.
 * Inputs without a path (bytes in memory, records pushed by another thread) have their own open functions. Internal to
 * perfdata/.
 */
#ifndef PERFDATA_KINDS_H
#define PERFDATA_KINDS_H

#include <glib.h>
#include <sys/stat.h>

#include "base/types.h"

struct perfdata;

struct input_kind {
	const char *name; /* as an error names it; NULL ends a table */
	/* @st is NULL if @path does not exist. Must not block, so it must not open a fifo. */
	bool (*fits)(const char *path, const struct stat *st);
	/* Fills in @pd, at least @pd->input and an event. False with @error; @pd is closed then. */
	bool (*open)(struct perfdata *pd, const char *path, GError **error);
};

/* The kinds for perfdata_open(). The last row fits everything. */
extern const struct input_kind input_kinds[];

/* Like perfdata_open(), or with @force perfdata_open_forced(), for the kinds in @kinds. */
struct perfdata *perfdata_open_kind(const char *path, bool force, const struct input_kind *kinds,
				    GError **error);

#endif
