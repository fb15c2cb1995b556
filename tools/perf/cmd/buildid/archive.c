// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf archive: the files that samples of a recording hit, from the build-id cache, as a tar file for another machine.
 * Names and contents are those of upstream's: perf.data.tar.bz2 has paths of the cache; with --all,
 * perf.all-HOST-TIME.tar.bz2 has the recording and perf.symbols.tar.bz2.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/options.h"
#include "cmd/buildid/copies.h"
#include "cmd/cmd.h"
#include "dso/cache.h"
#include "perfdata/read/reader.h"

#define SYMBOLS	    "perf.symbols.tar.bz2"
#define EXCLUDE_MAX (64u << 20)

struct archive_options {
	bool all, unpack, force;
	const char *exclude;
};

#define AT(member) offsetof(struct archive_options, member)

static const struct option_row rows[] = {
	{ 0, "all", OPT_FLAG, NULL, "pack the recording, too", AT(all) },
	{ 0, "exclude-buildids", OPT_STRING, "file", "leave out the build-ids in this file",
	  AT(exclude) },
	{ 'f', "force", OPT_FLAG, NULL, "read a recording of another owner, too", AT(force) },
	{ 0, "unpack", OPT_FLAG, NULL, "unpack such a file into the build-id cache", AT(unpack) },
};

static const char *const usage[] = { "perf archive [<options>] [<file>]", NULL };
static const struct options_spec spec = { .usage = usage,
					  .rows = rows,
					  .nr_rows = ARRAY_SIZE(rows) };

/*
 * GNU tar's status 1 means that a file was changed while it was read, and tar names the file. Files in the cache do not
 * change, but the number of their links does when another recorder copies the same program.
 */
static bool is_packed(int status, const char *const *words)
{
	return words[1][1] == 'c' && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* @to: a descriptor for tar's output; -1: ours. */
static bool run_tar(const char *const *words, int to, GError **error)
{
	g_autoptr(GError) failure = NULL;
	int status = 0;
	GPid pid;

	if (!g_spawn_async_with_pipes_and_fds(
		    NULL, words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
		    -1, to, -1, NULL, NULL, 0, &pid, NULL, NULL, NULL, &failure))
		return error_set(error, PERF_ERROR_SYSTEM, "tar: %s", failure->message);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set_errno(error, errno, "tar");
	return is_packed(status, words) || g_spawn_check_wait_status(status, &failure) ||
	       error_set(error, PERF_ERROR_SYSTEM, "tar: %s", failure->message);
}

/* Adds the link of @copied and what it leads to. */
static void list_copy(GString *list, const char *dir, const struct copied *copied)
{
	char hex[BUILD_ID_HEX];
	g_autofree char *link = NULL, *path = NULL, *to = NULL;

	build_id_hex(&copied->id, hex);
	link = g_strdup_printf(".build-id/%.2s/%s", hex, hex + 2);
	path = g_build_filename(dir, link, NULL);
	to = g_file_read_link(path, NULL);
	g_string_append(list, link);
	g_string_append_c(list, 0);
	if (to && g_str_has_prefix(to, "../../")) {
		g_string_append(list, to + strlen("../../"));
		g_string_append_c(list, 0);
	}
}

static bool is_excluded(const char *excluded, const struct copied *copied)
{
	char hex[BUILD_ID_HEX];

	return excluded && strstr(excluded, build_id_hex(&copied->id, hex));
}

/* The names for tar, each with a NUL at its end. NULL with @error: nothing can be packed. */
static GString *list_copies(const struct archive_options *o, const char *dir, GPtrArray *copies,
			    GError **error)
{
	g_autofree char *excluded = o->exclude ? file_read(o->exclude, EXCLUDE_MAX, NULL, error)
					       : NULL;
	GString *list;

	if (o->exclude && !excluded)
		return NULL;
	list = g_string_new(NULL);
	for (u32 i = 0; i < copies->len; i++) {
		const struct copied *copied = copies->pdata[i];

		if (is_excluded(excluded, copied))
			continue;
		if (copied->present)
			list_copy(list, dir, copied);
		else
			fprintf(stderr,
				"perf: not in the archive: %s: neither it nor a copy is here\n",
				copied->name);
	}
	if (list->len)
		return list;
	g_string_free(list, TRUE);
	error_set(error, PERF_ERROR_ABSENT, "no file with a build-id can be packed");
	return NULL;
}

static bool pack_symbols(const char *dir, const GString *list, int to, GError **error)
{
	g_autofree char *names = NULL, *from = NULL;
	g_autoptr(GError) failure = NULL;
	int fd = g_file_open_tmp("perf-archive-XXXXXX", &names, &failure);
	bool good;

	if (fd < 0)
		return error_set(error, PERF_ERROR_SYSTEM, "%s", failure->message);
	good = file_write_fd(fd, list->str, list->len) ||
	       error_set_errno(error, errno, "%s", names);
	close(fd);
	from = g_strconcat("--files-from=", names, NULL);
	good = good && run_tar((const char *const[]){ "tar", "-cjf", "-", "-C", dir, "--null",
						      "--verbatim-files-from", from, NULL },
			       to, error);
	unlink(names);
	return good;
}

/* The recording and the archive of the files, in one archive. */
static bool pack_all(const char *dir, const GString *list, const char *input, int to,
		     GError **error)
{
	g_autofree char *folder = g_dir_make_tmp("perf-archive-XXXXXX", NULL);
	g_autofree char *symbols = folder ? g_build_filename(folder, SYMBOLS, NULL) : NULL;
	g_autofree char *absolute = g_canonicalize_filename(input, NULL);
	g_autofree char *beside = g_path_get_dirname(absolute);
	g_autofree char *name = g_path_get_basename(absolute);
	int fd = symbols ? file_create(symbols, O_WRONLY) : -1;
	bool good = fd >= 0 ? pack_symbols(dir, list, fd, error)
			    : error_set_errno(error, errno, "%s", symbols ?: "temporary folder");

	good = good && run_tar((const char *const[]){ "tar", "-cjf", "-", "-C", folder, SYMBOLS,
						      "-C", beside, "--", name, NULL },
			       to, error);
	if (fd >= 0) {
		close(fd);
		unlink(symbols);
	}
	if (folder)
		rmdir(folder);
	return good;
}

static char *name_of_all(void)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_local();
	g_autofree char *time = g_date_time_format(now, "%Y%m%d-%H%M%S");
	struct utsname uts;

	uname(&uts);
	return g_strdup_printf("perf.all-%s-%s.tar.bz2", uts.nodename, time);
}

static bool pack(const struct archive_options *o, const char *input, GError **error)
{
	const struct copies_options copies_options = { .input = input, .force = o->force };
	g_autofree char *out = o->all ? name_of_all() : g_strconcat(input, ".tar.bz2", NULL);
	g_autofree char *dir = cache_folder();
	g_autoptr(GPtrArray) copies = copies_keep(&copies_options, error);
	GString *list = copies ? list_copies(o, dir, copies, error) : NULL;
	bool good = list;
	int fd = list ? file_create(out, O_WRONLY) : -1;

	if (list && fd < 0)
		good = error_set_errno(error, errno, "%s", out);
	good = good && (o->all ? pack_all(dir, list, input, fd, error)
			       : pack_symbols(dir, list, fd, error));
	if (good)
		printf("Wrote %s. On another machine: perf archive --unpack %s\n", out, out);
	else if (fd >= 0)
		unlink(out);
	if (fd >= 0)
		close(fd);
	if (list)
		g_string_free(list, TRUE);
	return good;
}

/* The only perf*.tar.bz2 in this folder. */
static char *find_archive(GError **error)
{
	g_autoptr(GDir) here = g_dir_open(".", 0, NULL);
	g_autofree char *found = NULL;
	const char *name;

	while (here && (name = g_dir_read_name(here))) {
		if (!g_str_has_prefix(name, "perf") || !g_str_has_suffix(name, ".tar.bz2"))
			continue;
		if (found) {
			error_set(error, PERF_ERROR_USAGE, "several archives are here: name one");
			return NULL;
		}
		found = g_strdup(name);
	}
	if (!found)
		error_set(error, PERF_ERROR_ABSENT, "no archive perf*.tar.bz2 is here");
	return g_steal_pointer(&found);
}

static bool extract(const char *archive, const char *folder, GError **error)
{
	return run_tar((const char *const[]){ "tar", "-xjf", archive, "-C", folder, "--force-local",
					      "--no-same-owner", "--no-same-permissions", NULL },
		       -1, error);
}

/* Copies one file of the archive into the cache. */
static bool import_file(const char *folder, const char *dir, const struct cache_entry *entry,
			const char *kind)
{
	char hex[BUILD_ID_HEX], real[PATH_MAX];
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;

	build_id_hex(&entry->id, hex);
	path = g_strdup_printf("%s/.build-id/%.2s/%s/%s", folder, hex, hex + 2, kind);
	/* A link in it could lead to any file of this user. */
	if (!realpath(path, real) || !g_str_has_prefix(real, folder) ||
	    real[strlen(folder)] != '/' || cache_use(dir, &entry->id, kind))
		return true;
	if (cache_add(dir, &entry->id, entry->name, kind, real, &error))
		return true;
	fprintf(stderr, "perf: not unpacked: %s: %s\n", entry->name, error->message);
	return false;
}

/* Nothing gets into the cache that is not what its name says, or that it has already. */
static bool import(const char *folder, const char *dir, GError **error)
{
	static const char *const kinds[] = { "elf", "debug", "kallsyms", "vdso", "btf" };
	g_autoptr(GPtrArray) entries = cache_entries(folder);
	bool good = true;

	for (u32 i = 0; i < entries->len; i++)
		for (u32 k = 0; k < ARRAY_SIZE(kinds); k++)
			good &= import_file(folder, dir, entries->pdata[i], kinds[k]);
	if (!entries->len)
		return error_set(error, PERF_ERROR_FORMAT, "no archive of perf archive");
	return good || error_set(error, PERF_ERROR_FORMAT, "some files were not unpacked");
}

/* @name of @folder comes to where perf was started, unless a file has its name. */
static bool take_recording(const char *folder, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	int from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	int to = from < 0 ? -1 : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = to >= 0 && file_copy_fd(from, to);

	if (!good)
		error_set_errno(error, errno, "%s", name);
	if (to >= 0)
		close(to);
	if (from >= 0)
		close(from);
	return good;
}

/* An archive of --all has nothing but the recording and the archive of its files. */
static bool unpack_all(const char *folder, GError **error)
{
	g_autofree char *symbols = g_build_filename(folder, SYMBOLS, NULL);
	g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
	g_autofree char *recording = NULL;
	const char *name;

	while (files && (name = g_dir_read_name(files))) {
		if (!strcmp(name, SYMBOLS))
			continue;
		if (recording)
			return error_set(error, PERF_ERROR_FORMAT,
					 "no archive of perf archive --all: %s and %s are in it",
					 recording, name);
		recording = g_strdup(name);
	}
	return recording && take_recording(folder, recording, error) &&
	       extract(symbols, folder, error);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	return remove(path);
}

/* Whoever made the archive is not trusted: it is unpacked into a folder of its own. */
static bool unpack(const char *given, GError **error)
{
	g_autofree char *path = given ? g_strdup(given) : find_archive(error);
	g_autofree char *dir = cache_folder(), *made = NULL, *symbols = NULL;
	char folder[PATH_MAX];
	bool good;

	if (!path)
		return false;
	made = g_build_filename(dir, ".unpack-XXXXXX", NULL);
	if (g_mkdir_with_parents(dir, 0755) || !g_mkdtemp(made) || !realpath(made, folder))
		return error_set_errno(error, errno, "%s", made);
	symbols = g_build_filename(folder, SYMBOLS, NULL);
	good = extract(path, folder, error) &&
	       (!g_file_test(symbols, G_FILE_TEST_EXISTS) || unpack_all(folder, error)) &&
	       import(folder, dir, error);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return good;
}

static int archive_run(const struct config *config, int argc, char **argv)
{
	struct archive_options opts = { 0 };
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (argc > 1)
		return options_wrong(&spec, "expected one file");
	if (opts.unpack ? unpack(argc ? argv[0] : NULL, &error)
			: pack(&opts, argc ? argv[0] : perfdata_default_path(), &error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 1;
}

const struct command cmd_archive = {
	"archive", "Pack the files that a recording refers to, for another machine", archive_run
};
