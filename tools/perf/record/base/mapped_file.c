// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Four ways to a mapped file, the best first:
 *
 *	/proc/PID/map_files/START-END	the mapped file itself, even if its name was removed; needs CAP_SYS_ADMIN,
 *					or since Linux 5.9 CAP_CHECKPOINT_RESTORE
 *	/proc/PID/exe			the program itself
 *	/proc/PID/root + name		the name as the process sees it, in its container
 *	name				the name here
 *
 * The process may have mapped something else at these addresses by now, and the name may be another
 * file's. So the inode must be the record's. On overlayfs, a record may have the inode of the lower
 * file system, and stat() another number: there the name decides.
 */
#include "record/base/mapped_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

/* True if the last part of the name of @fd's file is that of @map. */
static bool has_its_name(int fd, const struct event_mmap *map)
{
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *path = g_file_read_link(link, NULL);
	g_autofree char *expected = g_path_get_basename(map->filename);
	g_autofree char *name = path ? g_path_get_basename(path) : NULL;

	return name && g_str_has_prefix(name, expected) &&
	       (!name[strlen(expected)] || !strcmp(name + strlen(expected), " (deleted)"));
}

/*
 * Without an inode in the record, and on an overlay file system, which shows other inode numbers, the
 * name decides. @named: the file was opened by its name.
 */
static bool is_file_of(int fd, const struct event_mmap *map, bool named)
{
	struct statfs fs;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	if (map->has_inode && st.st_ino == map->ino)
		return true;
	if (map->has_inode && (fstatfs(fd, &fs) || fs.f_type != OVERLAYFS_SUPER_MAGIC))
		return false;
	return named || has_its_name(fd, map);
}

/* stat() is first, because opening a device can have effects. */
static int open_if_mapped(const char *path, const struct event_mmap *map, bool named)
{
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && !is_file_of(fd, map, named)) {
		close(fd);
		return -1;
	}
	return fd;
}

int mapped_file_open(const char *proc, const struct event_mmap *map)
{
	g_autofree char *link = g_strdup_printf("%s/%u/map_files/%" PRIx64 "-%" PRIx64, proc,
						map->pid, map->start, map->start + map->len);
	g_autofree char *inside = g_strdup_printf("%s/%u/root%s", proc, map->pid, map->filename);
	g_autofree char *exe = g_strdup_printf("%s/%u/exe", proc, map->pid);
	/* Links to the file itself are first: they also lead to a file whose name was removed. */
	const char *const paths[] = { link, exe, inside, map->filename };
	int fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(paths) && fd < 0; i++)
		fd = open_if_mapped(paths[i], map, i > 1);
	return fd;
}
