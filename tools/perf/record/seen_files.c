// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/seen_files.h"

#include <inttypes.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/open_files.h"
#include "record/base/mapped_file.h"
#include "record/jit_maps.h"

/* Beyond this number of looks without a get, the older ones are forgotten: their records were lost. */
#define LOOKS_MAX 65536

/*
 * One path can name several files: in two containers, or when a program is built again while it is
 * recorded. So a build-id is remembered per file (device, inode, change time).
 *
 *	by_file		what stat() says -> build-id: the file is read once
 *	looks		process, addresses, name -> build-id: for the record of this mapping, which comes later
 *	by_record	name, device, inode -> build-id: for a record whose process has ended
 *
 * An entry of looks is taken out by its record. by_record answers with what another process's
 * mapping of the file has shown.
 *
 * Example of two containers with the same path. Both records say /bin/app, inode 17 of device 0:41
 * and inode 17 of device 0:52. The keys of by_record differ by the device.
 *
 * The lock is held while a file is read, so the file is read only once if two threads ask.
 */
struct seen_files {
	const struct kernel_paths *paths;
	struct open_files *held;
	pthread_mutex_t lock;	/* protects the tables */
	GHashTable *by_file;	/* result of stat() -> struct build_id * */
	GHashTable *by_record;	/* name and what a record says of the file -> id in by_file */
	GHashTable *looks;	/* process and address -> id in by_file */
	struct jit_maps *lists; /* of generated functions; NULL: they are not kept */
};

struct seen_files *seen_files_new(const struct kernel_paths *paths, struct open_files *held,
				  bool copies)
{
	struct seen_files *seen = g_new0(struct seen_files, 1);

	seen->paths = paths;
	seen->held = held;
	seen->lists = held && copies ? jit_maps_new(held) : NULL;
	pthread_mutex_init(&seen->lock, NULL);
	seen->by_file = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	seen->by_record = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	seen->looks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return seen;
}

void seen_files_free(struct seen_files *seen)
{
	if (!seen)
		return;
	jit_maps_free(seen->lists);
	g_hash_table_unref(seen->looks);
	g_hash_table_unref(seen->by_record);
	g_hash_table_unref(seen->by_file);
	pthread_mutex_destroy(&seen->lock);
	g_free(seen);
}

static char *file_key(const struct event_mmap *map)
{
	return g_strdup_printf("%s %x:%x %" PRIx64 " %" PRIx64, map->filename, map->maj, map->min,
			       map->ino, map->ino_generation);
}

static char *look_key(const struct event_mmap *map)
{
	return g_strdup_printf("%u %" PRIx64 " %" PRIx64 " %" PRIx64 " %s", map->pid, map->start,
			       map->len, map->ino, map->filename);
}

/* The caller holds the lock. */
static const struct build_id *read_once(struct seen_files *seen, int fd)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *key = NULL;
	struct build_id *id;
	struct stat st;

	if (fstat(fd, &st))
		return NULL;
	key = g_strdup_printf("%jx:%jx:%jx.%lx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
			      (uintmax_t)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
	id = g_hash_table_lookup(seen->by_file, key);
	if (!id) {
		id = g_new0(struct build_id, 1);
		build_id_read(path, id, NULL);
		if (seen->held)
			open_files_add(seen->held, id, fd);
		g_hash_table_insert(seen->by_file, g_steal_pointer(&key), id);
	}
	return id;
}

/*
 * The caller holds the lock. NULL: it cannot be opened.
 *
 * The name may lead to another file by now; mapped_file_open() checks it.
 */
static const struct build_id *read_now(struct seen_files *seen, const struct event_mmap *map)
{
	const struct build_id *id;
	int fd = mapped_file_open(seen->paths->proc, map);

	if (fd < 0)
		return NULL;
	id = read_once(seen, fd);
	close(fd);
	if (id)
		g_hash_table_replace(seen->by_record, file_key(map), (void *)id);
	return id;
}

void seen_files_look(struct seen_files *seen, const struct event_mmap *map)
{
	const struct build_id *id;

	if (jit_maps_covers(map)) {
		if (seen->lists)
			jit_maps_see(seen->lists, map);
		return;
	}
	pthread_mutex_lock(&seen->lock);
	id = read_now(seen, map);
	if (g_hash_table_size(seen->looks) >= LOOKS_MAX)
		g_hash_table_remove_all(seen->looks);
	if (id)
		g_hash_table_replace(seen->looks, look_key(map), (void *)id);
	pthread_mutex_unlock(&seen->lock);
}

/*
 * The order says which answer is the most certain: what was seen at the time of the mapping; the
 * file now; the same file by another process.
 */
const struct build_id *seen_files_get(struct seen_files *seen, const struct event_mmap *map)
{
	g_autofree char *look = look_key(map), *file = file_key(map);
	const struct build_id *id;

	pthread_mutex_lock(&seen->lock);
	/* The next process with this pid looks again. */
	id = g_hash_table_lookup(seen->looks, look);
	if (id)
		g_hash_table_remove(seen->looks, look);
	else
		id = read_now(seen, map) ?: g_hash_table_lookup(seen->by_record, file);
	pthread_mutex_unlock(&seen->lock);
	return id;
}

void seen_files_tell(struct seen_files *seen, struct perfdata_info *info)
{
	if (seen->lists)
		jit_maps_tell(seen->lists, info);
}
