// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Iterates over records. There are three nested streams: the bytes of the input (mapped segments or a pipe), the
 * records in them, and the records inside COMPRESSED records. On each level, the bytes that were returned last stay
 * valid until the next call. That call skips them first: pd->taken and pd->payload are their sizes.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "perfdata/features.h"
#include "perfdata/read/reader_private.h"

const char *perfdata_path(const struct perfdata *pd)
{
	return pd->path;
}

bool perfdata_is_pipe(const struct perfdata *pd)
{
	return pd->one_pass;
}

u64 perfdata_size(const struct perfdata *pd)
{
	return pd->size;
}

u64 perfdata_position(const struct perfdata *pd)
{
	return input_position(pd->input);
}

const GPtrArray *perfdata_evsels(const struct perfdata *pd)
{
	return pd->format.evsels;
}

const struct evsel *perfdata_evsel(const struct perfdata *pd, u64 id)
{
	return format_evsel(&pd->format, id);
}

const struct perfdata_info *perfdata_info(const struct perfdata *pd)
{
	return pd->info;
}

void perfdata_add_note(struct perfdata *pd, const char *key, const char *value)
{
	perfdata_info_add_note(pd->info, key, value);
}

const struct perfdata_counts *perfdata_counts(const struct perfdata *pd)
{
	return &pd->counts;
}

void perfdata_want(struct perfdata *pd, enum perfdata_want want)
{
	pd->want = want;
}

void perfdata_stay_mapped(struct perfdata *pd, u64 most)
{
	if (pd->input && pd->size <= most)
		input_stays_mapped(pd->input);
}

bool perfdata_rewind(struct perfdata *pd, GError **error)
{
	struct perfdata_counts kept = pd->counts; /* facts about the file that are known now */

	if (pd->one_pass)
		return error_set(error, PERF_ERROR_UNSUPPORTED, "%s: a pipe can be read only once",
				 pd->path);
	input_rewind(pd->input);
	if (pd->inflate)
		inflate_reset(pd->inflate);
	pd->looked_foff = 0;
	pd->inflating = false;
	pd->taken = pd->payload = 0;
	pd->counts = (struct perfdata_counts){ .unknown_features = kept.unknown_features,
					       .no_build_ids = kept.no_build_ids,
					       .cut = kept.cut };
	pd->absorbed = true;
	return true;
}

bool perfdata_decode(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		     struct event *ev, GError **error)
{
	const char *part, *name = event_type_name(raw->type);

	if (raw->size < sizeof(*raw))
		return reader_fail_at(pd, foff, error,
				      "a record states %u bytes, expected at least %zu", raw->size,
				      sizeof(*raw));
	if (format_decode(&pd->format, raw, foff, ev, &part))
		return true;
	return reader_fail_at(pd, foff, error,
			      "%s (%u) record of %u bytes is malformed: expected %s",
			      name ? name : "unknown", raw->type, raw->size, part);
}

/*
 * The input ends within a record. If the recorder was killed before it wrote data.size, this is the normal end of the
 * file. A pipe has no data.size: it ends where its recorder was killed. Otherwise bytes are missing.
 */
static int cut_short(struct perfdata *pd, u64 expected, u64 left, GError **error)
{
	if (pd->open_ended || (pd->pipe_form && pd->format.evsels->len)) {
		pd->marked |= !pd->absorbed && !pd->unmarked;
		input_skip(pd->input, left, NULL);
		pd->counts.cut_bytes += left;
		pd->counts.cut = true;
		return 0;
	}
	reader_fail_at(pd, input_foff(pd->input), error,
		       "truncated: expected a record of %" PRIu64 " bytes, %" PRIu64 " are left",
		       expected, left);
	return -1;
}

static bool aligned(const void *at)
{
	return (uintptr_t)at % sizeof(u64) == 0;
}

/* An aligned copy of the record. For mapped files it is valid until the close. */
static const struct perf_event_header *align_record(struct perfdata *pd, const u8 *at, u16 size,
						    bool lasting)
{
	void *copy;

	if (!lasting)
		return memcpy(pd->bounce, at, size);
	copy = g_hash_table_lookup(pd->copies, at);
	if (!copy) {
		copy = g_memdup2(at, size);
		g_hash_table_insert(pd->copies, (void *)at, copy);
	}
	return copy;
}

/* Skips the record that the last call returned. */
static int skip_taken(struct perfdata *pd, GError **error)
{
	int got = 1;

	if (pd->inflating) {
		inflate_skip(pd->inflate, pd->taken);
		pd->taken = 0;
		return 1;
	}
	input_skip(pd->input, pd->taken, NULL);
	pd->taken = 0;
	if (pd->payload) {
		u64 payload = pd->payload;

		got = input_skip(pd->input, payload, error);
		if (got == 0)
			return cut_short(pd, payload, 0, error);
		pd->payload = 0;
	}
	return got;
}

/* The next record inside the current COMPRESSED record; 0: there are no more. */
static int next_inflated(struct perfdata *pd, const struct perf_event_header **raw, GError **error)
{
	const char *problem = NULL;
	struct perf_event_header header;
	const u8 *at;
	int got = inflate_peek(pd->inflate, sizeof(header), &at, &problem);

	if (got > 0) {
		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || reader_is_compressed(header.type) ||
		    header.type == PERFDATA_AUXTRACE || header.type == PERFDATA_TRACING_DATA) {
			reader_fail_at(
				pd, pd->compressed_foff, error,
				"its compressed content has a record of type %u and %u bytes, "
				"which cannot be",
				header.type, header.size);
			return -1;
		}
		got = inflate_peek(pd->inflate, header.size, &at, &problem);
	}
	if (got < 0) {
		reader_fail_at(pd, pd->compressed_foff, error,
			       "COMPRESSED record is malformed: expected a zstd stream (%s)",
			       problem);
		return -1;
	}
	if (got == 0)
		return 0;
	pd->taken = header.size;
	*raw = aligned(at) ? (const void *)at : align_record(pd, at, header.size, false);
	return 1;
}

static bool start_inflating(struct perfdata *pd, const struct perf_event_header *header,
			    const u8 *at, GError **error)
{
	u64 size;
	const void *data = reader_compressed_payload(header, at, &size);

	if (!data)
		return reader_fail_at(
			pd, input_foff(pd->input), error,
			"COMPRESSED2 record of %u bytes is malformed: expected its size and "
			"that many bytes",
			header->size);
	if (!pd->inflate)
		pd->inflate = inflate_new();
	reader_look_ahead(pd);
	inflate_feed(pd->inflate, data, size);
	pd->inflating = true;
	pd->compressed_foff = input_foff(pd->input);
	pd->compressed_size = header->size;
	pd->counts.records[header->type]++;
	return true;
}

static void stop_inflating(struct perfdata *pd)
{
	pd->inflating = false;
	pd->taken = pd->compressed_size;
}

/* Called at the end of a segment. Is there another one? */
static bool next_segment(struct perfdata *pd)
{
	if (pd->inflate) {
		pd->counts.cut_bytes += inflate_left(pd->inflate);
		inflate_reset(pd->inflate);
	}
	pd->looked_foff = 0;
	if (pd->counts.cut_bytes)
		pd->counts.cut = true;
	return input_next_segment(pd->input);
}

/* Fast path of next_raw(): the next record is a plain one in a mapped file. */
static const struct perf_event_header *next_plain(struct perfdata *pd)
{
	const struct perf_event_header *raw;

	if (pd->inflating || pd->payload)
		return NULL;
	raw = input_next_record(pd->input, pd->taken);
	if (!raw)
		return NULL;
	pd->taken = 0;
	if (reader_is_compressed(raw->type))
		return NULL;
	pd->taken = raw->size;
	return raw;
}

/* The number of bytes from one mark to the next. */
#define MARK_EVERY (4u << 10)

/* Adds plain records to the last run, or starts a new run. */
static void mark(struct perfdata *pd, const u8 *at, const u8 *to, u64 foff)
{
	struct perfdata_part new = { at, to, foff };
	struct perfdata_part *last;

	if (pd->absorbed || pd->one_pass)
		return;
	last = pd->marks->len ? &g_array_index(pd->marks, struct perfdata_part, pd->marks->len - 1)
			      : NULL;
	if (last && last->to == at && (u64)(at - last->from) < MARK_EVERY)
		last->to = new.to;
	else
		g_array_append_val(pd->marks, new);
}

static int next_other(struct perfdata *pd, const struct perf_event_header **raw, u64 *foff,
		      GError **error);

static int next_raw(struct perfdata *pd, const struct perf_event_header **raw, u64 *foff,
		    GError **error)
{
	*raw = next_plain(pd);
	if (!*raw)
		return next_other(pd, raw, foff, error);
	*foff = input_foff(pd->input);
	mark(pd, (const u8 *)*raw, (const u8 *)*raw + (*raw)->size, *foff);
	return 1;
}

/* Counts the consecutive samples in @size bytes at @at. out: *@end, their end. */
static u64 walk_samples(const u8 *at, size_t size, const u8 **end)
{
	const u8 *last = at + size;
	u64 nr = 0;

	for (; (u64)(last - at) >= sizeof(struct perf_event_header); nr++) {
		const struct perf_event_header *header = (const void *)at;

		if (!aligned(at) || header->type != PERF_RECORD_SAMPLE ||
		    header->size < sizeof(*header) || header->size > (u64)(last - at))
			break;
		at += header->size;
	}
	*end = at;
	return nr;
}

static u64 inflated_run(struct perfdata *pd, struct perfdata_part *at)
{
	size_t size;

	inflate_skip(pd->inflate, pd->taken);
	pd->taken = 0;
	at->from = inflate_ready(pd->inflate, &size);
	pd->counts.records[PERF_RECORD_SAMPLE] += walk_samples(at->from, size, &at->to);
	at->foff = pd->compressed_foff;
	at->still = true;
	inflate_skip(pd->inflate, (size_t)(at->to - at->from));
	return (u64)(at->to - at->from);
}

static u64 plain_run(struct perfdata *pd, struct perfdata_part *at)
{
	u64 nr, foff = input_foff(pd->input) + pd->taken;

	nr = input_skip_records(pd->input, pd->taken, PERF_RECORD_SAMPLE, MARK_EVERY, &at->to);
	if (!nr)
		return 0;
	pd->taken = 0;
	pd->counts.records[PERF_RECORD_SAMPLE] += nr;
	at->from = at->to - (input_foff(pd->input) - foff);
	at->foff = foff;
	at->still = false;
	mark(pd, at->from, at->to, foff);
	return (u64)(at->to - at->from);
}

u64 reader_sample_run(struct perfdata *pd, struct perfdata_part *at)
{
	u64 size = pd->inflating ? inflated_run(pd, at) : pd->payload ? 0 : plain_run(pd, at);

	if (size && !pd->format.settled)
		format_settle(&pd->format);
	return size;
}

/*
 * The record at the input's position: 1, and its header and bytes. 0: the input's segment ends here (*@left 0), or
 * before the record does.
 */
static int peek_record(struct perfdata *pd, struct perf_event_header *header, const u8 **at,
		       u64 *left, GError **error)
{
	int got = input_peek(pd->input, sizeof(*header), at, left, error);

	if (got < 0 || !*left)
		return got;
	if (got == 0)
		return cut_short(pd, sizeof(*header), *left, error);
	memcpy(header, *at, sizeof(*header));
	if (header->size < sizeof(*header)) {
		/* Either allocated space that the recorder did not write before it died, or a table of
		 * features that a flush had written and that no record has overwritten. */
		if (pd->open_ended && !header->size)
			return cut_short(pd, sizeof(*header), *left, error);
		reader_fail_at(pd, input_foff(pd->input), error,
			       "a record states %u bytes, expected at least %zu", header->size,
			       sizeof(*header));
		return -1;
	}
	got = input_peek(pd->input, header->size, at, left, error);
	return got ? got : cut_short(pd, header->size, *left, error);
}

static int next_other(struct perfdata *pd, const struct perf_event_header **raw, u64 *foff,
		      GError **error)
{
	for (;;) {
		struct perf_event_header header;
		const u8 *at;
		u64 left;
		int got = skip_taken(pd, error);

		if (got <= 0)
			return got;
		if (pd->inflating) {
			*foff = pd->compressed_foff;
			got = next_inflated(pd, raw, error);
			if (got)
				return got;
			stop_inflating(pd);
			continue;
		}
		got = peek_record(pd, &header, &at, &left, error);
		if (got == 0 && !left) {
			if (next_segment(pd))
				continue;
			pd->marked |= !pd->absorbed && !pd->unmarked;
		}
		if (got <= 0)
			return got;
		*foff = input_foff(pd->input);
		if (reader_is_compressed(header.type)) {
			if (!start_inflating(pd, &header, at, error))
				return -1;
			continue;
		}
		pd->taken = header.size;
		if (aligned(at)) {
			*raw = (const void *)at;
			mark(pd, (const u8 *)*raw, (const u8 *)*raw + (*raw)->size, *foff);
		} else {
			*raw = align_record(pd, at, header.size, !pd->one_pass);
			pd->unmarked = true;
		}
		return 1;
	}
}

static bool wanted(const struct perfdata *pd, u32 type)
{
	switch (pd->want) {
	case PERFDATA_WANT_SIDEBAND:
		return type != PERF_RECORD_SAMPLE;
	case PERFDATA_WANT_SAMPLES:
		return type == PERF_RECORD_SAMPLE;
	default:
		return true;
	}
}

/* Decodes the record and applies it to events and info. 0: it is not wanted. */
static int decode_wanted(struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
			 struct event *ev, GError **error)
{
	if (raw->type == PERF_RECORD_SAMPLE && pd->want == PERFDATA_WANT_EVERY_RAW) {
		*ev = (struct event){ .foff = foff,
				      .type = raw->type,
				      .misc = raw->misc,
				      .size = raw->size,
				      .raw = raw };
		return 1;
	}
	if (!perfdata_decode(pd, raw, foff, ev, error))
		return -1;
	if (raw->type >= PERFDATA_USER_TYPE_START) {
		if (!reader_absorb(pd, ev, error))
			return -1;
		return wanted(pd, raw->type);
	}
	if (raw->type == PERF_RECORD_SAMPLE && !ev->evsel)
		pd->counts.unknown_ids++;
	return 1;
}

/*
 * The next wanted record, decoded and applied to events and info. If @time is not NULL and the sample's time is at a
 * known offset, only the time is read: then *@whole is false, and the rest of @ev is not filled.
 */
static int next_wanted(struct perfdata *pd, struct event *ev, u64 *time, bool *whole,
		       GError **error)
{
	for (;;) {
		const struct perf_event_header *raw;
		struct perfdata_part passed;
		u64 foff;
		int got;

		if (pd->want == PERFDATA_WANT_SIDEBAND)
			reader_sample_run(pd, &passed);
		got = next_raw(pd, &raw, &foff, error);
		if (got <= 0)
			return got;
		if (raw->type < PERFDATA_RECORD_MAX)
			pd->counts.records[raw->type]++;
		if (!event_type_name(raw->type)) {
			pd->counts.unknown_records++;
			if (pd->want != PERFDATA_WANT_EVERY_TYPE &&
			    pd->want != PERFDATA_WANT_EVERY_RAW)
				continue;
		}
		if (raw->type < PERFDATA_USER_TYPE_START) {
			if (!pd->format.settled)
				format_settle(&pd->format);
			if (!wanted(pd, raw->type))
				continue;
		}
		*whole = !time || raw->type != PERF_RECORD_SAMPLE ||
			 !format_sample_time(&pd->format, raw, foff, time);
		ev->raw = raw;
		ev->foff = foff;
		if (!*whole)
			return 1;
		got = decode_wanted(pd, raw, foff, ev, error);
		if (got)
			return got;
	}
}

int perfdata_next(struct perfdata *pd, struct event *ev, GError **error)
{
	bool whole;

	return next_wanted(pd, ev, NULL, &whole, error);
}

int perfdata_next_timed(struct perfdata *pd, struct perfdata_timed *out, GError **error)
{
	struct event ev;
	bool whole;
	int got = next_wanted(pd, &ev, &out->time, &whole, error);

	if (got <= 0)
		return got;
	out->raw = ev.raw;
	out->foff = ev.foff;
	if (whole)
		out->time = ev.id.time;
	return 1;
}
