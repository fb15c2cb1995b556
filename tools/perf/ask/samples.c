// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tools about sums of samples: top, drill.
 *
 * Rows by data type are ranked by what is certain of them. A row may have samples whose type is known by a variable's debug
 * information, and others whose type is inferred from later uses:
 *
 *	struct order	40 % of all samples: variable 30, inferred 10	certain 30
 *	struct level	35 %: flow 35					certain 35: the first row
 *	(unknown)	25 %: no_var 25					certain 0
 *
 * So the samples are asked for twice, by the keys, and by the keys and type_rank.
 */
#include <string.h>

#include "ask/ask_private.h"
#include "ask/handle.h"
#include "view/json/rows.h"

/* The keys that tell most behind a condition on a key. */
static const struct {
	const char *key, *next;
} nexts[] = {
	{ "type", "typeoff" },	   { "typeoff", "symbol,srcline" }, { "typecln", "typeoff" },
	{ "symbol", "typeoff" },   { "srcline", "typeoff" },	    { "state", "syscall,wchan" },
	{ "syscall", "file" },	   { "lock", "owner_span" },	    { "dso", "symbol" },
	{ "comm", "symbol,type" }, { "tid", "symbol,type" },	    { "service", "span" },
	{ "trace_id", "span" },	   { "host", "service" },	    { "type_rank", "type" },
};

static const char *next_keys(const char *handle)
{
	g_autofree char *last = handle_last_key(handle);

	for (u32 i = 0; last && i < ARRAY_SIZE(nexts); i++)
		if (!strcmp(nexts[i].key, last))
			return nexts[i].next;
	return "symbol,type";
}

/* These are facts; "inferred" is a guess, and other words say why there is no type (access.h). */
static bool is_certain(const char *rank)
{
	return g_strv_contains(
		(const char *const[]){ "variable", "flow", "pseudo", "no_mem_ops", NULL }, rank);
}

static void add_to(GHashTable *sums, char *name, double share)
{
	double *sum = g_hash_table_lookup(sums, name);

	if (!sum) {
		sum = g_new0(double, 1);
		g_hash_table_insert(sums, g_strdup(name), sum);
	}
	*sum += share;
}

static GHashTable *sums_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void write_ranks(struct json_out *j, GHashTable *ranks)
{
	g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(ranks), (GCompareFunc)strcmp);

	json_out_open(j, "type_ranks", '{');
	for (const GList *l = names; l; l = l->next) {
		struct cell share = { .kind = CELL_SHARE,
				      .real = *(double *)g_hash_table_lookup(ranks, l->data) };

		json_out_key(j, l->data);
		json_cell(j, &share, NULL, true);
	}
	json_out_end(j, '}');
}

/* Sums up the shares of ranks, and what of each row of @look is certain. */
static void add_ranks(struct asking *a, struct pages *pages, const struct answer_look *look)
{
	s32 found = asking_find_part(a, pages);
	struct page *page = found < 0 ? NULL : pages->ops->open(pages, (u32)found);
	g_autoptr(GHashTable) ranks = sums_new();
	struct row row = { ROW_NONE };
	s32 column;

	if (!page)
		return;
	column = rows_find_column(page->rows, "type_rank");
	for (row = page->rows->ops->first(page->rows, row); row.kind == ROW_ENTRY;
	     row = page->rows->ops->next(page->rows, row)) {
		g_autoptr(GString) rank = g_string_new(NULL);
		g_autofree char *handle = answer_handle(page->rows, row, look);
		double share = answer_share(page->rows, row);

		page->rows->ops->text(page->rows, row, (u32)column, 0, rank);
		add_to(ranks, g_strstrip(rank->str), share);
		if (handle && is_certain(rank->str))
			add_to(look->certain, handle, share);
	}
	write_ranks(&a->answer.facts, ranks);
	page_free(page);
}

static bool rank(struct asking *a, const char *keys, const struct answer_look *look, GError **error)
{
	g_autofree char *more = g_strconcat(keys, ",type_rank", NULL);
	struct explorer_answer *answer =
		asking_explore(a->file->explorer, terms_copy(a->terms), more, error);

	if (!answer)
		return false;
	add_ranks(a, explorer_pages(answer), look);
	explorer_answer_free(answer);
	return true;
}

static void add_status(struct asking *a, const struct explorer_answer *answer)
{
	struct json_out *j = &a->answer.facts;
	s32 found = asking_find_part(a, explorer_pages(answer));

	if (a->within)
		json_out_pair(j, "where", a->within);
	if (found < 0)
		return;
	json_out_key(j, "matching_samples");
	json_out_u64(j, explorer_status(answer, (u32)found).shown);
}

/* By types, but not by how certain they are. */
static bool is_to_be_ranked(const GPtrArray *names)
{
	bool types = false;

	for (u32 i = 0; i < names->len; i++) {
		if (!strcmp(names->pdata[i], "type_rank"))
			return false;
		types |= g_str_has_prefix(names->pdata[i], "type");
	}
	return types;
}

static bool sum(struct asking *a, const char *keys, GError **error)
{
	struct explorer_answer *answer =
		asking_explore(a->file->explorer, terms_copy(a->terms), keys, error);
	g_autoptr(GPtrArray) names = answer ? explorer_keys(answer) : NULL;
	g_autoptr(GHashTable) certain = sums_new();
	struct answer_look look = { .within = a->within, .keys = names };
	bool ok = answer != NULL;

	if (!ok)
		return false;
	add_status(a, answer);
	if (is_to_be_ranked(names)) {
		look.certain = certain;
		ok = rank(a, keys, &look, error);
	}
	ok = ok && asking_add_pages(a, explorer_pages(answer), &look, error);
	explorer_answer_free(answer);
	return ok;
}

bool tool_top(struct asking *a, GError **error)
{
	return sum(a, asking_argument(a, "keys") ?: DEFAULT_KEYS, error);
}

bool tool_drill(struct asking *a, GError **error)
{
	const char *keys = asking_argument(a, "keys");

	if (!a->within)
		return error_set(error, PERF_ERROR_USAGE, "drill: give the handle of a row");
	return sum(a, keys ?: next_keys(a->within), error);
}
