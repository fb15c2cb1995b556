/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads only the first fields of samples (heads). Most callers need a few values of every sample, and all values of
 * only a few samples. So heads are read quickly, in parts of a file, and each part may be read by another thread.
 * perfdata_decode() decodes a whole sample.
 *
 * A file has parts after all its records have been read once: the first pass marks the offsets of some records.
 */
#ifndef PERFDATA_READ_SAMPLES_H
#define PERFDATA_READ_SAMPLES_H

#include "perfdata/read/reader.h"

struct sample_head {
	const struct perf_event_header *raw; /* the record's bytes in the file */
	const struct evsel *evsel;	     /* NULL: no event has its id */
	u64 foff, ip, time, period;
	u32 pid, tid, cpu; /* as struct sample_id has them */
	u16 misc;
	u32 nr_ips, tls_size, tls_filled;
	const u64 *ips;	 /* the call chain */
	const void *tls; /* struct sample's tls */
};

/* The head of a decoded sample. */
void sample_head_of(const struct event *sample, struct sample_head *out);

struct perfdata_part {
	const u8 *from, *to;
	u64 foff; /* of from in its file */
	bool still; /* inflated records: all of them have this foff, that of their COMPRESSED record */
};

/*
 * Divides the file into consecutive @parts (struct perfdata_part) of about @size bytes. False: the file has no parts,
 * because it is a pipe, compressed, or has AUX data.
 */
bool perfdata_parts(const struct perfdata *pd, u64 size, GArray *parts);

/*
 * For files without parts: perfdata_next_block() reads them from the first record to the last. A block has its own copy
 * of samples, so a thread can process it while the next block is read.
 */
struct perfdata_block {
	GByteArray *bytes;
	GArray *parts; /* struct perfdata_part, which follow one another */
};

struct perfdata_block *perfdata_block_new(void);
void perfdata_block_free(struct perfdata_block *block);

/*
 * Reads the next samples, about @size bytes, into an empty @block. Other records are applied to events and info. Call
 * perfdata_want(PERFDATA_WANT_EVERY_RAW) before. 1: there may be more. 0: these were the last. -1 with @error: the
 * input after these samples cannot be read.
 */
int perfdata_next_block(struct perfdata *pd, u64 size, struct perfdata_block *block,
			GError **error);

/* The head of the sample at @raw. False with @error: it is malformed. */
bool perfdata_head(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		   struct sample_head *out, GError **error);

/* Gives the memory of a part back to the system. If it is accessed again, the system reads it again. */
void perfdata_give_back(const struct perfdata *pd, const struct perfdata_part *part);

/*
 * Reads the heads of up to @max samples of @part, and moves the start of @part after them. Returns their number; 0 at
 * the end; -1 with @error. Several threads may call it with different parts.
 */
int perfdata_heads(const struct perfdata *pd, struct perfdata_part *part, struct sample_head *out,
		   u32 max, GError **error);

/* The same for all records that perfdata_next_timed() would return, with only their times. */
int perfdata_timed(const struct perfdata *pd, struct perfdata_part *part,
		   struct perfdata_timed *out, u32 max, GError **error);

#endif
