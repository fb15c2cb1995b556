// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A vmlinux has a million symbols, of which a report shows a few hundred. So loading does little per
 * symbol: names stay in the file's string table, nothing is demangled, and symbols are radix-sorted
 * by (address, index).
 *
 * Look-ups do a binary search in an array of only the start addresses, a fifth of the table's size.
 * Symbols may nest (a label inside a function): outer[i] is the symbol around symbol i.
 */
#include "dso/symtab.h"

#include <elf.h>
#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "base/search.h"
#include "base/text.h"
#include "dso/demangle.h"

#define NO_OUTER     UINT32_MAX
#define NESTING_MAX  64
#define KALLSYMS_GAP (16ULL << 20)

/* Most tables are asked for only one name (_text). An index costs as much as ten linear searches. */
#define NAMED_BEFORE_INDEX 4

struct symtab {
	GArray *added;	      /* struct symbol, before symtab_finish() */
	struct symbol *syms;  /* one per address, in order */
	u64 *starts;	      /* syms[i].start */
	u32 *outer;	      /* index of the symbol around syms[i]; NULL: none nests */
	struct symbol *alias; /* lost to another one at the same address; id is the winner's */
	u32 nr, nr_alias;
	bool demangle;
	pthread_mutex_t lock; /* for the lazily built data: */
	u32 nr_named;	      /* look-ups by name before there is an index */
	GHashTable *by_name;  /* raw -> struct symbol * */
	char **demangled;     /* by id; each pointer is atomic */
	GPtrArray *kept;
	GStringChunk *texts;
};

struct symtab *symtab_new(bool demangle)
{
	struct symtab *t = g_new0(struct symtab, 1);

	t->added = g_array_new(FALSE, FALSE, sizeof(struct symbol));
	t->kept = g_ptr_array_new_with_free_func(g_free);
	t->demangle = demangle;
	pthread_mutex_init(&t->lock, NULL);
	return t;
}

void symtab_free(struct symtab *t)
{
	if (!t)
		return;
	for (u32 i = 0; t->demangled && i < t->nr; i++)
		if (t->demangled[i] != t->syms[i].raw)
			g_free(t->demangled[i]);
	g_free(t->demangled);
	if (t->added)
		g_array_free(t->added, TRUE);
	g_free(t->syms);
	g_free(t->starts);
	g_free(t->outer);
	g_free(t->alias);
	if (t->by_name)
		g_hash_table_destroy(t->by_name);
	g_ptr_array_free(t->kept, TRUE);
	if (t->texts)
		g_string_chunk_free(t->texts);
	pthread_mutex_destroy(&t->lock);
	g_free(t);
}

void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, u8 type, u8 binding)
{
	u64 end = size > UINT64_MAX - start ? UINT64_MAX : start + size;
	struct symbol s = { start, end, name, 0, type, binding };

	if (t->added->len < UINT32_MAX / 2)
		g_array_append_val(t->added, s);
}

void symtab_keep(struct symtab *t, void *memory)
{
	g_ptr_array_add(t->kept, memory);
}

const char *symtab_text(struct symtab *t, const char *text)
{
	if (!t->texts)
		t->texts = g_string_chunk_new(4096);
	return g_string_chunk_insert(t->texts, text);
}

struct sort_key {
	u64 start;
	u32 index;
};

/* Stable radix sort, least significant byte first; a byte that is equal in all keys is skipped. */
static struct sort_key *sorted_keys(const struct symbol *syms, u32 nr)
{
	struct sort_key *keys = g_new(struct sort_key, nr), *other = g_new(struct sort_key, nr);
	u32(*counts)[256] = g_malloc0_n(8, sizeof(*counts));

	for (u32 i = 0; i < nr; i++) {
		keys[i] = (struct sort_key){ syms[i].start, i };
		for (int b = 0; b < 8; b++)
			counts[b][(u8)(syms[i].start >> (8 * b))]++;
	}
	for (int b = 0; b < 8 && nr; b++) {
		u32 at = 0, next[256];

		if (counts[b][(u8)(keys[0].start >> (8 * b))] == nr)
			continue;
		for (int v = 0; v < 256; v++) {
			next[v] = at;
			at += counts[b][v];
		}
		for (u32 i = 0; i < nr; i++)
			other[next[(u8)(keys[i].start >> (8 * b))]++] = keys[i];
		{
			struct sort_key *swap = keys;

			keys = other;
			other = swap;
		}
	}
	g_free(other);
	g_free(counts);
	return keys;
}

/*
 * Constructors and destructors have two or three symbols at one address (_ZN3FooC1Ev, _ZN3FooC2Ev) that
 * differ in one digit and demangle to the same name. Comparing them avoids demangling all.
 */
static bool same_but_one(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a && *b && !strcmp(a + 1, b + 1) && g_ascii_isdigit(*a) && g_ascii_isdigit(*b);
}

static int leading_underscores(const char *name)
{
	return strspn(name, "_");
}

static bool better_name(const char *a, const char *b)
{
	int under_a = leading_underscores(a), under_b = leading_underscores(b);
	size_t len_a = strlen(a), len_b = strlen(b);

	if (under_a != under_b)
		return under_a < under_b;
	if (len_a != len_b)
		return len_a > len_b;
	/* Kernels up to 4.16 have these aliases of system calls. */
	return strncmp(a, "SyS", 3) && strncmp(a, "compat_SyS", 10);
}

/* Is @a kept, of two symbols at one address? @a is the first one in the file. */
static bool better_symbol(const struct symbol *a, bool sized_a, const struct symbol *b,
			  bool sized_b, bool demangled)
{
	bool weak_a = a->binding == STB_WEAK, weak_b = b->binding == STB_WEAK;
	bool global_a = a->binding == STB_GLOBAL, global_b = b->binding == STB_GLOBAL;
	g_autofree char *of_a = NULL, *of_b = NULL;

	if (sized_a != sized_b)
		return sized_a;
	if (weak_a != weak_b)
		return weak_b;
	if (global_a != global_b)
		return global_a;
	if (g_str_has_prefix(a->raw, "_Z") && same_but_one(a->raw, b->raw))
		return true;
	/* Upstream compares the displayed names. */
	if (demangled) {
		of_a = demangle(a->raw);
		of_b = demangle(b->raw);
	}
	return better_name(of_a ?: a->raw, of_b ?: b->raw);
}

/*
 * Upstream sets the size of symbols without size to the distance to the next symbol, and removes duplicates afterwards.
 * So of several such symbols at one address, only the last one gets a size, and the others stay empty.
 */
static const struct symbol *best_of(const struct symbol *added, const struct sort_key *keys, u32 nr,
				    bool demangled)
{
	const struct symbol *best = &added[keys[0].index];
	bool sized = best->end > best->start || nr == 1;

	for (u32 i = 1; i < nr; i++) {
		const struct symbol *s = &added[keys[i].index];
		bool s_sized = s->end > s->start || i == nr - 1;

		if (better_symbol(best, sized, s, s_sized, demangled))
			continue;
		best = s;
		sized = s_sized;
	}
	return best;
}

static void keep_best(struct symtab *t, const struct symbol *added, const struct sort_key *keys,
		      u32 nr)
{
	g_autoptr(GArray) alias = g_array_new(FALSE, FALSE, sizeof(struct symbol));

	for (u32 i = 0, from; i < nr;) {
		const struct symbol *best;

		for (from = i++; i < nr && keys[i].start == keys[from].start; i++)
			;
		best = best_of(added, keys + from, i - from, t->demangle);
		t->syms[t->nr] = *best;
		t->syms[t->nr].id = t->nr;
		for (u32 j = from; j < i; j++)
			if (&added[keys[j].index] != best)
				g_array_append_val(alias, added[keys[j].index]);
		t->nr++;
	}
	t->nr_alias = alias->len;
	t->alias = (struct symbol *)g_array_free(g_steal_pointer(&alias), FALSE);
}

static u64 end_of_page_after(u64 start)
{
	u64 end = ALIGN_UP(start, 4096ULL) + 4096;

	return end < start ? UINT64_MAX : end;
}

/* A label without a size inside a sized symbol is not a function of its own. */
static void drop_inner_labels(struct symtab *t)
{
	u64 covered = 0;
	u32 kept = 0;

	for (u32 i = 0; i < t->nr; i++) {
		struct symbol s = t->syms[i];

		if (s.end == s.start && s.start < covered && s.type == STT_NOTYPE)
			continue;
		if (s.end > covered)
			covered = s.end;
		s.id = kept;
		t->syms[kept++] = s;
	}
	t->nr = kept;
}

static void fill_sizes(struct symtab *t, enum symtab_fill fill)
{
	for (u32 i = 0; i < t->nr; i++) {
		struct symbol *s = &t->syms[i];

		if (s->end != s->start)
			continue;
		s->end = i + 1 < t->nr ? t->syms[i + 1].start : end_of_page_after(s->start);
		if (fill == SYMTAB_FILL_KALLSYMS && s->end - s->start > KALLSYMS_GAP)
			s->end = end_of_page_after(s->start);
	}
}

static void find_outer(struct symtab *t)
{
	g_autofree u32 *outer = g_new(u32, t->nr);
	u32 around = NO_OUTER;
	bool any = false;

	for (u32 i = 0; i < t->nr; i++) {
		while (around != NO_OUTER && t->syms[around].end <= t->syms[i].start)
			around = outer[around];
		outer[i] = around;
		any |= around != NO_OUTER;
		around = i;
	}
	if (any)
		t->outer = g_steal_pointer(&outer);
}

static void settle_aliases(struct symtab *t)
{
	for (u32 i = 0; i < t->nr_alias; i++) {
		const struct symbol *stayed = symtab_find(t, t->alias[i].start);

		t->alias[i].id = stayed ? stayed->id : 0;
		if (t->alias[i].end == t->alias[i].start && stayed)
			t->alias[i].end = stayed->end;
	}
}

void symtab_finish(struct symtab *t, enum symtab_fill fill, u64 shift)
{
	u32 nr = t->added->len;
	struct symbol *added = (struct symbol *)(void *)t->added->data;
	g_autofree struct sort_key *keys = NULL;

	if (shift) {
		for (u32 i = 0; i < nr; i++) {
			u64 size = added[i].end - added[i].start;

			added[i].start += shift;
			added[i].end = size > UINT64_MAX - added[i].start ? UINT64_MAX
									  : added[i].start + size;
		}
	}
	keys = sorted_keys(added, nr);
	t->syms = g_new(struct symbol, nr);
	keep_best(t, added, keys, nr);
	g_array_free(t->added, TRUE);
	t->added = NULL;
	drop_inner_labels(t);
	fill_sizes(t, fill);
	t->starts = g_new(u64, t->nr);
	for (u32 i = 0; i < t->nr; i++)
		t->starts[i] = t->syms[i].start;
	find_outer(t);
	settle_aliases(t);
}

u32 symtab_count(const struct symtab *t)
{
	return t->nr;
}

const struct symbol *symtab_at(const struct symtab *t, u32 id)
{
	return id < t->nr ? &t->syms[id] : NULL;
}

const struct symbol *symtab_find(const struct symtab *t, u64 vaddr)
{
	u32 from = SEARCH(i, 0, t->nr, t->starts[i] <= vaddr);

	if (!from--)
		return NULL;
	for (int depth = 0; depth < NESTING_MAX; depth++) {
		if (vaddr < t->syms[from].end)
			return &t->syms[from];
		if (!t->outer || t->outer[from] == NO_OUTER)
			return NULL;
		from = t->outer[from];
	}
	return NULL;
}

const struct symbol *symtab_find_near(const struct symtab *t, u64 vaddr, const struct symbol *near)
{
	bool here = near && near->id < t->nr && near == &t->syms[near->id];

	/* No other symbol starts between its start and the address. */
	if (here && vaddr >= near->start && vaddr < near->end &&
	    (near->id + 1 == t->nr || t->starts[near->id + 1] > vaddr))
		return near;
	return symtab_find(t, vaddr);
}

const struct symbol *symtab_alias(const struct symtab *t, u64 start, u32 nth)
{
	u32 at = SEARCH(i, 0, t->nr_alias, t->alias[i].start < start);

	if (nth >= t->nr_alias - at || t->alias[at + nth].start != start)
		return NULL;
	return &t->alias[at + nth];
}

/* Backwards: of two symbols with one name the first one wins. */
static void index_names(struct symtab *t)
{
	t->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	for (u32 i = t->nr_alias; i--;)
		g_hash_table_insert(t->by_name, (void *)t->alias[i].raw, &t->alias[i]);
	for (u32 i = t->nr; i--;)
		g_hash_table_insert(t->by_name, (void *)t->syms[i].raw, &t->syms[i]);
}

static const struct symbol *look_through(const struct symbol *all, u32 nr, const char *raw)
{
	for (u32 i = 0; i < nr; i++)
		if (strcmp(all[i].raw, raw) == 0)
			return &all[i];
	return NULL;
}

const struct symbol *symtab_named(struct symtab *t, const char *raw)
{
	const struct symbol *found;

	pthread_mutex_lock(&t->lock);
	if (t->nr_named < NAMED_BEFORE_INDEX && !t->by_name) {
		t->nr_named++;
		found = look_through(t->syms, t->nr, raw)
				?: look_through(t->alias, t->nr_alias, raw);
	} else {
		if (!t->by_name)
			index_names(t);
		found = g_hash_table_lookup(t->by_name, raw);
	}
	pthread_mutex_unlock(&t->lock);
	return found;
}

static char *make_name(const struct symtab *t, const struct symbol *symbol)
{
	char *text = t->demangle ? demangle(symbol->raw) : NULL, *shown;

	if (text_is_shown(text ?: symbol->raw))
		return text ?: (char *)symbol->raw;
	shown = text_shown(text ?: symbol->raw);
	g_free(text);
	return shown;
}

const char *symtab_name(struct symtab *t, const struct symbol *symbol)
{
	char **all = g_atomic_pointer_get(&t->demangled);
	g_autofree char *shown = NULL;
	char *text;

	if (symbol->id >= t->nr || symbol != &t->syms[symbol->id]) {
		if (text_is_shown(symbol->raw))
			return symbol->raw;
		shown = text_shown(symbol->raw);
		return g_intern_string(shown);
	}
	if (all && (text = g_atomic_pointer_get(&all[symbol->id])))
		return text;
	pthread_mutex_lock(&t->lock);
	if (!t->demangled)
		g_atomic_pointer_set(&t->demangled, g_new0(char *, t->nr));
	text = t->demangled[symbol->id];
	if (!text) {
		text = make_name(t, symbol);
		g_atomic_pointer_set(&t->demangled[symbol->id], text);
	}
	pthread_mutex_unlock(&t->lock);
	return text;
}
