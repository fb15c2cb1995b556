// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/seen_files.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/image.h"
#include "dso/open_files.h"
#include "record/base/mapped_file.h"
#include "perfdata/contents.h"
#include "record/jit_maps.h"

/* Beyond this number of looks without a get, the older ones are forgotten: their records were lost. */
#define LOOKS_MAX 65536
/* Of files without a build-id: what a recording of a machine with thousands of containers says of them. */
#define NOTES_MAX 4096

/*
 * One path can name several files: in two containers, or when a program is built again while it is
 * recorded. So a build-id is remembered per file (device, inode, change time).
 *
 *	by_file		what stat() says -> file: it is read once
 *	looks		process, addresses, name -> file: for the record of this mapping, which comes later
 *	by_record	name, device, inode -> file: for a record whose process has ended
 *
 * An entry of looks is taken out by its record. by_record answers with what another process's
 * mapping of the file has shown.
 *
 * Example of two containers with the same path. Both records say /bin/app, inode 17 of device 0:41
 * and inode 17 of device 0:52. The keys of by_record differ by the device.
 *
 * A program that Go linked has no build-id. It stays open, and when the recording ends, its contents get a name: nobody waits
 * for the bytes of a large program to be read while the next one ends.
 *
 * The lock is held while a file is read, so the file is read only once if two threads ask.
 */
struct seen_file {
	struct build_id id; /* size 0: it has none, or is no ELF file */
	bool unnamed;	    /* an ELF file without a build-id */
	int fd;		    /* of such a file, until its contents are known; -1: not open */
	u64 size;	    /* of it, and the time of its last change when it was opened */
	struct timespec changed;
	struct build_id contents; /* size 0: not known */
};

struct seen_files {
	const struct kernel_paths *paths;
	struct open_files *held;
	pthread_mutex_t lock;	/* protects the tables */
	GHashTable *by_file;	/* result of stat() -> struct seen_file * */
	GHashTable *by_record;	/* contents_file() of a record -> one in by_file */
	GHashTable *looks;	/* process and address -> one in by_file */
	struct jit_maps *lists; /* of generated functions; NULL: they are not kept */
};

static void file_free(void *p)
{
	struct seen_file *file = p;

	if (file->fd >= 0)
		close(file->fd);
	g_free(file);
}

struct seen_files *seen_files_new(const struct kernel_paths *paths, struct open_files *held,
				  bool copies)
{
	struct seen_files *seen = g_new0(struct seen_files, 1);

	seen->paths = paths;
	seen->held = held;
	seen->lists = held && copies ? jit_maps_new(held) : NULL;
	pthread_mutex_init(&seen->lock, NULL);
	seen->by_file = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, file_free);
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

static char *look_key(const struct event_mmap *map)
{
	return g_strdup_printf("%u %" PRIx64 " %" PRIx64 " %" PRIx64 " %s", map->pid, map->start,
			       map->len, map->ino, map->filename);
}

/* Keeps the file @fd, which has no build-id, open for a copy. */
static void keep_unnamed(const struct seen_files *seen, struct seen_file *file, int fd,
			 const struct stat *st)
{
	file->unnamed = true;
	file->size = (u64)st->st_size;
	file->changed = st->st_mtim;
	file->fd = seen->lists ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (file->fd >= 0 && !open_files_may_keep(file->fd)) {
		close(file->fd);
		file->fd = -1;
	}
}

/* The caller holds the lock. */
static struct seen_file *read_once(struct seen_files *seen, int fd)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *key = NULL;
	g_autoptr(GError) error = NULL;
	struct seen_file *file;
	struct stat st;

	if (fstat(fd, &st))
		return NULL;
	key = g_strdup_printf("%jx:%jx:%jx.%lx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
			      (uintmax_t)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
	file = g_hash_table_lookup(seen->by_file, key);
	if (file)
		return file;
	file = g_new0(struct seen_file, 1);
	file->fd = -1;
	if (build_id_read(path, &file->id, &error)) {
		if (seen->held)
			open_files_add(seen->held, &file->id, fd);
	} else if (error->code == PERF_ERROR_ABSENT) {
		keep_unnamed(seen, file, fd, &st);
	}
	g_hash_table_insert(seen->by_file, g_steal_pointer(&key), file);
	return file;
}

/*
 * The caller holds the lock. NULL: it cannot be opened.
 *
 * The name may lead to another file by now; mapped_file_open() checks it.
 */
static struct seen_file *read_now(struct seen_files *seen, const struct event_mmap *map)
{
	struct seen_file *file;
	int fd = mapped_file_open(seen->paths->proc, map);

	if (fd < 0)
		return NULL;
	file = read_once(seen, fd);
	close(fd);
	if (file)
		g_hash_table_replace(seen->by_record, contents_file(map), file);
	return file;
}

void seen_files_look(struct seen_files *seen, const struct event_mmap *map)
{
	struct seen_file *file;

	if (jit_maps_covers(map)) {
		if (seen->lists)
			jit_maps_see(seen->lists, map);
		return;
	}
	pthread_mutex_lock(&seen->lock);
	file = read_now(seen, map);
	if (g_hash_table_size(seen->looks) >= LOOKS_MAX)
		g_hash_table_remove_all(seen->looks);
	if (file)
		g_hash_table_replace(seen->looks, look_key(map), file);
	pthread_mutex_unlock(&seen->lock);
}

/*
 * The order says which answer is the most certain: what was seen at the time of the mapping; the
 * file now; the same file by another process.
 */
const struct build_id *seen_files_get(struct seen_files *seen, const struct event_mmap *map)
{
	g_autofree char *look = look_key(map), *key = contents_file(map);
	const struct seen_file *file;

	pthread_mutex_lock(&seen->lock);
	/* The next process with this pid looks again. */
	file = g_hash_table_lookup(seen->looks, look);
	if (file)
		g_hash_table_remove(seen->looks, look);
	else
		file = read_now(seen, map) ?: g_hash_table_lookup(seen->by_record, key);
	pthread_mutex_unlock(&seen->lock);
	return file ? &file->id : NULL;
}

/* A file that was written since it was opened ("cp new server") has other contents. */
static bool is_unchanged(const struct seen_file *file)
{
	struct stat st;

	return !fstat(file->fd, &st) && (u64)st.st_size == file->size &&
	       st.st_mtim.tv_sec == file->changed.tv_sec &&
	       st.st_mtim.tv_nsec == file->changed.tv_nsec;
}

/* Reads the file once, and gives it to those that are held. */
static void name_by_contents(struct seen_files *seen, struct seen_file *file)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file->fd);
	struct image *image;

	if (file->fd < 0)
		return;
	image = is_unchanged(file) ? image_open(path, NULL) : NULL;
	if (image) {
		file->contents = build_id_of_contents(image->bytes, image->size);
		image_close(image);
	}
	if (is_unchanged(file))
		open_files_add(seen->held, &file->contents, file->fd);
	else
		file->contents.size = 0;
	close(file->fd);
	file->fd = -1;
}

static void tell_unnamed(struct seen_files *seen, struct perfdata_info *info)
{
	struct seen_file *file;
	GHashTableIter iter;
	const char *key;
	u32 nr = 0;

	perfdata_info_drop_notes(info, CONTENTS_NOTE);
	g_hash_table_iter_init(&iter, seen->by_record);
	while (g_hash_table_iter_next(&iter, (void **)&key, (void **)&file)) {
		g_autofree char *note = NULL;
		char hex[BUILD_ID_HEX];

		if (!file->unnamed || nr++ >= NOTES_MAX)
			continue;
		name_by_contents(seen, file);
		build_id_hex(&file->contents, hex);
		note = contents_note(*hex ? hex : "-", key);
		perfdata_info_add_note(info, CONTENTS_NOTE, note);
	}
}

void seen_files_tell(struct seen_files *seen, struct perfdata_info *info)
{
	if (seen->lists)
		jit_maps_tell(seen->lists, info);
	pthread_mutex_lock(&seen->lock);
	tell_unnamed(seen, info);
	pthread_mutex_unlock(&seen->lock);
}
