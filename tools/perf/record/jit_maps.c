// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Example: node in a container is process 4711 here, and 7 there.
 *
 *	mapping of executable memory	its /tmp is opened; perf-7.map may not exist yet
 *	further mappings		until perf-7.map can be opened
 *	the container ends		both descriptors stay valid, even if the file has been removed
 *	the recording ends		the file is copied: that of the name if it exists, because a runtime may write it
 *					at its end, otherwise the one that is open
 *
 * Nothing of a list is in memory: the copies are files without a name.
 */
#include "record/jit_maps.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "base/file.h"
#include "dso/buildid.h"
#include "dso/jit_place.h"
#include "dso/open_files.h"

/* Of a recording. */
#define PROCESSES_MAX 4096
#define COPIES_MAX    ((u64)1 << 30) /* bytes */

struct generator {
	struct jit_place place;
	int fd; /* the list; -1: there has been none */
};

struct jit_maps {
	pthread_mutex_t lock;
	GHashTable *by_pid; /* pid -> struct generator * */
	struct open_files *held;
};

static void process_free(void *p)
{
	struct generator *process = p;

	jit_place_close(&process->place);
	if (process->fd >= 0)
		close(process->fd);
	g_free(process);
}

struct jit_maps *jit_maps_new(struct open_files *held)
{
	struct jit_maps *maps = g_new0(struct jit_maps, 1);

	pthread_mutex_init(&maps->lock, NULL);
	maps->by_pid = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	maps->held = held;
	return maps;
}

void jit_maps_free(struct jit_maps *maps)
{
	if (!maps)
		return;
	g_hash_table_unref(maps->by_pid);
	pthread_mutex_destroy(&maps->lock);
	g_free(maps);
}

bool jit_maps_covers(const struct event_mmap *map)
{
	static const char *const names[] = { "//anon", "/anon_hugepage", "/dev/zero",
					     "/SYSV",  "[heap]",	 "[stack" };

	for (u32 i = 0; map->prot & PROT_EXEC && i < ARRAY_SIZE(names); i++)
		if (g_str_has_prefix(map->filename, names[i]))
			return true;
	return false;
}

/* Not one of the descriptors that the recording itself needs. */
static int keep(int fd)
{
	if (fd < 0 || open_files_may_keep(fd))
		return fd;
	close(fd);
	return -1;
}

void jit_maps_see(struct jit_maps *maps, const struct event_mmap *map)
{
	struct generator *process;

	pthread_mutex_lock(&maps->lock);
	process = g_hash_table_lookup(maps->by_pid, GUINT_TO_POINTER(map->pid));
	if (!process && g_hash_table_size(maps->by_pid) < PROCESSES_MAX) {
		process = g_new0(struct generator, 1);
		process->place.folder = process->fd = -1;
		g_hash_table_insert(maps->by_pid, GUINT_TO_POINTER(map->pid), process);
	}
	if (process && process->place.folder < 0 && jit_place_open(&process->place, map->pid))
		process->place.folder = keep(process->place.folder);
	if (process && process->place.folder >= 0 && process->fd < 0)
		process->fd = keep(jit_place_file(&process->place, false));
	pthread_mutex_unlock(&maps->lock);
}

/* Copies @from from its start to @to, and computes the checksum. The bytes; 0: there are none, too many, or no room. */
static u64 copy(int from, int to, u64 max, GChecksum *sum)
{
	char block[1 << 16];
	u64 size = 0;
	ssize_t got;

	while ((got = pread(from, block, sizeof(block), (off_t)size)) > 0) {
		size += (u64)got;
		if (size > max || !file_write_fd(to, block, (size_t)got))
			return 0;
		g_checksum_update(sum, (const guchar *)block, got);
	}
	return got < 0 ? 0 : size;
}

/* Copies the list @fd to a file without a name, which maps->held gets. Its bytes, and *@id; 0: it is not copied. */
static u64 hold_copy(struct jit_maps *maps, int fd, u64 max, struct build_id *id)
{
	g_autofree char *name = NULL;
	int to = g_file_open_tmp("perf-jit-XXXXXX", &name, NULL);
	gsize length = sizeof(id->bytes);
	GChecksum *sum;
	u64 size;

	if (to < 0)
		return 0;
	unlink(name);
	sum = g_checksum_new(G_CHECKSUM_SHA1);
	size = copy(fd, to, max, sum);
	g_checksum_get_digest(sum, id->bytes, &length);
	g_checksum_free(sum);
	id->size = (u8)length;
	if (size)
		open_files_add(maps->held, id, to);
	close(to);
	return size;
}

static u64 tell(struct jit_maps *maps, u32 pid, const struct generator *process, u64 max,
		struct perfdata_info *info)
{
	g_autofree char *name = g_strdup_printf("/tmp/perf-%u.map", pid);
	int now = process->place.folder >= 0 ? jit_place_file(&process->place, false) : -1;
	int fd = now >= 0 ? now : process->fd;
	struct build_id id = { 0 };
	u64 size = fd >= 0 ? hold_copy(maps, fd, MIN(max, JIT_MAP_MAX), &id) : 0;

	if (now >= 0)
		close(now);
	if (size)
		perfdata_info_add_build_id(info, EVENT_NO_PID, PERF_RECORD_MISC_USER, id.bytes,
					   id.size, name);
	return size;
}

void jit_maps_tell(struct jit_maps *maps, struct perfdata_info *info)
{
	const struct generator *process;
	u64 left = COPIES_MAX;
	GHashTableIter iter;
	gpointer pid;

	pthread_mutex_lock(&maps->lock);
	g_hash_table_iter_init(&iter, maps->by_pid);
	while (g_hash_table_iter_next(&iter, &pid, (gpointer *)&process))
		left -= tell(maps, GPOINTER_TO_UINT(pid), process, left, info);
	pthread_mutex_unlock(&maps->lock);
}
