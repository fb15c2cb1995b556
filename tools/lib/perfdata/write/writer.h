/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes perf.data so that stock perf 6.1 to 7.3 read it: a seekable file or a pipe, plain or zstd-compressed. The
 * caller passes whole records (from the kernel's rings or from encode.h) in any order. perfdata_finish() writes the
 * header features at the end of the file. If the writer dies before, the file can be read up to its last whole record
 * (it has no features, and data.size is that of the last flush).
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
 * Creates @path and writes the part before the records. An existing file is replaced; "-" is standard output. The @nr
 * @evsels must be in ascending order of idx, and are copied. @info is used only for pipes, where features are written
 * first. Features that are not known then (build-ids) come from perfdata_finish(). NULL with @error: the file cannot be
 * created.
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
 * The current path of the file, which may have been renamed. Free with g_free(). NULL: the file was removed, and will
 * be gone after the close.
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
