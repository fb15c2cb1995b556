/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of files as numbers, part by part, made by several threads and taken by one.
 *
 * Each reader has numbers of its own (gather.h), which go on from one of its parts to the next of the same file. A
 * digest has the samples of one part in these numbers, and for numbers that its reader has not used
 * before a record to learn from what they stand for. Digests come in the order of the files and their parts, and no
 * more than a few are made ahead: of the next file, too, while the last parts of one are taken.
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

/* The first sample with a number: in its file, or in memory that belongs to the digest (kept). */
struct digest_first {
	const struct perf_event_header *raw;
	u64 foff;
};

struct digest {
	u32 file;		   /* whose part it is */
	u32 reader;		   /* below digester_nr_readers() */
	bool anew;		   /* its numbers begin at 0 again */
	struct perfdata_part part; /* of a file that has parts */
	u64 position;		   /* of its end among the bytes of the file's records */
	GArray *wheres, *whos;	   /* struct digest_first, for the next numbers in turn */
	GPtrArray *
		kept; /* records that these are in, where they do not lie in a part; may be taken */
	GArray *shares; /* struct session_share */
	GError *error;	/* a record that cannot be read, behind these samples */
};

struct digest_file {
	struct session *session;
	struct gather_options options;
	const GArray *parts; /* struct perfdata_part; NULL: it has none, and is read by blocks */
};

/* @nr_threads counts the one that takes. @files are kept by the caller until the end. */
struct digester *digester_new(const struct digest_file *files, u32 nr_files, u32 nr_threads);
void digester_free(struct digester *d);
u32 digester_nr_readers(const struct digester *d);
/* How the stacks of all samples of @file ended; after the last digest. */
void digester_add_ends(const struct digester *d, u32 file, struct chain_ends *ends);

/*
 * The next one, good until the next call: NULL at the end, or with @error for a record that cannot be
 * read. While others are busy the caller's thread makes one itself.
 */
struct digest *digester_next(struct digester *d, GError **error);

/* Leaves those of @samples that the session counts: how many. */
u32 digest_filter(const struct session *session, struct sample_head *samples, u32 nr);

#endif
