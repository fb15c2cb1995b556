// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/decoder.h"

#include "base/error.h"
#include "perfdata/format.h"

struct perfdata_decoder {
	struct format format;
};

struct perfdata_decoder *perfdata_decoder_new(struct evsel *const *evsels, u32 nr, GError **error)
{
	struct perfdata_decoder *d = g_new0(struct perfdata_decoder, 1);

	format_init(&d->format);
	for (u32 i = 0; i < nr; i++) {
		struct evsel *copy = evsel_copy(evsels[i]);
		const char *problem;

		if (format_add(&d->format, copy, &problem)) {
			copy->leader = evsels[i]->leader;
			continue;
		}
		error_set(error, PERF_ERROR_SYSTEM, "event '%s' lacks %s",
			  copy->name ? copy->name : "", problem);
		evsel_free(copy);
		perfdata_decoder_free(d);
		return NULL;
	}
	format_settle(&d->format);
	return d;
}

void perfdata_decoder_free(struct perfdata_decoder *d)
{
	if (!d)
		return;
	format_release(&d->format);
	g_free(d);
}

bool perfdata_decoder_decode(const struct perfdata_decoder *d,
			     const struct perf_event_header *record, struct event *ev)
{
	const char *part;

	return record->size >= sizeof(*record) && format_decode(&d->format, record, 0, ev, &part);
}

u32 perfdata_decoder_size(const struct perfdata_decoder *d, const struct perf_event_header *record)
{
	return record_true_size(d->format.evsels, record);
}

u32 perfdata_decoder_ids(const struct perfdata_decoder *d, const struct perf_event_header *record,
			 u32 at[DECODER_MOST_IDS])
{
	const struct format *fmt = &d->format;
	u32 body = sizeof(*record), nr = 0;

	if (record->type == PERF_RECORD_SAMPLE && fmt->sample_id_pos != FORMAT_NO_ID)
		at[nr++] = body + 8 * (u32)fmt->sample_id_pos;
	if (record->type == PERF_RECORD_LOST) /* id, how many */
		at[nr++] = body;
	if (record->type == PERF_RECORD_THROTTLE || record->type == PERF_RECORD_UNTHROTTLE) {
		at[nr++] = body + 8; /* time, id, stream's id */
		at[nr++] = body + 16;
	}
	if (record->type != PERF_RECORD_SAMPLE && fmt->trailer_id_pos != FORMAT_NO_ID)
		at[nr++] = record_true_size(fmt->evsels, record) - 8 * (u32)fmt->trailer_id_pos;
	while (nr && at[nr - 1] + sizeof(u64) > record->size)
		nr--;
	return nr;
}
