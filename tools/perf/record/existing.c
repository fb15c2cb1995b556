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
 * The race with the recording itself: side records are enabled before /proc is read. A mapping made
 * in between is told twice, which does no harm. In the other order it could be missed.
 *
 * A command is a special case. Until its exec it is a copy of perf, whose maps are of no use: only
 * its name is told.
 */
#include "record/existing.h"

#include "record/base/options.h"
#include "record/synth.h"

struct existing {
	struct existing_setup setup;
	const struct record_options *opts;
	struct observer observer;
	GHashTable *pids; /* pids of the recorded processes; NULL: all */
	bool started;	  /* the command was started: its maps are its own now, not perf's */
};

static void see(struct observer *ob, const struct event *ev, struct outlet *out)
{
	struct existing *e = container_of(ob, struct existing, observer);
	void *pid = GINT_TO_POINTER((int)ev->task.pid);

	if (ev->type == PERF_RECORD_COMM)
		e->started |= ev->comm.exec;
	else if (!e->pids)
		return;
	else if (ev->type == PERF_RECORD_FORK)
		g_hash_table_add(e->pids, pid);
	else if (ev->task.pid == ev->task.tid)
		g_hash_table_remove(e->pids, pid);
}

struct existing *existing_new(const struct existing_setup *setup)
{
	struct existing *e = g_new0(struct existing, 1);
	const GArray *pids = setup->target->pids;

	e->setup = *setup;
	e->opts = setup->rec->opts;
	e->observer.see = see;
	e->observer.types = OBSERVES(PERF_RECORD_COMM) | OBSERVES(PERF_RECORD_FORK) |
			    OBSERVES(PERF_RECORD_EXIT);
	if (pids)
		e->pids = g_hash_table_new(NULL, NULL);
	for (u32 i = 0; pids && i < pids->len; i++)
		g_hash_table_add(e->pids, GINT_TO_POINTER(g_array_index(pids, pid_t, i)));
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
