/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the event that a record belongs to, and the record's layout. Internal to perfdata/; reader.h
 * is the public header.
 *
 * The event's id is at a fixed place only because recorders arrange that. PERF_SAMPLE_IDENTIFIER
 * puts it first in a sample, and last in every other record. Without IDENTIFIER, all events must
 * have the same number of fields in front of ID.
 */
#ifndef PERFDATA_FORMAT_H
#define PERFDATA_FORMAT_H

#include <glib.h>

#include "perfdata/event.h"

#define FORMAT_NO_ID (-1)

struct format_id {
	u64 id;
	const struct evsel *evsel;
};

/*
 * The start of samples, if it is the same for all events. Each field is an index of a u64 after the record's header;
 * ABSENT: samples do not have the field. So these fields can be read without the attributes.
 */
#define FORMAT_ABSENT 0xff
struct format_heads {
	u32 least; /* bytes of a record with all of them; above any where none are alike */
	const struct evsel *evsel; /* of all samples; NULL: look the word up */
	u8 id;			   /* that tells the event */
	u8 ip, tid, time, addr, sample_id, stream_id, cpu, period;
	bool chain, tls; /* these follow, in this order, and nothing in front of them */
};

struct format {
	GPtrArray *evsels; /* struct evsel *, by idx; owned */
	GArray *ids;	   /* struct format_id, ascending when settled */
	bool settled;
	bool same_samples;	   /* every event lays out samples and trailers alike */
	bool untimed;		   /* no event has PERF_SAMPLE_TIME */
	bool build_ids;		   /* some event has attr.build_id */
	int sample_id_pos;	   /* u64s before the id in a sample's body, or FORMAT_NO_ID */
	int trailer_id_pos;	   /* u64s from the id's start to a record's end, or FORMAT_NO_ID */
	struct format_heads heads; /* when settled */
};

void format_init(struct format *fmt);
void format_release(struct format *fmt);

/*
 * Takes over @evsel. False if its records could not be told from those of earlier events: then
 * @problem says why, and the caller still owns @evsel.
 */
bool format_add(struct format *fmt, struct evsel *evsel, const char **problem);
/* To be called after the last format_add() before any look-up. */
void format_settle(struct format *fmt);

const struct evsel *format_evsel(const struct format *fmt, u64 id);

/*
 * Reads only the time of the sample at @raw. False: format_decode() is needed, or no event has the sample's id. Only
 * after format_settle().
 */
bool format_sample_time(const struct format *fmt, const struct perf_event_header *raw, u64 foff,
			u64 *time);

/*
 * Fills @ev from @raw, whose raw->size (at least 8) bytes are there and 8-aligned. On
 * failure it is false and @part names what the record ended in, or what about it is wrong.
 */
bool format_decode(const struct format *fmt, const struct perf_event_header *raw, u64 foff,
		   struct event *ev, const char **part);

/*
 * The size of the record at @raw without garbage at its end: header.size, or less. Linux up to at
 * least 6.18 makes one KSYMBOL, BPF_EVENT or TEXT_POKE record for all recorders, and adds the size
 * of a trailer to its header for each recorder. So the copies from the second one on have their
 * trailer where it belongs, and then bytes that were in the ring before. @evsels: struct evsel *.
 */
u32 record_true_size(const GPtrArray *evsels, const struct perf_event_header *raw);

/* How many u64s the trailer of @type has (attr.sample_id_all). */
u32 trailer_words(u64 type);

/* Bytes of one counter in a group's READ, after the common head. */
u32 read_group_entry(u64 read_format);

#endif
