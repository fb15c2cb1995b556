// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/report_lists.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "dso/buildid.h"
#include "dso/dso.h"
#include "machine/machine.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"

struct dump {
	struct session *session;
	GArray *samples; /* u64 by evsel's idx */
	FILE *out;
};

void report_dump_place(const struct place *place, FILE *out)
{
	fprintf(out, " ... thread: %s:%d\n ...... dso: %s\n", place->comm, (int)place->thread->tid,
		place->ip->dso ? dso_long_name(place->ip->dso) : "<not found>");
}

static void count(GArray *counts, const struct place *place)
{
	if (place->evsel->idx >= counts->len)
		g_array_set_size(counts, place->evsel->idx + 1);
	g_array_index(counts, u64, place->evsel->idx)++;
}

static bool dump_event(const struct event *event, const struct place *place, void *arg,
		       GError **error)
{
	const struct dump *d = arg;

	event_dump(session_perfdata(d->session), event, d->out);
	/* Upstream's report has no use for these, and says so. */
	if (event->type == PERFDATA_THREAD_MAP || event->type == PERFDATA_CPU_MAP)
		fputs(": unhandled!\n", d->out);
	if (!place)
		return true;
	report_dump_place(place, d->out);
	count(d->samples, place);
	return true;
}

static bool count_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	count(arg, place);
	return true;
}

static void print_stats(struct session *session, const GArray *samples, FILE *out)
{
	struct perfdata *pd = session_perfdata(session);
	const GPtrArray *evsels = perfdata_evsels(pd);
	const u64 *records = perfdata_counts(pd)->records;
	u64 total = 0;

	for (u32 type = 0; type < PERFDATA_RECORD_MAX; type++)
		total += records[type];
	fprintf(out, "\nAggregated stats:\n%20s events: %10" G_GUINT64_FORMAT "\n", "TOTAL", total);
	for (u32 type = 0; type < PERFDATA_RECORD_MAX; type++)
		if (records[type])
			fprintf(out, "%20s events: %10" G_GUINT64_FORMAT "  (%4.1f%%)\n",
				event_type_name(type), records[type],
				100.0 * (double)records[type] / (double)total);
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);
		u64 nr = i < samples->len ? g_array_index(samples, u64, i) : 0;

		if (nr)
			fprintf(out, "%s stats:\n%20s events: %10" G_GUINT64_FORMAT "\n",
				evsel->name, "SAMPLE", nr);
	}
}

bool report_dump(struct session *session, FILE *out, GError **error)
{
	g_autoptr(GArray) samples = g_array_new(FALSE, TRUE, sizeof(u64));
	struct dump d = { session, samples, out };

	if (!session_each_event(session, 0, true, dump_event, &d, error))
		return false;
	print_stats(session, samples, out);
	return true;
}

bool report_stats(struct session *session, FILE *out, GError **error)
{
	g_autoptr(GArray) samples = g_array_new(FALSE, TRUE, sizeof(u64));

	if (!session_each_sample(session, 0, count_sample, samples, error))
		return false;
	print_stats(session, samples, out);
	return true;
}

struct tasks {
	struct machine *machine;
	GPtrArray *threads;   /* const struct thread *, by pid and tid */
	GHashTable *children; /* tid -> GPtrArray of const struct thread *, those it made */
	GHashTable *done;     /* const struct thread * */
	bool maps;
	FILE *out;
};

struct map_line {
	const struct tasks *tasks;
	u32 indent;
};

static void print_map(const struct map *map, u64 start, u64 end, void *arg)
{
	const struct map_line *line = arg;
	const struct build_id id = dso_recorded_build_id(map->dso);
	char file[BUILD_ID_HEX];

	/* What the record tells the file by: its inode or its build-id. */
	if (map->ino || !id.size)
		snprintf(file, sizeof(file), "%" G_GUINT64_FORMAT, map->ino);
	else
		build_id_hex(&id, file);
	fprintf(line->tasks->out,
		"%*s  %" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER
		"x %c%c%c%c %08" G_GINT64_MODIFIER "x %s %s\n",
		(int)line->indent, "", start, end, map->prot & PROT_READ ? 'r' : '-',
		map->prot & PROT_WRITE ? 'w' : '-', map->prot & PROT_EXEC ? 'x' : '-',
		map->flags & MAP_SHARED ? 's' : 'p', map->pgoff + (start - map->start), file,
		dso_long_name(map->dso));
}

static void print_task(struct tasks *t, const struct thread *thread, u32 depth)
{
	struct map_line line = { t, 30 + depth };

	fprintf(t->out, "%10d %8d %8d |%*s%s\n", (int)thread->pid, (int)thread->tid,
		(int)thread->ppid, (int)depth, "", machine_comm(t->machine, thread, UINT64_MAX));
	if (t->maps && thread->pid == thread->tid)
		machine_each_map(t->machine, thread, thread->end ? thread->end - 1 : 0, print_map,
				 &line);
}

/* Deeper than any process tree; a file may claim that two processes are each other's parent. */
#define MAX_DEPTH 64

static void print_below(struct tasks *t, const struct thread *parent, u32 depth)
{
	const GPtrArray *children = g_hash_table_lookup(t->children, GUINT_TO_POINTER(parent->tid));

	if (!g_hash_table_add(t->done, (void *)parent))
		return;
	print_task(t, parent, depth);
	for (u32 k = 0; children && k < children->len && depth < MAX_DEPTH; k++)
		print_below(t, g_ptr_array_index(children, k), depth + 1);
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread *x = *(const struct thread *const *)a;
	const struct thread *y = *(const struct thread *const *)b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Under the thread that made it, or among the roots. */
static void file_thread(struct tasks *t, const struct thread *thread, GPtrArray *roots,
			GHashTable *tids)
{
	gpointer parent = GUINT_TO_POINTER(thread->ppid);
	GPtrArray *children;

	if (thread->ppid == thread->tid || !g_hash_table_contains(tids, parent)) {
		g_ptr_array_add(roots, (void *)thread);
		return;
	}
	children = g_hash_table_lookup(t->children, parent);
	if (!children) {
		children = g_ptr_array_new();
		g_hash_table_insert(t->children, parent, children);
	}
	g_ptr_array_add(children, (void *)thread);
}

static void print_all(struct tasks *t)
{
	g_autoptr(GPtrArray) roots = g_ptr_array_new();
	g_autoptr(GHashTable) tids = g_hash_table_new(NULL, NULL);

	for (u32 i = 0; i < t->threads->len; i++) {
		const struct thread *thread = g_ptr_array_index(t->threads, i);

		g_hash_table_add(tids, GUINT_TO_POINTER(thread->tid));
	}
	for (u32 i = 0; i < t->threads->len; i++)
		file_thread(t, g_ptr_array_index(t->threads, i), roots, tids);
	fprintf(t->out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	/* Upstream's indentation: whoever is not the idle task is below it. */
	for (u32 i = 0; i < roots->len; i++) {
		const struct thread *root = g_ptr_array_index(roots, i);

		print_below(t, root, root->tid ? 1 : 0);
	}
	/* Those left over are each other's parents. */
	for (u32 i = 0; i < t->threads->len; i++)
		print_below(t, g_ptr_array_index(t->threads, i), 1);
}

static bool nothing(const struct event *event, const struct place *place, void *arg, GError **error)
{
	return true;
}

bool report_tasks(struct session *session, bool maps, FILE *out, GError **error)
{
	struct machine *m = session_machine(session);
	struct tasks t = { .machine = m, .maps = maps, .out = out };

	/* A pipe tells of its tasks only while it is read. */
	if (perfdata_is_pipe(session_perfdata(session)) &&
	    !session_each_event(session, 0, false, nothing, NULL, error))
		return false;
	t.threads = g_ptr_array_new();
	for (u32 i = 0; i < machine_nr_threads(m); i++)
		g_ptr_array_add(t.threads, (void *)machine_thread_at(m, i));
	g_ptr_array_sort(t.threads, compare_threads);
	t.children = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	t.done = g_hash_table_new(NULL, NULL);
	print_all(&t);
	g_ptr_array_unref(t.threads);
	g_hash_table_destroy(t.children);
	g_hash_table_destroy(t.done);
	return true;
}
