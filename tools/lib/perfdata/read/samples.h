/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the samples of a part of a file begin with? Most who read a file want a few values of each
 * sample, and the whole of few: this gives the few, without the rest, and for parts of a file at a
 * time, each of which a thread of its own may read. perfdata_decode() gives the whole.
 *
 * A file has parts once all of its records have been walked, which notes where some of them begin.
 */
#ifndef PERFDATA_READ_SAMPLES_H
#define PERFDATA_READ_SAMPLES_H

#include "perfdata/read/reader.h"

struct sample_head {
	const struct perf_event_header *raw; /* the record, as it lies in the file */
	const struct evsel *evsel;	     /* NULL: its id is no event's */
	u64 foff, ip, time, period;
	u32 pid, tid, cpu; /* as struct sample_id has them */
	u16 misc;
	u32 nr_ips, tls_size, tls_filled;
	const u64 *ips;	 /* the call chain */
	const void *tls; /* struct sample's tls */
};

/* Of a sample that is decoded already. */
void sample_head_of(const struct event *sample, struct sample_head *out);

struct perfdata_part {
	const u8 *from, *to;
	u64 foff; /* of from in its file */
	bool still; /* inflated records: all of them have this foff, that of their COMPRESSED record */
};

/*
 * Fills @parts (struct perfdata_part) with parts of some @size bytes each that follow one another
 * and are the whole; false where the file has none: a pipe, compressed, with AUX data.
 */
bool perfdata_parts(const struct perfdata *pd, u64 size, GArray *parts);

/*
 * A file that has no parts is read from its first record to the last, by perfdata_next_block(). A block has samples in
 * memory of its own, so that a thread may look at them while the next block is made.
 */
struct perfdata_block {
	GByteArray *bytes;
	GArray *parts; /* struct perfdata_part, which follow one another */
};

struct perfdata_block *perfdata_block_new(void);
void perfdata_block_free(struct perfdata_block *block);

/*
 * The next samples, some @size bytes of them, into an empty @block; what other records tell of the file is
 * taken in. To be called after perfdata_want(PERFDATA_WANT_EVERY_RAW). 1: there may be more; 0: these were the
 * last; -1 with @error: what follows these cannot be read.
 */
int perfdata_next_block(struct perfdata *pd, u64 size, struct perfdata_block *block,
			GError **error);

/* Of the one at @raw. False with @error where it is malformed. */
bool perfdata_head(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		   struct sample_head *out, GError **error);

/* The memory of a part will hardly be needed again: the system reads it again when it is. */
void perfdata_give_back(const struct perfdata *pd, const struct perfdata_part *part);

/*
 * The heads of up to @max samples of @part, which moves behind them: how many, 0 at its end, -1 with
 * @error. Safe in several threads, each with a part of its own.
 */
int perfdata_heads(const struct perfdata *pd, struct perfdata_part *part, struct sample_head *out,
		   u32 max, GError **error);

/* The same of all records that perfdata_next_timed() would give, with their times alone. */
int perfdata_timed(const struct perfdata *pd, struct perfdata_part *part,
		   struct perfdata_timed *out, u32 max, GError **error);

#endif
