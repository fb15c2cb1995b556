/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --keep: limits the parts of --switch-output on disk. Parts of earlier recordings with the same name count, too. So
 * the disk space of a service is bounded, even if it is started often.
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include "base/error.h"
#include "base/types.h"

struct keep_limits {
	u32 files; /* 0: no limit */
	u64 bytes; /* 0: no limit */
};

/* "24" files, or "500M" bytes. */
bool keep_parse(const char *text, struct keep_limits *out, GError **error);

/* Removes the oldest parts of @path, "perf.data.2026112209000012" and so on, above the limits. */
void keep_remove_old(const char *path, const struct keep_limits *limits);

#endif
