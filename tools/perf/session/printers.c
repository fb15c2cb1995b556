// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches of records are the slots of a relay (base/relay.h): the caller's thread fills them, all threads print them,
 * and the caller's thread writes their texts in order.
 *
 * Records of a mapped file stay where they are; others are copied into their batch.
 */
#include "session/printers.h"

#include "base/relay.h"
#include "perfdata/evsel.h"
#include "session/group_reads.h"
#include "session/private.h"

/* Maximum events, and bytes of records, of a batch: this limits the text of its chains. */
#define BATCH_EVENTS 2048u
#define BATCH_BYTES  (512u << 10)

/* Bytes of records that justify one more thread. */
#define THREAD_BYTES (256u << 10)

/* Maximum number of waiting batches per thread. */
#define WAITING 3u

/* Number of events that are processed together, to overlap cache misses. */
#define AHEAD 16u

struct batch_record {
	const struct perf_event_header *raw; /* NULL: in the batch's copies, at @copy */
	u64 foff;
	u64 copy;
};

struct batch {
	struct batch_record *records;
	u32 nr_records;
	GByteArray *copies; /* of records, each at a multiple of 8 */
	u64 size;	    /* bytes of the records */
	GString *text;
	GError *error; /* behind the text */
};

struct printing_thread {
	struct printers *printers;
	struct session *view;
	void *printer;
};

struct printers {
	struct session *session;
	const struct session_text *text;
	u32 needs;
	struct printing_thread *all;
	u32 nr;
	struct batch *slots;
	u32 nr_slots;
	struct relay *relay;
	bool failed; /* write nothing more */
};

static void print_one(struct printing_thread *thread, const struct event *event, GString *out)
{
	const struct printers *w = thread->printers;
	struct activity activity;
	struct place place;
	struct event room;

	if (event->type != PERF_RECORD_SAMPLE)
		w->text->print(thread->printer, event, NULL, out);
	else if ((event = session_counted(thread->view, event, &room)) &&
		 !session_place(thread->view, event, w->needs, &place, &activity))
		w->text->print(thread->printer, event, &place, out);
}

static const struct perf_event_header *record_at(const struct batch *b, u32 i)
{
	const struct batch_record *r = &b->records[i];

	return r->raw ?: (const void *)(b->copies->data + r->copy);
}

static void print_batch(void *arg, u32 number, void *slot)
{
	struct printers *w = arg;
	struct printing_thread *thread = &w->all[number];
	struct batch *b = slot;
	struct event events[AHEAD];

	for (u32 i = 0, nr; i < b->nr_records && !b->error; i += nr) {
		for (nr = 0; nr < AHEAD && i + nr < b->nr_records; nr++)
			if (!perfdata_decode(thread->view->file->pd, record_at(b, i + nr),
					     b->records[i + nr].foff, &events[nr], &b->error))
				break;
		resolver_prefetch(thread->view->resolver, events, nr, true);
		for (u32 k = 0; k < nr; k++)
			print_one(thread, &events[k], b->text);
	}
}

static bool write_batch(struct printers *w, struct batch *b, GError **error)
{
	bool good = w->text->write(b->text, w->text->arg, error);

	if (good && b->error) {
		g_propagate_error(error, g_steal_pointer(&b->error));
		good = false;
	}
	b->nr_records = 0;
	g_byte_array_set_size(b->copies, 0);
	g_string_truncate(b->text, 0);
	g_clear_error(&b->error);
	b->size = 0;
	return good;
}

/* Writes finished batches until at most @most batches wait. */
static bool drain(struct printers *w, u64 most, GError **error)
{
	bool good = true;
	u64 pending;

	while (good && (pending = relay_pending(w->relay))) {
		struct batch *b = relay_take(w->relay, pending > most);

		if (!b)
			break;
		good = write_batch(w, b, error);
		relay_release(w->relay);
	}
	w->failed = !good;
	return good;
}

/* Releases the present batch for printing; there is space for the next one on return. */
static bool submit(struct printers *w, GError **error)
{
	relay_put(w->relay);
	return drain(w, w->nr_slots - 1, error);
}

static bool take_record(const struct perf_event_header *raw, u64 foff, bool stays, void *arg,
			GError **error)
{
	struct printers *w = arg;
	struct batch *b = relay_slot(w->relay);
	struct batch_record r = { .raw = raw, .foff = foff };

	if (!stays) {
		r.raw = NULL;
		r.copy = b->copies->len;
		g_byte_array_append(b->copies, (const void *)raw, raw->size);
		g_byte_array_set_size(b->copies, ALIGN_UP(b->copies->len, 8u));
	}
	b->records[b->nr_records++] = r;
	b->size += raw->size;
	return (b->nr_records < BATCH_EVENTS && b->size < BATCH_BYTES) || submit(w, error);
}

static bool open_thread(struct printers *w, u32 i, GError **error)
{
	struct printing_thread *thread = &w->all[i];

	thread->printers = w;
	thread->view = session_view_new(w->session, error);
	thread->printer = thread->view ? w->text->open(thread->view, w->text->arg, error) : NULL;
	return thread->printer;
}

static void start(struct printers *w, u32 nr)
{
	w->nr = nr;
	w->all = g_new0(struct printing_thread, nr);
	w->nr_slots = nr * WAITING;
	w->slots = g_new0(struct batch, w->nr_slots);
	for (u32 i = 0; i < w->nr_slots; i++) {
		w->slots[i].records = g_new(struct batch_record, BATCH_EVENTS);
		w->slots[i].copies = g_byte_array_new();
		w->slots[i].text = g_string_new(NULL);
	}
}

static void finish(struct printers *w)
{
	relay_free(w->relay);
	for (u32 i = 0; i < w->nr; i++) {
		if (w->all[i].printer)
			w->text->close(w->all[i].printer, w->text->arg);
		session_view_free(w->all[i].view);
	}
	for (u32 i = 0; i < w->nr_slots; i++) {
		g_free(w->slots[i].records);
		g_byte_array_unref(w->slots[i].copies);
		g_string_free(w->slots[i].text, TRUE);
		g_clear_error(&w->slots[i].error);
	}
	g_free(w->slots);
	g_free(w->all);
}

bool session_can_print(const struct session *s, u32 needs)
{
	needs |= filter_needs(s->filter);
	return s->options.threads > 1 && !perfdata_is_pipe(s->file->pd) &&
	       !(needs & (NEED_TRACE | NEED_BESIDE)) &&
	       (s->options.unsplit || !group_reads_in(s->file->pd));
}

/*
 * Reads everything, and writes everything that was read, including the text before an invalid record.
 */
static bool read_all(struct printers *w, GError **error)
{
	g_autoptr(GError) wrong = NULL;
	bool good = session_each_record(w->session, w->text->by_time, take_record, w, &wrong);

	if (!w->failed) {
		/* If there is an error for an earlier record, it is the first one. */
		struct batch *last = relay_slot(w->relay);

		if (last->nr_records && !submit(w, error))
			return false;
		if (!drain(w, 0, error))
			return false;
	}
	if (!good)
		g_propagate_error(error, g_steal_pointer(&wrong));
	return good;
}

bool session_print_events(struct session *s, const struct session_text *text, GError **error)
{
	static const struct relay_ops ops = { .make = print_batch };
	struct printers w = { .session = s, .text = text };
	bool good = true;

	w.needs = text->needs | filter_needs(s->filter);
	if (!session_expect_types(s, w.needs, error))
		return false;
	start(&w, (u32)MIN((u64)s->options.threads, 1 + perfdata_size(s->file->pd) / THREAD_BYTES));
	for (u32 i = 0; good && i < w.nr; i++)
		good = open_thread(&w, i, error);
	if (good) {
		w.relay = relay_new(&ops, &w, w.slots, sizeof(*w.slots), w.nr_slots, w.nr);
		good = read_all(&w, error);
	}
	finish(&w);
	return good;
}
