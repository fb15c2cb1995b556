// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads and consumers of a recording: begin and end.
 *
 *	attach						detach
 *	consumers: begin()				drainer: one more round, then joined
 *	queue						LOST_SAMPLES of each event, from the counters
 *	collector starts: writes what exists		queue ends
 *	drainer starts					collector: empties the queue, ends the consumers
 *	waits for ALERT_BEGUN				closing facts are copied
 *							consumers: close()
 *
 * The main thread puts the LOST_SAMPLES records into the queue itself: the drainer has ended, so
 * there is still one producer.
 *
 * After a failure half-way, detach releases what there is: nr_begun counts the consumers that have
 * begun.
 */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/version.h"
#include "perfdata/evsel.h"
#include "perfevent/tracepoint.h"
#include "record/parts.h"

#define NR_BUFFERS  64
#define BUFFER_SIZE (256 * 1024)

static void add_evsels(GPtrArray *evsels, const struct event_list *list)
{
	u32 first = evsels->len;

	for (u32 i = 0; i < list->specs->len; i++) {
		struct evsel *evsel = evsel_copy(event_list_at(list, i)->evsel);

		evsel->idx = first + i;
		evsel->leader += first;
		g_ptr_array_add(evsels, evsel);
	}
}

/* The events of the file: the user's, those of sources, and those that the kernel does not count. */
static GPtrArray *all_evsels(const struct recorder *r)
{
	GPtrArray *evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);

	add_evsels(evsels, &r->events);
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		add_evsels(evsels, &more->list);
	}
	for (u32 i = 0; i < r->rec.own_evsels->len; i++) {
		struct evsel *evsel = evsel_copy(g_ptr_array_index(r->rec.own_evsels, i));

		evsel->idx = evsel->leader = evsels->len;
		g_ptr_array_add(evsels, evsel);
	}
	return evsels;
}

/* The formats of the tracepoints. Readers need them to decode the tracepoints' records. */
static bool add_tracing_data(const struct recorder *r, struct perfdata_info *info, GError **error)
{
	g_autoptr(GArray) tps = g_array_new(false, false, sizeof(struct tracepoint));
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	GByteArray *blob;

	for (u32 i = 0; i < r->evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(r->evsels, i);
		char **parts;
		struct tracepoint tp;

		if (evsel->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		parts = g_strsplit(evsel->name, ":", 3);
		g_ptr_array_add(names, parts);
		tp = (struct tracepoint){ parts[0], parts[1] };
		if (tp.system && tp.name)
			g_array_append_val(tps, tp);
	}
	if (!tps->len)
		return true;
	blob = tracing_data(r->rec.paths, (const struct tracepoint *)tps->data, tps->len, error);
	if (!blob)
		return false;
	info->tracing_data = g_byte_array_free_to_bytes(blob);
	perfdata_info_set(info, FEAT_TRACING_DATA);
	return true;
}

static void add_number(struct perfdata_info *info, const char *key, u64 number)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)number);

	perfdata_info_add_note(info, key, text);
}

/* Also as notes before the records: features are written at the end, which a killed recorder does not reach. */
static void note_clock(struct perfdata_info *info)
{
	add_number(info, INFO_NOTE_CLOCK_ID, info->clock_data_clockid);
	add_number(info, INFO_NOTE_CLOCK_WALL, info->clock_data_wall_ns);
	add_number(info, INFO_NOTE_CLOCK_TIME, info->clock_data_clock_ns);
}

/* One instant by two clocks: the recording's and CLOCK_REALTIME. */
static void add_clock(const struct recorder *r, struct perfdata_info *info)
{
	struct timespec res, clock, wall;

	if (!r->opts->clock_given || clock_getres(r->opts->clockid, &res) ||
	    clock_gettime(CLOCK_REALTIME, &wall) || clock_gettime(r->opts->clockid, &clock))
		return;
	perfdata_info_set(info, FEAT_CLOCKID);
	info->clockid_res_ns = timespec_ns(&res);
	perfdata_info_set(info, FEAT_CLOCK_DATA);
	info->clock_data_clockid = (u32)r->opts->clockid;
	info->clock_data_wall_ns = timespec_ns(&wall);
	info->clock_data_clock_ns = timespec_ns(&clock);
	note_clock(info);
}

/*
 * Sources, then stages, describe how they change the events: in the order in which records pass
 * them.
 */
static void describe(struct recorder *r)
{
	struct evsel *const *evsels = (struct evsel *const *)r->evsels->pdata;

	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->describe)
			src->ops->describe(src, evsels, r->evsels->len, r->info);
	}
	for (u32 i = 0; i < r->rec.stages->len; i++) {
		struct stage *st = g_ptr_array_index(r->rec.stages, i);

		if (st->ops->describe)
			st->ops->describe(st, evsels, r->evsels->len, r->info);
	}
}

static bool make_info(struct recorder *r, GError **error)
{
	r->evsels = all_evsels(r);
	r->info = perfdata_info_of_host();
	perfdata_info_set(r->info, FEAT_VERSION);
	r->info->version = g_strdup(version_text);
	perfdata_info_set_cmdline(r->info, r->argc, r->argv);
	add_clock(r, r->info);
	describe(r);
	return add_tracing_data(r, r->info, error);
}

static bool begin_consumers(struct recorder *r, GError **error)
{
	struct consumer_about about = { (struct evsel *const *)r->evsels->pdata, r->evsels->len,
					r->info };

	if (r->opts->output) {
		r->file = file_consumer_new(r->opts);
		g_ptr_array_insert(r->consumers, 0, &r->file->consumer);
	}
	for (; r->nr_begun < r->consumers->len; r->nr_begun++) {
		struct consumer *c = g_ptr_array_index(r->consumers, r->nr_begun);

		if (!c->ops->begin(c, &about, error))
			return false;
	}
	return true;
}

/*
 * The collector may fail before it has begun; it raises ALERT_BEGUN all the same, and the failure
 * is seen later.
 */
static void wait_for_begin(struct recorder *r)
{
	struct pollfd pfd = { .fd = r->alerts.fd, .events = POLLIN };

	while (!alerts_has(&r->alerts, ALERT_BEGUN)) {
		poll(&pfd, 1, -1);
		alerts_clear_fd(&r->alerts);
	}
}

static bool start_threads(struct recorder *r, GError **error)
{
	struct collector_setup setup = {
		.rec = &r->rec,
		.target = &r->target,
		.consumers = r->consumers,
		.evsels = (struct evsel *const *)r->evsels->pdata,
		.nr_evsels = r->evsels->len,
		.info = r->info,
		.queue = r->queue,
		.alerts = &r->alerts,
	};

	r->collector = collector_start(&setup, error);
	if (!r->collector)
		return false;
	r->drainer = drainer_start(&r->rec, r->queue, &r->alerts, r->opts->realtime, error);
	if (!r->drainer)
		return false;
	wait_for_begin(r);
	return true;
}

bool recorder_attach(struct recorder *r, GError **error)
{
	if (!alerts_init(&r->alerts))
		return error_set_errno(error, errno, "eventfd");
	if (!make_info(r, error) || !begin_consumers(r, error))
		return false;
	recorder_say_notes(r);
	r->queue = queue_new(NR_BUFFERS, BUFFER_SIZE);
	return start_threads(r, error);
}

/* An event without samples has lost records only. No record of the file tells these: they are for the closing line. */
static void put_lost(struct recorder *r, const struct openset *set, u32 ev,
		     const struct evsel *evsel, struct outlet *out)
{
	struct event event = { .type = PERF_RECORD_LOST_SAMPLES };
	struct event_count count;

	if (!openset_count(set, ev, &count, NULL) || !count.has_lost || !count.lost)
		return;
	if (evsel_is_dummy(evsel)) {
		r->facts.lost_side += count.lost;
		return;
	}
	event.lost.lost = count.lost;
	event.id.id = event.lost.id = evsel->nr_ids ? evsel->ids[0] : 0;
	outlet_event(out, &event, evsel, NULL);
}

/* Writes the final number of lost samples of each event, as the kernel's counters state it. */
static void put_lost_samples(struct recorder *r, struct outlet *out)
{
	u32 at = r->events.specs->len;

	for (u32 i = 0; i < at; i++)
		put_lost(r, r->rec.set, i, g_ptr_array_index(r->evsels, i), out);
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		for (u32 ev = 0; ev < more->list.specs->len; ev++, at++)
			put_lost(r, more->set, ev, g_ptr_array_index(r->evsels, at), out);
	}
}

static bool end_threads(struct recorder *r, GError **error)
{
	struct queue_outlet out;
	bool fine;

	if (r->drainer)
		drainer_join(g_steal_pointer(&r->drainer), &r->facts.drained);
	queue_outlet_init(&out, r->queue);
	put_lost_samples(r, &out.outlet);
	queue_outlet_flush(&out);
	queue_end(r->queue);
	fine = collector_join(g_steal_pointer(&r->collector), &r->facts.collected, error);
	r->facts.queue = queue_counts(r->queue);
	return fine;
}

static void close_consumers(struct recorder *r)
{
	for (u32 i = 0; i < r->consumers->len; i++) {
		struct consumer *c = g_ptr_array_index(r->consumers, i);

		g_clear_error(&c->error);
		c->ops->close(c);
	}
	g_ptr_array_set_size(r->consumers, 0);
	r->nr_begun = 0;
	r->file = NULL;
}

bool recorder_detach(struct recorder *r, GError **error)
{
	bool fine = !r->collector || end_threads(r, error);

	if (fine && r->file && r->nr_begun == r->consumers->len)
		closing_keep(&r->facts, r->file);
	close_consumers(r);
	g_clear_pointer(&r->queue, queue_free);
	g_clear_pointer(&r->evsels, g_ptr_array_unref);
	g_clear_pointer(&r->info, perfdata_info_free);
	alerts_release(&r->alerts);
	return fine;
}
