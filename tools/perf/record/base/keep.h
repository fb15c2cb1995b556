/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --keep: how many parts of --switch-output stay on disk? Those of earlier recordings with the same name count, too, so
 * that what a service takes of a disk is bounded however often it is started.
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include "base/error.h"
#include "base/types.h"

struct keep_limits {
	u32 files; /* 0: as many as there are */
	u64 bytes; /* likewise */
};

/* "24" files, or "500M" bytes. */
bool keep_parse(const char *text, struct keep_limits *out, GError **error);

/* Removes the oldest parts of @path, "perf.data.2026112209000012" and so on, that are too many. */
void keep_remove_old(const char *path, const struct keep_limits *limits);

#endif
