// SPDX-License-Identifier: GPL-2.0-or-later
/* Applies records that describe the recording itself: events, their names, header features, build-ids. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "perfdata/features.h"
#include "perfdata/read/reader_private.h"

bool reader_fail_at(const struct perfdata *pd, u64 foff, GError **error, const char *fmt, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, fmt);
	text = g_strdup_vprintf(fmt, args);
	va_end(args);
	return error_set(error, PERF_ERROR_FORMAT, "%s: at offset 0x%" PRIx64 ": %s",
			 pd->input ? input_name(pd->input) : pd->path, foff, text);
}

static bool absorb_attr(struct perfdata *pd, const struct event *ev, GError **error)
{
	const u8 *data = ev->payload.data;
	u32 attr_size = 0;
	struct evsel *evsel;
	const char *problem;

	if (ev->payload.size >= 8)
		memcpy(&attr_size, data + 4, sizeof(attr_size));
	evsel = evsel_new();
	if (attr_size > ev->payload.size || !evsel_set_attr_bytes(evsel, data, attr_size)) {
		evsel_free(evsel);
		return reader_fail_at(
			pd, ev->foff, error,
			"ATTR record is malformed: expected an attr of its stated %u bytes",
			attr_size);
	}
	evsel->nr_ids = (u32)((ev->payload.size - attr_size) / sizeof(u64));
	evsel->ids = g_memdup2(data + attr_size, evsel->nr_ids * sizeof(u64));
	if (!format_add(&pd->format, evsel, &problem)) {
		evsel_free(evsel);
		return reader_fail_at(pd, ev->foff, error, "ATTR record: expected %s", problem);
	}
	reader_name_events(pd);
	return true;
}

static void absorb_update(struct perfdata *pd, const struct event *ev)
{
	const struct event_update *up = &ev->update;
	struct evsel *evsel = (struct evsel *)format_evsel(&pd->format, up->id);

	if (!evsel)
		return;
	switch (up->type) {
	case PERFDATA_UPDATE_UNIT:
		g_free(evsel->unit);
		evsel->unit = g_strdup(up->text);
		break;
	case PERFDATA_UPDATE_SCALE:
		evsel->scale = up->scale;
		break;
	case PERFDATA_UPDATE_NAME:
		reader_rename(pd, evsel, up->text);
		break;
	default:
		break;
	}
}

/*
 * A recorder ends its FEATURE records with an empty one. Its number is the first feature that the recorder does not
 * know, so in a later version it can be the number of a real feature.
 */
static bool is_end_mark(const struct event_payload *feature)
{
	return !feature->size && feature->id != FEAT_BRANCH_STACK && feature->id != FEAT_STAT;
}

static bool absorb_feature(struct perfdata *pd, const struct event *ev, GError **error)
{
	g_autoptr(GBytes) bytes = g_bytes_new(ev->payload.data, ev->payload.size);

	if (is_end_mark(&ev->payload))
		return true;
	if (!reader_take_feature(pd, ev->payload.id, bytes, ev->foff, error))
		return false;
	reader_name_events(pd);
	return true;
}

static void absorb_build_id(struct perfdata *pd, const struct event *ev)
{
	const struct event_build_id *b = &ev->build_id;

	perfdata_info_add_build_id(pd->info, b->pid, ev->misc, b->build_id, b->size, b->filename);
}

/* TRACING_DATA in a pipe: the record has a u32 size, and that many bytes follow the record. */
static bool absorb_tracing_data(struct perfdata *pd, const struct event *ev, GError **error)
{
	g_autoptr(GByteArray) blob = g_byte_array_new();
	g_autoptr(GBytes) bytes = NULL;
	u32 size = 0;

	if (ev->payload.size < sizeof(size))
		return reader_fail_at(pd, ev->foff, error, "TRACING_DATA record without its size");
	memcpy(&size, ev->payload.data, sizeof(size));
	input_skip(pd->input, pd->taken, NULL);
	pd->taken = 0;
	for (u32 done = 0; done < size;) {
		u32 step = MIN(size - done, 32768);
		const u8 *at;
		u64 left;
		int got = input_peek(pd->input, step, &at, &left, error);

		if (got < 0)
			return false;
		if (got == 0)
			return reader_fail_at(pd, ev->foff, error,
					      "truncated: expected %u bytes of tracing data", size);
		g_byte_array_append(blob, at, step);
		input_skip(pd->input, step, NULL);
		done += step;
	}
	bytes = g_bytes_new(blob->data, blob->len);
	return pd->absorbed || reader_take_feature(pd, FEAT_TRACING_DATA, bytes, ev->foff, error);
}

/*
 * A recorder writes its notes before the records, too. Those of the section, which open.c has read, are of the end of
 * the recording. A pipe has no section.
 */
static bool has_later_notes(const struct perfdata *pd)
{
	return !pd->pipe_form && pd->header.event_types.size;
}

bool reader_absorb(struct perfdata *pd, const struct event *ev, GError **error)
{
	if (ev->type == PERFDATA_AUXTRACE) {
		pd->payload = ev->auxtrace.size;
		pd->counts.aux_bytes += ev->auxtrace.size;
		return true;
	}
	if (ev->type == PERFDATA_TRACING_DATA)
		return absorb_tracing_data(pd, ev, error);
	if (pd->absorbed)
		return true;
	switch (ev->type) {
	case PERFDATA_ATTR:
		return !pd->pipe_form || absorb_attr(pd, ev, error);
	case PERFDATA_FEATURE:
		return absorb_feature(pd, ev, error);
	case PERFDATA_BUILD_ID:
		absorb_build_id(pd, ev);
		return true;
	case PERFDATA_EVENT_UPDATE:
		absorb_update(pd, ev);
		return true;
	case PERFDATA_EVENT_TYPE:
		if (ev->ext.kind == PERFDATA_EXT_NOTES && !has_later_notes(pd) &&
		    !notes_read(pd->info, ev->ext.payload.data, ev->ext.payload.size))
			return reader_fail_at(pd, ev->foff, error, "expected pairs of strings");
		return true;
	default:
		return true;
	}
}
