// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads /tmp/perf-PID.map, in which a just-in-time compiler lists its functions. A line is "START SIZE NAME":
 * hexadecimal numbers, and a name that extends to the end of the line (tools/perf/Documentation/jit-interface.txt of
 * the kernel).
 *
 * In a container, the runtime knows its pid there, and writes into the container's /tmp. While it runs, its map is
 * /proc/PID/root/tmp/perf-INNER.map (jit_place.h). Later there is the copy that record made (record/jit_maps.h), by the SHA-1 of
 * its contents, which is the build-id that the recording gives for /tmp/perf-PID.map.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "dso/jit_place.h"
#include "dso/packed.h"
#include "dso/private.h"

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
	if ((u64)st.st_size > JIT_MAP_MAX) {
		absence_set(absence, DSO_UNREADABLE, "%s: more than %d MB", path,
			    JIT_MAP_MAX >> 20);
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
		text = file_read_fd(fd, path, JIT_MAP_MAX, size, &error);
		if (!text)
			absence_set(absence, DSO_UNREADABLE, "%s", error->message);
	}
	close(fd);
	return text;
}

/* The map of a process that sees another /tmp, or has another pid there. */
static char *read_inside(int pid, const struct dso_options *options, size_t *size)
{
	struct jit_place place;
	char *text = NULL;
	int fd;

	if (pid <= 0 || !jit_place_open(&place, (u32)pid))
		return NULL;
	fd = jit_place_file(&place, options->force);
	if (fd >= 0) {
		text = file_read_fd(fd, "the map in its container", JIT_MAP_MAX, size, NULL);
		close(fd);
	}
	jit_place_close(&place);
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

static bool same_first_line(const char *a, const char *b)
{
	size_t size = strcspn(a, "\n");

	return size == strcspn(b, "\n") && !memcmp(a, b, size);
}

/*
 * The map as it is here now, or the copy that record made of it. Here it may have more functions: a runtime goes on, or writes
 * its map at its end. But it may also be of a later process with the same pid. A process that goes on has the same
 * first function at the same address; another one does not have it, because addresses are random.
 */
static char *read_map(const struct dso *dso, size_t *size, struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *packed = packed_path_of(options->packed, dso->long_name);
	g_autofree char *copy = files_in_cache(dso, dso_final_id(dso), "map");
	size_t kept_size = 0;
	char *text = packed ? file_read(packed, JIT_MAP_MAX, size, NULL)
			    : read_here(dso->long_name, options, size, absence);
	char *kept = copy ? file_read(copy, JIT_MAP_MAX, &kept_size, NULL) : NULL;

	if (!kept || (text && same_first_line(text, kept))) {
		g_free(kept);
		return text;
	}
	g_free(text);
	absence_clear(absence);
	*size = kept_size;
	return kept;
}

char *dso_jit_map(const struct dso *dso, size_t *size)
{
	struct absence absence = { 0 };
	char *text = dso->kind == DSO_JIT ? read_map(dso, size, &absence) : NULL;

	absence_clear(&absence);
	return text;
}

struct symtab *jitmap_load(const struct dso *dso, struct absence *absence)
{
	struct symtab *t;
	char *text, *at;
	size_t size;

	text = read_map(dso, &size, absence);
	if (!text)
		return NULL;
	t = symtab_new(!dso->table->options.no_demangle);
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
