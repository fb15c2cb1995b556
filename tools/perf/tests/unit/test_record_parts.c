// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sources, stages, observers and consumers side by side in one recording. The toys here are what
 * Documentation/design/extending.md describes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perfdata/write/encode.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "perfevent/parse.h"
#include "record/base/alerts.h"
#include "record/base/observer.h"
#include "record/recorder.h"
#include "record/renumbered.h"

#define NR_BEATS 1000

/*
 * What runs on threads of a recording notes what it saw; only the main thread asserts, for a failed
 * assertion jumps out of the test.
 */

/* A source without an event of the kernel: a thread that makes samples, with ip 0, 1, 2 ... */
struct beats {
	struct source source;
	u64 nr;	      /* how many until it ends */
	u64 position; /* what it says of its position; 0: it says nothing */
	struct evsel *evsel;
	GThread *thread;
	GAsyncQueue *made; /* GByteArray * */
	int fd;		   /* readable when there is something */
	u64 nr_put;
	u32 nr_fds; /* that it was told of last */
	struct alerts *alerts;
	bool fails; /* after that many */
};

static struct beats *beats(struct source *src)
{
	return container_of(src, struct beats, source);
}

static bool beats_prepare(struct source *src, struct recording *rec, GError **error)
{
	struct beats *b = beats(src);

	b->evsel = recording_add_evsel(rec, "beats");
	b->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	b->made = g_async_queue_new();
	b->alerts = rec->alerts;
	return true;
}

static void *beat(void *arg)
{
	struct beats *b = arg;

	for (u64 i = 0; i < b->nr; i++) {
		struct event ev = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };
		GByteArray *bytes = g_byte_array_new();

		ev.sample = (struct sample){
			.id = b->evsel->ids[0],
			.ip = i,
			.pid = (u32)getpid(),
			.tid = (u32)getpid(),
			.time = (u64)g_get_monotonic_time() * 1000,
			.period = 10,
		};
		event_encode(&ev, b->evsel, bytes, NULL);
		g_async_queue_push(b->made, bytes);
		eventfd_write(b->fd, 1);
	}
	if (b->fails)
		alerts_raise(b->alerts, ALERT_FAILED);
	return NULL;
}

static bool beats_enable(struct source *src, GError **error)
{
	beats(src)->thread = g_thread_new("beats", beat, src);
	return true;
}

static void beats_drain(struct source *src, struct outlet *out, bool last)
{
	GByteArray *bytes;

	while ((bytes = g_async_queue_try_pop(beats(src)->made))) {
		outlet_put(out, bytes->data, bytes->len);
		g_byte_array_unref(bytes);
		beats(src)->nr_put++;
	}
}

static void beats_poll_fds(struct source *src, GArray *fds)
{
	struct pollfd pfd = { .fd = beats(src)->fd, .events = POLLIN };

	g_array_append_val(fds, pfd);
}

static bool beats_polled(struct source *src, const struct pollfd *fds, u32 nr)
{
	eventfd_t ignored;

	beats(src)->nr_fds = nr;
	if (fds[0].revents & POLLIN)
		eventfd_read(fds[0].fd, &ignored);
	return beats(src)->fails ||
	       beats(src)->nr_put + (u64)g_async_queue_length(beats(src)->made) < beats(src)->nr;
}

static u64 beats_position(struct source *src)
{
	return beats(src)->position;
}

static bool beats_disable(struct source *src, GError **error)
{
	if (beats(src)->thread)
		g_thread_join(g_steal_pointer(&beats(src)->thread));
	return !beats(src)->fails || error_set(error, PERF_ERROR_SYSTEM, "out of beats");
}

static void beats_close(struct source *src)
{
	if (beats(src)->made)
		g_async_queue_unref(beats(src)->made);
	close(beats(src)->fd);
}

static const struct source_ops beats_ops = {
	.name = "beats",
	.prepare = beats_prepare,
	.enable = beats_enable,
	.drain = beats_drain,
	.poll_fds = beats_poll_fds,
	.polled = beats_polled,
	.disable = beats_disable,
	.close = beats_close,
};

static const struct source_ops late_beats_ops = {
	.name = "late beats",
	.prepare = beats_prepare,
	.enable = beats_enable,
	.drain = beats_drain,
	.poll_fds = beats_poll_fds,
	.polled = beats_polled,
	.position = beats_position,
	.disable = beats_disable,
	.close = beats_close,
};

/* Where a sample of beats has its ip: behind its id. */
static u64 *ip_of(void *record)
{
	return (u64 *)record + 2;
}

/* A stage that drops. */
struct drop_odd {
	struct stage stage;
	u64 dropped;
};

static void drop_odd_pass(struct stage *st, u32 ring, const struct perf_event_header *record,
			  struct outlet *next)
{
	struct drop_odd *d = container_of(st, struct drop_odd, stage);

	if (record->type == PERF_RECORD_SAMPLE && *ip_of((void *)record) % 2)
		d->dropped++;
	else
		outlet_put(next, record, record->size);
}

static const struct stage_ops drop_odd_ops = { .name = "drop odd", .pass = drop_odd_pass };

/* A stage that changes records, and holds each back until the next one or the end. */
struct lift {
	struct stage stage;
	u64 seen, nr_rounds, nr_last;
	GByteArray *held;
	GThread *thread;
};

static void lift_let_go(struct lift *l, struct outlet *next)
{
	if (l->held->len)
		outlet_put(next, l->held->data, l->held->len);
	g_byte_array_set_size(l->held, 0);
}

static void lift_pass(struct stage *st, u32 ring, const struct perf_event_header *record,
		      struct outlet *next)
{
	struct lift *l = container_of(st, struct lift, stage);

	l->thread = g_thread_self();
	lift_let_go(l, next);
	g_byte_array_append(l->held, (const guint8 *)record, record->size);
	if (record->type != PERF_RECORD_SAMPLE)
		return;
	l->seen++;
	*ip_of(l->held->data) += 0x1000;
}

static void lift_round(struct stage *st, const struct stage_round *round, struct outlet *next)
{
	struct lift *l = container_of(st, struct lift, stage);

	l->nr_rounds++;
	l->nr_last += round->last;
	if (round->last)
		lift_let_go(l, next);
}

static const struct stage_ops lift_ops = {
	.name = "lift",
	.pass = lift_pass,
	.round = lift_round,
};

/* A consumer that keeps what it gets as text, as a session in this process would. */
struct listener {
	struct consumer consumer;
	GString *calls; /* "begin records flush ... end" without repetitions */
	u64 nr_samples, nr_comms, nr_rounds, first_ip, last_ip, sum;
	u64 fail_after; /* samples; 0: never */
	GThread *thread;
};

static void note_call(struct listener *l, const char *call)
{
	if (!g_str_has_suffix(l->calls->str, call))
		g_string_append_printf(l->calls, "%s%s", l->calls->len ? " " : "", call);
}

static bool listener_begin(struct consumer *c, const struct consumer_about *about, GError **error)
{
	struct listener *l = container_of(c, struct listener, consumer);

	assert_true(about->nr_evsels > 0);
	assert_non_null(about->info);
	note_call(l, "begin");
	return true;
}

static void listen_to(struct listener *l, const struct perf_event_header *record)
{
	u64 ip;

	l->nr_comms += record->type == PERF_RECORD_COMM;
	l->nr_rounds += record->type == PERFDATA_FINISHED_ROUND;
	if (record->type != PERF_RECORD_SAMPLE)
		return;
	ip = *ip_of((void *)record);
	if (!l->nr_samples++)
		l->first_ip = ip;
	l->last_ip = ip;
	l->sum += ip;
}

static void listener_records(struct consumer *c, const void *records, size_t size)
{
	struct listener *l = container_of(c, struct listener, consumer);
	const struct perf_event_header *record;

	l->thread = g_thread_self();
	note_call(l, "records");
	for (size_t at = 0; at < size; at += record->size) {
		record = (const void *)((const u8 *)records + at);
		listen_to(l, record);
	}
}

static enum consumer_wish listener_flush(struct consumer *c)
{
	struct listener *l = container_of(c, struct listener, consumer);

	if (!l->fail_after || l->nr_samples < l->fail_after)
		return CONSUMER_MORE;
	error_set(&c->error, PERF_ERROR_SYSTEM, "the listener has heard enough");
	return CONSUMER_FAILED;
}

static void listener_end(struct consumer *c)
{
	note_call(container_of(c, struct listener, consumer), "end");
}

static void listener_close(struct consumer *c)
{
	note_call(container_of(c, struct listener, consumer), "close");
}

static const struct consumer_ops listener_ops = {
	.name = "listener",
	.begin = listener_begin,
	.records = listener_records,
	.flush = listener_flush,
	.end = listener_end,
	.close = listener_close,
};

struct setup {
	char *path, *self;
	struct record_options opts;
	char *argv[2];
	struct beats beats;
	struct drop_odd drop_odd;
	struct lift lift;
	struct listener listener;
	struct recorder *recorder;
};

static struct setup *setup(void)
{
	struct setup *s = g_new0(struct setup, 1);
	int fd = g_file_open_tmp("record-parts-XXXXXX", &s->path, NULL);

	assert_true(fd >= 0);
	close(fd);
	s->self = g_strdup_printf("%d", getpid());
	s->argv[0] = "perf";
	s->opts = (struct record_options){
		.no_events = true,
		.tids = s->self,
		.timestamp = true,
		.synth = SYNTH_ALL,
		.output = s->path,
		.quiet = true,
	};
	s->beats = (struct beats){ .source.ops = &beats_ops, .nr = NR_BEATS, .fd = -1 };
	s->drop_odd.stage.ops = &drop_odd_ops;
	s->lift.stage.ops = &lift_ops;
	s->lift.held = g_byte_array_new();
	s->listener.consumer.ops = &listener_ops;
	s->listener.calls = g_string_new("");
	return s;
}

static void teardown(struct setup *s)
{
	recorder_close(s->recorder);
	g_byte_array_unref(s->lift.held);
	g_string_free(s->listener.calls, true);
	unlink(s->path);
	g_free(s->path);
	g_free(s->self);
	g_free(s);
}

static void run(struct setup *s)
{
	g_autoptr(GError) error = NULL;
	struct record_result result;

	if (!recorder_run(s->recorder, &result, &error))
		fail_msg("%s", error->message);
	assert_int_equal(result.status, 0);
}

/* What of the file's samples of event @name a reader sees. */
static struct listener read_back(const struct setup *s, const char *name)
{
	struct perfdata *pd = perfdata_open(s->path, NULL);
	struct listener l = { 0 };
	struct event ev;

	assert_non_null(pd);
	while (perfdata_next(pd, &ev, NULL) > 0) {
		if (ev.type == PERF_RECORD_SAMPLE && ev.evsel && !strcmp(ev.evsel->name, name))
			listen_to(&l, ev.raw);
		else if (ev.type != PERF_RECORD_SAMPLE)
			listen_to(&l, ev.raw);
	}
	assert_false(perfdata_counts(pd)->cut);
	assert_int_equal(perfdata_counts(pd)->unknown_ids, 0);
	perfdata_close(pd);
	return l;
}

static void two_stages_two_consumers_and_a_source_without_kernel_events(void **state)
{
	struct setup *s = setup();
	struct listener file;

	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	recorder_add_stage(s->recorder, &s->drop_odd.stage);
	recorder_add_stage(s->recorder, &s->lift.stage);
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	run(s);

	assert_int_equal(s->beats.nr_put, NR_BEATS);
	assert_int_equal(s->beats.nr_fds, 1);
	assert_int_equal(s->drop_odd.dropped, NR_BEATS / 2);
	assert_int_equal(s->lift.seen, NR_BEATS / 2);
	assert_int_equal(s->lift.nr_last, 1);
	assert_string_equal(s->listener.calls->str, "begin records end close");
	assert_ptr_equal(s->listener.thread, s->lift.thread);
	assert_ptr_not_equal(s->listener.thread, g_thread_self());

	file = read_back(s, "beats");
	assert_int_equal(file.nr_samples, NR_BEATS / 2);
	assert_int_equal(file.first_ip, 0x1000);
	assert_int_equal(file.last_ip, 0x1000 + NR_BEATS - 2);
	assert_int_equal(s->listener.nr_samples, file.nr_samples);
	assert_int_equal(s->listener.sum, file.sum);
	assert_int_equal(s->listener.nr_comms, file.nr_comms);
	assert_true(file.nr_comms > 0);
	assert_int_equal(s->listener.nr_rounds, file.nr_rounds);
	assert_true(file.nr_rounds > 0);
	teardown(s);
}

static char *output_of(const char *perf, const char *command, const char *path)
{
	g_autofree char *line = g_strdup_printf("%s %s -i %s", perf, command, path);
	char *out = NULL;

	assert_true(g_spawn_command_line_sync(line, &out, NULL, NULL, NULL));
	return out;
}

static void report_and_script_read_what_no_kernel_event_made(void **state)
{
	const char *perf = g_getenv("PERF");
	g_autofree char *report = NULL, *script = NULL;
	struct setup *s;

	if (!perf)
		skip();
	s = setup();
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	run(s);
	report = output_of(perf, "report --stdio --sort pid", s->path);
	assert_non_null(strstr(report, "of event 'beats'"));
	assert_non_null(strstr(report, "100.00%"));
	script = output_of(perf, "script -F event,ip,period", s->path);
	assert_non_null(strstr(script, "10 beats:"));
	assert_non_null(strstr(script, "3e7"));
	teardown(s);
}

/* The recording ends at once, the user is told, and what was recorded until then is in the file. */
static void a_source_that_fails_ends_the_recording(void **state)
{
	struct setup *s = setup();
	g_autoptr(GError) error = NULL;
	struct record_result result;

	s->beats.fails = true;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	assert_false(recorder_run(s->recorder, &result, &error));
	assert_string_equal(error->message, "out of beats");
	assert_int_equal(read_back(s, "beats").nr_samples, NR_BEATS);
	teardown(s);
}

static void one_recorder_serves_one_consumer_after_another(void **state)
{
	struct setup *s = setup();
	u64 first;

	s->opts.output = NULL;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	assert_true(recorder_open(s->recorder, NULL));
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	assert_true(recorder_attach(s->recorder, NULL));
	assert_true(recorder_enable(s->recorder, NULL));
	assert_true(recorder_detach(s->recorder, NULL));
	first = s->listener.nr_samples;
	assert_true(s->listener.nr_comms > 0);

	s->listener.nr_comms = 0;
	recorder_disable(s->recorder, NULL); /* waits for the rest */
	assert_int_equal(s->listener.nr_samples, first);
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	assert_true(recorder_attach(s->recorder, NULL));
	assert_true(recorder_detach(s->recorder, NULL));
	assert_int_equal(s->listener.nr_samples, NR_BEATS);
	assert_int_equal(s->listener.last_ip, NR_BEATS - 1);
	assert_true(s->listener.nr_comms > 0);
	assert_string_equal(s->listener.calls->str,
			    "begin records end close begin records end close");
	teardown(s);
}

static void no_round_ends_before_what_a_late_source_still_has(void **state)
{
	struct setup *s = setup();

	s->opts.output = NULL;
	s->beats.source.ops = &late_beats_ops;
	s->beats.position = 1;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	run(s);
	assert_int_equal(s->listener.nr_samples, NR_BEATS);
	/* The first lets go of nothing. */
	assert_in_range(s->listener.nr_rounds, 0, 1);
	teardown(s);
}

static u64 lift_position(const struct stage *st)
{
	return 1;
}

static void no_round_ends_before_what_a_stage_holds_of_a_late_source(void **state)
{
	struct stage_ops old = lift_ops;
	struct setup *s = setup();

	old.position = lift_position;
	s->lift.stage.ops = &old;
	s->opts.output = NULL;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	recorder_add_stage(s->recorder, &s->lift.stage);
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	run(s);
	assert_int_equal(s->listener.nr_samples, NR_BEATS);
	/* The first lets go of nothing. */
	assert_in_range(s->listener.nr_rounds, 0, 1);
	teardown(s);
}

static void a_consumer_that_fails_ends_the_recording(void **state)
{
	struct setup *s = setup();
	g_autoptr(GError) error = NULL;
	struct record_result result;

	s->listener.fail_after = 1;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &s->beats.source);
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	assert_false(recorder_run(s->recorder, &result, &error));
	assert_string_equal(error->message, "the listener has heard enough");
	assert_string_equal(s->listener.calls->str, "begin records end close");
	/* The file holds what came until then, and ends in order. */
	assert_true(read_back(s, "beats").nr_samples > 0);
	teardown(s);
}

/* A source that tells of a process, and two who want to know. */
struct teller {
	struct source source;
	bool told;
};

struct watcher {
	struct observer observer;
	const struct event *seen; /* the last one, which may be gone */
	u32 type;
	u64 nr, time;
	char text[16];
};

static struct watcher watchers[2];

static void watch(struct observer *ob, const struct event *ev, struct outlet *out)
{
	struct watcher *w = container_of(ob, struct watcher, observer);

	w->type = ev->type;
	w->time = ev->id.time;
	w->seen = ev;
	w->nr++;
	g_strlcpy(w->text, ev->comm.text, sizeof(w->text));
}

static bool teller_prepare(struct source *src, struct recording *rec, GError **error)
{
	recording_add_evsel(rec, "told");
	for (u32 i = 0; i < ARRAY_SIZE(watchers); i++) {
		watchers[i] = (struct watcher){ .observer = { OBSERVES(PERF_RECORD_COMM), watch } };
		g_ptr_array_add(rec->observers, &watchers[i].observer);
	}
	return true;
}

static void teller_drain(struct source *src, struct outlet *out, bool last)
{
	struct teller *t = container_of(src, struct teller, source);
	struct evsel like = { .attr.sample_id_all = 1,
			      .attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
						  PERF_SAMPLE_TIME };
	struct event comm = { .type = PERF_RECORD_COMM, .id = { .time = 77 } };
	struct event fork = { .type = PERF_RECORD_FORK, .id = { .time = 78 } };

	if (t->told)
		return;
	t->told = true;
	comm.comm.text = "somebody";
	outlet_event(out, &comm, &like, NULL);
	outlet_event(out, &fork, &like, NULL);
}

static bool teller_polled(struct source *src, const struct pollfd *fds, u32 nr)
{
	return !container_of(src, struct teller, source)->told;
}

static void teller_close(struct source *src)
{
}

static const struct source_ops teller_ops = {
	.name = "teller",
	.prepare = teller_prepare,
	.drain = teller_drain,
	.polled = teller_polled,
	.close = teller_close,
};

static void a_side_record_is_decoded_once_for_all_who_asked(void **state)
{
	struct setup *s = setup();
	struct teller teller = { .source.ops = &teller_ops };

	s->opts.output = NULL;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &teller.source);
	recorder_add_source(s->recorder, &s->beats.source);
	recorder_add_consumer(s->recorder, &s->listener.consumer);
	run(s);
	for (u32 i = 0; i < ARRAY_SIZE(watchers); i++) {
		assert_int_equal(watchers[i].nr, 1);
		assert_int_equal(watchers[i].type, PERF_RECORD_COMM);
		assert_int_equal(watchers[i].time, 77);
		assert_string_equal(watchers[i].text, "somebody");
	}
	assert_ptr_equal(watchers[0].seen, watchers[1].seen);
	teardown(s);
}

/* A source that brings an event of the kernel beside the user's. */
static bool faults_prepare(struct source *src, struct recording *rec, GError **error)
{
	struct event_set *more = recording_add_events(rec);
	struct evsel *evsel;

	if (!event_list_parse(&more->list, rec->paths, "page-faults:u", error))
		return false;
	evsel = event_list_at(&more->list, 0)->evsel;
	evsel->attr.sample_period = 1;
	return true;
}

static const struct source_ops faults_ops = {
	.name = "faults",
	.prepare = faults_prepare,
	.close = teller_close,
};

/* A new page each time. */
static bool toucher_enable(struct source *src, GError **error)
{
	u8 *pages = g_malloc(1 << 20);

	for (u32 i = 0; i < 1 << 20; i += 4096)
		((volatile u8 *)pages)[i] = 1;
	g_free(pages);
	return beats_enable(src, error);
}

static void a_source_brings_its_own_event_of_the_kernel(void **state)
{
	struct setup *s = setup();
	struct source faults = { &faults_ops };
	struct source_ops toucher = beats_ops;
	g_autoptr(GPtrArray) events = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	struct record_result result;

	toucher.enable = toucher_enable;
	s->beats.source.ops = &toucher;
	g_ptr_array_add(events, "cpu-clock:u");
	s->opts.no_events = false;
	s->opts.events = events;
	s->opts.delayed = false;
	s->opts.max_size = 1; /* rings of this thread never end: the first buffer is enough */
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &faults);
	recorder_add_source(s->recorder, &s->beats.source);
	if (!recorder_run(s->recorder, &result, &error)) {
		teardown(s);
		if (g_error_matches(error, PERF_ERROR, PERF_ERROR_PERMISSION))
			skip();
		fail_msg("%s", error->message);
	}
	assert_true(read_back(s, "page-faults:u").nr_samples >= 200);
	assert_int_equal(read_back(s, "beats").nr_samples, NR_BEATS);
	teardown(s);
}

/* Called when the existing processes have been read. The collector's thread is one of the target's: it was made by it. */
static void rename_thread(struct source *src, struct outlet *out)
{
	prctl(PR_SET_NAME, "between");
}

static const struct source_ops renamer_ops = {
	.name = "renamer",
	.synthesize = rename_thread,
	.close = teller_close,
};

/* By script: how often a thread is told to be called so. */
static u32 nr_comms(const struct setup *s, const char *name)
{
	g_autofree char *script = output_of(g_getenv("PERF"), "script --show-task-events", s->path);
	g_autofree char *text = g_strdup_printf("PERF_RECORD_COMM: %s:", name);
	u32 nr = 0;

	for (const char *at = script; (at = strstr(at, text)); at++)
		nr++;
	return nr;
}

static void no_change_is_missed_after_existing_processes_were_read(void **state)
{
	struct setup *s = setup();
	struct source renamer = { &renamer_ops };
	g_autoptr(GPtrArray) events = g_ptr_array_new();
	g_autoptr(GError) error = NULL;

	if (!g_getenv("PERF")) {
		teardown(s);
		skip();
	}
	g_ptr_array_add(events, "cpu-clock:u");
	s->opts.no_events = false;
	s->opts.events = events;
	s->opts.delayed = false;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	recorder_add_source(s->recorder, &renamer);
	if (!recorder_open(s->recorder, &error)) {
		teardown(s);
		if (g_error_matches(error, PERF_ERROR, PERF_ERROR_PERMISSION))
			skip();
		fail_msg("%s", error->message);
	}
	assert_true(recorder_enable_side_records(s->recorder, NULL));
	assert_true(recorder_attach(s->recorder, NULL));
	assert_true(recorder_disable(s->recorder, NULL));
	assert_true(recorder_detach(s->recorder, NULL));
	assert_int_equal(nr_comms(s, "between"), 1);
	teardown(s);
}

/* The first of this process's open files that the kernel made for an event, or -1. */
static int event_fd(void)
{
	for (int fd = 0; fd < 256; fd++) {
		g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
		g_autofree char *to = g_file_read_link(path, NULL);

		if (to && strstr(to, "[perf_event]"))
			return fd;
	}
	return -1;
}

/* Another file is in the event's place, which the kernel cannot enable. */
static void an_event_that_cannot_be_enabled_is_an_error(void **state)
{
	struct setup *s = setup();
	g_autoptr(GPtrArray) events = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	int fd, other;

	g_ptr_array_add(events, "cpu-clock:u");
	s->opts.no_events = false;
	s->opts.events = events;
	s->opts.output = NULL;
	s->recorder = recorder_new(&s->opts, 1, s->argv);
	if (!recorder_open(s->recorder, &error)) {
		teardown(s);
		if (g_error_matches(error, PERF_ERROR, PERF_ERROR_PERMISSION))
			skip();
		fail_msg("%s", error->message);
	}
	other = eventfd(0, EFD_CLOEXEC);
	while ((fd = event_fd()) >= 0)
		assert_int_equal(dup3(other, fd, O_CLOEXEC), fd);
	close(other);
	assert_false(recorder_enable(s->recorder, &error));
	assert_non_null(error);
	assert_true(g_str_has_prefix(error->message, "cannot enable an event"));
	teardown(s);
}

/* One record of each kind that tells the id of its event, with @id in all places. */
static GByteArray *with_id(u32 type, u64 id, const struct evsel *evsel)
{
	GByteArray *bytes = g_byte_array_new();
	struct event ev = { .type = type, .id = { .id = id, .time = 7, .pid = 8, .tid = 9 } };

	switch (type) {
	case PERF_RECORD_SAMPLE:
		ev.sample = (struct sample){ .id = id, .ip = id, .pid = 8, .tid = 9, .time = 7 };
		break;
	case PERF_RECORD_LOST:
		ev.lost = (struct event_lost){ .id = id, .lost = id };
		break;
	case PERF_RECORD_THROTTLE:
		ev.throttle = (struct event_throttle){ .time = id, .id = id, .stream_id = id };
		break;
	default:
		ev.comm = (struct event_comm){ .pid = (u32)id, .tid = (u32)id, .text = "name" };
	}
	assert_true(event_encode(&ev, evsel, bytes, NULL));
	return bytes;
}

/* Each place of an id gets the first one. What else has the same number remains. */
static void records_of_an_event_that_was_opened_again_have_its_first_id(void **state)
{
	static const u32 types[] = { PERF_RECORD_SAMPLE, PERF_RECORD_LOST, PERF_RECORD_THROTTLE,
				     PERF_RECORD_COMM };
	static const u32 nr_changed[] = { 1, 2, 3, 1 };
	struct record_options opts = { 0 };
	struct event_list list;
	struct renumbered *n;
	struct recording rec;
	struct evsel *evsel;

	event_list_init(&list);
	evsel = event_list_add_dummy(&list)->evsel;
	evsel->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				  PERF_SAMPLE_TIME;
	evsel->attr.sample_id_all = 1;
	recording_init(&rec, &opts, kernel_paths_host());
	rec.events = &list;
	n = renumbered_new(&rec);
	assert_non_null(n);
	renumbered_add(n, 50, 11);
	renumbered_add(n, 60, 50); /* once more */
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		g_autoptr(GByteArray) bytes = with_id(types[i], 60, evsel);
		const u64 *was = (const u64 *)bytes->data,
			  *is = (const u64 *)renumbered_record(n, (const void *)bytes->data);
		u32 nr = 0;

		for (u32 word = 0; word < bytes->len / 8; word++) {
			assert_true(is[word] == was[word] || (was[word] == 60 && is[word] == 11));
			nr += is[word] != was[word];
		}
		assert_int_equal(nr, nr_changed[i]);
	}
	evsel->attr.sample_type |= PERF_SAMPLE_READ;
	assert_null(renumbered_new(&rec));
	renumbered_free(n);
	recording_release(&rec);
	event_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_stages_two_consumers_and_a_source_without_kernel_events),
		cmocka_unit_test(report_and_script_read_what_no_kernel_event_made),
		cmocka_unit_test(a_source_that_fails_ends_the_recording),
		cmocka_unit_test(one_recorder_serves_one_consumer_after_another),
		cmocka_unit_test(no_round_ends_before_what_a_late_source_still_has),
		cmocka_unit_test(no_round_ends_before_what_a_stage_holds_of_a_late_source),
		cmocka_unit_test(a_consumer_that_fails_ends_the_recording),
		cmocka_unit_test(a_side_record_is_decoded_once_for_all_who_asked),
		cmocka_unit_test(records_of_an_event_that_was_opened_again_have_its_first_id),
		cmocka_unit_test(a_source_brings_its_own_event_of_the_kernel),
		cmocka_unit_test(no_change_is_missed_after_existing_processes_were_read),
		cmocka_unit_test(an_event_that_cannot_be_enabled_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
