// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file as a process sees it. The name of a mapping is a path in the mount namespace and below the root folder of the
 * process: in a container it leads to another file here, or to none. And the name may have been removed ("cp server X; ./X
 * & rm X"), or there never was one (memfd). While the process runs, three paths of /proc lead to its file:
 *
 *	/proc/PID/root/NAME	the name as the process sees it
 *	/proc/PID/map_files/..	the mapping itself, if that is permitted (CAP_CHECKPOINT_RESTORE, CAP_SYS_ADMIN)
 *	/proc/PID/exe		the program
 *
 * These paths of the process lead nowhere from the end of its first thread on, even if others go on. Then a thread that goes on
 * is asked: each has the folder /proc/TID, too.
 *
 * A pid of the recording may be another process now, or one of another machine. So a file counts only if its build-id is
 * the recorded one, or if its inode is and no build-id was recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/private.h"

#define DELETED " (deleted)"

static u32 pid_at(const struct dso *dso, u32 i)
{
	return __atomic_load_n(&dso->pids[i], __ATOMIC_RELAXED);
}

static bool has_root(u32 tid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/root", tid);
	char target[1];

	return readlink(path, target, sizeof(target)) > 0;
}

u32 process_thread(u32 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/task", pid);
	GDir *tasks = has_root(pid) ? NULL : g_dir_open(path, 0, NULL);
	const char *name;
	u32 found = pid;

	while (tasks && found == pid && (name = g_dir_read_name(tasks))) {
		u32 tid = (u32)strtoul(name, NULL, 10);

		if (tid && has_root(tid))
			found = tid;
	}
	if (tasks)
		g_dir_close(tasks);
	return found;
}

static struct image *open_same(struct dso *dso, const char *path)
{
	const struct build_id *id = dso_final_id(dso);
	u64 ino = __atomic_load_n(&dso->ino, __ATOMIC_RELAXED);
	struct image *image = image_open(path, NULL);

	if (image && (id->size ? image_identified_by(image, id) : ino && image->ino == ino))
		return image;
	image_close(image);
	return NULL;
}

/* Is @name the name of a mapping whose file was called @recorded? The kernel marks removed files in both. */
static bool same_name(const char *name, const char *recorded)
{
	size_t size = strlen(recorded);

	if (g_str_has_suffix(recorded, DELETED))
		size -= strlen(DELETED);
	return !strncmp(name, recorded, size) && (!name[size] || !strcmp(name + size, DELETED));
}

/* The path in /proc of the thread's first mapping with the dso's name; NULL: it has none. */
static char *mapping_path(const struct dso *dso, u32 tid)
{
	g_autofree char *maps = g_strdup_printf("/proc/%u/maps", tid);
	FILE *in = fopen(maps, "re");
	char *line = NULL, *path = NULL;
	size_t room = 0;

	while (in && !path && getline(&line, &room, in) > 0) {
		unsigned long start, end;
		int at = 0;

		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &end, &at) == 2 && at &&
		    same_name(line + at, dso->long_name))
			path = g_strdup_printf("/proc/%u/map_files/%lx-%lx", tid, start, end);
	}
	free(line);
	if (in)
		fclose(in);
	return path;
}

static struct image *open_mapping(struct dso *dso, u32 tid)
{
	g_autofree char *path = mapping_path(dso, tid);

	return path ? open_same(dso, path) : NULL;
}

static struct image *open_of(struct dso *dso, u32 pid)
{
	u32 tid = process_thread(pid);
	g_autofree char *inside = g_strdup_printf("/proc/%u/root%s", tid, dso->long_name);
	g_autofree char *exe = g_strdup_printf("/proc/%u/exe", tid);

	return open_same(dso, inside) ?: open_mapping(dso, tid) ?: open_same(dso, exe);
}

struct image *process_find_code(struct dso *dso)
{
	struct image *image = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(dso->pids) && !image && dso->long_name[0] == '/'; i++)
		if (pid_at(dso, i))
			image = open_of(dso, pid_at(dso, i));
	return image;
}

char *process_path(struct dso *dso, const char *path)
{
	for (u32 i = 0; i < ARRAY_SIZE(dso->pids); i++) {
		u32 pid = pid_at(dso, i), tid = pid ? process_thread(pid) : 0;
		g_autofree char *inside = g_strdup_printf("/proc/%u/root%s", tid, path);

		if (pid && g_file_test(inside, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&inside);
	}
	return NULL;
}

/* A process that maps no file of the name is not the recorded one. */
u32 process_elsewhere(struct dso *dso)
{
	struct stat own, its;

	for (u32 i = 0; i < ARRAY_SIZE(dso->pids); i++) {
		u32 pid = pid_at(dso, i), tid = pid ? process_thread(pid) : 0;
		g_autofree char *path = g_strdup_printf("/proc/%u/ns/mnt", tid);

		if (pid && !stat("/proc/self/ns/mnt", &own) && !stat(path, &its) &&
		    own.st_ino != its.st_ino) {
			g_autofree char *mapping = mapping_path(dso, tid);

			if (mapping)
				return pid;
		}
	}
	return 0;
}
