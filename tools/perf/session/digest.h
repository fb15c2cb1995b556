/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a file as numbers, part by part, made by several threads and taken by one.
 *
 * Each reader has numbers of its own (gather.h), which go on from one of its parts to the next. A
 * digest has the samples of one part in these numbers, and for numbers that its reader has not used
 * before a record to learn from what they stand for. Digests come in the order of the file, and no
 * more than a few are made ahead.
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

/* The first sample with a number. */
struct digest_first {
	const struct perf_event_header *raw;
	u64 foff;
};

struct digest {
	u32 reader; /* below digester_nr_readers() */
	bool anew;  /* its numbers begin at 0 again */
	struct perfdata_part part;
	GArray *wheres, *whos; /* struct digest_first, for the next numbers in turn */
	GArray *shares;	       /* struct session_share */
	GError *error;	       /* a record that cannot be read, behind these samples */
};

/* @nr_threads counts the one that takes. @parts: struct perfdata_part, to be kept until the end. */
struct digester *digester_new(struct session *session, const struct gather_options *options,
			      const GArray *parts, u32 nr_threads);
void digester_free(struct digester *d);
u32 digester_nr_readers(const struct digester *d);
/* How the stacks of all samples ended; after the last digest. */
void digester_add_ends(const struct digester *d, struct chain_ends *ends);

/*
 * The next one, good until the next call: NULL at the end, or with @error for a record that cannot be
 * read. While others are busy the caller's thread makes one itself.
 */
struct digest *digester_next(struct digester *d, GError **error);

/* Leaves those of @samples that the session counts: how many. */
u32 digest_filter(const struct session *session, struct sample_head *samples, u32 nr);

#endif
