// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/buildids.h"

#include <string.h>
#include <sys/stat.h>
#include <linux/perf_event.h>

#include "dso/vdso.h"
#include "record/jit_maps.h"
#include "record/seen_files.h"

/* What is told about a name: the build-id of the first file that had it. */
struct entry {
	struct build_id id; /* size 0: that file was not found, or has none */
	bool kernel;
	u32 maj, min;
	u64 ino, generation;
};

/*
 * One path can name several files: in two containers, or when a program is built again while it is
 * recorded. The table in perf.data has one entry per path: the build-id of the first file.
 *
 * Example: /bin/app is recorded, built again, and recorded again.
 *
 *	record 1	/bin/app, inode 17	build-id A	told: /bin/app = A
 *	record 2	/bin/app, inode 23	build-id B	is_told false: the record itself gets B
 *	record 3	/bin/app, inode 29	not found	is_told false: the record gets zeros, not A
 */
struct buildids {
	struct seen_files *seen, *own; /* own: to free */
	GHashTable *told;	       /* name -> struct entry * */
};

static const struct build_id absent;
/* A reader must not take the build-id of the name, which is another file's. */
static const struct build_id unknown = { .size = BUILD_ID_MAX };

struct buildids *buildids_new(const struct kernel_paths *paths, struct seen_files *seen)
{
	struct buildids *ids = g_new0(struct buildids, 1);

	ids->own = seen ? NULL : seen_files_new(paths, NULL, false);
	ids->seen = seen ?: ids->own;
	ids->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return ids;
}

void buildids_free(struct buildids *ids)
{
	if (!ids)
		return;
	g_hash_table_unref(ids->told);
	seen_files_free(ids->own);
	g_free(ids);
}

/* "[kernel.kallsyms]_text" is the kernel, "[name]" or "/.../name.ko[.xz]" a module. */
static void read_kernel(const char *filename, struct build_id *id)
{
	g_autofree char *name = NULL;

	if (g_str_has_prefix(filename, "[kernel.kallsyms]")) {
		build_id_read_kernel(id, NULL);
		return;
	}
	name = g_path_get_basename(filename[0] == '[' ? filename + 1 : filename);
	name[strcspn(name, ".]")] = 0;
	g_strdelimit(name, "-", '_');
	build_id_read_module(name, id, NULL);
}

static bool is_file(const char *name)
{
	return name[0] == '/' && !g_str_has_prefix(name, "//anon") &&
	       !g_str_has_prefix(name, "/dev/") && !g_str_has_prefix(name, "/SYSV") &&
	       !g_str_has_prefix(name, "/anon_hugepage");
}

static struct entry *tell(struct buildids *ids, const char *name, const struct build_id *id)
{
	struct entry *entry = g_new0(struct entry, 1);

	entry->id = *id;
	g_hash_table_insert(ids->told, g_strdup(name), entry);
	return entry;
}

static bool is_same_file(const struct entry *entry, const struct event_mmap *map)
{
	return entry->maj == map->maj && entry->min == map->min && entry->ino == map->ino &&
	       entry->generation == map->ino_generation;
}

/* The first file with the name of @map. */
static struct entry *tell_file(struct buildids *ids, const struct event_mmap *map)
{
	struct entry *entry = g_hash_table_lookup(ids->told, map->filename);

	if (entry)
		return entry;
	entry = tell(ids, map->filename, &absent);
	entry->maj = map->maj;
	entry->min = map->min;
	entry->ino = map->ino;
	entry->generation = map->ino_generation;
	return entry;
}

/* The file cannot be found any more, and here its name is another one's. */
static bool leads_elsewhere(const struct event_mmap *map)
{
	struct stat st;

	return map->has_inode && !stat(map->filename, &st) && st.st_ino != map->ino;
}

/*
 * What may go wrong is that a reader takes a name's build-id for another file. So whenever it is
 * not certain that the file is the one whose build-id is told, the record has its own, or zeros.
 */
static const struct build_id *get_file(struct buildids *ids, const struct event_mmap *map,
				       bool *is_told)
{
	const struct build_id *read = seen_files_get(ids->seen, map);
	struct entry *told = tell_file(ids, map);
	bool same = is_same_file(told, map);

	if (!read || !read->size) {
		*is_told = told->id.size ? same : read || !leads_elsewhere(map);
		return *is_told ? &absent : &unknown;
	}
	/* An earlier mapping of the file may have been seen too late. */
	if (same && !told->id.size)
		told->id = *read;
	*is_told = build_id_equal(&told->id, read);
	return read;
}

const struct build_id *buildids_get(struct buildids *ids, const struct event_mmap *map, bool kernel,
				    bool *is_told)
{
	bool vdso = !kernel && !strcmp(map->filename, "[vdso]");
	enum vdso which = vdso_mapped(map->start + map->len);
	const char *name = vdso ? vdso_name(which) : map->filename;
	struct entry *told = g_hash_table_lookup(ids->told, name);
	struct build_id id = { 0 };

	if (!kernel && is_file(map->filename))
		return get_file(ids, map, is_told);
	*is_told = true;
	if (!kernel && jit_maps_covers(map))
		seen_files_look(ids->seen, map);
	if (told)
		return &told->id;
	if (kernel)
		read_kernel(map->filename, &id);
	else if (vdso)
		vdso_build_id(which, &id);
	told = tell(ids, name, &id);
	told->kernel = kernel;
	return &told->id;
}

bool buildids_saw_narrow(const struct buildids *ids)
{
	return g_hash_table_contains(ids->told, vdso_name(VDSO_NARROW));
}

void buildids_tell(const struct buildids *ids, struct perfdata_info *info)
{
	GHashTableIter iter;
	const char *filename;
	const struct entry *entry;

	seen_files_tell(ids->seen, info);
	g_hash_table_iter_init(&iter, ids->told);
	while (g_hash_table_iter_next(&iter, (void **)&filename, (void **)&entry)) {
		u16 misc = entry->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
		bool kernel = g_str_has_prefix(filename, "[kernel.kallsyms]");

		if (entry->id.size)
			perfdata_info_add_build_id(info, EVENT_NO_PID, misc, entry->id.bytes,
						   entry->id.size,
						   kernel ? "[kernel.kallsyms]" : filename);
	}
}
