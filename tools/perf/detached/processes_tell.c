// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/processes.h"
#include "detached/processes.h"
#include "dso/buildid.h"

#define TRIES	 8 /* to copy a slot without a concurrent write */
#define DELETED	 " (deleted)"
#define MAJOR(d) ((d) >> 20)
#define MINOR(d) ((d)&0xfffff)

struct telling {
	struct synth *s;
	struct processes_told *told;
};

struct processes_told *processes_told_new(void)
{
	struct processes_told *told = g_new0(struct processes_told, 1);

	told->since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	told->no_file = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return told;
}

void processes_told_free(struct processes_told *told)
{
	if (!told)
		return;
	g_hash_table_unref(told->since);
	g_hash_table_unref(told->no_file);
	g_free(told);
}

/* Slots begin with their number of changes. It is odd during a write. */
static bool copy_slot(void *to, const void *slot, size_t size)
{
	const u64 *changes = slot;

	for (int i = 0; i < TRIES; i++) {
		u64 before = __atomic_load_n(changes, __ATOMIC_ACQUIRE);

		memcpy(to, slot, size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(before & 1) && __atomic_load_n(changes, __ATOMIC_RELAXED) == before)
			return true;
	}
	return false;
}

static void put(struct telling *t, struct event *ev, u64 time)
{
	g_autoptr(GError) error = NULL;

	ev->id.time = time;
	if (!outlet_event(t->s->out, ev, t->s->evsel, &error) && !t->s->error)
		t->s->error = g_steal_pointer(&error);
}

static void put_task(struct telling *t, const struct process_task *task, u32 type, u64 time)
{
	struct event ev = { .type = type };

	ev.task = (struct event_task){
		.pid = task->pid,
		.tid = task->tid,
		.ppid = task->ppid,
		.ptid = task->ptid,
		.time = time,
	};
	ev.id.pid = task->pid;
	ev.id.tid = task->tid;
	put(t, &ev, time);
}

static void put_comm(struct telling *t, const struct process_task *task,
		     const struct process_comm *comm)
{
	struct event ev = { .type = PERF_RECORD_COMM,
			    .misc = comm->exec ? PERF_RECORD_MISC_COMM_EXEC : 0 };
	g_autofree char *text = g_strndup(comm->text, sizeof(comm->text));

	ev.comm = (struct event_comm){
		.pid = task->pid, .tid = task->tid, .text = text, .exec = comm->exec
	};
	ev.id.pid = task->pid;
	ev.id.tid = task->tid;
	put(t, &ev, comm->time);
}

static void remember_since(struct telling *t, const struct process_task *task)
{
	if (task->began && task->pid == task->tid)
		g_hash_table_replace(t->told->since, GUINT_TO_POINTER(task->pid),
				     g_memdup2(&task->began, sizeof(task->began)));
}

static void tell_task(struct telling *t, struct process_task *task)
{
	task->nr_comms = MIN(task->nr_comms, PROCESSES_COMMS);
	if (task->forked && task->ppid)
		put_task(t, task, PERF_RECORD_FORK, task->forked);
	for (u32 i = 0; i < task->nr_comms; i++)
		put_comm(t, task, &task->comms[i]);
	if (task->ended)
		put_task(t, task, PERF_RECORD_EXIT, task->ended);
	else
		remember_since(t, task);
}

/* Names are in the order from the file to the root. */
static char *path_of(const struct process_map *map)
{
	const char *names[PROCESSES_PATH], *at = map->path;
	const char *end = map->path + MIN(map->path_size, sizeof(map->path));
	g_autoptr(GString) path = g_string_new(NULL);
	u32 nr = 0;

	if (map->state & PROCESS_MAP_CUT)
		return g_strdup("//toolong"); /* the kernel's name for a path that is too long */
	for (; at < end && memchr(at, 0, (size_t)(end - at)); at += strlen(at) + 1)
		names[nr++] = at;
	if (!map->dev && nr == 1)
		return g_strdup(names[0]); /* "[vdso]" */
	while (nr)
		g_string_append_printf(path, "/%s", names[--nr]);
	return g_strdup(path->str);
}

/*
 * True if the file at @path is the one that was mapped. The time of the last change is new if somebody has made a link to it
 * (perf record does, for its copy) or has changed its rights; then the build-id decides.
 */
static bool is_same_file(const char *path, const struct process_map *map)
{
	struct build_id mapped = build_id_of(map->build_id, MIN(map->build_id_size, PROCESSES_ID));
	struct build_id id;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	if (st.st_ino == map->ino && st.st_ctim.tv_sec == map->ctime_s &&
	    (u32)st.st_ctim.tv_nsec == map->ctime_ns)
		return true;
	return mapped.size && build_id_read(path, &id, NULL) && build_id_equal(&mapped, &id);
}

/* Looks for the file in its process's file system, if the process lives, or else in ours. */
static bool is_there(const char *path, const struct process_map *map)
{
	g_autofree char *inside = g_strdup_printf("/proc/%u/root%s", map->pid, path);

	return is_same_file(inside, map) || is_same_file(path, map);
}

static void set_build_id(struct telling *t, const struct process_map *map, bool is_there,
			 struct event *ev)
{
	struct build_id id = build_id_of(map->build_id, MIN(map->build_id_size, PROCESSES_ID));

	if (!id.size) {
		if (is_there)
			synth_set_build_id(t->s, ev, false);
		return;
	}
	memcpy(ev->mmap.build_id, id.bytes, id.size);
	ev->mmap.build_id_size = id.size;
	ev->mmap.has_build_id = true;
	ev->mmap.has_inode = false;
	ev->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
}

/*
 * If the file is gone, its name gets the kernel's suffix for deleted files, so that no other file
 * is taken for it.
 */
static bool check_file(struct telling *t, const struct process_map *map, char **path)
{
	g_autofree char *name = NULL;

	if (**path != '/' || is_there(*path, map))
		return true;
	name = g_steal_pointer(path);
	*path = g_strconcat(name, DELETED, NULL);
	if (!map->build_id_size)
		g_hash_table_add(t->told->no_file, g_steal_pointer(&name));
	return false;
}

static void tell_map(struct telling *t, const struct process_map *map, u64 time)
{
	g_autofree char *path = path_of(map);
	struct event ev = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER };
	bool is_there;

	if (!*path)
		return;
	is_there = check_file(t, map, &path);
	ev.mmap = (struct event_mmap){
		.pid = map->pid,
		.tid = map->pid,
		.start = map->start,
		.len = map->len,
		.pgoff = map->pgoff,
		.prot = map->prot,
		.flags = map->flags,
		.maj = MAJOR(map->dev),
		.min = MINOR(map->dev),
		.ino = map->ino,
		.ino_generation = map->generation,
		.has_inode = true,
		.filename = path,
	};
	ev.id.pid = ev.id.tid = map->pid;
	set_build_id(t, map, is_there, &ev);
	put(t, &ev, time);
}

static void tell_tasks(struct telling *t, const struct processes_slots *slots)
{
	struct process_task copy;

	for (u64 i = 0; i < slots->nr_tasks; i++)
		if (copy_slot(&copy, &slots->tasks[i], sizeof(copy)) && copy.id)
			tell_task(t, &copy);
}

static int by_owner(const void *a, const void *b)
{
	const struct process_map *x = a, *y = b;

	if (x->owner_id != y->owner_id)
		return x->owner_id < y->owner_id ? -1 : 1;
	if (x->epoch != y->epoch)
		return x->epoch < y->epoch ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static GArray *copy_maps(const struct processes_slots *slots)
{
	GArray *copies = g_array_new(false, false, sizeof(struct process_map));
	struct process_map copy;

	for (u64 i = 0; i < slots->nr_maps; i++)
		if (copy_slot(&copy, &slots->maps[i], sizeof(copy)) && copy.time)
			g_array_append_val(copies, copy);
	g_array_sort(copies, by_owner);
	return copies;
}

/*
 * The slot has the time of the first sample that was looked up in the mapping. The mapping is
 * older: it counts from the start of its program, if that is known, or from the end of an earlier
 * mapping at its place.
 */
static u64 begin_of(const struct process_map *map, const struct process_map *first)
{
	for (const struct process_map *other = first; other < map; other++)
		if (map->start < other->start + other->len && other->start < map->start + map->len)
			return map->time;
	return map->began ? map->began + 1 : 0;
}

static void tell_maps(struct telling *t, const struct processes_slots *slots)
{
	g_autoptr(GArray) copies = copy_maps(slots);
	const struct process_map *first = NULL;

	for (u32 i = 0; i < copies->len; i++) {
		const struct process_map *map = &g_array_index(copies, struct process_map, i);

		if (!first || first->owner_id != map->owner_id || first->epoch != map->epoch)
			first = map;
		tell_map(t, map, begin_of(map, first));
	}
}

void processes_tell_slots(const struct processes_slots *slots, struct synth *s,
			  struct processes_told *told)
{
	struct telling t = { s, told };

	tell_tasks(&t, slots);
	tell_maps(&t, slots);
}
