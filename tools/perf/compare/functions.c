// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of symbols says which names are those of several functions. Only for these, debug information is asked for their
 * files: it takes a unit's lines to be read.
 */
#include "compare/functions.h"

#include <elf.h>
#include <string.h>

#include "base/intern.h"
#include "dso/dso.h"
#include "dso/lines.h"
#include "fields/identity.h"

/* Of more functions of one name, the files are not asked for: they are those that a compiler or a generator made. */
#define MAX_TWINS 64

/* Functions of one name. */
struct named {
	bool apart;	     /* their files tell them apart */
	bool told;	     /* rows were made of them */
	GPtrArray *files[2]; /* const char *: of the old side, of the new ones */
};

/* How many functions of a program have a name. */
struct counts {
	GHashTable *nrs; /* const char * -> number */
	GStringChunk *chunk;
};

struct compare_functions {
	GHashTable *names; /* char * -> struct named * */
	struct intern *texts;
	GHashTable *counts; /* struct dso * -> struct counts * */
};

static void named_free(void *arg)
{
	struct named *named = arg;

	g_ptr_array_unref(named->files[0]);
	g_ptr_array_unref(named->files[1]);
	g_free(named);
}

static void counts_free(void *arg)
{
	struct counts *counts = arg;

	g_hash_table_unref(counts->nrs);
	g_string_chunk_free(counts->chunk);
	g_free(counts);
}

struct compare_functions *compare_functions_new(void)
{
	struct compare_functions *f = g_new0(struct compare_functions, 1);

	f->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, named_free);
	f->texts = intern_new();
	f->counts = g_hash_table_new_full(NULL, NULL, NULL, counts_free);
	return f;
}

void compare_functions_free(struct compare_functions *f)
{
	if (!f)
		return;
	g_hash_table_unref(f->counts);
	g_hash_table_unref(f->names);
	intern_free(f->texts);
	g_free(f);
}

/* A part that a compiler has split off is no function of its own. */
static bool is_function(const struct symbol *symbol)
{
	return symbol->type == STT_FUNC && !strstr(symbol->raw, ".cold") &&
	       !strstr(symbol->raw, ".part.");
}

static struct counts *count_functions(struct dso *dso)
{
	struct counts *counts = g_new0(struct counts, 1);

	counts->nrs = g_hash_table_new(g_str_hash, g_str_equal);
	counts->chunk = g_string_chunk_new(4096);
	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *symbol = dso_symbol(dso, i);
		const char *name = symbol->raw;
		u32 nr;

		if (!is_function(symbol))
			continue;
		if (strchr(name, '.')) {
			g_autofree char *whole = identity_function(name);

			name = g_string_chunk_insert(counts->chunk, whole);
		}
		nr = GPOINTER_TO_UINT(g_hash_table_lookup(counts->nrs, name));
		g_hash_table_insert(counts->nrs, (void *)name, GUINT_TO_POINTER(nr + 1));
	}
	return counts;
}

static u32 nr_named(struct compare_functions *f, struct dso *dso, const char *name)
{
	struct counts *counts = g_hash_table_lookup(f->counts, dso);

	if (!counts) {
		counts = count_functions(dso);
		g_hash_table_insert(f->counts, dso, counts);
	}
	return GPOINTER_TO_UINT(g_hash_table_lookup(counts->nrs, name));
}

/* The path of the file that has the function's first line; NULL: not known. */
static const char *path_of(struct dso *dso, const struct symbol *symbol)
{
	const char *path;
	u32 line;

	return dso_line(dso, symbol->start, &path, &line) ? path : NULL;
}

/* The last @nr parts of a path. */
static const char *last_parts(const char *path, u32 nr)
{
	const char *at = path + strlen(path);

	while (at > path && (at[-1] != '/' || --nr))
		at--;
	return at;
}

static bool has_text(const GPtrArray *texts, const char *text)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)texts, text, g_str_equal, NULL);
}

/* Distinct paths of the functions of the program that have this name. */
static GPtrArray *paths_of(struct dso *dso, const char *name, u32 nr)
{
	GPtrArray *paths = g_ptr_array_new();

	for (u32 i = 0; nr <= MAX_TWINS && i < dso_nr_symbols(dso); i++) {
		const struct symbol *symbol = dso_symbol(dso, i);
		g_autofree char *is = NULL;
		const char *path;

		if (!is_function(symbol) || !g_str_has_prefix(symbol->raw, name))
			continue;
		is = identity_function(symbol->raw);
		path = strcmp(is, name) ? NULL : path_of(dso, symbol);
		if (path && !has_text(paths, path))
			g_ptr_array_add(paths, (void *)path);
	}
	return paths;
}

/* So many parts of a path that no two of @paths have the same: builds lie in different folders. */
static const char *tail_of(const GPtrArray *paths, const char *path)
{
	for (u32 nr = 1;; nr++) {
		const char *tail = last_parts(path, nr);
		u32 same = 0;

		for (u32 i = 0; i < paths->len; i++)
			same += !strcmp(last_parts(paths->pdata[i], nr), tail);
		if (same <= 1 || tail == path)
			return tail;
	}
}

static const struct code *code_of(const struct lexicon *lexicon, u64 value)
{
	const struct code *code = lexicon_function(lexicon, value);

	return code && code->symbol && code->dso && !code->inlined ? code : NULL;
}

static struct named *named_of(struct compare_functions *f, const char *name)
{
	struct named *named = g_hash_table_lookup(f->names, name);

	if (named)
		return named;
	named = g_new0(struct named, 1);
	named->files[0] = g_ptr_array_new();
	named->files[1] = g_ptr_array_new();
	g_hash_table_insert(f->names, g_strdup(name), named);
	return named;
}

static void learn_function(struct compare_functions *f, bool old, const struct code *code)
{
	g_autofree char *name = identity_function(code->symbol->raw);
	u32 nr = nr_named(f, code->dso, name);
	struct named *named = named_of(f, name);
	g_autoptr(GPtrArray) paths = NULL;
	GPtrArray *files = named->files[!old];

	if (!named->apart && (nr < 2 || named->told))
		return;
	paths = paths_of(code->dso, name, nr);
	named->apart |= paths->len > 1;
	for (u32 i = 0; i < paths->len; i++) {
		const char *tail = tail_of(paths, paths->pdata[i]);

		if (!has_text(files, tail))
			g_ptr_array_add(files,
					(void *)intern_text(f->texts, intern_id(f->texts, tail)));
	}
}

static s32 find_symbol(const GPtrArray *groups)
{
	for (u32 i = 0; i < groups->len; i++)
		if (!strcmp(((const struct field *)groups->pdata[i])->name, "symbol"))
			return (s32)i;
	return -1;
}

void compare_functions_learn(struct compare_functions *f, bool old, const struct profile *profile)
{
	s32 group = find_symbol(profile->options.columns->groups);
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (u32 i = 0; group >= 0 && i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		for (u32 k = 0; k < hist_nr(e->hist); k++) {
			const struct code *code =
				code_of(profile->lexicon, hist_at(e->hist, k)->keys[group]);

			if (code && g_hash_table_add(seen, (void *)code->symbol))
				learn_function(f, old, code);
		}
	}
}

/* The only file that @some has and @others lack; NULL: none, or several. */
static const char *only_one(const GPtrArray *some, const GPtrArray *others)
{
	const char *found = NULL;
	u32 nr = 0;

	for (u32 i = 0; i < some->len; i++) {
		if (has_text(others, some->pdata[i]))
			continue;
		found = some->pdata[i];
		nr++;
	}
	return nr == 1 ? found : NULL;
}

bool compare_functions_tell(struct compare_functions *f, bool old, const struct lexicon *lexicon,
			    u64 value, struct compare_function *out)
{
	const struct code *code = code_of(lexicon, value);
	g_autofree char *name = code ? identity_function(code->symbol->raw) : NULL;
	struct named *named = name ? named_of(f, name) : NULL;
	g_autoptr(GPtrArray) paths = NULL;
	const char *path, *before, *now;

	if (!named)
		return false;
	named->told = true;
	path = named->apart ? path_of(code->dso, code->symbol) : NULL;
	if (!path)
		return false;
	paths = paths_of(code->dso, name, nr_named(f, code->dso, name));
	/* The first line of a part that was split off may be that of another, inlined function. */
	if (!has_text(paths, path))
		return false;
	out->file = intern_text(f->texts, intern_id(f->texts, tail_of(paths, path)));
	out->same_as = out->file;
	before = only_one(named->files[0], named->files[1]);
	now = only_one(named->files[1], named->files[0]);
	if (!old && before && now && !strcmp(now, out->file))
		out->same_as = before;
	return true;
}

void compare_functions_end(struct compare_functions *f)
{
	g_hash_table_remove_all(f->counts);
}
