// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recording is copied as it is, and the files follow it. Programs come from the build-id cache, which gets those that it
 * does not have, as for perf archive. What the cache does not have comes from where a report finds it here: debug
 * information, maps of JITs, programs without a build-id, sources.
 */
#include "cmd/data/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/options.h"
#include "cmd/buildid/copies.h"
#include "dso/cache.h"
#include "dso/dso.h"
#include "dso/lines.h"
#include "dso/packed.h"
#include "perfdata/abi.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

struct pack_options {
	const char *output;
	GPtrArray *spans;
	bool sources, force;
};

#define AT(member) offsetof(struct pack_options, member)

static const struct option_row rows[] = {
	{ 'f', "force", OPT_FLAG, NULL, "read a recording of another owner, too", AT(force) },
	{ 'o', "output", OPT_STRING, "file", "output file name (default: <file>.packed)",
	  AT(output) },
	{ 0, "sources", OPT_FLAG, NULL, "pack the sources of the sampled code, too", AT(sources) },
	{ 0, "spans", OPT_LIST, "file", "pack a file of spans, which reports then read",
	  AT(spans) },
};

static const char *const usage[] = { "perf data pack [<options>] [<file>]", NULL };
static const struct options_spec spec = { .usage = usage,
					  .rows = rows,
					  .nr_rows = ARRAY_SIZE(rows) };

struct pack_work {
	const struct pack_options *o;
	struct packing *to;
	GHashTable *dsos;  /* those that samples and their callers hit: struct dso * */
	GHashTable *codes; /* struct code * whose sources are known */
	GHashTable *sources;
	u32 nr_absent; /* sources that are not on this machine */
};

/* The name in the archive, and in the cache. */
static char *name_by_id(const struct build_id *id, const char *kind)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(id, hex);
	return g_strdup_printf(".build-id/%.2s/%s/%s", hex, hex + 2, kind);
}

static bool add_kept(struct pack_work *p, const char *dir, const struct build_id *id,
		     const char *kind, GError **error)
{
	g_autofree char *name = name_by_id(id, kind);
	g_autofree char *path = g_build_filename(dir, name, NULL);

	return !g_file_test(path, G_FILE_TEST_IS_REGULAR) || packing_add(p->to, name, path, error);
}

static bool add_programs(struct pack_work *p, const char *input, GError **error)
{
	static const char *const kinds[] = { "elf", "debug", "kallsyms", "vdso", "btf" };
	const struct copies_options options = { .input = input, .force = p->o->force };
	g_autofree char *dir = cache_folder();
	g_autoptr(GPtrArray) copies = copies_keep(&options, error);
	bool good = copies;

	for (u32 i = 0; good && i < copies->len; i++) {
		const struct copied *copied = copies->pdata[i];

		for (u32 k = 0; good && copied->present && k < ARRAY_SIZE(kinds); k++)
			good = add_kept(p, dir, &copied->id, kinds[k], error);
		if (!copied->present)
			fprintf(stderr,
				"perf: not in the pack: %s: neither it nor a copy is here\n",
				copied->name);
	}
	return good;
}

static bool add_by_id(struct pack_work *p, const struct build_id *id, const char *kind,
		      const char *path, GError **error)
{
	g_autofree char *name = path && id->size ? name_by_id(id, kind) : NULL;

	return !name || packing_add(p->to, name, path, error);
}

static bool add_by_path(struct pack_work *p, const char *path, GError **error)
{
	g_autofree char *name = g_strconcat(PACKED_FILES, path, NULL);

	return packing_add(p->to, name, path, error);
}

/* The list of the functions that a process generated. */
static bool add_list(struct pack_work *p, const struct dso *dso, GError **error)
{
	g_autofree char *name = g_strconcat(PACKED_FILES, dso_long_name(dso), NULL), *text = NULL;
	size_t size;

	text = dso_jit_map(dso, &size);
	return !text || packing_add_bytes(p->to, name, text, size, error);
}

/* What a report finds for @dso on this machine. */
static bool add_dso(struct pack_work *p, struct dso *dso, GError **error)
{
	const struct build_id id = dso_identity(dso);
	const char *debug = dso_debug_file(dso), *code = dso_file(dso), *alt;
	const char *name = dso_long_name(dso);
	struct build_id alt_id = { 0 };

	if (dso_kind(dso) == DSO_JIT)
		return add_list(p, dso, error);
	if (dso_kind(dso) == DSO_VDSO)
		return true; /* it has no file but that of the cache */
	if (!id.size)
		return !code || dso_kind(dso) != DSO_USER || add_by_path(p, name, error);
	if (debug && g_strcmp0(debug, code) && !add_by_id(p, &id, "debug", debug, error))
		return false;
	alt = dso_alt_file(dso, &alt_id);
	return add_by_id(p, &id, "elf", code, error) && add_by_id(p, &alt_id, "debug", alt, error);
}

static void take_code(struct pack_work *p, const struct code *code)
{
	const struct source_frame *frames;
	u32 nr;

	if (!code->dso)
		return;
	g_hash_table_add(p->dsos, code->dso);
	if (!p->o->sources || !g_hash_table_add(p->codes, (void *)code))
		return;
	nr = dso_frames(code->dso, code->vaddr, &frames);
	for (u32 i = 0; i < nr; i++)
		if (frames[i].file && frames[i].file[0] == '/')
			g_hash_table_add(p->sources, (void *)frames[i].file);
}

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	take_code(arg, place->ip);
	for (u32 i = 0; i < place->nr_chain; i++)
		take_code(arg, place->chain[i]);
	return true;
}

static bool add_sources(struct pack_work *p, GError **error)
{
	GHashTableIter iter;
	gpointer path;

	g_hash_table_iter_init(&iter, p->sources);
	while (g_hash_table_iter_next(&iter, &path, NULL)) {
		if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) || access(path, R_OK))
			p->nr_absent++;
		else if (!add_by_path(p, path, error))
			return false;
	}
	return true;
}

static bool add_what_is_hit(struct pack_work *p, const char *input, GError **error)
{
	const struct session_options options = { .input = input,
						 .force = p->o->force,
						 .dso.buildid_dir = getenv("PERF_BUILDID_DIR"),
						 .dso.force = p->o->force,
						 .show_progress = true };
	struct session *session = session_open(&options, error);
	bool good = session && session_each_sample(session, NEED_CHAIN, take_sample, p, error);
	GHashTableIter iter;
	gpointer dso;

	g_hash_table_iter_init(&iter, p->dsos);
	while (good && g_hash_table_iter_next(&iter, &dso, NULL))
		good = add_dso(p, dso, error);
	good = good && add_sources(p, error);
	session_close(session);
	return good;
}

static bool add_spans(struct pack_work *p, GError **error)
{
	for (u32 i = 0; p->o->spans && i < p->o->spans->len; i++) {
		const char *path = p->o->spans->pdata[i];
		g_autofree char *base = g_path_get_basename(path);
		g_autofree char *name = g_strconcat(PACKED_SPANS, base, NULL);

		if (!packing_add(p->to, name, path, error))
			return false;
	}
	return true;
}

/* In the form for pipes, records go on to the end of the file. */
static bool has_end(const char *path)
{
	struct perfdata_pipe_header header = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool read_all = fd >= 0 && read(fd, &header, sizeof(header)) == sizeof(header);

	if (fd >= 0)
		close(fd);
	return read_all && header.size > sizeof(header);
}

/* What follows the records must not be taken for records. */
static bool can_pack(const char *input, bool force, GError **error)
{
	struct perfdata *pd = force ? perfdata_open_forced(input, error)
				    : perfdata_open(input, error);
	g_autoptr(GError) damaged = NULL;
	struct packed *packed;
	bool good;

	if (!pd)
		return false;
	good = (g_file_test(input, G_FILE_TEST_IS_REGULAR) && has_end(input) &&
		!perfdata_counts(pd)->cut) ||
	       error_set(
		       error, PERF_ERROR_USAGE,
		       "%s: not a whole recording in one file: 'perf inject -i %s -o FILE' writes "
		       "one, which can be packed",
		       input, input);
	perfdata_close(pd);
	if (!good)
		return false;
	packed = packed_open(input, &damaged);
	good = (!packed && !damaged) ||
	       error_set(error, PERF_ERROR_USAGE, "%s: is a pack already", input);
	packed_free(packed);
	return good;
}

static bool copy_recording(const char *input, int to, const char *output, GError **error)
{
	int from = open(input, O_RDONLY | O_CLOEXEC);
	bool good = from >= 0 && file_copy_fd(from, to);

	if (!good)
		error_set_errno(error, errno, "copy of %s to %s", input, output);
	if (from >= 0)
		close(from);
	return good;
}

static bool add_all(struct pack_work *p, const char *input, GError **error)
{
	return add_programs(p, input, error) && add_what_is_hit(p, input, error) &&
	       add_spans(p, error);
}

static bool write_pack(struct pack_work *p, const char *input, int fd, GError **error)
{
	u64 size = (u64)lseek(fd, 0, SEEK_CUR);
	u32 nr;

	p->to = packing_new(fd, error);
	if (!p->to)
		return false;
	if (!add_all(p, input, error)) {
		packing_abandon(p->to);
		return false;
	}
	if (!packing_end(p->to, &nr, error))
		return false;
	printf("Wrote %s: the recording (%.1f MB) and %u files (%.1f MB). Anywhere: perf report -i "
	       "%s\n",
	       p->o->output, (double)size / 1e6, nr,
	       (double)((u64)lseek(fd, 0, SEEK_END) - size) / 1e6, p->o->output);
	if (p->nr_absent)
		fprintf(stderr, "note: %u source files are not on this machine\n", p->nr_absent);
	return true;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool pack(const struct pack_options *o, const char *input, GError **error)
{
	struct pack_work p = { .o = o };
	bool good = can_pack(input, o->force, error);
	int fd;

	if (good && is_same_file(input, o->output))
		good = error_set(error, PERF_ERROR_USAGE, "-o names the recording itself");
	if (!good)
		return false;
	fd = file_create(o->output, O_RDWR);
	if (fd < 0)
		return error_set_errno(error, errno, "%s", o->output);
	p.dsos = g_hash_table_new(NULL, NULL);
	p.codes = g_hash_table_new(NULL, NULL);
	p.sources = g_hash_table_new(g_str_hash, g_str_equal);
	good = copy_recording(input, fd, o->output, error) && write_pack(&p, input, fd, error);
	g_hash_table_unref(p.dsos);
	g_hash_table_unref(p.codes);
	g_hash_table_unref(p.sources);
	close(fd);
	if (!good)
		unlink(o->output);
	return good;
}

int pack_run(int argc, char **argv)
{
	struct pack_options opts = { 0 };
	g_autofree char *output = NULL;
	g_autoptr(GError) error = NULL;
	const char *input;
	bool good;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (argc > 1)
		return options_wrong(&spec, "expected one file");
	input = argc ? argv[0] : "perf.data";
	if (!opts.output)
		opts.output = output = g_strconcat(input, ".packed", NULL);
	good = pack(&opts, input, &error);
	if (!good)
		fprintf(stderr, "perf: %s\n", error->message);
	if (opts.spans)
		g_ptr_array_unref(opts.spans);
	return good ? 0 : 1;
}
