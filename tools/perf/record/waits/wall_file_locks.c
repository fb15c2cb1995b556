// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/locks has each lock, and behind it the requests that wait for it, also those that wait for one another:
 *
 *	3: FLOCK  ADVISORY  WRITE 800 fd:01:4711 0 EOF		process 800 has it
 *	3: -> FLOCK  ADVISORY  WRITE 900 fd:01:4711 0 EOF	900 waits for it
 *	3:  -> FLOCK  ADVISORY  READ 901 fd:01:4711 0 EOF	901 waits for 900's request
 *
 * So the owner is that of the last line above without an arrow.
 */
#include "record/waits/wall_file_locks.h"

#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "base/file.h"

#define FRESH_NS  10000000u /* many threads may wait: the file is not read for each */
#define MOST_LINE 160

struct wall_file_locks {
	const struct kernel_paths *paths;
	char *text; /* of /proc/locks */
	u64 read_at;
};

struct wall_file_locks *wall_file_locks_new(const struct kernel_paths *paths)
{
	struct wall_file_locks *l = g_new0(struct wall_file_locks, 1);

	l->paths = paths;
	return l;
}

void wall_file_locks_free(struct wall_file_locks *l)
{
	if (!l)
		return;
	g_free(l->text);
	g_free(l);
}

static const char *text_of(struct wall_file_locks *l)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);

	if (l->text && now - l->read_at < FRESH_NS)
		return l->text;
	g_free(l->text);
	l->text = file_text("%s/locks", l->paths->proc);
	l->read_at = now;
	return l->text ?: "";
}

bool wall_file_locks_waits(const struct wall_look *look)
{
	bool fcntl = look->syscall == SYS_fcntl &&
		     (look->args[1] == F_SETLKW || look->args[1] == F_OFD_SETLKW);

	return look->state == WALL_SLEEP && !look->in_32_bit_code &&
	       !(look->flags & (WALL_LAST_CALL | WALL_NO_CALL)) &&
	       (fcntl || look->syscall == SYS_flock);
}

struct lock_line {
	bool waits, flock, reads;
	u32 pid;
	u64 inode;
};

static bool read_line(const char *line, struct lock_line *l)
{
	char kind[16], mode[16], access[16];
	unsigned int pid, major, minor;
	guint64 inode;
	const char *text = strchr(line, ':');

	if (!text)
		return false;
	text += 1 + strspn(text + 1, " ");
	l->waits = g_str_has_prefix(text, "->");
	text += l->waits ? 2 : 0;
	if (sscanf(text, " %15s %15s %15s %u %x:%x:%" G_GUINT64_FORMAT, kind, mode, access, &pid,
		   &major, &minor, &inode) != 7)
		return false;
	l->flock = !strcmp(kind, "FLOCK");
	l->reads = !strcmp(access, "READ");
	l->pid = pid;
	l->inode = inode;
	return l->flock || !strcmp(kind, "POSIX") || !strcmp(kind, "OFDLCK");
}

static u64 inode_of(const struct kernel_paths *paths, const struct wall_look *look)
{
	g_autofree char *path = g_strdup_printf("%s/%u/fd/%" G_GUINT64_FORMAT, paths->proc,
						look->pid, (guint64)look->args[0]);
	struct stat s;

	return stat(path, &s) ? 0 : s.st_ino;
}

/* out: the owner's process, and whether the request is one to read. False: the process has no such request. */
static bool find_owner(const char *text, const struct wall_look *look, u64 inode, u32 *owner,
		       bool *reads)
{
	struct lock_line line, has = { 0 };
	size_t size;

	for (const char *at = text; *at; at += size + (at[size] == '\n')) {
		char one[MOST_LINE];

		size = strcspn(at, "\n");
		g_strlcpy(one, at, MIN(size + 1, sizeof(one)));
		if (!read_line(one, &line))
			has.pid = 0;
		else if (!line.waits)
			has = line;
		else if (line.pid == look->pid && line.inode == inode &&
			 line.flock == (look->syscall == SYS_flock)) {
			*owner = has.inode == inode ? has.pid : 0;
			*reads = line.reads;
			return true;
		}
	}
	return false;
}

static bool has_one_thread(const struct kernel_paths *paths, u32 pid)
{
	g_autofree char *path = g_strdup_printf("%s/%u/task", paths->proc, pid);
	GDir *dir = g_dir_open(path, 0, NULL);
	u32 nr = 0;

	while (dir && nr < 2 && g_dir_read_name(dir))
		nr++;
	if (dir)
		g_dir_close(dir);
	return nr == 1;
}

struct wall_lock wall_file_locks_read(struct wall_file_locks *l, const struct wall_look *look)
{
	u64 inode = inode_of(l->paths, look);
	struct wall_lock lock = { .va = (u32)inode };
	u32 owner = 0;
	bool reads = false;

	if (!inode || !find_owner(text_of(l), look, inode, &owner, &reads))
		return (struct wall_lock){ 0 };
	lock.kind = reads ? WALL_LOCK_FILE_READ : WALL_LOCK_FILE_WRITE;
	lock.owner = WALL_OWNER_STRANGER;
	if (!owner)
		return lock;
	lock.owner = has_one_thread(l->paths, owner) ? WALL_OWNER_KNOWN : WALL_OWNER_UNSEEN;
	if (lock.owner != WALL_OWNER_KNOWN)
		return lock;
	lock.owner_tid = owner;
	lock.va |= (u64)owner << 32;
	return lock;
}
