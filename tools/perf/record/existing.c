// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a file begins with. A record of the kernel tells only changes, so all that existed before
 * must be told once:
 *
 *	[kernel.kallsyms], modules
 *	each process: FORK, COMM of its threads, MMAP2 of its maps	time 0: before all records
 *	what sources say (synthesize())
 *	FINISHED_INIT							put by the collector
 *
 * A file of --switch-output begins in the middle of a recording, with other processes than the
 * first. So forks and exits are followed in pids. With -a there is no such table: /proc lists all.
 *
 * A process is there as long as one of its recorded threads. Its first thread may end before the
 * others, so the threads are known one by one:
 *
 *	FORK	pid 800, tid 801	800: { 800, 801 }
 *	EXIT	pid 800, tid 800	800: { 801 }	main() has called pthread_exit()
 *	COMM	pid 800, tid 800, exec	800: { 800 }	801 has executed a program, and has the number of the first
 *	EXIT	pid 800, tid 800	800 is gone
 *
 * The end of the first thread may be in another CPU's ring than the exec, and come after it: it is
 * older.
 *
 * The race with the recording itself: side records are enabled before /proc is read. A mapping made
 * in between is told twice, which does no harm. In the other order it could be missed.
 *
 * A command is a special case. Until its exec it is a copy of perf, whose maps are of no use: only
 * its name is told.
 */
#include "record/existing.h"

#include <string.h>

#include "base/file.h"
#include "record/base/options.h"
#include "record/synth.h"
#include "record/waits/wall_put.h"

struct existing {
	struct existing_setup setup;
	const struct record_options *opts;
	struct observer observer;
	GHashTable *pids; /* pid -> struct existing_process *: the recorded processes; NULL: all */
	bool knows_target;
	bool started; /* the command was started: its maps are its own now, not perf's */
};

/* A recorded process. */
struct existing_process {
	GHashTable *tids; /* set of its recorded threads, as pointers */
	u64 executed;	  /* when a thread of it executed a program; 0: never */
};

static void process_free(void *process)
{
	struct existing_process *p = process;

	g_hash_table_unref(p->tids);
	g_free(p);
}

static void add(struct existing *e, u32 pid, u32 tid)
{
	struct existing_process *p = g_hash_table_lookup(e->pids, GUINT_TO_POINTER(pid));

	if (!p) {
		p = g_new0(struct existing_process, 1);
		p->tids = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(e->pids, GUINT_TO_POINTER(pid), p);
	}
	g_hash_table_add(p->tids, GUINT_TO_POINTER(tid));
}

/* An exec ends all other threads of the process, and the one that goes on has the process's number. */
static void execute(struct existing *e, const struct event *ev)
{
	struct existing_process *p = g_hash_table_lookup(e->pids, GUINT_TO_POINTER(ev->comm.pid));

	if (!p)
		return;
	p->executed = ev->id.time;
	g_hash_table_remove_all(p->tids);
	g_hash_table_add(p->tids, GUINT_TO_POINTER(ev->comm.pid));
}

static void end(struct existing *e, const struct event *ev)
{
	struct existing_process *p = g_hash_table_lookup(e->pids, GUINT_TO_POINTER(ev->task.pid));

	if (!p || ev->task.time < p->executed)
		return;
	g_hash_table_remove(p->tids, GUINT_TO_POINTER(ev->task.tid));
	if (!g_hash_table_size(p->tids))
		g_hash_table_remove(e->pids, GUINT_TO_POINTER(ev->task.pid));
}

/* /proc goes on listing the first thread of a process after its end: the other threads keep it there. */
static bool is_zombie(const struct existing *e, pid_t pid)
{
	g_autofree char *status =
		file_text("%s/%d/task/%d/status", e->setup.rec->paths->proc, pid, pid);

	return status && strstr(status, "\nState:\tZ");
}

/*
 * The threads that are recorded from the start on. With -t not all threads of a process are.
 *
 * They are looked up when the side records are enabled already, so that none is missed in between.
 */
static void know_target(struct existing *e)
{
	const struct kernel_paths *paths = e->setup.rec->paths;
	const struct target *t = e->setup.target;

	if (e->knows_target || !e->pids)
		return;
	e->knows_target = true;
	for (u32 i = 0; t->kind == TARGET_THREADS && i < t->tids->len; i++) {
		pid_t tid = g_array_index(t->tids, pid_t, i);

		add(e, wall_process_of(paths, tid), (u32)tid);
	}
	for (u32 i = 0; t->kind != TARGET_THREADS && i < t->pids->len; i++) {
		pid_t pid = g_array_index(t->pids, pid_t, i);
		g_autoptr(GArray) tids = proc_tids(paths, pid, NULL);

		for (u32 k = 0; tids && k < tids->len; k++) {
			pid_t tid = g_array_index(tids, pid_t, k);

			if (tid != pid || tids->len == 1 || !is_zombie(e, pid))
				add(e, (u32)pid, (u32)tid);
		}
	}
}

static void see(struct observer *ob, const struct event *ev, struct outlet *out)
{
	struct existing *e = container_of(ob, struct existing, observer);
	bool executes = ev->type == PERF_RECORD_COMM && ev->comm.exec;

	e->started |= executes;
	if (!e->pids)
		return;
	know_target(e);
	if (executes)
		execute(e, ev);
	else if (ev->type == PERF_RECORD_FORK)
		add(e, ev->task.pid, ev->task.tid);
	else if (ev->type == PERF_RECORD_EXIT)
		end(e, ev);
}

struct existing *existing_new(const struct existing_setup *setup)
{
	struct existing *e = g_new0(struct existing, 1);

	e->setup = *setup;
	e->opts = setup->rec->opts;
	e->observer.see = see;
	e->observer.types = OBSERVES(PERF_RECORD_COMM) | OBSERVES(PERF_RECORD_FORK) |
			    OBSERVES(PERF_RECORD_EXIT);
	if (setup->target->pids)
		e->pids = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	return e;
}

void existing_free(struct existing *e)
{
	if (!e)
		return;
	g_clear_pointer(&e->pids, g_hash_table_unref);
	g_free(e);
}

struct observer *existing_observer(struct existing *e)
{
	return &e->observer;
}

static void put_targets(const struct existing *e, struct synth *s)
{
	const struct target *target = e->setup.target;
	GHashTableIter iter;
	void *pid;

	if (!e->pids) {
		if (e->opts->synth & SYNTH_TASKS)
			synth_all(s);
		return;
	}
	if (target->kind == TARGET_COMMAND && !e->started) {
		synth_comm(s, g_array_index(target->pids, pid_t, 0));
		return;
	}
	if (!(e->opts->synth & SYNTH_TASKS))
		return;
	g_hash_table_iter_init(&iter, e->pids);
	while (g_hash_table_iter_next(&iter, &pid, NULL))
		synth_process(s, GPOINTER_TO_INT(pid));
}

bool existing_put(struct existing *e, struct outlet *out, GError **error)
{
	const struct recording *rec = e->setup.rec;
	struct synth s = {
		.paths = rec->paths,
		.evsel = e->setup.evsel,
		.out = out,
		.buildids = e->setup.buildids,
		.build_ids_in_maps = e->setup.build_ids_in_maps,
		.data = e->opts->data || e->opts->data_mmap,
		.no_maps = !(e->opts->synth & SYNTH_MAPS),
		.namespaces = e->opts->namespaces,
	};

	know_target(e);
	synth_kernel(&s, &rec->kernel);
	if (options_name_cgroups(e->opts) && e->opts->synth & SYNTH_CGROUPS)
		synth_cgroups(&s);
	put_targets(e, &s);
	for (u32 i = 0; i < rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(rec->sources, i);

		if (src->ops->synthesize)
			src->ops->synthesize(src, out);
	}
	if (!s.error)
		return true;
	g_propagate_error(error, s.error);
	return false;
}
