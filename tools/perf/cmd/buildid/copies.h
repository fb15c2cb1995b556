/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of the recorded programs in the build-id cache, so that a later report needs nothing else (dso/cache.h).
 * perf record makes them at its end, perf archive those that are missing.
 */
#ifndef CMD_COPIES_H
#define CMD_COPIES_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "dso/buildid.h"
#include "record/base/options.h"

struct open_files;

/* Bytes of the cache beyond which perf record removes the oldest copies, unless buildid.limit says something else. */
#define COPIES_LIMIT ((u64)10 << 30)

struct copies_options {
	const char *input; /* a recording */
	bool force;	   /* read it also if it belongs to another user */
	bool all; /* copy all files that it names, not only those that samples and their callers hit */
	bool verbose;		 /* say on stderr which files cannot be copied, and why */
	struct open_files *held; /* files that are held open need no path; NULL: none */
};

/* A file with a build-id that samples hit. */
struct copied {
	struct build_id id;
	char *name;
	bool present; /* it is in the cache now */
};

/*
 * Copies the files of a recording that the cache does not have: struct copied *, in the order of the samples. Free with
 * g_ptr_array_unref(). NULL with @error: the recording cannot be read, or the cache not be written.
 */
GPtrArray *copies_keep(const struct copies_options *options, GError **error);

/* After a recording with these options, unless they forbid it: -B, -N, --buildid-mmap, several files, a pipe. */
void copies_keep_recorded(const struct record_options *options, struct open_files *held, u64 limit);

#endif
