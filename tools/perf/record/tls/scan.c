// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds programs and processes without records: by their files, and by their mappings in /proc.
 *
 * Used at the start (processes that run already), for the command (its file is read before it runs,
 * so that its first sample has bytes), and after lost records. After a loss, a process is read
 * again only if its maps show a file with a variable whose record is missing:
 *
 *	known			/bin/app
 *	/proc/PID/maps		/bin/app, libotel.so		one record was lost: only libotel.so is entered
 *
 * If nothing is known of a process, the lost record may have been an exec, so its maps are taken as
 * a new program's.
 */
#include "perfevent/proc.h"
#include "record/tls/lookup_private.h"

bool tls_lookup_program(struct tls_lookup *l, const char *path, struct tls_publisher *all, u64 *dev,
			u64 *ino)
{
	struct tls_object *object = tls_object_read(l->objects, path);
	bool any = false;

	if (!object)
		return false;
	*dev = object->dev;
	*ino = object->ino;
	for (u32 i = 0; i < l->asked->len && object->mentions; i++) {
		const struct tls_mention *m = &object->mention[i];

		all[i] = (struct tls_publisher){ .go = object->go };
		if (!m->defines)
			continue;
		all[i].place.offset = tls_main_offset(l, object, i);
		all[i].found = tls_place_layout(l, i, m, &all[i].place, &all[i].placed, NULL);
		any |= all[i].found;
	}
	tls_object_free(object);
	return any;
}

struct map_walk {
	struct tls_lookup *l;
	u32 pid;
	u64 time;
	bool missed; /* an object with a variable was mapped, and its record is missing */
};

static struct event_mmap mmap_of(const struct proc_map *map, u32 pid)
{
	return (struct event_mmap){
		.pid = pid,
		.tid = pid,
		.start = map->start,
		.len = map->end - map->start,
		.pgoff = map->pgoff,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.has_inode = true,
		.filename = map->name,
	};
}

static bool walk_map(const struct proc_map *map, void *arg)
{
	struct map_walk *walk = arg;
	struct event_mmap mmap = mmap_of(map, walk->pid);

	tls_lookup_mmap(walk->l, &mmap, walk->time);
	return true;
}

void tls_lookup_process(struct tls_lookup *l, u32 pid)
{
	struct map_walk walk = { .l = l, .pid = pid };

	proc_maps(l->paths, (pid_t)pid, false, walk_map, &walk, NULL);
}

/* True if the file of the mapping has a variable, and no mapping of that file is known. */
static bool is_missed(const struct map_walk *walk, const struct event_mmap *mmap)
{
	const struct tls_process *p = tls_process_find(walk->l, walk->pid);
	const struct tls_object *object =
		mmap->filename[0] == '/' && !g_str_has_prefix(mmap->filename, "//anon")
			? tls_objects_find(walk->l->objects, mmap)
			: NULL;

	if (!object || !object->mentions)
		return false;
	for (guint i = 0; p && p->mapped && i < p->mapped->len; i++)
		if (g_array_index(p->mapped, struct tls_in_process, i).object == object)
			return false;
	return true;
}

static bool find_missed(const struct proc_map *map, void *arg)
{
	struct map_walk *walk = arg;
	struct event_mmap mmap = mmap_of(map, walk->pid);

	walk->missed = is_missed(walk, &mmap);
	return !walk->missed;
}

static bool walk_missed(const struct proc_map *map, void *arg)
{
	struct map_walk *walk = arg;
	struct event_mmap mmap = mmap_of(map, walk->pid);

	if (is_missed(walk, &mmap))
		tls_lookup_mmap(walk->l, &mmap, walk->time);
	return true;
}

void tls_lookup_missed(struct tls_lookup *l, u32 pid, u64 time)
{
	struct map_walk walk = { .l = l, .pid = pid, .time = time };
	const struct tls_process *p = tls_process_find(l, pid);

	proc_maps(l->paths, (pid_t)pid, false, find_missed, &walk, NULL);
	if (!walk.missed)
		return;
	/* All its mappings belong to the program that it executes now. */
	walk.time = MAX(time, p ? p->began : 0);
	if (p && p->mapped && p->mapped->len) {
		proc_maps(l->paths, (pid_t)pid, false, walk_missed, &walk, NULL);
		return;
	}
	/* Earlier facts no longer count: the process may have executed another program. */
	tls_lookup_exec(l, pid, time);
	proc_maps(l->paths, (pid_t)pid, false, walk_map, &walk, NULL);
}
