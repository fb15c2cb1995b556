/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records and the header of perf.data: files and pipes of perf 6.1 to 7.3 and our own, plain or
 * zstd-compressed. Records are returned in file order. The stream sorts them by time, the machine interprets them.
 *
 * Untrusted input: every size is checked against the available bytes. A malformed header or record is an error that
 * names the file, the offset and the expected part. Unknown record types, unknown features, AUX payloads, and
 * incomplete data of a killed recorder are skipped and counted in struct perfdata_counts.
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
	u64 unknown_records;		  /* skipped records of unknown types */
	u64 unknown_features;		  /* header feature bits not known here */
	u64 unknown_ids; /* samples whose id no event has; decoded if all events have the same layout */
	u64 aux_bytes;	   /* skipped AUXTRACE payloads */
	u64 cut_bytes;	   /* bytes of an incomplete record at the end */
	bool no_build_ids; /* the header's build-id table is damaged and was ignored */
	bool cut; /* the recorder was killed: data.size is 0 (known at the open), or cut_bytes > 0 */
};

/*
 * Opens @path: a file, a directory with `data` in it, a fifo, or "-" for standard input.
 * NULL with @error: it does not exist, is unreadable, is no perf.data of this byte order, or belongs to neither this
 * process's user nor root.
 */
struct perfdata *perfdata_open(const char *path, GError **error);
/* The same, for files of any owner. */
struct perfdata *perfdata_open_forced(const char *path, GError **error);
/*
 * The path if the user names no file: "-" if standard input is a pipe, so that `perf record ... | perf report` works as
 * in upstream; else "perf.data".
 */
const char *perfdata_default_path(void);
/* Reads from memory, which must stay valid until the close; for tests. */
struct perfdata *perfdata_open_bytes(const char *name, const void *data, size_t size,
				     GError **error);
void perfdata_close(struct perfdata *pd);

const char *perfdata_path(const struct perfdata *pd); /* as given to open */
bool perfdata_is_pipe(const struct perfdata *pd);     /* one pass only */
u64 perfdata_size(const struct perfdata *pd);	  /* bytes of records, 0 in a pipe: for progress */
u64 perfdata_position(const struct perfdata *pd); /* bytes of records read so far */

/* struct evsel *. In a pipe, each ATTR record adds an element. Elements are never moved or removed. */
const GPtrArray *perfdata_evsels(const struct perfdata *pd);
/* The event with @id, or NULL. If there is only one event, it has all ids. */
const struct evsel *perfdata_evsel(const struct perfdata *pd, u64 id);

/* The decoded header. In a pipe it is complete only after the last record. Owned by @pd. */
const struct perfdata_info *perfdata_info(const struct perfdata *pd);
/* Adds a note that a copy gets, too. */
void perfdata_add_note(struct perfdata *pd, const char *key, const char *value);
/*
 * A copy of the info of a reader, owned by the caller: features, build-ids and notes. Unknown features are copied
 * unchanged.
 */
struct perfdata_info *perfdata_info_copy(const struct perfdata_info *from);
const struct perfdata_counts *perfdata_counts(const struct perfdata *pd);

/* The records that perfdata_next() returns. Other records are still counted and applied to events and info. */
enum perfdata_want {
	PERFDATA_WANT_ALL,
	PERFDATA_WANT_EVERY_TYPE, /* also records of unknown types, with only their payload */
	PERFDATA_WANT_EVERY_RAW,  /* the same; samples have only type, misc, size, raw, foff */
	PERFDATA_WANT_SIDEBAND,	  /* all but samples */
	PERFDATA_WANT_SAMPLES,
};
void perfdata_want(struct perfdata *pd, enum perfdata_want want);

/*
 * The next record: 1 with @ev filled, 0 at the end, -1 with @error. After an error inside one record, the next call
 * continues after that record. After an error of the file, the next call fails again.
 *
 * Pointers in @ev are valid until the next call; in a seekable file without compression, until the close. COMPRESSED
 * records are not returned, but the records inside them are. Unknown types are returned only with
 * PERFDATA_WANT_EVERY_TYPE.
 */
int perfdata_next(struct perfdata *pd, struct event *ev, GError **error);

/*
 * The same, for callers that only sort records: returns the record and its time (that of struct event's id). Decode
 * samples with perfdata_decode(). @raw is aligned, and valid as long as the pointers of an event are.
 */
struct perfdata_timed {
	const struct perf_event_header *raw;
	u64 foff, time;
};
int perfdata_next_timed(struct perfdata *pd, struct perfdata_timed *out, GError **error);

/*
 * For callers that read the file twice: if the file has at most @most bytes, its pages are not given back to the system
 * while it is read.
 */
void perfdata_stay_mapped(struct perfdata *pd, u64 most);

/* Goes back to the first record and resets the counts. False with @error: the input is a pipe. */
bool perfdata_rewind(struct perfdata *pd, GError **error);

/*
 * Decodes one record of this file that the caller has kept: raw->size bytes at @raw, 8-aligned. @foff is stored in the
 * event. Thread-safe, except while perfdata_next() runs on a pipe. False with @error: the record is malformed.
 */
bool perfdata_decode(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		     struct event *ev, GError **error);

#endif
