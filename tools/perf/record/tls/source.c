// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls/source.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "activity/layout.h"
#include "bpf/sample_tls.h"
#include "perfdata/evsel.h"
#include "perfevent/open.h"
#include "perfevent/proc.h"
#include "record/base/observer.h"
#include "record/base/options.h"
#include "record/base/stage.h"
#include "record/base/target.h"
#include "record/tls/bpf.h"
#include "record/tls/facts.h"
#include "record/tls/lookup.h"
#include "record/tls/mappings.h"
#include "record/tls/node.h"
#include "record/tls/plans.h"
#include "record/tls/summary.h"
#include "record/tls/tally.h"
#include "record/tls/unread.h"

#define SEARCH_PERIOD_NS 1000000000ull

/* A process with a found variable. It may also publish facts about itself. */
struct unscanned {
	u32 pid;
	u64 time;
};

struct tls_sampler {
	struct source source;
	struct stage stage;
	struct observer observer;
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct recording *rec;
	GArray *asked;	     /* struct activity_layout */
	struct tls_bpf *bpf; /* NULL: the kernel reads the bytes */

	/* Used only by the collector's thread. */
	struct tls_lookup *lookup;
	struct tls_facts *facts;
	struct tls_node *node;
	struct tls_mappings *mappings; /* data mappings; or NULL */
	/* mappings of all processes, not only of the recorded ones */
	bool mappings_of_all;
	/* records of mappings, or records of the rings, were lost */
	bool lost_mappings, lost_records;
	u64 lost_time; /* since this time, in the samples' clock */
	GHashTable
		/* pid -> u64 *: processes without a sample since the loss; not searched yet */
		*unsampled;
	GArray *ring_times; /* u64 by ring: time of the newest passed sample */
	u32 ring;	    /* of the passing record */
	u64 searched_ns;    /* CLOCK_MONOTONIC of the last search of maps after a loss */
	struct tls_plans *plans;
	GArray *unscanned;  /* struct unscanned: of the current call */
	u64 out_of_reach;   /* publishers that the kernel's window cannot show */
	struct outlet *out; /* output for the look-up's news during a call */
	struct tls_tally *tally;
	struct tls_unread *unread; /* NULL: thread contexts were not requested */
	bool synthesized;
	bool again;	 /* records for a further file that an earlier file already has */
	u64 newest_time; /* of all passed samples */
	u64 polled_time; /* newest_time at the last poll of the facts */
	u64 looked_ns;	 /* CLOCK_MONOTONIC at the end of the last round of look-ups */
};

static struct tls_sampler *tls_sampler(struct source *src)
{
	return container_of(src, struct tls_sampler, source);
}

/* Writes the layout record. Passes it to the tally, too, if the tally does not have it yet. */
static void put_record(struct tls_sampler *ts, u32 pid, u32 state, u64 time, const char *object,
		       const struct activity_layout *layout)
{
	struct event ev = { .type = PERFDATA_EVENT_TYPE };

	ev.ext.kind = PERFDATA_EXT_TLS_LAYOUT;
	ev.ext.tls_layout = (struct event_tls_layout){
		.pid = pid,
		.state = state,
		.time = time,
		.tp_offset = layout->tpoff + layout->offset,
		.size = layout->size,
		.kind = layout->format,
		.layout = ts->opts->tls_layout,
		.symbol = layout->symbol,
		.object = object,
		.publisher = layout->publisher,
		.where = layout->where,
		.framed = layout->framed,
		.fresh = layout->fresh,
		.mark = layout->mark,
	};
	outlet_event(ts->out, &ev, NULL, NULL);
	if (!ts->again)
		tls_tally_change(ts->tally, &(struct activity_change){ pid, state, time, *layout });
}

static void put_layout(struct tls_sampler *ts, const struct tls_news *news,
		       const struct tls_publisher *publisher)
{
	static const u32 states[] = { [TLS_FOUND] = ACTIVITY_PLACED,
				      [TLS_SETTLED] = ACTIVITY_PLACED,
				      [TLS_GONE] = ACTIVITY_GONE,
				      [TLS_SOUGHT] = ACTIVITY_SOUGHT,
				      [TLS_WITHDRAWN] = ACTIVITY_NOWHERE };
	struct activity_layout layout = { .symbol = "", .publisher = (u8)news->number };

	if (publisher && !tls_plans_place(ts->plans, publisher, &layout)) {
		ts->out_of_reach += news->change == TLS_FOUND;
		return;
	}
	layout.fresh = news->fresh;
	put_record(ts, news->pid, states[news->change], news->time,
		   publisher ? publisher->object : "", &layout);
}

static u32 nr_found(const struct tls_news *news)
{
	u32 nr = 0;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++)
		nr += news->all[i].found;
	return nr;
}

static void tell_facts(struct tls_sampler *ts, const struct tls_news *news)
{
	const struct unscanned unscanned = { news->pid, news->time };

	if (news->change == TLS_GONE) {
		tls_facts_gone(ts->facts, news->pid, news->time);
	} else if (news->change == TLS_FOUND) {
		if (news->parent)
			tls_facts_fork(ts->facts, news->parent, news->pid, news->time);
		else if (nr_found(news) == 1)
			g_array_append_val(ts->unscanned, unscanned);
		if (news->publisher->storage_va)
			tls_facts_storage(ts->facts, news->pid, news->publisher->storage_va,
					  news->time);
	}
}

static void tell_node(struct tls_sampler *ts, const struct tls_news *news)
{
	if (news->change == TLS_GONE)
		tls_node_gone(ts->node, news->pid);
	else if (news->change == TLS_FOUND && news->publisher->placed.format == ACTIVITY_NODE)
		tls_node_found(ts->node, news->pid, news->parent,
			       (u64)g_get_monotonic_time() * 1000);
}

static void tell_unread(struct tls_sampler *ts, const struct tls_news *news)
{
	if (ts->unread && news->change == TLS_FOREIGN)
		tls_unread_foreign(ts->unread, news->pid);
	else if (ts->unread && news->change == TLS_FOUND)
		tls_unread_found(ts->unread, news->pid);
}

/*
 * For samples the end of a process is no news: none has bytes any more. But a zombie keeps its last
 * activity (wall_account.c), and readers must still know where the activity is in the bytes.
 */
static bool goes_on_as_zombie(const struct tls_sampler *ts, const struct tls_news *news)
{
	return news->change == TLS_GONE && ts->bpf && ts->opts->wall_hz;
}

static void on_news(const struct tls_news *news, void *arg)
{
	struct tls_sampler *ts = arg;

	tell_unread(ts, news);
	if (news->change == TLS_FOREIGN)
		return;
	tell_node(ts, news);
	tls_plans_note(ts->plans, news);
	if (news->change != TLS_ABSENT && !(news->change == TLS_GONE && !news->had_any) &&
	    !goes_on_as_zombie(ts, news))
		put_layout(ts, news, news->publisher);
	tell_facts(ts, news);
}

static void put_again(const struct tls_news *news, void *arg)
{
	put_layout(arg, news, news->publisher);
}

static void put_facts(const struct tls_facts_news *news, void *arg)
{
	struct tls_sampler *ts = arg;
	struct event ev = { .type = PERFDATA_EVENT_TYPE };

	ev.ext.kind = PERFDATA_EXT_PROCESS;
	ev.ext.process = (struct event_process_facts){
		.pid = news->pid,
		.form = news->form,
		.time = news->time,
		.size = news->size,
		.data = news->data,
	};
	outlet_event(ts->out, &ev, NULL, NULL);
	if (ts->unread && news->form == ACTIVITY_PROCESS_OTEL) {
		tls_unread_context(ts->unread, news->pid, news->data, news->size);
		if (tls_lookup_has(ts->lookup, news->pid))
			tls_unread_found(ts->unread, news->pid);
	}
}

static void restate(u32 pid, void *arg)
{
	struct tls_sampler *ts = arg;

	if (tls_lookup_has(ts->lookup, pid))
		tls_plans_restate(ts->plans, pid);
}

static void on_facts(const struct tls_facts_news *news, void *arg)
{
	struct tls_sampler *ts = arg;

	if (tls_node_take(ts->node, news))
		restate(news->pid, ts);
	put_facts(news, ts);
}

/*
 * Sends plans to the BPF program first. Searching for what processes publish takes long, and as
 * long as the program does not know a variable, samples have no bytes of it.
 */
static void tell_all(struct tls_sampler *ts)
{
	tls_plans_tell(ts->plans, ts->lookup);
	for (guint i = 0; i < ts->unscanned->len; i++) {
		const struct unscanned *u = &g_array_index(ts->unscanned, struct unscanned, i);

		if (tls_lookup_has(ts->lookup, u->pid))
			tls_facts_scan(ts->facts, u->pid, true, u->time);
	}
	g_array_set_size(ts->unscanned, 0);
	tls_plans_tell(ts->plans, ts->lookup);
}

/* OBI's map is by thread, for all processes: one record is enough. */
static void put_obi(struct tls_sampler *ts)
{
	const struct activity_layout obi = { .format = ACTIVITY_OBI,
					     .symbol = "",
					     .size = sizeof(u64),
					     .where = ACTIVITY_APPENDED,
					     .publisher = SAMPLE_TLS_OBI_NUMBER,
					     .framed = true };

	if (!ts->bpf || !tls_bpf_has_obi(ts->bpf))
		return;
	put_record(ts, ACTIVITY_EVERY_PROCESS, ACTIVITY_PLACED, 0, "", &obi);
}

static void on_mapping(u32 pid, u64 start, u64 size, const char *name, u64 time, void *arg)
{
	struct tls_sampler *ts = arg;

	tls_facts_mapping(ts->facts, pid, start, size, name, tls_lookup_has(ts->lookup, pid), time);
}

/* All events get the fields from which the ids and times of records are read. */
static bool prepare(struct source *src, struct recording *rec, GError **error)
{
	struct tls_sampler *ts = tls_sampler(src);

	ts->rec = rec;
	if (!rec->events->specs->len)
		return error_set(error, PERF_ERROR_USAGE,
				 "--sample-tls needs an event that takes samples");
	g_ptr_array_add(rec->stages, &ts->stage);
	g_ptr_array_add(rec->observers, &ts->observer);
	for (u32 i = 0; i < rec->events->specs->len; i++) {
		struct evsel *evsel = event_list_at(rec->events, i)->evsel;

		if (~evsel->attr.sample_type & TLS_JOIN_SAMPLE_TYPE)
			return error_set(error, PERF_ERROR_USAGE,
					 "--sample-tls needs the time of each sample of event '%s'",
					 evsel->name);
		if (!ts->bpf) {
			evsel->attr.sample_type |= PERF_SAMPLE_TLS_USER;
			evsel->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
		}
	}
	return true;
}

/* Notes the time of a sample that passes from ring @ts->ring. */
static void take_time(struct tls_sampler *ts, u64 time)
{
	u64 *newest;

	if (ts->ring_times->len <= ts->ring)
		g_array_set_size(ts->ring_times, ts->ring + 1);
	newest = &g_array_index(ts->ring_times, u64, ts->ring);
	*newest = MAX(*newest, time);
	ts->newest_time = MAX(ts->newest_time, time);
}

static void on_sample(const struct tls_joined *sample, void *arg)
{
	struct tls_sampler *ts = arg;

	take_time(ts, sample->time);
	tls_tally_sample(ts->tally, sample);
}

/*
 * Another thread of the same process may publish for a recorded thread, so it is not enough to
 * follow single threads.
 */
static void open_mappings(struct tls_sampler *ts, const struct recording *rec)
{
	static const pid_t all = -1;
	const struct open_target *target = rec->target;
	const struct evsel *model = event_list_at(rec->events, 0)->evsel;

	ts->mappings_of_all = target_kind(ts->opts) > TARGET_PROCESSES ||
			      target->flags & PERF_FLAG_PID_CGROUP;
	ts->mappings = ts->mappings_of_all
			       ? tls_mappings_new(model, &all, 1, ts->paths)
			       : tls_mappings_new(model, target->tids, target->nr_tids, ts->paths);
}

static bool open_source(struct source *src, struct recording *rec, GError **error)
{
	struct tls_sampler *ts = tls_sampler(src);

	open_mappings(ts, rec);
	if (!ts->bpf)
		return true;
	if (!tls_bpf_attach(ts->bpf, rec, error))
		return false;
	tls_bpf_listen(ts->bpf, on_sample, ts);
	return true;
}

static void describe_samples(struct stage *st, struct evsel *const *evsels, u32 nr,
			     struct perfdata_info *info)
{
	struct tls_sampler *ts = container_of(st, struct tls_sampler, stage);
	u32 nr_sampled = ts->rec->events->specs->len;

	/* The event for side records writes no samples. */
	for (u32 i = 0; ts->bpf && i < nr && i < nr_sampled; i++) {
		evsels[i]->attr.sample_type |= PERF_SAMPLE_TLS_USER;
		evsels[i]->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
	}
}

static void describe(struct source *src, struct evsel *const *evsels, u32 nr,
		     struct perfdata_info *info)
{
	struct tls_sampler *ts = tls_sampler(src);

	perfdata_info_add_note(info, "tls.source", ts->bpf ? "bpf" : "kernel");
	perfdata_info_add_note(info, "tls.layout", ts->opts->tls_layout);
	if (ts->bpf && tls_bpf_has_context(ts->bpf))
		perfdata_info_add_note(info, "tls.context", "counted");
}

/* A process with an unknown kind of publisher may state so in its process context. */
static void look_at_running(struct tls_sampler *ts, u32 pid)
{
	tls_lookup_process(ts->lookup, pid);
	if (ts->unread && !tls_lookup_has(ts->lookup, pid))
		tls_facts_scan(ts->facts, pid, false, 0);
	tell_all(ts);
}

static bool look_at_process(const struct proc_task *task, void *arg)
{
	if (!task->kernel)
		look_at_running(arg, (u32)task->pid);
	return false; /* its other threads have the same mappings */
}

/*
 * Sets the plan of the command before it starts, so the plan holds from its first instruction on.
 */
static void look_at_command(struct tls_sampler *ts)
{
	g_autofree char *path = g_find_program_in_path(ts->opts->command[0]);
	struct tls_publisher all[TLS_PUBLISHERS] = { 0 };
	u64 dev, ino;

	if (!ts->bpf || !path || !tls_lookup_program(ts->lookup, path, all, &dev, &ino))
		return;
	tls_plans_program(ts->plans, dev, ino, all);
}

/* Looks at the processes that already run. A command has not started yet. */
static void look_at_targets(struct tls_sampler *ts)
{
	const struct open_target *target = ts->rec->target;
	g_autoptr(GArray) pids = NULL;

	if (ts->opts->command)
		look_at_command(ts);
	if (target_kind(ts->opts) == TARGET_COMMAND)
		return;
	if (target->nr_tids == 1 && target->tids[0] == -1)
		pids = proc_pids(ts->paths, NULL);
	for (guint i = 0; pids && i < pids->len; i++)
		look_at_running(ts, (u32)g_array_index(pids, pid_t, i));
	for (u32 i = 0; !pids && i < target->nr_tids; i++)
		proc_task_read(ts->paths, target->tids[i], target->tids[i], look_at_process, ts,
			       NULL);
}

/*
 * The collector's thread also finds the publishers. A publisher that is not found yet is not read.
 * So this thread must not wait for CPU time behind a thousand computing threads.
 */
static void go_before_others(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), -10);
}

static void synthesize(struct source *src, struct outlet *out)
{
	struct tls_sampler *ts = tls_sampler(src);

	if (!ts->synthesized)
		go_before_others();
	ts->out = out;
	put_obi(ts);
	if (ts->synthesized) {
		ts->again = true;
		tls_lookup_each(ts->lookup, put_again, ts);
		ts->again = false;
		tls_facts_each(ts->facts, put_facts, ts);
	} else {
		look_at_targets(ts);
	}
	ts->synthesized = true;
}

/* Searches a process again if its first sample came after the search for lost records. */
static gboolean search_sampled(gpointer pid, gpointer since, gpointer arg)
{
	struct tls_sampler *ts = arg;

	if (!tls_tally_has(ts->tally, GPOINTER_TO_UINT(pid)))
		return FALSE;
	tls_lookup_missed(ts->lookup, GPOINTER_TO_UINT(pid), *(const u64 *)since);
	return TRUE;
}

/* @before: the processes of the previous search. */
static void search_later(struct tls_sampler *ts, GHashTable *before, u32 pid)
{
	gpointer key = GUINT_TO_POINTER(pid);
	const u64 *since = g_hash_table_lookup(before, key) ?: &ts->lost_time;

	g_hash_table_insert(ts->unsampled, key, g_memdup2(since, sizeof(*since)));
}

static GHashTable *new_unsampled(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

/* Lost mappings are still in /proc/PID/maps. Reading the maps of all processes takes time. */
static void search_lost(struct tls_sampler *ts)
{
	u64 now = (u64)g_get_monotonic_time() * 1000;
	g_autoptr(GHashTable) before = NULL;
	g_autoptr(GArray) pids = NULL;

	g_hash_table_foreach_remove(ts->unsampled, search_sampled, ts);
	if ((!ts->lost_mappings && !ts->lost_records) || now < ts->searched_ns + SEARCH_PERIOD_NS)
		return;
	before = g_steal_pointer(&ts->unsampled);
	ts->unsampled = new_unsampled();
	pids = proc_pids(ts->paths, NULL);
	for (guint i = 0; pids && i < pids->len; i++) {
		u32 pid = (u32)g_array_index(pids, pid_t, i);
		bool sampled = !ts->bpf || tls_tally_has(ts->tally, pid);

		if (ts->lost_records && sampled)
			tls_lookup_missed(ts->lookup, pid, ts->lost_time);
		else if (ts->lost_records)
			search_later(ts, before, pid);
		if (ts->lost_mappings && (ts->mappings_of_all || sampled))
			tls_facts_scan(ts->facts, pid, tls_lookup_has(ts->lookup, pid),
				       ts->lost_time);
	}
	ts->lost_mappings = ts->lost_records = false;
	ts->searched_ns = now;
}

static void note_loss(struct tls_sampler *ts, bool *lost, u64 time)
{
	if ((!ts->lost_mappings && !ts->lost_records) || time < ts->lost_time)
		ts->lost_time = time;
	*lost = true;
}

/*
 * A ring's lost records come after all its passed samples. Other rings may have passed newer
 * records. Before the first sample the time is unknown; 0 means before the recording.
 */
static u64 time_before_loss(const struct tls_sampler *ts)
{
	return ts->ring < ts->ring_times->len ? MAX(g_array_index(ts->ring_times, u64, ts->ring), 1)
					      : 1;
}

static void take_mappings(struct tls_sampler *ts)
{
	if (!tls_mappings_drain(ts->mappings, on_mapping, ts))
		note_loss(ts, &ts->lost_mappings, ts->polled_time);
	search_lost(ts);
}

/*
 * A found variable is settled when all samples from before have passed. A round that was drained
 * before the last call began does not prove that: it may have waited in the queue.
 */
static void end_round(struct stage *st, const struct stage_round *round, struct outlet *next)
{
	struct tls_sampler *ts = container_of(st, struct tls_sampler, stage);

	if (ts->bpf)
		tls_bpf_flush(ts->bpf, next);
	if (round->began_ns < ts->looked_ns)
		return;
	ts->out = next;
	tls_lookup_retry(ts->lookup, (u64)g_get_monotonic_time() * 1000, ts->newest_time);
	tell_all(ts);
	take_mappings(ts);
	/* Changes happened after the previous poll. */
	tls_facts_poll(ts->facts, ts->polled_time);
	tls_node_due(ts->node, (u64)g_get_monotonic_time() * 1000, restate, ts);
	ts->polled_time = ts->newest_time;
	tell_all(ts);
	ts->looked_ns = (u64)g_get_monotonic_time() * 1000;
}

/*
 * Notes the time of a sample. All samples of the user's events start with the same fields: see
 * TLS_JOIN_SAMPLE_TYPE.
 */
static void note_time(struct tls_sampler *ts, const struct perf_event_header *record)
{
	const size_t at = sizeof(*record) + 3 * sizeof(u64);
	u64 time;

	if (record->type != PERF_RECORD_SAMPLE || record->size < at + sizeof(time))
		return;
	memcpy(&time, (const u8 *)record + at, sizeof(time));
	take_time(ts, time);
}

static void pass(struct stage *st, u32 ring, const struct perf_event_header *record,
		 struct outlet *next)
{
	struct tls_sampler *ts = container_of(st, struct tls_sampler, stage);

	ts->ring = ring == OUTLET_NO_RING ? 0 : ring;
	if (record->type == PERF_RECORD_LOST)
		note_loss(ts, &ts->lost_records, time_before_loss(ts));
	if (ts->bpf && ring != OUTLET_NO_RING) {
		/*
		 * The ring also has the program's own records, which start with other fields. The
		 * joiner reports the samples (on_sample()).
		 */
		tls_bpf_pass(ts->bpf, ring, record, next);
		return;
	}
	if (ring != OUTLET_NO_RING)
		note_time(ts, record);
	outlet_put(next, record, record->size);
}

static const struct stage_ops join_ops = {
	.name = "tls",
	.describe = describe_samples,
	.pass = pass,
	.round = end_round,
};

static void observe_mmap(struct tls_sampler *ts, const struct event *ev)
{
	if (!(ev->misc & PERF_MISC_MMAP_DATA) && ev->mmap.pid != (u32)-1)
		tls_lookup_mmap(ts->lookup, &ev->mmap, ev->id.time);
}

static void observe(struct observer *ob, const struct event *ev, struct outlet *out)
{
	struct tls_sampler *ts = container_of(ob, struct tls_sampler, observer);

	ts->out = out;
	switch (ev->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		observe_mmap(ts, ev);
		break;
	case PERF_RECORD_COMM:
		if (ev->comm.exec)
			tls_lookup_exec(ts->lookup, ev->comm.pid, ev->id.time);
		break;
	case PERF_RECORD_FORK:
		tls_lookup_fork(ts->lookup, &ev->task, ev->task.time);
		break;
	case PERF_RECORD_EXIT:
		tls_lookup_exit(ts->lookup, &ev->task, ev->task.time);
		break;
	}
	tell_all(ts);
}

static char *summary(struct source *src)
{
	const struct tls_sampler *ts = tls_sampler(src);

	return tls_summary(&(struct tls_outcome){ .asked = ts->asked,
						  .lookup = ts->lookup,
						  .tally = ts->tally,
						  .bpf = ts->bpf,
						  .unread = ts->unread,
						  .out_of_reach = ts->out_of_reach,
						  .dropped = tls_plans_nr_dropped(ts->plans) });
}

static void close_source(struct source *src)
{
	struct tls_sampler *ts = tls_sampler(src);

	tls_plans_free(ts->plans);
	tls_bpf_free(ts->bpf);
	tls_lookup_free(ts->lookup);
	tls_facts_free(ts->facts);
	tls_node_free(ts->node);
	tls_mappings_free(ts->mappings);
	tls_tally_free(ts->tally);
	tls_unread_free(ts->unread);
	g_array_unref(ts->unscanned);
	g_array_unref(ts->ring_times);
	g_hash_table_destroy(ts->unsampled);
	if (ts->asked)
		g_array_unref(ts->asked);
	g_free(ts);
}

static const struct source_ops tls_ops = {
	.name = "tls",
	.prepare = prepare,
	.open = open_source,
	.describe = describe,
	.synthesize = synthesize,
	.summary = summary,
	.close = close_source,
};

/* Chooses who reads the bytes: the kernel or BPF. */
static bool pick_source(struct tls_sampler *ts, GError **error)
{
	bool by_kernel = ts->opts->tls_source != TLS_SOURCE_BPF && kernel_can(KERNEL_TLS_USER);

	if (by_kernel)
		return true;
	if (ts->opts->tls_source == TLS_SOURCE_KERNEL)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "--tls-source=kernel: this kernel has no PERF_SAMPLE_TLS_USER; "
				 "--tls-source=bpf works on stock kernels");
	ts->bpf = tls_bpf_load(ts->paths, error);
	if (!ts->bpf)
		g_prefix_error(error, "--sample-tls: %s",
			       ts->opts->tls_source == TLS_SOURCE_BPF
				       ? ""
				       : "this kernel has no PERF_SAMPLE_TLS_USER, and ");
	return ts->bpf;
}

bool tls_source_by_bpf(const struct source *tls)
{
	return container_of(tls, struct tls_sampler, source)->bpf;
}

int tls_source_plans_fd(const struct source *tls)
{
	const struct tls_sampler *ts = container_of(tls, struct tls_sampler, source);

	return ts->bpf ? tls_bpf_plans_fd(ts->bpf) : -1;
}

bool tls_source_plan(const struct source *tls, u32 pid, struct sample_tls_plan *plan)
{
	const struct tls_sampler *ts = container_of(tls, struct tls_sampler, source);

	return ts->bpf && tls_bpf_plan(ts->bpf, pid, plan);
}

struct source *tls_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			      GError **error)
{
	struct tls_sampler *ts = g_new0(struct tls_sampler, 1);

	ts->source.ops = &tls_ops;
	ts->stage.ops = &join_ops;
	ts->observer.see = observe;
	ts->observer.types = OBSERVES(PERF_RECORD_MMAP) | OBSERVES(PERF_RECORD_MMAP2) |
			     OBSERVES(PERF_RECORD_COMM) | OBSERVES(PERF_RECORD_FORK) |
			     OBSERVES(PERF_RECORD_EXIT);
	ts->opts = opts;
	ts->paths = paths;
	ts->unscanned = g_array_new(FALSE, FALSE, sizeof(struct unscanned));
	ts->unsampled = new_unsampled();
	ts->ring_times = g_array_new(FALSE, TRUE, sizeof(u64));
	ts->tally = tls_tally_new(0);
	ts->asked = activity_layouts_parse(opts->tls_layout, TLS_PUBLISHERS, error);
	if (!ts->asked)
		g_prefix_error(error, "--sample-tls: ");
	if (!ts->asked || !pick_source(ts, error)) {
		close_source(&ts->source);
		return NULL;
	}
	for (guint i = 0; i < ts->asked->len && !ts->unread; i++) {
		if (g_array_index(ts->asked, struct activity_layout, i).format == ACTIVITY_OTEP)
			ts->unread = tls_unread_new(paths);
	}
	ts->lookup = tls_lookup_new(ts->asked, paths, on_news, ts);
	ts->node = tls_node_new();
	ts->plans = tls_plans_new(ts->bpf, paths, ts->node);
	ts->facts = tls_facts_new(paths, on_facts, ts);
	return &ts->source;
}
