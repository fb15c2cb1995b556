/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads perf.data: "what records does this file hold, and what does it say about itself?"
 * Files and pipes of perf 6.1 to 7.3 and our own, plain or zstd-compressed. It gives records
 * in the order of the file; time order is stream's work, what they mean machine's.
 *
 * Untrusted input: every size is checked against the bytes that are there. A malformed
 * header or record is an error that names file, offset and what was expected. What can be
 * stepped over (unknown record types, unknown features, AUX payloads, data of a recorder
 * that was killed) is counted in struct perfdata_counts.
 */
#ifndef PERFDATA_READER_H
#define PERFDATA_READER_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/event.h"
#include "perfdata/info.h"

struct perfdata;

struct perfdata_counts {
	u64 records[PERFDATA_RECORD_MAX]; /* seen by type, before decoding; COMPRESSED too */
	u64 unknown_records;		  /* of types not known here, passed over */
	u64 unknown_features;		  /* header feature bits not known here */
	u64 unknown_ids;   /* samples whose id no event has; decoded if all look alike */
	u64 aux_bytes;	   /* AUXTRACE payloads passed over */
	u64 cut_bytes;	   /* at the end, too few for a whole record */
	bool no_build_ids; /* the header's table of them is damaged, and left out */
	bool cut;	   /* the recorder did not end in order: data.size is 0 or cut_bytes > 0 */
};

/*
 * Opens @path: a file, a directory with `data` in it, a fifo, or "-" for standard input.
 * NULL with @error for what is missing, unreadable or no perf.data of this byte order, or belongs
 * neither to this process's user nor to root.
 */
struct perfdata *perfdata_open(const char *path, GError **error);
/* The same whoever owns it. */
struct perfdata *perfdata_open_forced(const char *path, GError **error);
/*
 * What is read where the user names no file: "-" if standard input is a pipe, so that
 * `perf record ... | perf report` works as with upstream; else "perf.data".
 */
const char *perfdata_default_path(void);
/* From bytes that stay in place until the close; for tests. */
struct perfdata *perfdata_open_bytes(const char *name, const void *data, size_t size,
				     GError **error);
void perfdata_close(struct perfdata *pd);

const char *perfdata_path(const struct perfdata *pd); /* as given to open */
bool perfdata_is_pipe(const struct perfdata *pd);     /* one pass only */
u64 perfdata_size(const struct perfdata *pd);	  /* bytes of records, 0 in a pipe: for progress */
u64 perfdata_position(const struct perfdata *pd); /* bytes of records read so far */

/* struct evsel *. In a pipe it grows as ATTR records go by; entries never move or vanish. */
const GPtrArray *perfdata_evsels(const struct perfdata *pd);
/* The event that records with @id belong to, or NULL. The only event owns every id. */
const struct evsel *perfdata_evsel(const struct perfdata *pd, u64 id);

/* In a pipe, complete only at the end of the records. Owned by @pd. */
const struct perfdata_info *perfdata_info(const struct perfdata *pd);
/*
 * What a reader has filled in, as the caller's own: features, build-ids and notes. Features that are not known here
 * are copied as they are.
 */
struct perfdata_info *perfdata_info_copy(const struct perfdata_info *from);
const struct perfdata_counts *perfdata_counts(const struct perfdata *pd);

/* Which records perfdata_next() gives. Others are still counted and their effect on events
 * and info is taken. */
enum perfdata_want {
	PERFDATA_WANT_ALL,
	PERFDATA_WANT_EVERY_TYPE, /* those of types not known here, too; of these only the payload */
	PERFDATA_WANT_EVERY_RAW, /* the same, and samples are not decoded: type, misc, size, raw, foff */
	PERFDATA_WANT_SIDEBAND, /* all but samples */
	PERFDATA_WANT_SAMPLES,
};
void perfdata_want(struct perfdata *pd, enum perfdata_want want);

/*
 * The next record: 1 with @ev filled, 0 at the end, -1 with @error. After an error about one
 * record's inside, a further call goes on behind that record; after one about the file it
 * fails again.
 *
 * What @ev points to is valid until the next call; in a seekable file that is not
 * compressed, until the close. COMPRESSED records are never seen: what they hold is. Types
 * unknown here are seen with PERFDATA_WANT_EVERY_TYPE only.
 */
int perfdata_next(struct perfdata *pd, struct event *ev, GError **error);

/*
 * The same for who only puts records in order: the time is that of struct event's id, and what a
 * sample's bytes are is found out by perfdata_decode(). @raw is aligned, and valid as what an event
 * points to is.
 */
struct perfdata_timed {
	const struct perf_event_header *raw;
	u64 foff, time;
};
int perfdata_next_timed(struct perfdata *pd, struct perfdata_timed *out, GError **error);

/*
 * For who reads it twice: pages of the file stay in memory, if it has no more than @most bytes, instead of being given back to
 * the system some megabytes behind the last record and fetched again.
 */
void perfdata_stay_mapped(struct perfdata *pd, u64 most);

/* Back to the first record, counts at zero; false with @error on a pipe. */
bool perfdata_rewind(struct perfdata *pd, GError **error);

/*
 * Decodes one whole record of this file that the caller kept (raw->size bytes at @raw, which
 * is 8-aligned); @foff goes into the event. Thread-safe as long as no perfdata_next() runs
 * on a pipe. False with @error where the record is malformed.
 */
bool perfdata_decode(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		     struct event *ev, GError **error);

#endif
