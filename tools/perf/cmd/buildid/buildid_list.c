// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf buildid-list: the build-ids of the files in a recording. They come from the table in its header. If there is
 * no table (newer recordings have build-ids in their MMAP2 records), or if only files with samples are wanted, the
 * samples are looked up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "dso/buildid.h"
#include "dso/dso.h"
#include "options/recording.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

struct buildid_options {
	const char *input;
	bool force, with_hits, kernel, kernel_maps;
	int verbose;
};

#define AT(member) offsetof(struct buildid_options, member)

static const struct option_row rows[] = {
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(force) },
	{ 'H', "with-hits", OPT_FLAG, NULL, "Show only DSOs with hits", AT(with_hits) },
	{ 'i', "input", OPT_STRING, "file", "input file name: a recording, or an ELF file",
	  AT(input) },
	{ 'k', "kernel", OPT_FLAG, NULL, "Show current kernel build id", AT(kernel) },
	{ 'm', "kernel-maps", OPT_FLAG, NULL, "Show build id of current kernel + modules",
	  AT(kernel_maps) },
	{ 'v', "verbose", OPT_COUNT, NULL, "accepted and ignored", AT(verbose) },
};

static const char *const usage[] = { "perf buildid-list [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

static bool list_kernel(GError **error)
{
	struct build_id id;
	char hex[BUILD_ID_HEX];

	if (!build_id_read_kernel(&id, error))
		return false;
	puts(build_id_hex(&id, hex));
	return true;
}

/* Prints name, address and size of the parts of the running kernel, from /proc. */
static void print_kernel_part(const struct build_id *id, u64 start, u64 end, const char *name)
{
	char hex[BUILD_ID_HEX];

	printf("%s %16" PRIx64 " %16" PRIx64 " %s\n", build_id_hex(id, hex), start, end, name);
}

/* The addresses of _text and _etext; 0 if this user may not read them. */
static void find_kernel_text(u64 *start, u64 *end)
{
	FILE *in = fopen("/proc/kallsyms", "re");
	char line[512];

	*start = *end = 0;
	while (in && fgets(line, sizeof(line), in) && !*end) {
		u64 addr;
		char type, name[400];

		if (sscanf(line, "%" SCNx64 " %c %399s", &addr, &type, name) != 3)
			continue;
		if (strcmp(name, "_text") == 0 || (strcmp(name, "_stext") == 0 && !*start))
			*start = addr;
		else if (strcmp(name, "_etext") == 0)
			*end = addr;
	}
	if (in)
		fclose(in);
}

static void list_modules(void)
{
	FILE *in = fopen("/proc/modules", "re");
	char line[4096];

	while (in && fgets(line, sizeof(line), in)) {
		char name[128], label[132];
		struct build_id id;
		u64 size, start;

		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &start) !=
			    3 ||
		    !build_id_read_module(name, &id, NULL))
			continue;
		snprintf(label, sizeof(label), "[%s]", name);
		print_kernel_part(&id, start, start + size, label);
	}
	if (in)
		fclose(in);
}

static bool list_kernel_maps(GError **error)
{
	struct build_id id;
	u64 start, end;

	if (!build_id_read_kernel(&id, error))
		return false;
	find_kernel_text(&start, &end);
	print_kernel_part(&id, start, end, "[kernel.kallsyms]");
	list_modules();
	return true;
}

/*
 * @seen: the files printed so far, as many processes map the same file. A file without a build-id has blanks, as with
 * upstream: memory that has a name, or a file that is gone.
 */
static void print_once(GHashTable *seen, const struct build_id *id, const char *name)
{
	char hex[BUILD_ID_HEX];
	g_autofree char *line = NULL, *shown = NULL;

	shown = text_shown(name);
	line = g_strdup_printf("%-40s %s", build_id_hex(id, hex), shown);
	if (g_hash_table_contains(seen, line))
		return;
	puts(line);
	g_hash_table_add(seen, g_steal_pointer(&line));
}

/* The recorded build-id for @name; else that of the present file. */
static struct build_id id_of(const struct perfdata_info *info, struct dso *dso)
{
	for (u32 i = 0; i < info->build_ids->len; i++) {
		const struct info_build_id *entry = g_ptr_array_index(info->build_ids, i);

		g_autofree char *shown = text_shown(entry->filename);

		if (strcmp(shown, dso_long_name(dso)) == 0)
			return build_id_of(entry->build_id, entry->size);
	}
	return dso_build_id(dso);
}

static void take_hit(struct dso *dso, void *dsos)
{
	g_ptr_array_add(dsos, dso);
}

static void list_table(const struct perfdata_info *info, GHashTable *seen)
{
	for (u32 i = 0; i < info->build_ids->len; i++) {
		const struct info_build_id *entry = g_ptr_array_index(info->build_ids, i);
		struct build_id id = build_id_of(entry->build_id, entry->size);

		print_once(seen, &id, entry->filename);
	}
}

/* The files that samples hit; without -H only if there is no table. A pipe has its table at the end. */
static bool list_hits(const struct buildid_options *o, GHashTable *seen, GError **error)
{
	const struct session_options options = { .input = o->input, .force = o->force };
	struct session *session = session_open(&options, error);
	g_autoptr(GPtrArray) dsos = g_ptr_array_new();
	const struct perfdata_info *info;
	bool good;

	if (!session)
		return false;
	good = session_each_hit(session, take_hit, dsos, error);
	info = perfdata_info(session_perfdata(session));
	if (good && !o->with_hits)
		list_table(info, seen);
	for (u32 i = 0; good && (o->with_hits || !info->build_ids->len) && i < dsos->len; i++) {
		struct build_id id = id_of(info, dsos->pdata[i]);

		print_once(seen, &id, dso_long_name(dsos->pdata[i]));
	}
	if (good)
		recording_tell_cut(session_perfdata(session));
	session_close(session);
	return good;
}

/* The table of a file is in its header. Without a table, lists the files that samples hit, as upstream does. */
static bool list_file(const struct buildid_options *o, GHashTable *seen, GError **error)
{
	struct perfdata *pd = recording_open(o->input, o->force, error);
	bool good = pd != NULL, hits = good && !perfdata_info(pd)->build_ids->len;

	if (good)
		list_table(perfdata_info(pd), seen);
	recording_close(pd, good && !hits);
	return hits ? list_hits(o, seen, error) : good;
}

/* False for a pipe, which can be opened only once. */
static bool can_be_reopened(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && (stat(path, &st) || !S_ISFIFO(st.st_mode));
}

/* The build-id of an ELF file; false if @path is not one or has none. */
static bool list_elf(const char *path)
{
	struct build_id id;
	char hex[BUILD_ID_HEX];

	if (strcmp(path, "-") == 0 || !build_id_read(path, &id, NULL))
		return false;
	puts(build_id_hex(&id, hex));
	return true;
}

static bool list(const struct buildid_options *o, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	if (o->kernel)
		return list_kernel(error);
	if (o->kernel_maps)
		return list_kernel_maps(error);
	if (list_elf(o->input))
		return true;
	if (o->with_hits || !can_be_reopened(o->input))
		return list_hits(o, seen, error);
	return list_file(o, seen, error);
}

static int buildid_list_run(const struct config *config, int argc, char **argv)
{
	struct buildid_options opts = { .input = perfdata_default_path() };
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (list(&opts, &error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 255;
}

const struct command cmd_buildid_list = { "buildid-list", "List the build-ids of a recording",
					  buildid_list_run };
