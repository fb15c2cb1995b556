// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

char *cache_folder(void)
{
	const char *chosen = g_getenv("PERF_BUILDID_DIR");

	return chosen && *chosen ? g_strdup(chosen) : build_id_cache_folder();
}

static char *link_of(const char *dir, const struct build_id *id)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(id, hex);
	return g_strdup_printf("%s/.build-id/%.2s/%s", dir, hex, hex + 2);
}

static char *path_in(const char *dir, const struct build_id *id, const char *kind)
{
	g_autofree char *link = link_of(dir, id);

	return g_build_filename(link, kind, NULL);
}

bool cache_has(const char *dir, const struct build_id *id, const char *kind)
{
	g_autofree char *path = path_in(dir, id, kind);

	return id->size && access(path, R_OK) == 0;
}

bool cache_use(const char *dir, const struct build_id *id, const char *kind)
{
	g_autofree char *link = link_of(dir, id), *path = path_in(dir, id, kind);

	return cache_has(dir, id, kind) && (strcmp(kind, "elf") || build_id_fits(path, id, NULL)) &&
	       utimensat(AT_FDCWD, link, NULL, 0) == 0;
}

/* @name without empty parts, "." and "..": a recorded name must not lead out of the cache. To free. */
static char *safe_name(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);
	GString *safe = g_string_new(NULL);

	for (char **part = parts; *part; part++)
		if (**part && strcmp(*part, ".") && strcmp(*part, ".."))
			g_string_append_printf(safe, "%s%s", safe->len ? "/" : "", *part);
	/* A file that was moved out of its container is called "/". */
	if (!safe->len)
		g_string_append(safe, "[unnamed]");
	return g_string_free(safe, FALSE);
}

static bool make_folder(const char *path, GError **error)
{
	return !g_mkdir_with_parents(path, 0755) || error_set_errno(error, errno, "%s", path);
}

static bool open_cache(const char *dir, GError **error)
{
	struct stat st;

	if (!make_folder(dir, error))
		return false;
	if (stat(dir, &st))
		return error_set_errno(error, errno, "%s", dir);
	if (st.st_uid != geteuid())
		return error_set(error, PERF_ERROR_PERMISSION, "%s: belongs to another user", dir);
	return true;
}

/*
 * A hard link changes when somebody writes to the file: "cp new server" keeps the inode, and the copy would be of the new
 * build. Files of packages are replaced by rename(). A link also keeps the file's mode: an old setuid program would stay
 * usable.
 */
static bool may_link(const char *self, const struct stat *st)
{
	static const char *const folders[] = { "/usr/", "/bin/", "/sbin/", "/lib" };
	g_autofree char *name = g_file_read_link(self, NULL);
	bool of_system = false;

	for (u32 i = 0; name && i < ARRAY_SIZE(folders); i++)
		of_system |= g_str_has_prefix(name, folders[i]);
	return of_system && !g_str_has_prefix(name, "/usr/local/") && !st->st_uid &&
	       !(st->st_mode & (S_ISUID | S_ISGID | S_IWGRP | S_IWOTH));
}

/* Who may not read a file may not read its copy. What a file of /proc has is for the user who reads it (kallsyms). */
static int create_copy(const char *to, const struct stat *of)
{
	mode_t mode = of->st_size ? (of->st_mode & 0555) | 0600 : 0600;

	return open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/* Makes @to, which does not exist, from the contents of @fd, which was opened as @path. */
static bool make_copy(int fd, const char *path, const char *to, GError **error)
{
	g_autofree char *self = g_strdup_printf("/proc/self/fd/%d", fd);
	struct stat st;
	bool copied;
	int out;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return error_set(error, PERF_ERROR_FORMAT, "%s: not a regular file", path);
	out = create_copy(to, &st);
	if (out < 0)
		return error_set_errno(error, errno, "%s", to);
	copied = ioctl(out, FICLONE, fd) == 0;
	if (!copied && may_link(self, &st)) {
		unlink(to);
		copied = linkat(AT_FDCWD, self, AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0;
		if (!copied) {
			close(out);
			out = create_copy(to, &st);
		}
	}
	if (!copied)
		copied = out >= 0 && file_copy_fd(fd, out);
	if (!copied)
		error_set_errno(error, errno, "%s", to);
	if (out >= 0)
		close(out);
	if (!copied)
		unlink(to);
	return copied;
}

/* The same, but readers see the old file or the whole new one. */
static bool replace(int fd, const char *path, const char *to, GError **error)
{
	g_autofree char *fresh = g_strdup_printf("%s.%d", to, (int)getpid());

	unlink(fresh);
	if (!make_copy(fd, path, fresh, error))
		return false;
	/* If both are links to one file, rename() does nothing and leaves both. */
	if (rename(fresh, to)) {
		error_set_errno(error, errno, "%s", to);
		unlink(fresh);
		return false;
	}
	unlink(fresh);
	return true;
}

/* The link by build-id to the folder @name/HEX. A link that leads nowhere is replaced. */
static bool make_link(const char *dir, const struct build_id *id, const char *name, GError **error)
{
	g_autofree char *link = link_of(dir, id), *parent = g_path_get_dirname(link);
	g_autofree char *to = NULL;
	char hex[BUILD_ID_HEX];

	if (!make_folder(parent, error))
		return false;
	to = g_strdup_printf("../../%s/%s", name, build_id_hex(id, hex));
	if (!symlink(to, link))
		return true;
	if (errno == EEXIST && !access(link, F_OK))
		return true;
	unlink(link);
	return !symlink(to, link) || error_set_errno(error, errno, "%s", link);
}

/* The name under which a file with @id is there already, or NULL. To free. A link must not lead out of the cache. */
static char *present_name(const char *dir, const struct build_id *id)
{
	g_autofree char *link = link_of(dir, id), *to = g_file_read_link(link, NULL);
	g_autofree char *name = NULL, *safe = NULL;

	if (!to || !g_str_has_prefix(to, "../../") || access(link, F_OK))
		return NULL;
	name = g_path_get_dirname(to + strlen("../../"));
	safe = safe_name(name);
	return strcmp(name, safe) ? NULL : g_steal_pointer(&name);
}

bool cache_add(const char *dir, const struct build_id *id, const char *name, const char *kind,
	       const char *path, GError **error)
{
	g_autofree char *safe = present_name(dir, id) ?: safe_name(name);
	g_autofree char *folder = NULL, *to = NULL, *self = NULL;
	char hex[BUILD_ID_HEX];
	bool good;
	int fd;

	if (!id->size)
		return error_set(error, PERF_ERROR_ABSENT, "%s: no build-id", path);
	folder = g_build_filename(dir, safe, build_id_hex(id, hex), NULL);
	to = g_build_filename(folder, kind, NULL);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return error_set_errno(error, errno, "%s", path);
	self = g_strdup_printf("/proc/self/fd/%d", fd);
	good = (strcmp(kind, "elf") || build_id_fits(self, id, error)) && open_cache(dir, error) &&
	       make_folder(folder, error) && replace(fd, path, to, error) &&
	       make_link(dir, id, safe, error);
	close(fd);
	return good;
}

/* Removes empty folders from @folder upwards, but not @dir. */
static void remove_empty(const char *dir, const char *folder)
{
	g_autofree char *at = g_strdup(folder);

	while (strlen(at) > strlen(dir) && !rmdir(at)) {
		char *parent = g_path_get_dirname(at);

		g_free(at);
		at = parent;
	}
}

static void remove_files(const char *folder)
{
	bool is_link = g_file_test(folder, G_FILE_TEST_IS_SYMLINK);
	g_autoptr(GDir) files = is_link ? NULL : g_dir_open(folder, 0, NULL);
	const char *name;

	while (files && (name = g_dir_read_name(files))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		unlink(path);
	}
}

bool cache_remove(const char *dir, const struct build_id *id, GError **error)
{
	g_autofree char *link = link_of(dir, id), *parent = g_path_get_dirname(link);
	g_autofree char *name = present_name(dir, id);
	g_autofree char *folder = NULL;
	char hex[BUILD_ID_HEX];

	build_id_hex(id, hex);
	if (unlink(link) && errno != EISDIR)
		return errno == ENOENT
			       ? error_set(error, PERF_ERROR_ABSENT, "%s: not in the cache", hex)
			       : error_set_errno(error, errno, "%s", link);
	rmdir(parent);
	if (!name)
		return true;
	folder = g_build_filename(dir, name, hex, NULL);
	remove_files(folder);
	remove_empty(dir, folder);
	return true;
}

static void entry_free(void *p)
{
	struct cache_entry *entry = p;

	g_free(entry->name);
	g_free(entry);
}

/*
 * Is the copy a link to the file that still has its name? The number of links does not tell: another cache may have a link,
 * and it counts a removed program as long as this one does.
 */
static bool is_original(const struct stat *copy, const char *name)
{
	struct stat st;

	return copy->st_nlink > 1 && !stat(name, &st) && st.st_dev == copy->st_dev &&
	       st.st_ino == copy->st_ino;
}

static void add_size(struct cache_entry *entry, const char *folder)
{
	g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
	const char *name;
	struct stat st;

	while (files && (name = g_dir_read_name(files))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (!lstat(path, &st) && S_ISREG(st.st_mode) && !is_original(&st, entry->name))
			entry->size += (u64)st.st_blocks * 512;
	}
	if (!stat(folder, &st))
		entry->used = st.st_mtim.tv_sec;
}

/* @first: two digits of the build-id; @rest: the others. */
static void add_entry(GPtrArray *entries, const char *dir, const char *first, const char *rest)
{
	g_autofree char *hex = g_strconcat(first, rest, NULL);
	g_autofree char *name = NULL, *folder = NULL;
	struct cache_entry *entry;
	struct build_id id;

	if (!build_id_parse(hex, &id) || !(name = present_name(dir, &id)))
		return;
	entry = g_new0(struct cache_entry, 1);
	entry->id = id;
	folder = g_build_filename(dir, name, hex, NULL);
	entry->name = name[0] == '[' ? g_steal_pointer(&name) : g_strconcat("/", name, NULL);
	add_size(entry, folder);
	g_ptr_array_add(entries, entry);
}

static int compare_ids(const void *pa, const void *pb)
{
	const struct cache_entry *a = *(void *const *)pa, *b = *(void *const *)pb;

	return memcmp(a->id.bytes, b->id.bytes, sizeof(a->id.bytes));
}

GPtrArray *cache_entries(const char *dir)
{
	GPtrArray *entries = g_ptr_array_new_with_free_func(entry_free);
	g_autofree char *ids = g_build_filename(dir, ".build-id", NULL);
	g_autoptr(GDir) all = g_dir_open(ids, 0, NULL);
	const char *first, *rest;

	while (all && (first = g_dir_read_name(all))) {
		g_autofree char *path = g_build_filename(ids, first, NULL);
		g_autoptr(GDir) some = g_dir_open(path, 0, NULL);

		while (some && (rest = g_dir_read_name(some)))
			add_entry(entries, dir, first, rest);
	}
	g_ptr_array_sort(entries, compare_ids);
	return entries;
}

static int compare_used(const void *pa, const void *pb)
{
	const struct cache_entry *a = *(void *const *)pa, *b = *(void *const *)pb;

	return a->used > b->used ? -1 : a->used < b->used;
}

u32 cache_trim(const char *dir, u64 limit)
{
	g_autoptr(GPtrArray) entries = cache_entries(dir);
	u64 sum = 0;
	u32 nr = 0;

	g_ptr_array_sort(entries, compare_used);
	for (u32 i = 0; i < entries->len; i++) {
		const struct cache_entry *entry = entries->pdata[i];

		sum += entry->size;
		if (entry->size && sum > limit)
			nr += cache_remove(dir, &entry->id, NULL);
	}
	return nr;
}
