// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A target is a product, CPUs x threads, because that is what perf_event_open() takes:
 *
 *	perf record -a			cpus 0-3	tids {-1}
 *	perf record -p 800 (2 threads)	cpus 0-3	tids { 800, 801 }	8 events, inherited by new threads
 *	--per-thread -p 800		cpus {-1}	tids { 800, 801 }	2 events, a ring each
 *	perf record true		cpus 0-3	tids { the child that waits for its exec }
 *
 * Events of threads are opened on each CPU all the same: the kernel maps no ring for an inherited
 * event that runs on any CPU. They count only on their CPU; together they count everywhere.
 */
#include "record/base/target.h"

#include "base/file.h"
#include "perfevent/proc.h"

enum target_kind target_kind(const struct record_options *opts)
{
	if (opts->tids)
		return TARGET_THREADS;
	if (opts->pids || opts->user)
		return TARGET_PROCESSES;
	if (opts->all_cpus || opts->cpus)
		return TARGET_CPUS;
	return TARGET_COMMAND;
}

static bool contains(const GArray *array, s32 value)
{
	for (u32 i = 0; i < array->len; i++)
		if (g_array_index(array, s32, i) == value)
			return true;
	return false;
}

static bool pick_cpus(struct target *t, const struct record_options *opts,
		      const struct kernel_paths *paths, GError **error)
{
	g_autoptr(GArray) online = NULL;

	if (t->per_thread) {
		s32 any = -1;

		t->cpus = g_array_new(false, false, sizeof(s32));
		g_array_append_val(t->cpus, any);
		return true;
	}
	online = cpu_list_online(paths, error);
	if (!online)
		return false;
	if (!opts->cpus) {
		t->cpus = g_steal_pointer(&online);
		return true;
	}
	t->cpus = cpu_list_parse(opts->cpus, error);
	if (!t->cpus)
		return false;
	for (u32 i = 0; i < t->cpus->len; i++) {
		s32 cpu = g_array_index(t->cpus, s32, i);

		if (!contains(online, cpu))
			return error_set(error, PERF_ERROR_ABSENT, "-C: CPU %d is not online", cpu);
	}
	return true;
}

static void append_all(GArray *to, const GArray *from)
{
	g_array_append_vals(to, from->data, from->len);
}

/* Adds the threads of t->pids. A process that ends meanwhile has none. */
static bool threads_of_pids(struct target *t, const struct kernel_paths *paths, GError **error)
{
	for (u32 i = 0; i < t->pids->len; i++) {
		pid_t pid = g_array_index(t->pids, pid_t, i);
		g_autoptr(GError) why = NULL;
		g_autoptr(GArray) tids = proc_tids(paths, pid, &why);

		if (tids) {
			append_all(t->tids, tids);
		} else if (t->pids->len == 1) {
			g_propagate_error(error, g_steal_pointer(&why));
			return false;
		}
	}
	if (!t->tids->len)
		return error_set(error, PERF_ERROR_ABSENT, "no such process");
	return true;
}

/* -t: the given threads. Their processes are needed only for the maps. */
static bool pick_threads(struct target *t, const char *text, const struct kernel_paths *paths,
			 GError **error)
{
	g_autoptr(GArray) tids = pid_list_parse(text, error);

	if (!tids)
		return false;
	append_all(t->tids, tids);
	for (u32 i = 0; i < tids->len; i++) {
		pid_t tid = g_array_index(tids, pid_t, i);
		s64 pid = tid;
		g_autofree char *status = file_text("%s/%d/status", paths->proc, tid);
		const char *line = status ? strstr(status, "\nTgid:") : NULL;

		if (!line)
			return error_set(error, PERF_ERROR_ABSENT, "-t: there is no thread %d",
					 tid);
		pid = g_ascii_strtoll(line + 6, NULL, 10);
		if (!contains(t->pids, (s32)pid)) {
			pid_t value = (pid_t)pid;

			g_array_append_val(t->pids, value);
		}
	}
	return true;
}

static bool pick_processes(struct target *t, const struct record_options *opts,
			   const struct kernel_paths *paths, GError **error)
{
	if (opts->pids) {
		g_autoptr(GArray) pids = pid_list_parse(opts->pids, error);

		if (!pids)
			return false;
		append_all(t->pids, pids);
	}
	if (opts->user) {
		g_autoptr(GArray) pids = NULL;
		uid_t uid;

		if (!uid_parse(opts->user, &uid, error))
			return false;
		pids = proc_pids_of_uid(paths, uid, error);
		if (!pids)
			return false;
		if (!pids->len)
			return error_set(error, PERF_ERROR_ABSENT, "-u: user %s has no process",
					 opts->user);
		append_all(t->pids, pids);
	}
	return threads_of_pids(t, paths, error);
}

static bool pick_tids(struct target *t, const struct record_options *opts,
		      const struct kernel_paths *paths, pid_t command, GError **error)
{
	pid_t any = -1;

	switch (t->kind) {
	case TARGET_CPUS:
		g_clear_pointer(&t->pids, g_array_unref);
		g_array_append_val(t->tids, any);
		return true;
	case TARGET_COMMAND:
		g_array_append_val(t->pids, command);
		g_array_append_val(t->tids, command);
		return true;
	case TARGET_THREADS:
		return pick_threads(t, opts->tids, paths, error);
	case TARGET_PROCESSES:
		return pick_processes(t, opts, paths, error);
	}
	return false;
}

bool target_init(struct target *t, const struct record_options *opts,
		 const struct kernel_paths *paths, pid_t command, GError **error)
{
	*t = (struct target){ .kind = target_kind(opts) };
	t->per_thread = opts->per_thread && t->kind != TARGET_CPUS;
	t->tids = g_array_new(false, false, sizeof(pid_t));
	t->pids = g_array_new(false, false, sizeof(pid_t));
	if (!pick_cpus(t, opts, paths, error) || !pick_tids(t, opts, paths, command, error)) {
		target_release(t);
		return false;
	}
	t->open = (struct open_target){
		.cpus = (const s32 *)t->cpus->data,
		.nr_cpus = t->cpus->len,
		.tids = (const pid_t *)t->tids->data,
		.nr_tids = t->tids->len,
	};
	return true;
}

bool target_grew(const struct target *t, const struct kernel_paths *paths)
{
	if (t->kind != TARGET_PROCESSES)
		return false;
	for (u32 i = 0; i < t->pids->len; i++) {
		g_autoptr(GArray) tids = proc_tids(paths, g_array_index(t->pids, pid_t, i), NULL);

		for (u32 k = 0; tids && k < tids->len; k++)
			if (!contains(t->tids, g_array_index(tids, pid_t, k)))
				return true;
	}
	return false;
}

void target_release(struct target *t)
{
	g_clear_pointer(&t->cpus, g_array_unref);
	g_clear_pointer(&t->tids, g_array_unref);
	g_clear_pointer(&t->pids, g_array_unref);
}
