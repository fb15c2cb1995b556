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
#include "session/session.h"

/* Names are looked at if a function of theirs has at least this part of a recording's samples: others are within noise. */
#define LEAST 0.001

/* Of more functions of one name, the files are not asked for: they are those that a compiler or a generator made. */
#define MAX_TWINS 64

/* Functions of one name. */
struct named {
	bool apart; /* their files tell them apart */
	bool told;  /* rows were made of them */
	GPtrArray *files
		[2]; /* const char *: of the old side, of the new ones; NULL: none was learned */
};

/* Functions of one name in a program. */
struct twins {
	GPtrArray *symbols; /* const struct symbol * */
	GPtrArray *paths;   /* const char *: distinct paths of their files; NULL: not asked yet */
};

/* The names in a program. */
struct program {
	GHashTable *twins; /* const char * -> struct twins * */
	GStringChunk *chunk;
};

struct compare_functions {
	GHashTable *names; /* char * -> struct named * */
	struct intern *texts;
};

struct compare_names {
	GHashTable *programs; /* struct dso * -> struct program * */
	GPtrArray *
		large; /* const struct code *: of functions with samples enough that others have the name of */
	bool learned;
};

static void named_free(void *arg)
{
	struct named *named = arg;

	g_clear_pointer(&named->files[0], g_ptr_array_unref);
	g_clear_pointer(&named->files[1], g_ptr_array_unref);
	g_free(named);
}

static void twins_free(void *arg)
{
	struct twins *twins = arg;

	g_ptr_array_unref(twins->symbols);
	g_clear_pointer(&twins->paths, g_ptr_array_unref);
	g_free(twins);
}

static void program_free(void *arg)
{
	struct program *program = arg;

	g_hash_table_unref(program->twins);
	g_string_chunk_free(program->chunk);
	g_free(program);
}

struct compare_functions *compare_functions_new(void)
{
	struct compare_functions *f = g_new0(struct compare_functions, 1);

	f->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, named_free);
	f->texts = intern_new();
	return f;
}

void compare_functions_free(struct compare_functions *f)
{
	if (!f)
		return;
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

static struct program *program_new(struct dso *dso)
{
	struct program *program = g_new0(struct program, 1);

	program->twins = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, twins_free);
	program->chunk = g_string_chunk_new(4096);
	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *symbol = dso_symbol(dso, i);
		const char *name = symbol->raw;
		struct twins *twins;

		if (!is_function(symbol))
			continue;
		if (strchr(name, '.')) {
			g_autofree char *whole = identity_function(name);

			name = g_string_chunk_insert(program->chunk, whole);
		}
		twins = g_hash_table_lookup(program->twins, name);
		if (!twins) {
			twins = g_new0(struct twins, 1);
			twins->symbols = g_ptr_array_new();
			g_hash_table_insert(program->twins, (void *)name, twins);
		}
		g_ptr_array_add(twins->symbols, (void *)symbol);
	}
	return program;
}

/* The functions of this name; NULL: there are none, but a part that was split off. */
static struct twins *twins_of(struct compare_names *names, struct dso *dso, const char *name)
{
	struct program *program = g_hash_table_lookup(names->programs, dso);

	if (!program) {
		program = program_new(dso);
		g_hash_table_insert(names->programs, dso, program);
	}
	return g_hash_table_lookup(program->twins, name);
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

/* Distinct paths of their files. */
static const GPtrArray *paths_of(struct twins *twins, struct dso *dso)
{
	if (twins->paths)
		return twins->paths;
	twins->paths = g_ptr_array_new();
	for (u32 i = 0; i < twins->symbols->len && twins->symbols->len <= MAX_TWINS; i++) {
		const char *path = path_of(dso, twins->symbols->pdata[i]);

		if (path && !has_text(twins->paths, path))
			g_ptr_array_add(twins->paths, (void *)path);
	}
	return twins->paths;
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

/* An inlined function is known by its name only. */
static bool has_file(const struct code *code)
{
	return code && code->symbol && code->dso && !code->inlined;
}

static struct named *named_of(struct compare_functions *f, const char *name)
{
	struct named *named = g_hash_table_lookup(f->names, name);

	if (named)
		return named;
	named = g_new0(struct named, 1);
	g_hash_table_insert(f->names, g_strdup(name), named);
	return named;
}

static void add_files(struct compare_functions *f, struct named *named, bool old,
		      const GPtrArray *paths)
{
	GPtrArray **files = &named->files[!old];

	if (!*files)
		*files = g_ptr_array_new();
	for (u32 i = 0; i < paths->len; i++) {
		const char *tail = tail_of(paths, paths->pdata[i]);

		if (!has_text(*files, tail))
			g_ptr_array_add(*files,
					(void *)intern_text(f->texts, intern_id(f->texts, tail)));
	}
}

/* Reads the files of a function of which others have the name. */
static void read_function(struct compare_names *names, const struct code *code)
{
	g_autofree char *name = identity_function(code->symbol->raw);
	struct twins *twins = twins_of(names, code->dso, name);

	if (!twins || twins->symbols->len < 2)
		return;
	paths_of(twins, code->dso);
	g_ptr_array_add(names->large, (void *)code);
}

static s32 find_symbol(const GPtrArray *groups)
{
	for (u32 i = 0; i < groups->len; i++)
		if (!strcmp(((const struct field *)groups->pdata[i])->name, "symbol"))
			return (s32)i;
	return -1;
}

/* How many samples a function has: those of its rows, and of the chains that it is on. */
struct counted {
	const struct code *code;
	u64 samples;
};

static void count(GArray *counts, const struct code *code, u64 samples)
{
	struct counted *c;

	if (!has_file(code))
		return;
	if (code->function >= counts->len)
		g_array_set_size(counts, code->function + 1);
	c = &g_array_index(counts, struct counted, code->function);
	c->code = code;
	c->samples += samples;
}

/* A function that is on a chain several times is counted as often: it is learned, even if it need not be. */
static void count_chains(const struct profile *profile, const struct profile_event *e,
			 const struct hist_entry *entry, GArray *counts)
{
	const struct hist_stack *s = NULL;

	while ((s = hist_next_stack(e->hist, entry, s))) {
		struct stack_walk walk = stacks_walk(profile->stacks, s->stack);
		const struct stack_frame *frame;

		while ((frame = stack_next(&walk)))
			count(counts, frame->code, s->samples);
	}
}

/* The samples of each function; returns the sum. */
static u64 count_samples(const struct profile *profile, s32 group, GArray *counts)
{
	u64 all = 0;

	for (u32 i = 0; i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		for (u32 k = 0; k < hist_nr(e->hist); k++) {
			const struct hist_entry *entry = hist_at(e->hist, k);

			if (group >= 0)
				count(counts,
				      lexicon_function(profile->lexicon, entry->keys[group]),
				      entry->self->samples);
			count_chains(profile, e, entry, counts);
			all += entry->self->samples;
		}
	}
	return all;
}

struct compare_names *compare_names_new(const struct profile *profile)
{
	struct compare_names *names = g_new0(struct compare_names, 1);
	s32 group = find_symbol(profile->options.columns->groups);
	g_autoptr(GArray) counts = g_array_new(FALSE, TRUE, sizeof(struct counted));
	u64 all;

	names->programs = g_hash_table_new_full(NULL, NULL, NULL, program_free);
	names->large = g_ptr_array_new();
	if (group < 0 && !profile->options.chains)
		return names;
	all = count_samples(profile, group, counts);
	for (u32 i = 0; i < counts->len; i++) {
		const struct counted *c = &g_array_index(counts, struct counted, i);

		if (c->code && (double)c->samples >= MAX(1, LEAST * (double)all))
			read_function(names, c->code);
	}
	return names;
}

void compare_names_free(struct compare_names *names)
{
	if (!names)
		return;
	g_hash_table_unref(names->programs);
	g_ptr_array_unref(names->large);
	g_free(names);
}

void compare_functions_learn(struct compare_functions *f, bool old, struct compare_names *names)
{
	for (u32 i = 0; !names->learned && i < names->large->len; i++) {
		const struct code *code = g_ptr_array_index(names->large, i);
		g_autofree char *name = identity_function(code->symbol->raw);
		const GPtrArray *paths = paths_of(twins_of(names, code->dso, name), code->dso);
		struct named *named = named_of(f, name);

		if (named->told && !named->apart)
			continue;
		named->apart |= paths->len > 1;
		add_files(f, named, old, paths);
	}
	names->learned = true;
}

/* The only file that @some has and @others lack; NULL: none, or several. */
static const char *only_one(const GPtrArray *some, const GPtrArray *others)
{
	const char *found = NULL;
	u32 nr = 0;

	for (u32 i = 0; some && i < some->len; i++) {
		if (others && has_text(others, some->pdata[i]))
			continue;
		found = some->pdata[i];
		nr++;
	}
	return nr == 1 ? found : NULL;
}

bool compare_functions_tell(struct compare_functions *f, bool old, struct compare_names *names,
			    const struct code *code, struct compare_function *out)
{
	g_autofree char *name = has_file(code) ? identity_function(code->symbol->raw) : NULL;
	struct named *named = name ? named_of(f, name) : NULL;
	const char *path, *before, *now;
	const GPtrArray *paths;
	struct twins *twins;

	if (!named)
		return false;
	named->told = true;
	path = named->apart ? path_of(code->dso, code->symbol) : NULL;
	twins = path ? twins_of(names, code->dso, name) : NULL;
	if (!twins)
		return false;
	paths = paths_of(twins, code->dso);
	/* The first line of a part that was split off may be that of another, inlined function. */
	if (!has_text(paths, path))
		return false;
	add_files(f, named, old, paths);
	out->file = intern_text(f->texts, intern_id(f->texts, tail_of(paths, path)));
	out->same_as = out->file;
	before = only_one(named->files[0], named->files[1]);
	now = only_one(named->files[1], named->files[0]);
	if (!old && before && now && !strcmp(now, out->file))
		out->same_as = before;
	return true;
}
