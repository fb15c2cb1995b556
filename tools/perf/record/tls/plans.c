// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From news to plans. The two maps of the program are written here:
 *
 *	plans		pid -> what to read in this process
 *	programs	device, inode -> what to read after an exec of this file
 *
 * Example, two runs of /bin/app, whose library libotel.so has a variable at TP - 0x70:
 *
 *	run 1, pid 800	no plan: the program reads the default window	samples: inexact, or not looked up yet
 *			found: plans[800] = { TP - 0x70 }, programs[/bin/app] = { TP - 0x70, window 256 }
 *	run 2, pid 801	exec: the program itself copies programs[/bin/app] to plans[801]
 *			its first sample has the bytes, marked with the place
 *			found at the same place: those bytes count. At another one: they do not
 *
 * No entry in plans means an unknown process: the default window is read. An entry with nothing in
 * it means that nothing is read.
 *
 * News of one call of the finder are collected in noted, and each process gets one plan of them.
 */
#include "record/tls/plans.h"

#include <glib.h>
#include <sys/stat.h>

#include "bpf/sample_tls.h"

/* News of a process since the last plan was sent. */
struct noted {
	bool found;  /* not by a fork: processes of the same file will have the same */
	bool gone;   /* its previous program ended */
	bool absent; /* it has no variable, and will most likely not get one */
};

struct tls_plans {
	struct tls_bpf *bpf; /* or NULL */
	const struct kernel_paths *paths;
	const struct tls_node *node;
	GHashTable *noted;   /* pid -> struct noted */
	GHashTable *dropped; /* pid -> number of publishers missing in its plan, if any */
	u64 nr_dropped;
};

struct tls_plans *tls_plans_new(struct tls_bpf *bpf, const struct kernel_paths *paths,
				const struct tls_node *node)
{
	struct tls_plans *p = g_new0(struct tls_plans, 1);

	p->bpf = bpf;
	p->paths = paths;
	p->node = node;
	p->noted = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	p->dropped = g_hash_table_new(NULL, NULL);
	return p;
}

void tls_plans_free(struct tls_plans *p)
{
	if (!p)
		return;
	g_hash_table_destroy(p->noted);
	g_hash_table_destroy(p->dropped);
	g_free(p);
}

u64 tls_plans_nr_dropped(const struct tls_plans *p)
{
	return p->nr_dropped;
}

/*
 * Without BPF, the kernel copies the window below the thread pointer, and nothing else. With BPF,
 * what does not fit into the default window, and what is behind a pointer, gets an entry of its
 * own.
 */
bool tls_plans_place(const struct tls_plans *p, const struct tls_publisher *publisher,
		     struct activity_layout *layout)
{
	u32 window;

	*layout = publisher->placed;
	window = layout->where == ACTIVITY_IN_WINDOW ? activity_layout_window(layout) : 0;
	if (!p->bpf)
		return layout->where == ACTIVITY_IN_WINDOW;
	layout->framed = true;
	if (activity_is_pointer(layout->format) || window == 0 || window > ACTIVITY_WINDOW_DEFAULT)
		layout->where = ACTIVITY_APPENDED;
	return true;
}

static enum sample_tls_what what_of(enum activity_format format)
{
	switch (format) {
	case ACTIVITY_OTEP:
		return SAMPLE_TLS_OTEP;
	case ACTIVITY_ELASTIC:
		return SAMPLE_TLS_ELASTIC;
	case ACTIVITY_LABELS:
		return SAMPLE_TLS_LABELS;
	case ACTIVITY_GO:
		return SAMPLE_TLS_GO;
	case ACTIVITY_NODE:
		return SAMPLE_TLS_NODE;
	default:
		return SAMPLE_TLS_BYTES;
	}
}

/* False: the plan is full. */
static bool add_source(struct sample_tls_plan *plan, const struct tls_publisher *publisher,
		       const struct activity_layout *layout, const struct tls_node *node, u32 pid)
{
	static const u8 reaches[] = { [TLS_STATIC] = SAMPLE_TLS_STATIC,
				      [TLS_GLIBC] = SAMPLE_TLS_GLIBC,
				      [TLS_MUSL] = SAMPLE_TLS_MUSL };

	if (plan->nr == SAMPLE_TLS_SOURCES)
		return false;
	plan->sources[plan->nr++] = (struct sample_tls_source){
		.offset = publisher->place.offset + layout->offset,
		.generation = publisher->place.generation,
		.module = publisher->place.module,
		.size = (u16)layout->size,
		.reach = reaches[publisher->place.reach],
		.what = (u8)what_of(layout->format),
		.number = layout->publisher,
		.mark = layout->mark,
		.format = (u8)layout->format,
		.go_map = publisher->go.map,
		.go_m = publisher->go.m,
		.go_curg = publisher->go.curg,
		.go_labels = publisher->go.labels,
	};
	tls_node_fill(node, pid, &plan->sources[plan->nr - 1]);
	return true;
}

/*
 * Makes the plan for process @pid from all found variables in @all. @pid 0: a process that is yet
 * to begin, and has not stated V8's layout. Returns the number of variables that did not fit.
 */
static u32 make_plan(const struct tls_plans *p, u32 pid, const struct tls_publisher *all,
		     struct sample_tls_plan *plan)
{
	u32 dropped = 0;

	*plan = (struct sample_tls_plan){ 0 };
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		const struct tls_publisher *publisher = &all[i];
		struct activity_layout layout;

		if (!publisher->found)
			continue;
		tls_plans_place(p, publisher, &layout);
		if (layout.where == ACTIVITY_APPENDED)
			dropped += !add_source(plan, publisher, &layout, p->node, pid);
		else
			plan->window = MAX(plan->window, activity_layout_window(&layout));
	}
	return dropped;
}

/*
 * At an exec it is unknown which other variables the process will have, so the window keeps its
 * full size.
 */
void tls_plans_program(struct tls_plans *p, u64 dev, u64 ino, const struct tls_publisher *all)
{
	struct sample_tls_plan plan;

	make_plan(p, 0, all, &plan);
	plan.window = MAX(plan.window, SAMPLE_TLS_WINDOW_DEFAULT);
	tls_bpf_set_program(p->bpf, dev, ino, &plan);
}

static struct noted *noted_of(struct tls_plans *p, u32 pid)
{
	struct noted *noted = g_hash_table_lookup(p->noted, GUINT_TO_POINTER(pid));

	if (!noted) {
		noted = g_new0(struct noted, 1);
		g_hash_table_insert(p->noted, GUINT_TO_POINTER(pid), noted);
	}
	return noted;
}

static bool has_any(const struct tls_publisher *all)
{
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (all[i].found)
			return true;
	}
	return false;
}

/* TLS_SOUGHT changes no plan that has other variables: the program goes on reading those. */
static bool changes_plan(const struct tls_news *news)
{
	return news->change != TLS_SETTLED && news->change != TLS_FOREIGN &&
	       !(news->change == TLS_SOUGHT && has_any(news->all));
}

void tls_plans_note(struct tls_plans *p, const struct tls_news *news)
{
	struct noted *noted;

	if (!p->bpf || !changes_plan(news))
		return;
	noted = noted_of(p, news->pid);
	noted->absent = news->change == TLS_ABSENT;
	if (news->change == TLS_GONE)
		*noted = (struct noted){ .gone = true };
	else if (news->change == TLS_FOUND)
		noted->found |= !news->parent;
}

void tls_plans_restate(struct tls_plans *p, u32 pid)
{
	if (p->bpf)
		noted_of(p, pid);
}

static bool find_program(const struct tls_plans *p, u32 pid, struct stat *st)
{
	g_autofree char *exe = g_strdup_printf("%s/%u/exe", p->paths->proc, pid);

	return stat(exe, st) == 0;
}

/* A publisher counts once per process, no matter how often the plan is made. */
static void count_dropped(struct tls_plans *p, u32 pid, u32 nr)
{
	gpointer key = GUINT_TO_POINTER(pid);
	u32 before = GPOINTER_TO_UINT(g_hash_table_lookup(p->dropped, key));

	if (nr <= before)
		return;
	p->nr_dropped += nr - before;
	g_hash_table_insert(p->dropped, key, GUINT_TO_POINTER(nr));
}

/*
 * Also for a forked child: the BPF program gave it its parent's plan, in which some variables may
 * be missing.
 */
static void tell_found(struct tls_plans *p, u32 pid, const struct noted *noted,
		       const struct tls_publisher *all)
{
	struct sample_tls_plan plan;
	u32 dropped = make_plan(p, pid, all, &plan);
	struct stat st;

	tls_bpf_set_plan(p->bpf, pid, &plan);
	if (!noted->found)
		return;
	/*
	 * Another process that executes the same file will most likely have the same variables at
	 * the same places.
	 */
	if (find_program(p, pid, &st))
		tls_plans_program(p, st.st_dev, st.st_ino, all);
	count_dropped(p, pid, dropped);
}

/*
 * Three reasons not to know a variable: there is none (absent); the process executed another
 * program, whose plan may be known by its file; or it is not known yet.
 */
static void tell_not_found(struct tls_plans *p, u32 pid, const struct noted *noted)
{
	const struct sample_tls_plan nothing = { 0 };
	struct stat st;

	if (noted->absent)
		tls_bpf_set_plan(p->bpf, pid, &nothing);
	else if (noted->gone && find_program(p, pid, &st))
		tls_bpf_executes(p->bpf, pid, st.st_dev, st.st_ino);
	else /* all that is read in an unknown process: variables may be found soon */
		tls_bpf_forget(p->bpf, pid);
}

void tls_plans_tell(struct tls_plans *p, const struct tls_lookup *lookup)
{
	GHashTableIter it;
	gpointer key, value;

	g_hash_table_iter_init(&it, p->noted);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		u32 pid = GPOINTER_TO_UINT(key);
		const struct tls_publisher *all = tls_lookup_publishers(lookup, pid);
		const struct noted *noted = value;

		if (noted->gone)
			g_hash_table_remove(p->dropped, key);
		if (all)
			tell_found(p, pid, noted, all);
		else
			tell_not_found(p, pid, noted);
	}
	g_hash_table_remove_all(p->noted);
}
