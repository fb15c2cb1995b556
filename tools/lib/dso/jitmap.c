// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads /tmp/perf-PID.map, in which a just-in-time compiler lists its functions. A line is "START SIZE NAME":
 * hexadecimal numbers, and a name that extends to the end of the line (tools/perf/Documentation/jit-interface.txt of
 * the kernel).
 *
 * In a container, the runtime knows its pid there, and writes into the container's /tmp. While it runs, its map is
 * /proc/PID/root/tmp/perf-INNER.map.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "dso/packed.h"
#include "dso/private.h"

#define MAX_JITMAP (256 << 20)

static void add_line(struct symtab *t, char *line)
{
	char *at = line, *size_end;
	u64 start, size;

	start = g_ascii_strtoull(at, &at, 16);
	if (at == line || *at != ' ')
		return;
	size = g_ascii_strtoull(at, &size_end, 16);
	if (size_end == at || *size_end != ' ' || !size_end[1])
		return;
	symtab_add(t, start, size, size_end + 1, STT_FUNC, STB_GLOBAL);
}

/* The process whose code a map at @path describes; -1: none. */
static int process_of(const char *path)
{
	const char *name = strrchr(path, '/');
	int pid;

	return name && sscanf(name, "/perf-%d.map", &pid) == 1 && pid > 0 ? pid : -1;
}

static bool is_owner_of_process(int pid, uid_t uid)
{
	g_autofree char *proc = g_strdup_printf("/proc/%d", pid);
	struct stat st;

	return pid > 0 && !stat(proc, &st) && st.st_uid == uid;
}

/* Anyone can create files in /tmp. Trusted owners are this user, root, and the user of the recorded process. */
static bool is_trusted(int fd, const char *path, int pid, const struct dso_options *options,
		       struct absence *absence)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		absence_set(absence, DSO_UNREADABLE, "%s: not a regular file", path);
		return false;
	}
	if ((u64)st.st_size > MAX_JITMAP) {
		absence_set(absence, DSO_UNREADABLE, "%s: more than %d MB", path, MAX_JITMAP >> 20);
		return false;
	}
	if (options->force || !st.st_uid || st.st_uid == geteuid() ||
	    is_owner_of_process(pid, st.st_uid))
		return true;
	absence_set(absence, DSO_UNREADABLE,
		    "File %s not owned by current user or root, ignoring it (use -f to override)",
		    path);
	return false;
}

/* Symbolic links are not followed: one could point to any file of this user. Fifos are refused: they would block. */
static char *read_trusted(const char *path, int pid, const struct dso_options *options,
			  size_t *size, struct absence *absence)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	if (fd < 0) {
		absence_set(absence, errno == ENOENT ? DSO_NO_FILE : DSO_UNREADABLE, "%s: %s", path,
			    errno == ELOOP ? "is a link" : g_strerror(errno));
		return NULL;
	}
	if (is_trusted(fd, path, pid, options, absence)) {
		text = file_read_fd(fd, path, MAX_JITMAP, size, &error);
		if (!text)
			absence_set(absence, DSO_UNREADABLE, "%s", error->message);
	}
	close(fd);
	return text;
}

/* The number of process @pid in its own pid namespace, the last one of "NSpid:	4711	7"; 0: there is no such process. */
static u32 inner_pid(int pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/status", pid);
	g_autofree char *status = NULL;
	const char *line, *last;

	if (!g_file_get_contents(path, &status, NULL, NULL))
		return 0;
	line = strstr(status, "\nNSpid:");
	if (!line)
		return 0;
	line += strlen("\nNSpid:");
	last = line + strcspn(line, "\n");
	while (last > line && g_ascii_isdigit(last[-1]))
		last--;
	return (u32)g_ascii_strtoull(last, NULL, 10);
}

/* The map of a process that sees another /tmp, or has another pid there. */
static char *read_inside(int pid, const struct dso_options *options, size_t *size)
{
	u32 inner = pid > 0 ? inner_pid(pid) : 0, tid = inner ? process_thread((u32)pid) : 0;
	g_autofree char *path = g_strdup_printf("/proc/%u/root/tmp/perf-%u.map", tid, inner);
	struct absence absence = { 0 };
	char *text = inner ? read_trusted(path, pid, options, size, &absence) : NULL;

	absence_clear(&absence);
	return text;
}

/* @path has not been packed. */
static char *read_here(const char *path, const struct dso_options *options, size_t *size,
		       struct absence *absence)
{
	int pid = process_of(path);
	char *text = read_trusted(path, pid, options, size, absence);

	if (text || absence->why != DSO_NO_FILE)
		return text;
	text = read_inside(pid, options, size);
	if (text)
		absence_clear(absence);
	return text;
}

struct symtab *jitmap_load(const char *path, const struct dso_options *options,
			   struct absence *absence)
{
	g_autofree char *packed = NULL;
	struct symtab *t;
	char *text, *at;
	size_t size;

	packed = packed_path_of(options->packed, path);
	text = packed ? file_read(packed, MAX_JITMAP, &size, NULL)
		      : read_here(path, options, &size, absence);
	if (!text)
		return NULL;
	t = symtab_new(!options->no_demangle);
	symtab_keep(t, text);
	for (at = text; at < text + size;) {
		char *end = memchr(at, '\n', text + size - at);

		if (!end)
			break;
		*end = 0;
		add_line(t, at);
		at = end + 1;
	}
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	return t;
}
