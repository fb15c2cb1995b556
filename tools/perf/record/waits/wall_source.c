// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of --wall: it runs the passes over the threads, and hands the samples that come of
 * them to the drainer.
 *
 * Example: passes at 0, 50 and 100 ms, and a thread that waits in read() from 10 ms to 90 ms.
 *
 *	  0 ms	look: on a CPU			no stretch yet: it has just begun
 *	 50 ms	look: asleep since 10 ms	stretch: 10 ms on a CPU. The sleep goes on
 *	100 ms	look: on a CPU			stretch: 80 ms in read(), and 10 ms on a CPU
 *
 * A stretch is not a sample yet. The account (wall_account.c) keeps stretches of the same kind
 * together for the time of a window, so the sample of a stretch may come 250 ms after the stretch
 * ended, or a second.
 *
 * Three threads take part:
 *
 *	sampling	runs the passes: eye -> take() -> account -> make_sample() -> making
 *	drainer		copies made to the queue, and asks position()
 *	collector	shows FORK and EXIT records to see(), which stores them in news for the next pass
 *
 * The sampling thread owns everything that is not under the lock. hand_over() moves the samples of
 * a pass from making to made while it holds the lock. So the drainer gets all samples of a pass or
 * none, and a slow pass does not delay it.
 *
 * The order of the file: samples come late, and a reader sorts by rounds. So the source states a
 * position, the lower bound for the times of later samples. It is the least of three times: the end
 * of the first stretch in an open window (wall_account_passed()), the time up to which all threads
 * are known (sure), and with /proc a quarter of a second before that, because an EXIT record ends a
 * stretch afterwards.
 *
 * What is not seen: the recorder's own threads are not sampled. If a pass takes longer than the
 * interval, the next one begins at once and is counted as late; no time is lost by that, as the
 * sums of the scheduler go on. The closing line states late passes, lost looks, lost ends of
 * threads, and reads that failed.
 */
#include "record/waits/wall_source.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/types.h>

#include "activity/layout.h"
#include "base/clock.h"
#include "perfdata/abi.h"
#include "perfdata/evsel.h"
#include "perfdata/write/encode.h"
#include "perfevent/cgroups.h"
#include "record/base/alerts.h"
#include "record/waits/latency.h"
#include "record/base/observer.h"
#include "record/tls/source.h"
#include "record/waits/wall_account.h"
#include "record/waits/wall_clock.h"
#include "record/waits/wall_locks.h"
#include "record/waits/wall_memory.h"
#include "record/waits/wall_news.h"
#include "record/waits/wall_put.h"
#include "record/waits/wall_sample.h"
#include "record/waits/wall_stack.h"

#define HEARD_LATE	(NS_PER_S / 4)	/* maximum delay of EXIT records */
#define LONGEST_QUEUED	NS_PER_S	/* see note_told() */
#define WINDOW_OF_ONE	(NS_PER_S / 4)	/* default window for merging equal stretches */
#define WINDOW_OF_MANY	NS_PER_S	/* the same with --switch-output */
#define LONGEST_STRETCH (60 * NS_PER_S) /* default interval for reports of a long sleep */
#define YOUNG		(NS_PER_S / 10) /* maximum delay of FORK records */

/*
 * The state of the source. The members from thread to error belong to the sampling thread from
 * enable() to disable(); before and after, the main thread may use them.
 */
struct wall_sampler {
	struct source source;
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct recording *rec;
	struct evsel *evsel;
	struct observer observer;
	bool all;		      /* all processes are selected */
	const struct source *latency; /* source that counts calls, or NULL */
	const struct source *tls; /* source that knows where activities are; NULL: not requested */

	/* Used only by the sampling thread while it runs. */
	GThread *thread;
	struct wall_eye *eye;
	struct wall_account *account;
	struct wall_clock_keeper *keeper;
	struct wall_clock clock;
	/* Times by the recording's clock. */
	u64 begin;
	u64 full; /* from then on, the next pass reports all sleeps; UINT64_MAX: only the last pass does */
	u64 told;  /* of the last pass without delayed reports */
	u64 whole; /* of the last pass that visited all threads */
	u64 sure;  /* later samples end at this time or later */
	struct wall_pass sums;
	struct wall_account_sums noted; /* in the last note of a pass */
	u64 nr_passes, nr_late;
	struct wall_memory *memory;
	struct wall_locks *locks;
	struct wall_news *news; /* filled by the collector's thread */
	GByteArray *making;	/* samples of the present pass */
	GError *error;

	/* Protected by the lock. */
	GMutex lock;
	GCond changed;
	bool over, ready;
	GByteArray *made; /* samples that wait for drain() */
	u64 made_from;	  /* lower bound for the ends of samples made from now on */
	u64 put_from;	  /* the same for samples put from now on */
};

static struct wall_sampler *sampler(struct source *src)
{
	return container_of(src, struct wall_sampler, source);
}

/*
 * The time by the recording's clock. It is CLOCK_MONOTONIC plus an offset, and not clock_gettime()
 * of that clock, because perf's own clock cannot be read by a system call (wall_clock.h).
 */
static u64 now(const struct wall_sampler *w)
{
	return clock_ns(CLOCK_MONOTONIC) + (u64)w->clock.from_monotonic;
}

static void make_sample(const struct wall_look *look, u64 end, u64 length, void *arg)
{
	struct wall_sampler *w = arg;
	struct wall_look with = *look;

	wall_locks_complete(w->locks, &with);
	wall_sample_make(&with, end, length, w->evsel, w->making);
}

static void put_name(struct wall_sampler *w, const struct wall_look *look, u64 time)
{
	struct event ev = { .type = PERF_RECORD_COMM };

	ev.comm = (struct event_comm){ .pid = look->pid, .tid = look->tid, .text = look->comm };
	ev.id = (struct sample_id){
		.pid = look->pid, .tid = look->tid, .time = time, .id = w->evsel->ids[0]
	};
	event_encode(&ev, w->evsel, w->making, NULL);
}

/*
 * Without COMM records: a new thread, or a new name. A new thread's time begins after the pass before, where it was not
 * there. With a new name, the time before this look has the old name.
 */
static void note_name(struct wall_sampler *w, const struct wall_look *look)
{
	const struct wall_look *before = wall_account_look(w->account, look->tid);

	if (look->same || look->left ||
	    (before && before->made == look->made && !strcmp(before->comm, look->comm)))
		return;
	put_name(w, look, before ? look->time : w->told);
}

/*
 * The kernel writes the FORK record a little after the thread can be seen, so a look may have an earlier time. Such a
 * thread has its name by a record of ours.
 *
 *	birth 10.000 ms		look 10.421 ms		FORK 10.449 ms
 */
static void note_young(struct wall_sampler *w, const struct wall_look *look)
{
	const struct wall_look *before;

	if (look->left || look->time > look->start + YOUNG)
		return;
	before = wall_account_look(w->account, look->tid);
	if (!before || before->made != look->made)
		put_name(w, look, MAX(look->start, w->told));
}

/*
 * The eye calls this for each look of a pass. The memory of the thread is read here, between the
 * eye and the account: soon after the look, because the bytes count only if the thread has not run
 * since.
 *
 * The look before is needed only if this one refers to it (same), or if activities are followed.
 */
static void take(const struct wall_look *look, void *arg)
{
	struct wall_sampler *w = arg;
	const struct wall_look *before =
		look->same || look->tracked ? wall_account_look(w->account, look->tid) : NULL;
	struct wall_look with = *look;

	if (w->rec->set)
		note_young(w, look);
	else
		note_name(w, look);
	if (!look->left) {
		wall_memory_read(w->memory, &with, before);
		wall_locks_read(w->locks, &with, before);
	}
	wall_account_take(w->account, &with, w->begin);
}

/*
 * Hands the pass's samples to drain(). Samples made later end at @first or later.
 *
 * The bound never falls below the start of the recording. Example with /proc: begin is 0 ms, the
 * pass is at 100 ms, and no window is open. An EXIT record of a time after 0 ms may still arrive,
 * so the bound is 0. Once @first and sure are 400 ms, it is 150 ms.
 */
static void hand_over(struct wall_sampler *w, u64 first)
{
	u64 late;

	g_mutex_lock(&w->lock);
	g_byte_array_append(w->made, w->making->data, w->making->len);
	/* Without tells_ends, the last stretch of a thread is made up to HEARD_LATE after its end. */
	late = w->eye->ops->tells_ends ? 0 : HEARD_LATE;
	w->made_from = MAX(w->begin + late, MIN(first, w->sure)) - late;
	g_mutex_unlock(&w->lock);
	g_byte_array_set_size(w->making, 0);
}

/*
 * The longest stretch of a sleep, ns. A sample is written at the end of its stretch. So who looks
 * for the state of a thread at some time must read on for at most this long.
 */
static u64 longest_of(const struct record_options *opts)
{
	return opts->wall.longest ?: LONGEST_STRETCH;
}

/*
 * With activities, a window may be open four times as long.
 *
 * So a quarter of the longest stretch is the most that a window may have. Else a stretch that is
 * longer than the limit could come out of a window.
 */
static u64 window_of(const struct record_options *opts)
{
	u64 window = opts->switch_output.given ? WINDOW_OF_MANY : WINDOW_OF_ONE;

	return MIN(opts->wall.merge == WALL_MERGE_DEFAULT ? window : opts->wall.merge,
		   opts->tls.layout ? longest_of(opts) / 4 : longest_of(opts));
}

/* True if samples of sleeping threads shall have user registers and stacks. */
static bool wants_stacks(const struct wall_sampler *w)
{
	return w->opts->callgraph.mode != CALLGRAPH_NONE && !w->opts->kernel_callchains;
}

/*
 * wall_bpf_options.merge: how long the eye may delay reports of threads that sleep at the same place again. 0 if the
 * thread's memory is read, as it may change in each run; and with --latency-of, which counts each call. The delay is
 * shorter than wall_account_flush()'s time for a long sleep.
 */
static u64 merge_of(const struct wall_sampler *w)
{
	if (w->latency || wants_stacks(w) || (w->tls && tls_source_by_bpf(w->tls)))
		return 0;
	return MIN(window_of(w->opts), longest_of(w->opts) / 4);
}

/* Writes the counts of the pass into the file, so that losses are visible there. */
static void note_pass(struct wall_sampler *w, const struct wall_pass *p, u64 time)
{
	struct event ev = { .type = PERFDATA_EVENT_TYPE, .ext = { .kind = PERFDATA_EXT_PASS } };
	struct wall_account_sums sums = wall_account_sums(w->account);

	ev.ext.pass = (struct event_wall_pass){
		.time = time,
		.seen = (u32)p->seen,
		.looked = (u32)p->looked,
		.skipped = (u32)p->skipped,
		.lost = (u32)p->lost,
		.faults = (u32)p->faults,
		.took = (u32)MIN(now(w) - time, UINT32_MAX),
		.asleep = sums.asleep - w->noted.asleep,
		.estimated = sums.estimated - w->noted.estimated,
	};
	w->noted = sums;
	event_encode(&ev, w->evsel, w->making, NULL);
}

/* Threads that the pass no longer found have ended since the pass before. Most have EXIT records, which arrive late. */
static void end_gone(struct wall_sampler *w, const struct wall_pass *p, u64 time)
{
	for (u32 i = 0; p->gone && i < p->gone->len; i++) {
		u32 tid = g_array_index(p->gone, u32, i);

		if (w->rec->set)
			wall_news_miss(w->news, tid, time);
		else
			wall_account_exit(w->account, tid, time);
	}
}

/*
 * A pass by the list does not visit a thread that was woken and still waits in the run queue. The end of its sleep is
 * reported when it has been on a CPU, after LONGEST_QUEUED at most: a longer wait may disorder the file.
 */
static void note_told(struct wall_sampler *w, const struct wall_pass *p, u64 time)
{
	if (!p->partly)
		w->whole = time;
	if (p->put_off)
		return;
	w->told = time;
	w->sure = MAX(w->sure, MAX(w->whole, time - MIN(time, LONGEST_QUEUED)));
}

/*
 * The next pass after @from that reports all sleeps, if one is due before the recording's end. More than one: a live
 * display waits with such a pass's samples until all threads have been visited again (w->sure).
 */
static void plan_full(struct wall_sampler *w, u64 from)
{
	u64 first = w->opts->wall.first;

	w->full = from < w->begin + first ? from + MAX(first / 4, 1) : UINT64_MAX;
}

/*
 * One pass. @last: also reports sleeps that go on.
 *
 * The order matters:
 *
 *	news		processes that are new since the pass before are selected, so that this pass
 *			visits them; threads whose end was heard of are ended in the account
 *	late memory	reads activities whose place was not known at the look
 *	pass		looks
 *	gone		threads that the pass did not find any more (only /proc)
 *	passed		closes windows that are over: after all looks, so that the looks can still add to them
 *	flush		reports long sleeps
 *	hand_over	the samples, with a bound that counts the windows still open
 *
 * @time is taken before the pass. A look made during the pass has its own, later time. So the bound
 * of a pass is never later than a look in it.
 */
static bool look_once(struct wall_sampler *w, bool last)
{
	struct wall_pass p;
	u64 time = now(w), first;
	bool whole = last || time >= w->full;

	wall_news_take(w->news, w->eye, w->account, last ? UINT64_MAX : time - HEARD_LATE);
	wall_memory_read_late(w->memory, w->account);
	if (!w->eye->ops->pass(w->eye, whole, take, w, &p, &w->error))
		return false;
	end_gone(w, &p, time);
	first = wall_account_passed(w->account, time);
	wall_account_flush(w->account, last ? now(w) : time, whole ? 0 : longest_of(w->opts));
	if (whole)
		plan_full(w, w->full);
	p.seen = p.partly ? wall_account_nr(w->account) : p.seen;
	note_pass(w, &p, time);
	w->sums.seen += p.seen;
	w->sums.looked += p.looked;
	w->sums.lost += p.lost;
	w->sums.faults += p.faults;
	w->sums.unseen = p.unseen;
	w->sums.unfollowed = p.unfollowed;
	w->nr_passes++;
	hand_over(w, first);
	note_told(w, &p, time);
	return true;
}

/* Passes are up to a tenth of the interval early or late, to avoid lockstep with periodic work. */
static u64 next_tick(const struct wall_sampler *w, u64 tick)
{
	u64 interval = NS_PER_S / w->opts->wall.hz;

	return tick + interval - interval / 10 + g_random_int() % (interval / 5 + 1);
}

/*
 * Opens the way by which threads are looked at. Without a request, BPF is tried first, and its
 * failure is not told: /proc takes over, and the closing line names what is missing. If the user
 * asked for BPF, or for something that only BPF has (--latency-of), its failure is the error.
 */
static bool open_eye(struct wall_sampler *w, GError **error)
{
	enum wall_source want = w->opts->wall.source;
	g_autoptr(GArray) cgroups = g_array_new(FALSE, FALSE, sizeof(u64));
	struct wall_bpf_options options = {
		.all = w->all,
		.by_tid = w->opts->tids,
		.how = want,
		.cgroups = cgroups,
		.merge = merge_of(w),
		.plans = w->tls ? tls_source_plans_fd(w->tls) : -1,
	};
	const struct wall_proc_options by_proc = { w->all, w->opts->tids, w->paths,
						   w->opts->cgroups };
	bool only_bpf = w->latency || (want != WALL_SOURCE_AUTO && want != WALL_SOURCE_PROC);

	if (w->latency && want == WALL_SOURCE_PROC)
		return error_set(error, PERF_ERROR_USAGE,
				 "--latency-of needs BPF, not --wall-source=proc");
	if (w->opts->cgroups && !cgroups_ids(w->paths, w->opts->cgroups, cgroups, error))
		return false;
	if (w->latency) {
		options.latency_of = w->opts->wall.latency_of;
		latency_source_maps(w->latency, &options.calls, &options.requests);
	}
	if (want != WALL_SOURCE_PROC)
		w->eye = wall_bpf_open(&options, &w->clock, only_bpf ? error : NULL);
	if (!w->eye && !only_bpf)
		w->eye = wall_proc_open(&by_proc, &w->clock, error);
	return w->eye;
}

/* Sleeps until @tick. False: the recording ends. */
static bool wait_until(struct wall_sampler *w, u64 tick)
{
	bool over;
	u64 time;

	g_mutex_lock(&w->lock);
	while (!w->over && (time = now(w)) < tick)
		g_cond_wait_until(&w->changed, &w->lock,
				  g_get_monotonic_time() + (gint64)((tick - time) / 1000 + 1));
	over = w->over;
	g_mutex_unlock(&w->lock);
	return !over;
}

/*
 * Sets the clock's offset and the start time, selects the threads to look at, and wakes wall_enable(). The command starts
 * after that: the eye selects children of selected processes only, and the first child may have ended before the first pass.
 *
 * Runs in the sampling thread, because the event that tells perf's time is of the thread that
 * opened it. wall_enable() waits for this, so that the source has a start time before the first
 * drain() asks for a position.
 */
static void begin(struct wall_sampler *w)
{
	w->keeper = wall_clock_new(w->opts, w->paths, &w->error);
	if (w->keeper)
		wall_clock_keep(w->keeper, &w->clock);
	wall_news_take(w->news, w->eye, w->account, 0);
	g_mutex_lock(&w->lock);
	w->begin = w->told = w->whole = w->sure = w->made_from = w->put_from = now(w);
	w->ready = true;
	g_cond_signal(&w->changed);
	g_mutex_unlock(&w->lock);
}

/*
 * The sampling thread. After a failure it makes no last pass: the eye is not usable any more. The
 * error stays in w->error until wall_disable() returns it; the alert makes the main thread end the
 * recording.
 */
static gpointer look_on(gpointer arg)
{
	struct wall_sampler *w = arg;
	u64 tick;
	bool fine;

	begin(w);
	tick = w->begin;
	plan_full(w, w->begin);
	fine = w->keeper;
	while (fine && wait_until(w, tick)) {
		fine = look_once(w, false);
		wall_clock_keep(w->keeper, &w->clock);
		tick = next_tick(w, tick);
		if (tick < now(w)) {
			w->nr_late++;
			tick = now(w);
		}
	}
	if (!fine || !look_once(w, true))
		alerts_raise(w->rec->alerts, ALERT_FAILED);
	wall_clock_free(g_steal_pointer(&w->keeper));
	return NULL;
}

/* Runs in the collector's thread. */
static void see(struct observer *ob, const struct event *ev, struct outlet *out)
{
	struct wall_sampler *w = container_of(ob, struct wall_sampler, observer);

	wall_news_see(w->news, &ev->task, ev->type == PERF_RECORD_EXIT);
}

static bool wall_prepare(struct source *src, struct recording *rec, GError **error)
{
	struct wall_sampler *w = sampler(src);

	w->rec = rec;
	w->evsel = recording_add_evsel(rec, WALL_EVENT);
	w->evsel->attr.sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
	g_ptr_array_add(rec->observers, &w->observer);
	return true;
}

static void take_stacks(struct wall_sampler *w)
{
	u32 size = MIN(w->opts->callgraph.stack_size ?: CALLGRAPH_STACK_SIZE, WALL_STACK_MAX);

	wall_memory_take_stacks(w->memory, size);
	w->evsel->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	w->evsel->attr.sample_regs_user = w->eye->ops->regs;
	w->evsel->attr.sample_stack_user = size;
}

/*
 * The eye decides what a sample has: /proc tells no thread pointer, so there are no activities, and
 * only two registers. So the event's attributes are completed here, and not in prepare().
 */
static bool wall_open(struct source *src, struct recording *rec, GError **error)
{
	struct wall_sampler *w = sampler(src);

	w->all = rec->target->nr_tids == 1 && rec->target->tids[0] == -1;
	w->memory = wall_memory_new(w->paths, w->tls && tls_source_by_bpf(w->tls) ? w->tls : NULL);
	if (!open_eye(w, error))
		return false;
	if (w->eye->ops->tells_ends && w->tls && tls_source_by_bpf(w->tls)) {
		w->evsel->attr.sample_type |= PERF_SAMPLE_TLS_USER;
		w->evsel->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
	}
	w->news = wall_news_new(w->paths, rec->target, w->all, w->eye->ops->tells_ends);
	if (wants_stacks(w))
		take_stacks(w);
	return true;
}

static bool wall_enable(struct source *src, GError **error)
{
	struct wall_sampler *w = sampler(src);

	w->thread = g_thread_try_new("perf-wall", look_on, w, error);
	if (!w->thread)
		return false;
	g_mutex_lock(&w->lock);
	while (!w->ready)
		g_cond_wait(&w->changed, &w->lock);
	g_mutex_unlock(&w->lock);
	return true;
}

static bool wall_disable(struct source *src, GError **error)
{
	struct wall_sampler *w = sampler(src);

	if (!w->thread)
		return true;
	g_mutex_lock(&w->lock);
	w->over = true;
	g_cond_signal(&w->changed);
	g_mutex_unlock(&w->lock);
	g_thread_join(g_steal_pointer(&w->thread));
	if (!w->error)
		return true;
	g_propagate_error(error, g_steal_pointer(&w->error));
	return false;
}

/*
 * Both steps are under one lock: the position is told for exactly the samples that were put. If a
 * pass ends between drain() and position(), its samples are older than the new bound, but they are
 * not put yet.
 */
static void wall_drain(struct source *src, struct outlet *out, bool last)
{
	struct wall_sampler *w = sampler(src);

	g_mutex_lock(&w->lock);
	wall_put(out, w->made);
	w->put_from = w->made_from;
	g_mutex_unlock(&w->lock);
}

static u64 wall_position(struct source *src)
{
	struct wall_sampler *w = sampler(src);
	u64 from;

	g_mutex_lock(&w->lock);
	from = w->put_from;
	g_mutex_unlock(&w->lock);
	return from;
}

static char *wall_summary(struct source *src)
{
	struct wall_sampler *w = sampler(src);
	GString *text = g_string_new(NULL);

	g_string_printf(text,
			"thread states by %s: %" PRIu64 " passes, %" PRIu64 " threads on average",
			w->eye->ops->name, w->nr_passes,
			w->nr_passes ? (w->sums.seen + w->nr_passes / 2) / w->nr_passes : 0);
	if (!w->eye->ops->tells_ends)
		g_string_append(text,
				w->tls ? ", without stacks of the kernel and activities: /proc "
					 "does not tell where a thread has its activity"
				       : ", without stacks of the kernel");
	if (w->nr_late)
		g_string_append_printf(text, ", %" PRIu64 " late", w->nr_late);
	if (w->sums.lost)
		g_string_append_printf(text, ", %" PRIu64 " threads LOST", w->sums.lost);
	if (w->sums.unseen)
		g_string_append_printf(text, ", %" PRIu64 " ends of threads LOST", w->sums.unseen);
	if (wall_account_nr_unseen(w->account))
		g_string_append_printf(
			text,
			", %" PRIu64
			" threads ended before any pass saw them: their time is missing",
			wall_account_nr_unseen(w->account));
	if (w->sums.unfollowed)
		g_string_append_printf(text, ", %" PRIu64 " changes of activities LOST",
				       w->sums.unfollowed);
	if (w->sums.faults)
		g_string_append_printf(text, ", %" PRIu64 " reads failed", w->sums.faults);
	return g_string_free(text, FALSE);
}

static void wall_close(struct source *src)
{
	struct wall_sampler *w = sampler(src);

	wall_disable(src, NULL);
	if (w->eye)
		w->eye->ops->close(w->eye);
	wall_locks_free(w->locks);
	wall_account_free(w->account);
	if (w->memory)
		wall_memory_free(w->memory);
	g_byte_array_unref(w->making);
	g_byte_array_unref(w->made);
	wall_news_free(w->news);
	g_mutex_clear(&w->lock);
	g_cond_clear(&w->changed);
	g_free(w);
}

struct source *wall_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			       const struct source *tls, const struct source *latency)
{
	static const struct source_ops ops = {
		.name = "wall",
		.prepare = wall_prepare,
		.open = wall_open,
		.enable = wall_enable,
		.drain = wall_drain,
		.disable = wall_disable,
		.position = wall_position,
		.summary = wall_summary,
		.close = wall_close,
	};
	struct wall_sampler *w = g_new0(struct wall_sampler, 1);

	w->source.ops = &ops;
	w->opts = opts;
	w->paths = paths;
	w->tls = tls;
	w->latency = latency;
	w->observer.see = see;
	w->observer.types = OBSERVES(PERF_RECORD_FORK) | OBSERVES(PERF_RECORD_EXIT);
	w->account = wall_account_new(window_of(opts), make_sample, w);
	w->locks = wall_locks_new(w->paths, w->account);
	w->making = g_byte_array_new();
	w->made = g_byte_array_new();
	g_mutex_init(&w->lock);
	g_cond_init(&w->changed);
	return &w->source;
}
