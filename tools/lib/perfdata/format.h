/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the records of one file are laid out: which event a record belongs to, and by which
 * bits its fields follow each other. Internal to perfdata/: reader.h is the door.
 *
 * The id that tells events apart is at a fixed place only because recorders arrange for it:
 * PERF_SAMPLE_IDENTIFIER puts it first in a sample and last in every other record; without
 * it the fields around ID must be as many in every event.
 */
#ifndef PERFDATA_FORMAT_H
#define PERFDATA_FORMAT_H

#include <glib.h>

#include "base/cursor.h"
#include "perfdata/event.h"

#define FORMAT_NO_ID (-1)

struct format_id {
	u64 id;
	const struct evsel *evsel;
};

struct format {
	GPtrArray *evsels; /* struct evsel *, by idx; owned */
	GArray *ids;	   /* struct format_id, ascending when settled */
	bool settled;
	bool same_samples;  /* every event lays out samples and trailers alike */
	bool untimed;	    /* no event has PERF_SAMPLE_TIME */
	bool build_ids;	    /* some event has attr.build_id */
	int sample_id_pos;  /* u64s before the id in a sample's body, or FORMAT_NO_ID */
	int trailer_id_pos; /* u64s from the id's start to a record's end, or FORMAT_NO_ID */
};

void format_init(struct format *fmt);
void format_release(struct format *fmt);

/*
 * Takes over @evsel. False when its records cannot be told from those of the events before
 * it; @problem then says why, and @evsel is still the caller's.
 */
bool format_add(struct format *fmt, struct evsel *evsel, const char **problem);
/* To be called after the last format_add() before any look-up. */
void format_settle(struct format *fmt);

const struct evsel *format_evsel(const struct format *fmt, u64 id);

/*
 * Fills @ev from @raw, whose raw->size (at least 8) bytes are there and 8-aligned. On
 * failure it is false and @part names what the record ended in, or what about it is wrong.
 */
bool format_decode(const struct format *fmt, const struct perf_event_header *raw, u64 foff,
		   struct event *ev, const char **part);

/* The tool's own records (types from 64 on), for format_decode(). */
bool decode_tool_record(struct cursor *c, struct event *ev, const char **part);

/*
 * The bytes of @raw that are a record's: header.size, or less. Up to 6.18 at least kernels make one KSYMBOL,
 * BPF_EVENT or TEXT_POKE for all who listen and add a trailer's size for each: from the second
 * one on there is, behind the trailer, what the ring held before. @evsels: struct evsel *.
 */
u32 record_true_size(const GPtrArray *evsels, const struct perf_event_header *raw);

/* How many u64s the trailer of @type has (attr.sample_id_all). */
u32 trailer_words(u64 type);

/* Bytes of one counter in a group's READ, after the common head. */
u32 read_group_entry(u64 read_format);

#endif
