// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record/record_report.h"

#include <glib.h>

#include "perfdata/read/pushed.h"
#include "perfdata/read/reader.h"

struct report_consumer {
	struct consumer consumer;
	struct records_reader reader;
	struct pushed *pushed;	  /* NULL: ended, or not yet begun */
	struct pushed *read;	  /* the thread's */
	struct perfdata *records; /* the thread's */
	GThread *thread;
};

static struct report_consumer *report_consumer(struct consumer *c)
{
	return container_of(c, struct report_consumer, consumer);
}

static gpointer read_records(gpointer arg)
{
	struct report_consumer *r = arg;

	if (r->reader.turns)
		turns_begin(r->reader.turns);
	r->reader.read(r->reader.arg, r->records);
	if (r->reader.turns)
		turns_end(r->reader.turns);
	/* After an error there are records that nobody reads: the recording does not wait for that. */
	pushed_stop_reading(r->read);
	return NULL;
}

/* Copies only the features that a session needs. A file's other features are for readers elsewhere. */
static struct perfdata_info *info_for(const struct perfdata_info *from)
{
	struct perfdata_info *info = perfdata_info_of_host();

	for (u32 i = 0; from->notes && i < from->notes->len; i++) {
		const struct info_note *note = g_ptr_array_index(from->notes, i);

		perfdata_info_add_note(info, note->key, note->value);
	}
	if (from->tracing_data) {
		info->tracing_data = g_bytes_ref(from->tracing_data);
		perfdata_info_set(info, FEAT_TRACING_DATA);
	}
	return info;
}

static bool begin(struct consumer *c, const struct consumer_about *about, GError **error)
{
	struct report_consumer *r = report_consumer(c);

	r->pushed = pushed_new();
	if (r->reader.turns)
		pushed_take_turns(r->pushed, r->reader.turns);
	r->records = perfdata_open_pushed("this recording", r->pushed, about->evsels,
					  about->nr_evsels, info_for(about->info), error);
	if (!r->records)
		return false;
	r->read = pushed_hold(r->pushed);
	r->thread = g_thread_try_new("report", read_records, r, error);
	if (!r->thread) {
		pushed_stop_reading(r->read);
		g_clear_pointer(&r->records, perfdata_close);
	}
	return r->thread;
}

static void take_records(struct consumer *c, const void *records, size_t size)
{
	pushed_put(report_consumer(c)->pushed, records, size);
}

static enum consumer_wish flush(struct consumer *c)
{
	return CONSUMER_MORE;
}

static void end(struct consumer *c)
{
	g_clear_pointer(&report_consumer(c)->pushed, pushed_end);
}

static void close_report(struct consumer *c)
{
	struct report_consumer *r = report_consumer(c);

	g_clear_pointer(&r->pushed, pushed_end);
	if (r->thread)
		g_thread_join(r->thread);
	g_free(r);
}

struct consumer *record_report_consumer(const struct records_reader *reader)
{
	static const struct consumer_ops ops = {
		.name = "report",
		.begin = begin,
		.records = take_records,
		.flush = flush,
		.end = end,
		.close = close_report,
	};
	struct report_consumer *r = g_new0(struct report_consumer, 1);

	r->consumer.ops = &ops;
	r->reader = *reader;
	return &r->consumer;
}
