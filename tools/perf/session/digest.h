/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Digests: the samples of files as numbers, computed part by part by several threads, and taken by one.
 *
 * Each reader has its own numbers (gather.h), which continue from one of its parts to the next of the same file. A
 * digest has the samples of one part in these numbers. For each number that its reader has not used before, it also
 * has a record with the first such sample. Digests are returned in the order of the files and their parts. Only a few
 * are computed ahead, also for the next file.
 */
#ifndef SESSION_DIGEST_H
#define SESSION_DIGEST_H

#include <glib.h>

#include "perfdata/read/samples.h"
#include "session/gather.h"

struct chain_ends;
struct digester;
struct filter;
struct perf_event_header;
struct session;

/* The first sample with a number: in its file, or in memory of the digest (kept). */
struct digest_first {
	const struct perf_event_header *raw;
	u64 foff;
};

struct digest {
	u32 file;		   /* whose part it is */
	u32 reader;		   /* below digester_nr_readers() */
	bool anew;		   /* its numbers begin at 0 again */
	struct perfdata_part part; /* of a file that has parts */
	u64 position;		   /* of its end, within the file's records */
	GArray *wheres, *whos;	   /* struct digest_first, one for each new number in turn */
	GPtrArray *
		kept; /* memory of these records, if they are not in a part; the caller may take it */
	GArray *shares; /* struct session_share */
	GError *error;	/* a record after these samples that cannot be read */
};

struct digest_file {
	struct session *session;
	struct gather_options options;
	const GArray *parts; /* struct perfdata_part; NULL: none, it is read by blocks */
};

/* @nr_threads includes the calling thread. @files must outlive the digests. */
struct digester *digester_new(const struct digest_file *files, u32 nr_files, u32 nr_threads);
void digester_free(struct digester *d);
u32 digester_nr_readers(const struct digester *d);
/* Adds the ends of the stacks of all samples of @file. Call it after the last digest. */
void digester_add_ends(const struct digester *d, u32 file, struct chain_ends *ends);

/*
 * The next digest, valid until the next call. NULL at the end, or with @error for a record that cannot be read. While
 * the others are busy, the caller's thread computes one itself.
 */
struct digest *digester_next(struct digester *d, GError **error);

/* Removes samples that the session does not count from @samples. Returns how many are left. */
u32 digest_filter(const struct session *session, struct sample_head *samples, u32 nr);

#endif
