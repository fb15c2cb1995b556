// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is told to whom. News of the look-up (a variable was found, is sought, is gone) go to
 * several places:
 *
 *	                 on_news()
 *	  look-up  ---------------->  plans	the BPF program reads the variable from now on
 *	                              file	a layout record, for reports
 *	                              tally	counts of the closing line
 *	                              facts	looks for what the process says about itself
 *	                              node	waits for V8's layout
 *	                              unread	processes whose activities nobody reads
 *
 * One call of the look-up may have several pieces of news, so plans are collected, and sent at the
 * end (tell_all()).
 *
 * Example: a process maps libotel.so. The look-up finds the variable at TP - 0x70.
 *
 *	plans	pid 800: one source, static, offset -0x70, follow as OTEP 4947
 *	file	layout record: pid 800, time of the mapping, offset -0x70
 *	facts	/proc/800/maps is searched for OTEL_CTX
 *
 * Order matters twice. The plan is sent before the maps are searched, because as long as the
 * program has no plan, samples have no bytes. And all records go to the outlet before the record
 * that caused them, so that a reader knows the place before the next sample.
 */
#include "record/tls/finder.h"

#include "base/clock.h"
#include "bpf/sample_tls.h"
#include "perfevent/proc.h"
#include "record/base/options.h"
#include "record/base/target.h"
#include "record/tls/facts.h"
#include "record/tls/node.h"
#include "record/tls/plans.h"

/* A process with a found variable. It may also publish facts about itself. */
struct unscanned {
	u32 pid;
	u64 time;
};

struct tls_finder {
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct tls_bpf *bpf;	 /* NULL: the kernel reads the bytes */
	struct tls_tally *tally; /* of the caller */
	struct tls_lookup *lookup;
	struct tls_facts *facts;
	struct tls_node *node;
	struct tls_plans *plans;
	struct tls_unread *unread; /* NULL: thread contexts were not requested */
	GArray *unscanned;	   /* struct unscanned: of the current call */
	struct outlet *out;	   /* of the current call */
	u64 out_of_reach;	   /* publishers that the kernel's window cannot show */
	bool again;		   /* records for a further file that an earlier file already has */
};

/* Writes the layout record. Passes it to the tally, too, if the tally does not have it yet. */
static void put_record(struct tls_finder *f, u32 pid, u32 state, u64 time, const char *object,
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
		.layout = f->opts->tls.layout,
		.symbol = layout->symbol,
		.object = object,
		.publisher = layout->publisher,
		.where = layout->where,
		.framed = layout->framed,
		.fresh = layout->fresh,
		.mark = layout->mark,
	};
	outlet_event(f->out, &ev, NULL, NULL);
	if (!f->again)
		tls_tally_change(f->tally, &(struct activity_change){ pid, state, time, *layout });
}

static void put_layout(struct tls_finder *f, const struct tls_news *news,
		       const struct tls_publisher *publisher)
{
	static const u32 states[] = { [TLS_FOUND] = ACTIVITY_PLACED,
				      [TLS_SETTLED] = ACTIVITY_PLACED,
				      [TLS_GONE] = ACTIVITY_GONE,
				      [TLS_SOUGHT] = ACTIVITY_SOUGHT,
				      [TLS_WITHDRAWN] = ACTIVITY_NOWHERE };
	struct activity_layout layout = { .symbol = "", .publisher = (u8)news->number };

	if (publisher && !tls_plans_place(f->plans, publisher, &layout)) {
		f->out_of_reach += news->change == TLS_FOUND;
		return;
	}
	layout.fresh = news->fresh;
	put_record(f, news->pid, states[news->change], news->time,
		   publisher ? publisher->object : "", &layout);
}

static u32 nr_found(const struct tls_news *news)
{
	u32 nr = 0;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++)
		nr += news->all[i].found;
	return nr;
}

/*
 * A process is scanned when its first variable was found, not earlier: reading the maps of each
 * process would be too much. A forked child has its parent's facts.
 */
static void tell_facts(struct tls_finder *f, const struct tls_news *news)
{
	const struct unscanned unscanned = { news->pid, news->time };

	if (news->change == TLS_GONE) {
		tls_facts_gone(f->facts, news->pid, news->time);
	} else if (news->change == TLS_FOUND) {
		if (news->parent)
			tls_facts_fork(f->facts, news->parent, news->pid, news->time);
		else if (nr_found(news) == 1)
			g_array_append_val(f->unscanned, unscanned);
		if (news->publisher->storage_va)
			tls_facts_storage(f->facts, news->pid, news->publisher->storage_va,
					  news->time);
	}
}

static void tell_node(struct tls_finder *f, const struct tls_news *news)
{
	if (news->change == TLS_GONE)
		tls_node_gone(f->node, news->pid);
	else if (news->change == TLS_FOUND && news->publisher->placed.format == ACTIVITY_NODE)
		tls_node_found(f->node, news->pid, news->parent, clock_ns(CLOCK_MONOTONIC));
}

static void tell_unread(struct tls_finder *f, const struct tls_news *news)
{
	if (f->unread && news->change == TLS_FOREIGN)
		tls_unread_foreign(f->unread, news->pid);
	else if (f->unread && news->change == TLS_FOUND)
		tls_unread_found(f->unread, news->pid);
}

/*
 * For samples the end of a process is no news: none has bytes any more. But a zombie keeps its last
 * activity (wall_account.c), and readers must still know where the activity is in the bytes.
 */
static bool goes_on_as_zombie(const struct tls_finder *f, const struct tls_news *news)
{
	return news->change == TLS_GONE && f->bpf && f->opts->wall.hz;
}

static void on_news(const struct tls_news *news, void *arg)
{
	struct tls_finder *f = arg;

	tell_unread(f, news);
	if (news->change == TLS_FOREIGN)
		return;
	tell_node(f, news);
	tls_plans_note(f->plans, news);
	if (news->change != TLS_ABSENT && !(news->change == TLS_GONE && !news->had_any) &&
	    !goes_on_as_zombie(f, news))
		put_layout(f, news, news->publisher);
	tell_facts(f, news);
}

static void put_again(const struct tls_news *news, void *arg)
{
	put_layout(arg, news, news->publisher);
}

/*
 * The bytes are stored as they are. The report decodes them; the recorder looks only for signs of
 * activities that it does not read.
 */
static void put_facts(const struct tls_facts_news *news, void *arg)
{
	struct tls_finder *f = arg;
	struct event ev = { .type = PERFDATA_EVENT_TYPE };

	ev.ext.kind = PERFDATA_EXT_PROCESS;
	ev.ext.process = (struct event_process_facts){
		.pid = news->pid,
		.form = news->form,
		.time = news->time,
		.size = news->size,
		.data = news->data,
	};
	outlet_event(f->out, &ev, NULL, NULL);
	if (f->unread && news->form == ACTIVITY_PROCESS_OTEL) {
		tls_unread_context(f->unread, news->pid, news->data, news->size);
		if (tls_lookup_has(f->lookup, news->pid))
			tls_unread_found(f->unread, news->pid);
	}
}

static void restate(u32 pid, void *arg)
{
	struct tls_finder *f = arg;

	if (tls_lookup_has(f->lookup, pid))
		tls_plans_restate(f->plans, pid);
}

static void on_facts(const struct tls_facts_news *news, void *arg)
{
	struct tls_finder *f = arg;

	if (tls_node_take(f->node, news))
		restate(news->pid, f);
	put_facts(news, f);
}

/*
 * Sends plans to the BPF program first. Searching for what processes publish takes long, and as
 * long as the program does not know a variable, samples have no bytes of it.
 */
static void tell_all(struct tls_finder *f)
{
	tls_plans_tell(f->plans, f->lookup);
	for (guint i = 0; i < f->unscanned->len; i++) {
		const struct unscanned *u = &g_array_index(f->unscanned, struct unscanned, i);

		if (tls_lookup_has(f->lookup, u->pid))
			tls_facts_scan(f->facts, u->pid, true, u->time);
	}
	g_array_set_size(f->unscanned, 0);
	tls_plans_tell(f->plans, f->lookup);
}

/* OBI's map is by thread, for all processes: one record is enough. */
static void put_obi(struct tls_finder *f)
{
	const struct activity_layout obi = { .format = ACTIVITY_OBI,
					     .symbol = "",
					     .size = sizeof(u64),
					     .where = ACTIVITY_APPENDED,
					     .publisher = SAMPLE_TLS_OBI_NUMBER,
					     .framed = true };

	if (!f->bpf || !tls_bpf_has_obi(f->bpf))
		return;
	put_record(f, ACTIVITY_EVERY_PROCESS, ACTIVITY_PLACED, 0, "", &obi);
}

/* A process with an unknown kind of publisher may state so in its process context. */
static void look_at_running(struct tls_finder *f, u32 pid)
{
	tls_lookup_process(f->lookup, pid);
	if (f->unread && !tls_lookup_has(f->lookup, pid))
		tls_facts_scan(f->facts, pid, false, 0);
	tell_all(f);
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
static void look_at_command(struct tls_finder *f)
{
	g_autofree char *path = g_find_program_in_path(f->opts->command[0]);
	struct tls_publisher all[TLS_PUBLISHERS] = { 0 };
	u64 dev, ino;

	if (!f->bpf || !path || !tls_lookup_program(f->lookup, path, all, &dev, &ino))
		return;
	tls_plans_program(f->plans, dev, ino, all);
}

/* Looks at the processes that already run. A command has not started yet. */
static void look_at_targets(struct tls_finder *f, const struct open_target *target)
{
	g_autoptr(GArray) pids = NULL;

	if (f->opts->command)
		look_at_command(f);
	if (target_kind(f->opts) == TARGET_COMMAND)
		return;
	if (target->nr_tids == 1 && target->tids[0] == -1)
		pids = proc_pids(f->paths, NULL);
	for (guint i = 0; pids && i < pids->len; i++)
		look_at_running(f, (u32)g_array_index(pids, pid_t, i));
	for (u32 i = 0; !pids && i < target->nr_tids; i++)
		proc_task_read(f->paths, target->tids[i], target->tids[i], look_at_process, f,
			       NULL);
}

void tls_finder_begin(struct tls_finder *f, struct outlet *out)
{
	f->out = out;
}

void tls_finder_state(struct tls_finder *f, const struct open_target *target)
{
	put_obi(f);
	look_at_targets(f, target);
}

void tls_finder_state_again(struct tls_finder *f)
{
	put_obi(f);
	f->again = true;
	tls_lookup_each(f->lookup, put_again, f);
	f->again = false;
	tls_facts_each(f->facts, put_facts, f);
}

/*
 * Mappings of the kernel have no pid (-1). An exec is a COMM record with a flag; a COMM record
 * without it is only a new name.
 */
void tls_finder_event(struct tls_finder *f, const struct event *ev)
{
	switch (ev->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (!(ev->misc & PERF_MISC_MMAP_DATA) && ev->mmap.pid != (u32)-1)
			tls_lookup_mmap(f->lookup, &ev->mmap, ev->id.time);
		break;
	case PERF_RECORD_COMM:
		if (ev->comm.exec)
			tls_lookup_exec(f->lookup, ev->comm.pid, ev->id.time);
		break;
	case PERF_RECORD_FORK:
		tls_lookup_fork(f->lookup, &ev->task, ev->task.time);
		break;
	case PERF_RECORD_EXIT:
		tls_lookup_exit(f->lookup, &ev->task, ev->task.time);
		break;
	}
	tell_all(f);
}

void tls_finder_mapping(u32 pid, u64 start, u64 size, const char *name, u64 time, void *finder)
{
	struct tls_finder *f = finder;

	tls_facts_mapping(f->facts, pid, start, size, name, tls_lookup_has(f->lookup, pid), time);
}

void tls_finder_missed(struct tls_finder *f, u32 pid, u64 since)
{
	tls_lookup_missed(f->lookup, pid, since);
}

void tls_finder_missed_data(struct tls_finder *f, u32 pid, u64 since)
{
	tls_facts_scan(f->facts, pid, tls_lookup_has(f->lookup, pid), since);
}

void tls_finder_retry(struct tls_finder *f, u64 now_ns, u64 time)
{
	tls_lookup_retry(f->lookup, now_ns, time);
	tell_all(f);
}

void tls_finder_poll(struct tls_finder *f, u64 now_ns, u64 since)
{
	tls_facts_poll(f->facts, since);
	tls_node_due(f->node, now_ns, restate, f);
	tell_all(f);
}

void tls_finder_outcome(const struct tls_finder *f, struct tls_outcome *out)
{
	out->lookup = f->lookup;
	out->unread = f->unread;
	out->out_of_reach = f->out_of_reach;
	out->dropped = tls_plans_nr_dropped(f->plans);
}

struct tls_finder *tls_finder_new(const struct record_options *opts,
				  const struct kernel_paths *paths, const GArray *asked,
				  struct tls_bpf *bpf, struct tls_tally *tally)
{
	struct tls_finder *f = g_new0(struct tls_finder, 1);

	f->opts = opts;
	f->paths = paths;
	f->bpf = bpf;
	f->tally = tally;
	f->unscanned = g_array_new(FALSE, FALSE, sizeof(struct unscanned));
	for (guint i = 0; i < asked->len && !f->unread; i++) {
		if (g_array_index(asked, struct activity_layout, i).format == ACTIVITY_OTEP)
			f->unread = tls_unread_new(paths);
	}
	f->lookup = tls_lookup_new(asked, paths, on_news, f);
	f->node = tls_node_new();
	f->plans = tls_plans_new(bpf, paths, f->node);
	f->facts = tls_facts_new(paths, on_facts, f);
	return f;
}

void tls_finder_free(struct tls_finder *f)
{
	if (!f)
		return;
	tls_plans_free(f->plans);
	tls_lookup_free(f->lookup);
	tls_facts_free(f->facts);
	tls_node_free(f->node);
	tls_unread_free(f->unread);
	g_array_unref(f->unscanned);
	g_free(f);
}
