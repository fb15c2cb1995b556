// SPDX-License-Identifier: GPL-2.0-or-later
/* perf buildid-cache: lists and changes the copies of programs that reports find by build-id (dso/cache.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "dso/cache.h"
#include "dso/debuginfod.h"
#include "dso/dso.h"
#include "options/recording.h"
#include "session/session.h"

struct cache_options {
	const char *add, *remove, *purge, *update, *missing, *kcore, *debuginfod;
	bool purge_all, list, force;
	int verbose;
	u64 target;
};

#define AT(member) offsetof(struct cache_options, member)

static const struct option_row rows[] = {
	{ 'a', "add", OPT_STRING, "file list", "copy these files into the cache", AT(add) },
	{ 0, "debuginfod", OPT_STRING, "urls",
	  "with -a and -u: also debug information, from these servers or those of DEBUGINFOD_URLS",
	  AT(debuginfod), .fallback = "" },
	{ 'f', "force", OPT_FLAG, NULL, "read recordings of other owners, too", AT(force) },
	{ 'k', "kcore", OPT_STRING, "file", "refused: copies of the kernel's memory are not read",
	  AT(kcore) },
	{ 'l', "list", OPT_FLAG, NULL, "list all cached files", AT(list) },
	{ 'M', "missing", OPT_STRING, "file",
	  "list the files that samples of this recording hit and the cache does not have",
	  AT(missing) },
	{ 'p', "purge", OPT_STRING, "file list",
	  "remove all copies of files with these paths, also of older builds", AT(purge) },
	{ 'P', "purge-all", OPT_FLAG, NULL, "remove all copies", AT(purge_all) },
	{ 'r', "remove", OPT_STRING, "file list", "remove the copies of these files", AT(remove) },
	{ 'u', "update", OPT_STRING, "file list", "copy these files again", AT(update) },
	{ 'v', "verbose", OPT_COUNT, NULL, "say what is done", AT(verbose) },
	{ 0, "target-ns", OPT_U64, "n", "take files as the process with this pid sees them",
	  AT(target) },
};

static const char *const usage[] = { "perf buildid-cache [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

struct work {
	const struct cache_options *o;
	char *dir;
	u32 nr_failed;
};

static void say(struct work *w, const char *verb, const struct build_id *id, const char *file,
		bool good, const GError *error)
{
	char hex[BUILD_ID_HEX];

	if (w->o->verbose)
		printf("%s %s %s: %s\n", verb, build_id_hex(id, hex), file, good ? "Ok" : "FAIL");
	if (good)
		return;
	w->nr_failed++;
	fprintf(stderr, "perf: %s\n", error->message);
}

/* The file as the process of --target-ns sees it. */
static char *path_of(const struct work *w, const char *file)
{
	g_autofree char *absolute = g_canonicalize_filename(file, NULL);

	return w->o->target ? g_strdup_printf("/proc/%llu/root%s", (unsigned long long)w->o->target,
					      absolute)
			    : g_steal_pointer(&absolute);
}

/* The debug information of the file at @path, if it is in another one. */
static bool add_debug(struct work *w, const struct build_id *id, const char *name, const char *path,
		      GError **error)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = w->dir });
	struct dso *dso = dsos_get(dsos, path, id->bytes, id->size, DSO_USER);
	const char *debug = dso_debug_file(dso), *code = dso_file(dso);
	bool good = !debug || !g_strcmp0(debug, code) || cache_has(w->dir, id, "debug") ||
		    cache_add(w->dir, id, name, "debug", debug, error);

	dsos_free(dsos);
	return good;
}

static void add(struct work *w, const char *file)
{
	g_autofree char *path = path_of(w, file), *name = g_canonicalize_filename(file, NULL);
	g_autoptr(GError) error = NULL;
	struct build_id id = { 0 };
	bool good = build_id_read(path, &id, &error) &&
		    (cache_use(w->dir, &id, "elf") ||
		     cache_add(w->dir, &id, name, "elf", path, &error)) &&
		    (!w->o->debuginfod || add_debug(w, &id, name, path, &error));

	say(w, "Adding", &id, file, good, error);
}

static void take_out(struct work *w, const char *file)
{
	g_autofree char *path = path_of(w, file);
	g_autoptr(GError) error = NULL;
	struct build_id id = { 0 };
	bool good = build_id_read(path, &id, &error) && cache_remove(w->dir, &id, &error);

	say(w, "Removing", &id, file, good, error);
}

static void update(struct work *w, const char *file)
{
	g_autofree char *path = path_of(w, file), *name = g_canonicalize_filename(file, NULL);
	g_autoptr(GError) error = NULL;
	struct build_id id = { 0 };
	bool good = build_id_read(path, &id, &error);

	if (good) {
		cache_remove(w->dir, &id, NULL);
		good = cache_add(w->dir, &id, name, "elf", path, &error) &&
		       (!w->o->debuginfod || add_debug(w, &id, name, path, &error));
	}
	say(w, "Updating", &id, file, good, error);
}

/* @file NULL: everything. */
static void purge(struct work *w, const char *file)
{
	g_autofree char *name = file ? g_canonicalize_filename(file, NULL) : NULL;
	g_autoptr(GPtrArray) entries = cache_entries(w->dir);
	u32 nr = 0;

	for (u32 i = 0; i < entries->len; i++) {
		const struct cache_entry *entry = entries->pdata[i];
		g_autoptr(GError) error = NULL;
		bool good;

		if (file && strcmp(entry->name, name) && strcmp(entry->name, file))
			continue;
		good = cache_remove(w->dir, &entry->id, &error);
		say(w, "Removing", &entry->id, entry->name, good, error);
		nr++;
	}
	if (file && !nr) {
		w->nr_failed++;
		fprintf(stderr, "perf: %s: not in the cache\n", file);
	}
}

static void each_file(struct work *w, const char *list, void (*fn)(struct work *, const char *))
{
	g_auto(GStrv) files = g_strsplit(list ?: "", ",", -1);

	for (char **file = files; *file; file++)
		if (**file)
			fn(w, *file);
}

static void list_entries(const struct work *w)
{
	g_autoptr(GPtrArray) entries = cache_entries(w->dir);
	char hex[BUILD_ID_HEX];

	for (u32 i = 0; i < entries->len; i++) {
		const struct cache_entry *entry = entries->pdata[i];
		g_autofree char *shown = text_shown(entry->name);

		printf("%s %s\n", build_id_hex(&entry->id, hex), shown);
	}
}

static void list_missing(struct dso *dso, void *arg)
{
	const struct work *w = arg;
	struct build_id id = dso_identity(dso);
	char hex[BUILD_ID_HEX];

	if (id.size && !cache_has(w->dir, &id, "elf") && !cache_has(w->dir, &id, "vdso") &&
	    !cache_has(w->dir, &id, "kallsyms"))
		printf("%s %s\n", build_id_hex(&id, hex), dso_long_name(dso));
}

static bool find_missing(struct work *w, GError **error)
{
	const struct session_options options = { .input = w->o->missing, .force = w->o->force };
	struct session *session = session_open(&options, error);
	bool good = session && session_each_hit(session, list_missing, w, error);

	if (good)
		recording_tell_cut(session_perfdata(session));
	if (session)
		session_close(session);
	return good;
}

static bool run(struct work *w, GError **error)
{
	const struct cache_options *o = w->o;

	each_file(w, o->add, add);
	each_file(w, o->remove, take_out);
	each_file(w, o->purge, purge);
	if (o->purge_all)
		purge(w, NULL);
	each_file(w, o->update, update);
	if (o->list)
		list_entries(w);
	return !o->missing || find_missing(w, error);
}

static int buildid_cache_run(const struct config *config, int argc, char **argv)
{
	struct cache_options opts = { 0 };
	struct work w = { .o = &opts };
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.kcore)
		return options_wrong(&spec,
				     "-k: this perf does not read copies of the kernel's memory");
	if (!opts.add && !opts.remove && !opts.purge && !opts.purge_all && !opts.update &&
	    !opts.list && !opts.missing)
		return options_wrong(&spec,
				     "nothing to do: one of -a, -l, -M, -p, -P, -r, -u is needed");
	if (opts.debuginfod && *opts.debuginfod)
		g_setenv("DEBUGINFOD_URLS", opts.debuginfod, TRUE);
	if (opts.debuginfod)
		debuginfod_set_consent(DEBUGINFOD_YES);
	w.dir = cache_folder();
	if (!run(&w, &error))
		fprintf(stderr, "perf: %s\n", error->message);
	g_free(w.dir);
	return error || w.nr_failed ? 1 : 0;
}

const struct command cmd_buildid_cache = { "buildid-cache",
					   "Keep copies of programs in the cache by build-id",
					   buildid_cache_run };
