// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/buildids.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "dso/vdso.h"
#include "record/base/mapped_file.h"

struct entry {
	struct build_id id;
	bool kernel;
};

/*
 * One path can name several files: in two containers, or when a program is built again while it is
 * recorded. So a build-id is remembered per file (device, inode, change time). The table in
 * perf.data has one entry per path: the build-id of the first file.
 */
struct buildids {
	const struct kernel_paths *paths;
	GHashTable *told;      /* name -> struct entry * */
	GHashTable *by_file;   /* result of stat() -> struct build_id * */
	GHashTable *by_record; /* name and what a record says of the file -> id in by_file */
};

static const struct build_id absent;

struct buildids *buildids_new(const struct kernel_paths *paths)
{
	struct buildids *ids = g_new0(struct buildids, 1);

	ids->paths = paths;
	ids->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	ids->by_file = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	ids->by_record = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return ids;
}

void buildids_free(struct buildids *ids)
{
	if (!ids)
		return;
	g_hash_table_unref(ids->told);
	g_hash_table_unref(ids->by_record);
	g_hash_table_unref(ids->by_file);
	g_free(ids);
}

static const struct build_id *read_once(struct buildids *ids, int fd)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *key = NULL;
	struct build_id *id;
	struct stat st;

	if (fstat(fd, &st))
		return NULL;
	key = g_strdup_printf("%jx:%jx:%jx.%lx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
			      (uintmax_t)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
	id = g_hash_table_lookup(ids->by_file, key);
	if (!id) {
		id = g_new0(struct build_id, 1);
		build_id_read(path, id, NULL);
		g_hash_table_insert(ids->by_file, g_steal_pointer(&key), id);
	}
	return id;
}

/*
 * NULL: not known. If the file cannot be found any more (its process has ended), an earlier record
 * with the same path, device and inode may have given the build-id.
 */
static const struct build_id *read_file(struct buildids *ids, const struct event_mmap *map)
{
	g_autofree char *key = g_strdup_printf("%s %x:%x %" PRIx64 " %" PRIx64, map->filename,
					       map->maj, map->min, map->ino, map->ino_generation);
	const struct build_id *id;
	int fd = mapped_file_open(ids->paths->proc, map);

	if (fd < 0)
		return g_hash_table_lookup(ids->by_record, key);
	id = read_once(ids, fd);
	close(fd);
	if (id)
		g_hash_table_replace(ids->by_record, g_steal_pointer(&key), (void *)id);
	return id;
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
	       !g_str_has_prefix(name, "/dev/") && !g_str_has_prefix(name, "/memfd:") &&
	       !g_str_has_prefix(name, "/SYSV") && !g_str_has_prefix(name, "/anon_hugepage");
}

static const struct entry *tell(struct buildids *ids, const char *name, const struct build_id *id,
				bool kernel)
{
	struct entry *entry = g_new0(struct entry, 1);

	entry->id = *id;
	entry->kernel = kernel;
	g_hash_table_insert(ids->told, g_strdup(name), entry);
	return entry;
}

const struct build_id *buildids_get(struct buildids *ids, const struct event_mmap *map, bool kernel,
				    bool *is_told)
{
	bool vdso = !kernel && !strcmp(map->filename, "[vdso]");
	enum vdso which = vdso_mapped(map->start + map->len);
	const char *name = vdso ? vdso_name(which) : map->filename;
	const struct entry *told = g_hash_table_lookup(ids->told, name);
	struct build_id id = { 0 };
	const struct build_id *read;

	*is_told = true;
	if (!kernel && is_file(map->filename)) {
		read = read_file(ids, map);
		if (!read)
			return &absent;
		if (!told)
			told = tell(ids, map->filename, read, false);
		*is_told = !read->size || build_id_equal(&told->id, read);
		return read;
	}
	if (told)
		return &told->id;
	if (kernel)
		read_kernel(map->filename, &id);
	else if (vdso)
		vdso_build_id(which, &id);
	return &tell(ids, name, &id, kernel)->id;
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
