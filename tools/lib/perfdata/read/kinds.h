/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can a path that is to be read name? Each kind of input is one row of a table. The first row
 * that fits opens the path. Inputs that have no path (bytes in memory, records pushed by another
 * thread) have an open function of their own instead. Internal to perfdata/.
 */
#ifndef PERFDATA_KINDS_H
#define PERFDATA_KINDS_H

#include <glib.h>
#include <sys/stat.h>

#include "base/types.h"

struct perfdata;

struct input_kind {
	const char *name; /* as an error names it; NULL ends a table */
	/* @st is NULL where nothing is at @path. Does not wait, as opening a fifo would. */
	bool (*fits)(const char *path, const struct stat *st);
	/* Fills in @pd, at least @pd->input and an event. False with @error; @pd is closed then. */
	bool (*open)(struct perfdata *pd, const char *path, GError **error);
};

/* What perfdata_open() knows. The last row fits everything. */
extern const struct input_kind input_kinds[];

/* As perfdata_open(), or perfdata_open_forced() with @force, of the kinds in @kinds. */
struct perfdata *perfdata_open_kind(const char *path, bool force, const struct input_kind *kinds,
				    GError **error);

#endif
