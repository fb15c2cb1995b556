// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches are numbered from 0 and lie in a ring, batch N in slot N % nr_slots:
 *
 *	written <= claimed <= filled <= written + nr_slots
 *
 * Batches below `written` are done with, those below `claimed` have a thread that prints them, and
 * those below `filled` may be claimed. Batch `filled` is being filled by the caller's thread, which
 * prints a batch itself when the ring is full and the oldest batch is not ready to be written.
 *
 * Records of a mapped file stay where they are; others are copied into their batch.
 */
#include "session/workers.h"

#include <pthread.h>

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
	bool ready;
};

struct worker {
	struct workers *workers;
	struct session *view;
	void *printer;
	GThread *thread; /* NULL: the caller's */
};

struct workers {
	struct session *session;
	const struct session_text *text;
	u32 needs;
	struct worker *all;
	u32 nr;
	struct batch *slots;
	u32 nr_slots;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	u64 written, claimed, filled;
	bool stop;

	bool failed; /* for the caller's thread: write nothing more */
};

static struct batch *slot(struct workers *w, u64 number)
{
	return &w->slots[number % w->nr_slots];
}

static void print_one(struct worker *worker, const struct event *event, GString *out)
{
	const struct workers *w = worker->workers;
	struct activity activity;
	struct place place;
	struct event room;

	if (event->type != PERF_RECORD_SAMPLE)
		w->text->print(worker->printer, event, NULL, out);
	else if ((event = session_counted(worker->view, event, &room)) &&
		 !session_place(worker->view, event, w->needs, &place, &activity))
		w->text->print(worker->printer, event, &place, out);
}

static const struct perf_event_header *record_at(const struct batch *b, u32 i)
{
	const struct batch_record *r = &b->records[i];

	return r->raw ?: (const void *)(b->copies->data + r->copy);
}

static void print_batch(struct worker *worker, struct batch *b)
{
	struct event events[AHEAD];

	for (u32 i = 0, nr; i < b->nr_records && !b->error; i += nr) {
		for (nr = 0; nr < AHEAD && i + nr < b->nr_records; nr++)
			if (!perfdata_decode(worker->view->pd, record_at(b, i + nr),
					     b->records[i + nr].foff, &events[nr], &b->error))
				break;
		resolver_prefetch(worker->view->resolver, events, nr, true);
		for (u32 k = 0; k < nr; k++)
			print_one(worker, &events[k], b->text);
	}
}

/* Called with the lock, and releases it meanwhile: the next batch to print. */
static void print_next(struct worker *worker)
{
	struct workers *w = worker->workers;
	struct batch *b = slot(w, w->claimed++);

	pthread_mutex_unlock(&w->lock);
	print_batch(worker, b);
	pthread_mutex_lock(&w->lock);
	b->ready = true;
	pthread_cond_broadcast(&w->changed);
}

static gpointer run(gpointer arg)
{
	struct worker *worker = arg;
	struct workers *w = worker->workers;

	pthread_mutex_lock(&w->lock);
	while (!w->stop)
		if (w->claimed < w->filled)
			print_next(worker);
		else
			pthread_cond_wait(&w->changed, &w->lock);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Called with the lock, and releases it meanwhile: writes the oldest batch, which is ready. */
static bool write_next(struct workers *w, GError **error)
{
	struct batch *b = slot(w, w->written);
	bool good;

	pthread_mutex_unlock(&w->lock);
	good = w->text->write(b->text, w->text->arg, error);
	if (good && b->error) {
		g_propagate_error(error, g_steal_pointer(&b->error));
		good = false;
	}
	b->nr_records = 0;
	g_byte_array_set_size(b->copies, 0);
	g_string_truncate(b->text, 0);
	g_clear_error(&b->error);
	b->size = 0;
	b->ready = false;
	pthread_mutex_lock(&w->lock);
	w->written++;
	return good;
}

/* Writes finished batches until at most @most batches wait. */
static bool drain(struct workers *w, u64 most, GError **error)
{
	bool good = true;

	pthread_mutex_lock(&w->lock);
	while (good && w->written < w->filled) {
		if (slot(w, w->written)->ready)
			good = write_next(w, error);
		else if (w->filled - w->written <= most)
			break;
		else if (w->claimed < w->filled)
			print_next(&w->all[0]);
		else
			pthread_cond_wait(&w->changed, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	w->failed = !good;
	return good;
}

/* Releases the present batch for printing; there is space for the next one on return. */
static bool submit(struct workers *w, GError **error)
{
	pthread_mutex_lock(&w->lock);
	w->filled++;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return drain(w, w->nr_slots - 1, error);
}

static bool take_record(const struct perf_event_header *raw, u64 foff, bool stays, void *arg,
			GError **error)
{
	struct workers *w = arg;
	struct batch *b = slot(w, w->filled);
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

static bool open_worker(struct workers *w, u32 i, GError **error)
{
	struct worker *worker = &w->all[i];

	worker->workers = w;
	worker->view = session_view_new(w->session, error);
	worker->printer = worker->view ? w->text->open(worker->view, w->text->arg, error) : NULL;
	return worker->printer;
}

static void start(struct workers *w, u32 nr)
{
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->nr = nr;
	w->all = g_new0(struct worker, nr);
	w->nr_slots = nr * WAITING;
	w->slots = g_new0(struct batch, w->nr_slots);
	for (u32 i = 0; i < w->nr_slots; i++) {
		w->slots[i].records = g_new(struct batch_record, BATCH_EVENTS);
		w->slots[i].copies = g_byte_array_new();
		w->slots[i].text = g_string_new(NULL);
	}
}

static void finish(struct workers *w)
{
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	for (u32 i = 0; i < w->nr; i++) {
		if (w->all[i].thread)
			g_thread_join(w->all[i].thread);
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
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->changed);
	g_free(w->slots);
	g_free(w->all);
}

bool session_can_print(const struct session *s, u32 needs)
{
	needs |= filter_needs(s->filter);
	return s->options.threads > 1 && !perfdata_is_pipe(s->pd) && !(needs & NEED_TRACE) &&
	       (s->options.unsplit || !group_reads_in(s->pd));
}

/*
 * Reads everything, and writes everything that was read, including the text before an invalid record.
 */
static bool read_all(struct workers *w, GError **error)
{
	g_autoptr(GError) wrong = NULL;
	bool good = session_each_record(w->session, w->text->by_time, take_record, w, &wrong);

	if (!w->failed) {
		/* If there is an error for an earlier record, it is the first one. */
		if (slot(w, w->filled)->nr_records && !submit(w, error))
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
	struct workers w = { .session = s, .text = text };
	bool good = true;

	w.needs = text->needs | filter_needs(s->filter);
	if (!session_expect_types(s, w.needs, error))
		return false;
	start(&w, (u32)MIN((u64)s->options.threads, 1 + perfdata_size(s->pd) / THREAD_BYTES));
	for (u32 i = 0; good && i < w.nr; i++)
		good = open_worker(&w, i, error);
	/*
	 * The first printer belongs to the caller's thread, which does all the work if no other can be started.
	 */
	for (u32 i = 1; good && i < w.nr; i++)
		w.all[i].thread = g_thread_try_new("printer", run, &w.all[i], NULL);
	good = good && read_all(&w, error);
	finish(&w);
	return good;
}
