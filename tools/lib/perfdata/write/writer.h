/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes perf.data so that stock perf 6.1 to 7.3 read it: a seekable file or a pipe, plain or
 * zstd-compressed. The caller brings whole records (from the kernel's rings or from
 * encode.h) in any order it likes; the file's last words, the header features, come with
 * perfdata_finish(). A writer that dies before that leaves a file that can be read up to its
 * last whole record (data.size as of the last flush, no features).
 */
#ifndef PERFDATA_WRITER_H
#define PERFDATA_WRITER_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"

struct perfdata_writer;

struct perfdata_options {
	bool pipe;	/* the form for pipes; implied by path "-" */
	int zstd_level; /* 0: plain; 1 (fast) .. 22 (small) */
};

/*
 * Creates @path (an existing file is replaced; "-" is standard output) and writes what comes
 * before the records. @evsels, @nr of them, are copied; in ascending order of idx. @info is
 * needed in the pipe form only, whose features go first; what is not known by then (build
 * ids) is taken from perfdata_finish()'s. NULL with @error when the file cannot be made.
 */
struct perfdata_writer *perfdata_create(const char *path, const struct perfdata_options *options,
					struct evsel *const *evsels, u32 nr,
					const struct perfdata_info *info, GError **error);
/* The same on an open descriptor, which is not closed; @name is for messages. */
struct perfdata_writer *perfdata_create_fd(int fd, const char *name,
					   const struct perfdata_options *options,
					   struct evsel *const *evsels, u32 nr,
					   const struct perfdata_info *info, GError **error);

/*
 * Appends @size bytes of whole records. Small pieces are buffered. perfdata_flush() writes them,
 * and states in the file's header how far they go. After a failure (disk full) the file keeps the
 * whole records that were written.
 */
bool perfdata_write(struct perfdata_writer *w, const void *records, size_t size, GError **error);
bool perfdata_flush(struct perfdata_writer *w, GError **error);

/* Bytes of the file so far, those still gathered included. */
u64 perfdata_written(const struct perfdata_writer *w);
/* Bytes of records handed in / bytes that they took in the file; 1.0 when plain. */
double perfdata_ratio(const struct perfdata_writer *w);

/*
 * The present path of the file (g_free()): its name, unless it was renamed meanwhile or another
 * file is there. NULL: it was removed, and is gone when it is closed.
 */
char *perfdata_present_name(const struct perfdata_writer *w);

/*
 * Writes the features that are set in @info (may be NULL) and what the writer knows itself
 * (EVENT_DESC, GROUP_DESC, COMPRESSED, BRANCH_STACK), patches the header, closes. @w is gone
 * afterwards, also on failure.
 */
bool perfdata_finish(struct perfdata_writer *w, const struct perfdata_info *info, GError **error);

/* Closes without features, as a killed recorder would leave it. */
void perfdata_abandon(struct perfdata_writer *w);

#endif
