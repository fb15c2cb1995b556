// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How records of several CPUs, which arrive in the wrong order, become the present state of each
 * process.
 *
 * Each ring is of one CPU, and rings are read one after the other. Example: a shell (pid 10) forks
 * on CPU 1, and the child (pid 11) executes a program on CPU 0. The rings are read in this order:
 *
 *	ring 0	t=52  COMM exec, pid 11		the look-up does not know pid 11 yet
 *	ring 0	t=53  MMAP2 /bin/app, pid 11	the main program
 *	ring 1	t=40  MMAP2 libx.so, pid 10	the parent had this library before the fork
 *	ring 1	t=50  FORK 10 -> 11		older than what pid 11 is now: changes nothing
 *
 * So each process has a time, began: its present state holds since then, and records from before
 * are ignored (began_after()). For three cases that is not enough:
 *
 * - A mapping comes before its exec. The exec must not remove it: begin_image() keeps what was
 *   mapped since the exec's time.
 * - A fork comes before a mapping that the parent had made earlier. The mapping is given to the
 *   child later (hand_down()); the fork is remembered for SETTLED_NS.
 * - A fork comes after the child's own mappings. They are the child's if they are younger than the
 *   fork; else they are of an earlier process with the same pid, whose EXIT record was lost.
 *
 * A process without any variable is reported as ABSENT a second after its beginning. Then its plan
 * is empty, and samples of it cost nothing.
 *
 * Times: @time is of the records, in the recording's clock, ns; 0 is "before the recording".
 * Members *_ns are CLOCK_MONOTONIC.
 */
#include "record/tls/lookup.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "record/tls/lookup_private.h"

#define SETTLED_NS 1000000000ull /* without any variable, a process is then absent */

static void mapped_clear(void *mapped)
{
	g_free(((struct tls_in_process *)mapped)->path);
}

static void process_free(gpointer data)
{
	struct tls_process *p = data;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++)
		g_free((char *)p->publishers[i].object);
	if (p->mapped)
		g_array_unref(p->mapped);
	if (p->blocks)
		g_array_unref(p->blocks);
	g_free(p);
}

struct tls_lookup *tls_lookup_new(const GArray *asked, const struct kernel_paths *paths,
				  tls_news_fn fn, void *arg)
{
	struct tls_lookup *l = g_new0(struct tls_lookup, 1);

	l->asked = asked;
	l->paths = paths;
	l->fn = fn;
	l->arg = arg;
	l->objects = tls_objects_new(asked, paths);
	l->libraries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l->recall = tls_recall_new();
	l->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	l->forks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	l->unsettled = g_hash_table_new(NULL, NULL);
	l->missing = g_hash_table_new(NULL, NULL);
	l->lookups = g_ptr_array_new_with_free_func(g_free);
	g_queue_init(&l->fresh);
	l->now_ns = clock_ns(CLOCK_MONOTONIC);
	return l;
}

void tls_lookup_free(struct tls_lookup *l)
{
	if (!l)
		return;
	tls_objects_free(l->objects);
	g_hash_table_destroy(l->libraries);
	tls_recall_free(l->recall);
	g_hash_table_destroy(l->processes);
	g_hash_table_destroy(l->forks);
	g_hash_table_destroy(l->unsettled);
	g_hash_table_destroy(l->missing);
	g_ptr_array_unref(l->lookups);
	g_queue_clear_full(&l->fresh, g_free);
	g_free(l->unfit);
	g_free(l);
}

const struct tls_lookup_counts *tls_lookup_counts(const struct tls_lookup *l)
{
	return &l->counts;
}

const char *tls_lookup_unfit(const struct tls_lookup *l)
{
	return l->unfit;
}

bool tls_lookup_has(const struct tls_lookup *l, u32 pid)
{
	const struct tls_process *p = tls_process_find(l, pid);

	return p && tls_process_has_any(p);
}

const struct tls_publisher *tls_lookup_publishers(const struct tls_lookup *l, u32 pid)
{
	const struct tls_process *p = tls_process_find(l, pid);

	return p && tls_process_has_any(p) ? p->publishers : NULL;
}

static void add_fresh(struct tls_lookup *l, struct tls_process *p)
{
	struct tls_fresh *fresh = g_new(struct tls_fresh, 1);

	fresh->pid = p->pid;
	fresh->settled_ns = l->now_ns + SETTLED_NS;
	p->fresh = true;
	g_queue_push_tail(&l->fresh, fresh);
}

/* NULL: it is already known, or there are more than TLS_MAX_MAPPED. */
static struct tls_in_process *add_mapped(struct tls_process *p, const struct tls_in_process *as)
{
	struct tls_in_process mapped = *as;

	if (!p->mapped) {
		p->mapped = g_array_new(FALSE, FALSE, sizeof(mapped));
		g_array_set_clear_func(p->mapped, mapped_clear);
	}
	for (guint i = 0; i < p->mapped->len; i++) {
		const struct tls_in_process *known =
			&g_array_index(p->mapped, struct tls_in_process, i);

		if (known->object == mapped.object && known->bias == mapped.bias)
			return NULL;
	}
	if (p->mapped->len == TLS_MAX_MAPPED)
		return NULL;
	mapped.path = g_strdup(as->path);
	g_array_append_val(p->mapped, mapped);
	return &g_array_index(p->mapped, struct tls_in_process, p->mapped->len - 1);
}

/*
 * @map is a new mapping: of @object at @bias, or of a file without variables. Libraries that were
 * mapped at these addresses are unloaded: no record tells of a munmap. False: a newer mapping is
 * there.
 *
 *	t=10  libx.so mapped at 0x7f10000	its variable is found
 *	t=30  dlclose(): no record
 *	t=40  liby.so mapped at 0x7f10000	libx.so is gone, at t=40 at the latest
 *
 * Another segment of the same library is no new mapping. The same code segment at the same address
 * is: the library was loaded again.
 */
static bool make_way(struct tls_lookup *l, struct tls_process *p, const struct event_mmap *map,
		     const struct tls_object *object, u64 bias, u64 time)
{
	for (guint m = p->mapped ? p->mapped->len : 0; m-- > 0;) {
		const struct tls_in_process *there =
			&g_array_index(p->mapped, struct tls_in_process, m);
		u64 begin = there->bias + there->object->begin;

		if (there->is_main || map->start + map->len <= begin ||
		    map->start >= there->bias + there->object->end)
			continue;
		if (there->time > time)
			return false;
		/* Another segment of its code. */
		if (there->object == object && there->bias == bias && there->start != map->start)
			continue;
		tls_unload(l, p, there->object, there->bias, time);
		m = MIN(m, p->mapped->len);
	}
	return true;
}

/*
 * @mapped is new in @p. For the main program, the file alone gives the places.
 *
 * Is it the main program? If the file is certainly an executable, or it is the first mapping after
 * an exec, or /proc/PID/exe is this file. The distance of a library's variable is only known to the
 * dynamic linker, so it needs a look-up.
 */
static void look_at_mapped(struct tls_lookup *l, struct tls_process *p,
			   struct tls_in_process *mapped, bool is_first, u64 time)
{
	bool is_main = mapped->object->program || is_first ||
		       tls_object_is_program_of(mapped->object, l->paths, p->pid);

	mapped->is_main = is_main;
	for (u32 i = 0; i < l->asked->len; i++) {
		const struct tls_mention *m = &mapped->object->mention[i];
		struct tls_place place = { 0 };

		if (!(m->defines || m->slots))
			continue;
		if (m->defines && tls_is_unloaded(p, i))
			tls_withdraw(l, p, i, time);
		if (p->publishers[i].found)
			continue;
		if (tls_asked_at(l, i)->format == ACTIVITY_GO && !is_main)
			continue; /* a Go library in another program has its g at another place */
		if (is_main && m->defines) {
			place.offset = tls_main_offset(l, mapped->object, i);
			tls_set_found(l, p, i, mapped, &place, time);
		} else if (tls_find_definer(p, i)) {
			tls_open_lookup(l, p->pid, i, time);
		}
	}
}

/*
 * Files with thread-local storage, in the order in which they were loaded: the dynamic linker gives
 * out static places in that order (tls/recall.h). Records may arrive in another order, so a file is
 * inserted by time. After TLS_MAX_MAPPED files the order is incomplete, and nothing is recalled.
 */
static void note_block(struct tls_process *p, const struct tls_object *object, u64 time)
{
	struct tls_block block = { object, time };
	guint at;

	if (!p->blocks)
		p->blocks = g_array_new(FALSE, FALSE, sizeof(block));
	for (at = 0; at < p->blocks->len; at++) {
		if (g_array_index(p->blocks, struct tls_block, at).object == object)
			return; /* another segment of it */
	}
	while (at > 0 && g_array_index(p->blocks, struct tls_block, at - 1).time > time)
		at--;
	if (p->blocks->len < TLS_MAX_MAPPED)
		g_array_insert_val(p->blocks, at, block);
	else
		p->unordered = true;
}

/* Time 0: it was mapped before the recording. */
static void note_mapping(struct tls_process *p, const struct tls_object *object, u64 time)
{
	p->unordered |= !time;
	if (object && object->has_tls)
		note_block(p, object, time);
	if (time && (!p->first_time || time < p->first_time))
		p->first_time = time;
	p->last_time = MAX(p->last_time, time);
}

/* Since @time, was there an exec, or a new process with the same pid? */
static bool began_after(const struct tls_process *p, u64 time)
{
	return p && p->began > time;
}

/*
 * Children forked after @mapped have the mapping, too.
 *
 * A child that has executed another program since is not affected (began_after()).
 */
static void hand_down(struct tls_lookup *l, u32 parent, const struct tls_in_process *mapped,
		      bool is_first)
{
	GHashTableIter it;
	gpointer child, value;

	g_hash_table_iter_init(&it, l->forks);
	while (g_hash_table_iter_next(&it, &child, &value)) {
		const struct tls_fork *fork = value;
		struct tls_process *p = tls_process_find(l, GPOINTER_TO_UINT(child));
		struct tls_in_process *copy;

		if (fork->parent != parent || fork->time < mapped->time ||
		    began_after(p, fork->time))
			continue;
		p = tls_process_get(l, GPOINTER_TO_UINT(child));
		p->began = fork->time;
		copy = add_mapped(p, mapped);
		if (copy)
			look_at_mapped(l, p, copy, is_first, fork->time);
	}
}

/*
 * The steps: drop what is older than the process's present program; find the file; let it replace
 * what was mapped there; find the variables that it defines or uses; give it to children.
 *
 * Anonymous mappings can replace a library, too.
 */
void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time)
{
	struct tls_process *p = tls_process_find(l, map->pid);
	struct tls_in_process as = { .path = (char *)map->filename,
				     .start = map->start,
				     .time = time };
	struct tls_in_process *mapped;
	bool is_first;

	if (time && p && time < p->began) /* the mapping was the previous program's */
		return;
	if (map->filename[0] != '/' || g_str_has_prefix(map->filename, "//anon")) {
		if (p)
			make_way(l, p, map, NULL, 0, time);
		return;
	}
	if (!p) {
		p = tls_process_get(l, map->pid);
		add_fresh(l, p);
	}
	is_first = p->started;
	p->started = false;
	as.object = tls_objects_find(l->objects, map);
	note_mapping(p, as.object, time);
	if (as.object && as.object->foreign && !p->foreign) {
		p->foreign = true;
		tls_tell(l, p, TLS_FOREIGN, 0, time, 0);
	}
	if (!as.object || !as.object->mentions || !tls_object_bias(as.object, map, &as.bias)) {
		make_way(l, p, map, NULL, 0, time);
		return;
	}
	mapped = make_way(l, p, map, as.object, as.bias, time) ? add_mapped(p, &as) : NULL;
	if (!mapped)
		return;
	look_at_mapped(l, p, mapped, is_first, time);
	hand_down(l, map->pid, mapped, is_first);
}

/*
 * GONE is told only if anything was told before: most processes have no variable, and their end is
 * no news.
 */
static void end_process(struct tls_lookup *l, struct tls_process *p, u64 time)
{
	tls_close_lookups(l, p);
	if (p->absent || tls_process_has_any(p) || p->sought)
		tls_tell(l, p, TLS_GONE, 0, time, 0);
	g_hash_table_remove(l->processes, GUINT_TO_POINTER(p->pid));
}

/* Removes and returns what @p has mapped since @time; NULL: nothing. */
static GArray *take_mapped(struct tls_process *p, u64 time)
{
	GArray *taken = g_steal_pointer(&p->mapped);

	for (guint i = taken ? taken->len : 0; i-- > 0;) {
		if (g_array_index(taken, struct tls_in_process, i).time < time)
			g_array_remove_index(taken, i);
	}
	return taken;
}

static GArray *take_blocks(struct tls_process *p, u64 time)
{
	GArray *taken = p->blocks ? g_array_copy(p->blocks) : NULL;

	for (guint i = taken ? taken->len : 0; i-- > 0;) {
		if (g_array_index(taken, struct tls_block, i).time < time)
			g_array_remove_index(taken, i);
	}
	return taken;
}

/*
 * Process @pid executes another program from @time on. If the exec arrives late, the mappings since
 * @time already belong to the new program.
 *
 * started: no mapping of the new program has come yet, so the next one is the main program's. The
 * kernel maps the program before its interpreter, and both within the exec.
 */
static struct tls_process *begin_image(struct tls_lookup *l, u32 pid, u64 time)
{
	struct tls_process *p = tls_process_find(l, pid), old = { 0 };
	g_autoptr(GArray) mapped = NULL, blocks = NULL;

	if (p) {
		mapped = take_mapped(p, time);
		blocks = take_blocks(p, time);
		old = *p;
		end_process(l, p, time);
	}
	p = tls_process_get(l, pid);
	p->began = time;
	p->started = old.last_time < time;
	if (!p->started) {
		p->first_time = MAX(old.first_time, time);
		p->last_time = old.last_time;
	}
	p->blocks = g_steal_pointer(&blocks);
	for (guint i = 0; mapped && i < mapped->len; i++) {
		struct tls_in_process *copy =
			add_mapped(p, &g_array_index(mapped, struct tls_in_process, i));

		if (copy)
			look_at_mapped(l, p, copy, false, copy->time);
	}
	return p;
}

void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time)
{
	const struct tls_process *p = tls_process_find(l, pid);

	if (began_after(p, time))
		return;
	g_hash_table_remove(l->forks, GUINT_TO_POINTER(pid));
	add_fresh(l, begin_image(l, pid, time));
}

/* Returns one bit for each publisher that @child inherits: those that @parent had at @time. */
static u32 inherit_publishers(const struct tls_process *parent, struct tls_process *child, u64 time)
{
	u32 taken = 0;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (!parent->publishers[i].found || parent->origins[i].time > time ||
		    child->publishers[i].found)
			continue;
		child->publishers[i] = parent->publishers[i];
		child->publishers[i].object = g_strdup(parent->publishers[i].object);
		child->origins[i] = parent->origins[i];
		child->origins[i].time = time;
		taken |= 1u << i;
	}
	return taken;
}

/* @child inherits what @parent had at @time. */
static void inherit(struct tls_lookup *l, const struct tls_process *parent,
		    struct tls_process *child, u64 time)
{
	u32 taken;

	for (guint i = 0; i < parent->mapped->len; i++) {
		const struct tls_in_process *m =
			&g_array_index(parent->mapped, struct tls_in_process, i);

		if (m->time <= time)
			add_mapped(child, m);
	}
	child->checked_time = time;
	child->unordered = parent->unordered;
	if (parent->blocks && !child->blocks)
		child->blocks = g_array_copy(parent->blocks);
	taken = inherit_publishers(parent, child, time);
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (taken >> i & 1)
			tls_tell(l, child, TLS_FOUND, i, time, parent->pid);
	}
	for (guint i = 0, nr = l->lookups->len; i < nr; i++) {
		const struct tls_open *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == parent->pid && o->time <= time)
			tls_open_lookup(l, child->pid, o->publisher, time);
	}
}

static void add_fork(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct tls_fork *fork = g_new(struct tls_fork, 1);

	fork->parent = task->ppid;
	fork->time = time;
	fork->settled_ns = l->now_ns + SETTLED_NS;
	g_hash_table_insert(l->forks, GUINT_TO_POINTER(task->pid), fork);
}

/*
 * Forks of threads have the same pid on both sides. A child has all of the parent's memory, so
 * places are the same: variables that were found are found in the child, too, and open look-ups are
 * opened for it.
 */
void tls_lookup_fork(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct tls_process *parent, *child;

	if (task->pid == task->ppid)
		return;
	child = tls_process_find(l, task->pid);
	if (began_after(child, time))
		return;
	/*
	 * If its first mapping is newer than the fork, the mapping is the child's own. Otherwise it
	 * is an earlier process with the same pid, whose end was lost.
	 */
	if (child && child->first_time > time)
		child->began = time;
	else if (child)
		end_process(l, child, time);
	add_fork(l, task, time);
	parent = tls_process_find(l, task->ppid);
	if (!parent || !parent->mapped || began_after(parent, time))
		return;
	child = tls_process_get(l, task->pid);
	child->began = time;
	inherit(l, parent, child, time);
}

/* True if a thread other than the first still runs. */
static bool has_other_threads(const struct tls_lookup *l, u32 pid)
{
	g_autofree char *path = g_strdup_printf("%s/%u/task", l->paths->proc, pid);
	u32 nr = 0;
	DIR *dir = opendir(path);

	if (!dir)
		return false;
	for (struct dirent *entry; (entry = readdir(dir));)
		nr += g_ascii_isdigit(entry->d_name[0]);
	closedir(dir);
	return nr > 1;
}

/*
 * The first thread may end before the others, and the process goes on: then nothing ends here. The
 * exec of another process with the same pid, or the next fork, ends it at last.
 */
void tls_lookup_exit(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct tls_process *p;

	if (task->pid != task->tid)
		return;
	p = tls_process_find(l, task->pid);
	if (began_after(p, time)) /* the pid is of another process by now */
		return;
	g_hash_table_remove(l->forks, GUINT_TO_POINTER(task->pid));
	if (p && !(tls_process_has_any(p) && has_other_threads(l, task->pid)))
		end_process(l, p, time);
}

void tls_lookup_each(struct tls_lookup *l, tls_news_fn fn, void *arg)
{
	GHashTableIter it;
	gpointer value;

	g_hash_table_iter_init(&it, l->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		const struct tls_process *p = value;
		struct tls_news news = { .pid = p->pid, .all = p->publishers };

		for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
			bool found = p->publishers[i].found;

			news.number = i;
			news.change = found ? TLS_FOUND : TLS_SOUGHT;
			news.publisher = found ? &p->publishers[i] : NULL;
			if (found || p->sought >> i & 1)
				fn(&news, arg);
		}
	}
}
