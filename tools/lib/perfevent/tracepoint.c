// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bytes.h"
#include "base/file.h"
#include "perfevent/tracepoint.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* A folder is tracefs if events/header_page in it can be read. */
static bool is_tracefs(const char *dir, int *why)
{
	g_autofree char *events = g_build_filename(dir, "events", "header_page", NULL);

	errno = 0;
	if (!access(events, R_OK))
		return true;
	*why = errno;
	return false;
}

static bool fail_tracefs(const char *first, int why, GError **error)
{
	if (why == EACCES || why == EPERM)
		return error_set(
			error, PERF_ERROR_PERMISSION,
			"no permission to read tracepoints in %s: run as root, or let this "
			"user read it: sudo mount -o remount,mode=755 %s",
			first, first);
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "tracefs is not mounted: sudo mount -t tracefs nodev %s (a kernel without "
			 "CONFIG_TRACING has no tracepoints)",
			 first);
}

char *tracefs_find(const struct kernel_paths *paths, GError **error)
{
	g_autofree char *first = g_build_filename(paths->sys, "kernel", "tracing", NULL);
	g_autofree char *second = g_build_filename(paths->sys, "kernel", "debug", "tracing", NULL);
	int why = ENOENT, why_second = ENOENT;

	if (paths->tracing) {
		if (is_tracefs(paths->tracing, &why))
			return g_strdup(paths->tracing);
		fail_tracefs(paths->tracing, why, error);
		return NULL;
	}
	if (is_tracefs(first, &why))
		return g_steal_pointer(&first);
	if (is_tracefs(second, &why_second))
		return g_steal_pointer(&second);
	if (paths == kernel_paths_host() && why == ENOENT &&
	    !mount("nodev", first, "tracefs", 0, NULL) && is_tracefs(first, &why))
		return g_steal_pointer(&first);
	fail_tracefs(first, why, error);
	return NULL;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the folders in @dir that match, sorted. */
static GPtrArray *folders(const char *dir, const char *glob)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);

		if (glob && fnmatch(glob, name, 0))
			continue;
		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, by_text);
	return names;
}

static bool is_glob(const char *text)
{
	return !text || strpbrk(text, "*?[");
}

/* A name without glob characters is looked up directly. */
static GPtrArray *matching(const char *dir, const char *glob)
{
	g_autofree char *path = NULL;
	GPtrArray *one;

	if (is_glob(glob))
		return folders(dir, glob);
	one = g_ptr_array_new_with_free_func(g_free);
	path = g_build_filename(dir, glob, NULL);
	if (*glob && *glob != '.' && !strchr(glob, '/') && g_file_test(path, G_FILE_TEST_IS_DIR))
		g_ptr_array_add(one, g_strdup(glob));
	return one;
}

/* Some folders, such as those of ftrace's own records, only have a description and cannot be opened as events. */
static bool has_id(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, "id", NULL);

	return !access(path, F_OK);
}

bool tracepoints_each(const struct kernel_paths *paths, const char *system_glob,
		      const char *name_glob, tracepoint_fn fn, void *arg, GError **error)
{
	g_autofree char *root = tracefs_find(paths, error);
	g_autofree char *events = NULL;
	g_autoptr(GPtrArray) systems = NULL;

	if (!root)
		return false;
	events = g_build_filename(root, "events", NULL);
	systems = matching(events, system_glob);
	for (u32 i = 0; i < systems->len; i++) {
		const char *system = g_ptr_array_index(systems, i);
		g_autofree char *dir = g_build_filename(events, system, NULL);
		g_autoptr(GPtrArray) names = matching(dir, name_glob);

		for (u32 k = 0; k < names->len; k++) {
			struct tracepoint tp = { system, g_ptr_array_index(names, k) };

			if (has_id(dir, tp.name) && !fn(&tp, arg))
				return true;
		}
	}
	return true;
}

static char *event_file(const struct kernel_paths *paths, const char *system, const char *name,
			const char *file, GError **error)
{
	g_autofree char *root = tracefs_find(paths, error);
	char *text;

	if (!root)
		return NULL;
	text = file_text("%s/events/%s/%s/%s", root, system, name, file);
	if (!text)
		error_set(error, errno == EACCES ? PERF_ERROR_PERMISSION : PERF_ERROR_ABSENT,
			  "tracepoint %s:%s: cannot read its %s: %s", system, name, file,
			  g_strerror(errno));
	return text;
}

bool tracepoint_id(const struct kernel_paths *paths, const char *system, const char *name, u64 *id,
		   GError **error)
{
	g_autofree char *text = event_file(paths, system, name, "id", error);
	char *end;

	if (!text)
		return false;
	*id = g_ascii_strtoull(text, &end, 10);
	if (end == text || *end)
		return error_set(error, PERF_ERROR_FORMAT,
				 "tracepoint %s:%s: its id is not a number", system, name);
	return true;
}

char *tracepoint_format(const struct kernel_paths *paths, const char *system, const char *name,
			GError **error)
{
	return event_file(paths, system, name, "format", error);
}

/* trace.dat's head, version 0.6: what libtraceevent readers expect of the feature. */
static const u8 trace_magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
static const char trace_version[] = "0.6";

/* A file as its size in @width bytes and its content; one that cannot be read is empty. */
static bool put_file(GByteArray *blob, u32 width, const char *path, GError **error)
{
	g_autofree char *text = NULL;
	size_t size = 0;
	u64 size64;

	g_file_get_contents(path, &text, &size, error);
	if (size > G_MAXUINT32)
		size = 0;
	size64 = size;
	if (width == sizeof(u32))
		put_u32(blob, size);
	else
		put(blob, &size64, sizeof(size64));
	put(blob, text ?: "", size);
	return text;
}

static bool put_header(GByteArray *blob, const char *root, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(root, "events", name, NULL);

	put(blob, name, strlen(name) + 1);
	return put_file(blob, sizeof(u64), path, error);
}

static int by_tracepoint(const void *a, const void *b)
{
	const struct tracepoint *x = a, *y = b;

	return strcmp(x->system, y->system) ?: strcmp(x->name, y->name);
}

/* The tracepoints, sorted, without duplicates. */
static GArray *unique_tracepoints(const struct tracepoint *tps, u32 nr)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(*tps));
	u32 kept = 0;

	if (nr)
		g_array_append_vals(all, tps, nr);
	g_array_sort(all, by_tracepoint);
	for (u32 i = 0; i < all->len; i++) {
		struct tracepoint *at = (struct tracepoint *)all->data;

		if (!kept || by_tracepoint(&at[kept - 1], &at[i]))
			at[kept++] = at[i];
	}
	g_array_set_size(all, kept);
	return all;
}

/* The formats of the @nr tracepoints at @tps, all of one system. */
static bool put_formats(GByteArray *blob, const char *root, const struct tracepoint *tps, u32 nr,
			GError **error)
{
	put_u32(blob, nr);
	for (u32 i = 0; i < nr; i++) {
		g_autofree char *path = g_build_filename(root, "events", tps[i].system, tps[i].name,
							 "format", NULL);

		if (!put_file(blob, sizeof(u64), path, error))
			return false;
	}
	return true;
}

static u32 run_of_system(const GArray *tps, u32 from)
{
	const struct tracepoint *at = (const struct tracepoint *)tps->data;
	u32 to = from;

	while (to < tps->len && !strcmp(at[to].system, at[from].system))
		to++;
	return to - from;
}

static u32 nr_systems(const GArray *tps)
{
	u32 n = 0;

	for (u32 i = 0; i < tps->len; i += run_of_system(tps, i))
		n++;
	return n;
}

static bool put_systems(GByteArray *blob, const char *root, const GArray *tps, GError **error)
{
	u32 nr;

	put_u32(blob, 0); /* ftrace's own events: they cannot be recorded here */
	put_u32(blob, nr_systems(tps));
	for (u32 i = 0; i < tps->len; i += nr) {
		const struct tracepoint *at = &g_array_index(tps, struct tracepoint, i);

		nr = run_of_system(tps, i);
		put(blob, at->system, strlen(at->system) + 1);
		if (!put_formats(blob, root, at, nr, error))
			return false;
	}
	return true;
}

GByteArray *tracing_data(const struct kernel_paths *paths, const struct tracepoint *tps, u32 nr,
			 GError **error)
{
	g_autofree char *root = tracefs_find(paths, error);
	g_autofree char *printk = NULL, *comms = NULL;
	g_autoptr(GByteArray) blob = NULL;
	g_autoptr(GArray) unique = NULL;
	u8 long_size = sizeof(long), big = G_BYTE_ORDER == G_BIG_ENDIAN;

	if (!root)
		return NULL;
	blob = g_byte_array_new();
	unique = unique_tracepoints(tps, nr);
	put(blob, trace_magic, sizeof(trace_magic));
	put(blob, trace_version, sizeof(trace_version));
	put(blob, &big, 1);
	put(blob, &long_size, 1);
	put_u32(blob, sysconf(_SC_PAGESIZE));
	if (!put_header(blob, root, "header_page", error) ||
	    !put_header(blob, root, "header_event", error) ||
	    !put_systems(blob, root, unique, error))
		return NULL;
	put_u32(blob, 0); /* kallsyms: readers resolve addresses by the recording's maps */
	printk = g_build_filename(root, "printk_formats", NULL);
	put_file(blob, sizeof(u32), printk, NULL);
	comms = g_build_filename(root, "saved_cmdlines", NULL);
	put_file(blob, sizeof(u64), comms, NULL);
	return g_steal_pointer(&blob);
}
