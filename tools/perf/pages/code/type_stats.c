// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/type_stats.h"

#include <string.h>

#include "base/percent.h"
#include "pages/base/list_rows.h"

static const struct rows_column type_columns[TYPE_STAT_NR_COLUMNS] = {
	[TYPE_STAT_SAMPLES] = { "sample", "Samples", "samples", CELL_COUNT, .value = true },
	[TYPE_STAT_SHARE] = { "share", "Share", .kind = CELL_SHARE, .value = true },
	[TYPE_STAT_KNOWN] = { "known", "Known", .kind = CELL_TEXT },
	[TYPE_STAT_WORD] = { "word", "Reason", .kind = CELL_TEXT },
	[TYPE_STAT_TEXT] = { "text", "What it means", .kind = CELL_TEXT },
};

static const struct rows_column insn_columns[INSN_STAT_NR_COLUMNS] = {
	[INSN_STAT_NAME] = { "instruction", "Name/opcode", .kind = CELL_TEXT },
	[INSN_STAT_GOOD] = { "good", "Good", "samples", CELL_COUNT, .value = true },
	[INSN_STAT_BAD] = { "bad", "Bad", "samples", CELL_COUNT, .value = true },
};

/* A line of the first page: enum access_why if there is no type, enum access_how if there is one. */
struct type_reason {
	bool known;
	u32 which;
};

struct type_stat_list {
	const struct type_stat *stat;
	GArray *reasons; /* struct type_reason */
};

static const struct type_reason *reason_at(const struct type_stat_list *l, u32 i)
{
	return &g_array_index(l->reasons, struct type_reason, i);
}

static void reason_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct type_stat_list *l = arg;
	const struct type_reason *reason = reason_at(l, i);

	if (out->kind == CELL_TEXT)
		return;
	out->number = reason->known ? l->stat->how[reason->which] : l->stat->why[reason->which];
	out->real = percent_of(out->number, l->stat->total);
}

static void reason_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct type_reason *reason = reason_at(arg, i);
	u32 which = reason->which;

	if (column == TYPE_STAT_KNOWN)
		g_string_append(out, reason->known ? "yes" : "no");
	else if (column == TYPE_STAT_WORD)
		g_string_append(out,
				reason->known ? access_how_word(which) : access_why_word(which));
	else
		g_string_append(out,
				reason->known ? access_how_text(which) : access_why_text(which));
}

static u64 reason_key(const void *arg, u32 i)
{
	const struct type_reason *reason = reason_at(arg, i);

	return (u64)reason->known << 32 | reason->which;
}

static void add_reasons(struct type_stat_list *l, struct rows *rows, bool known, const u64 *samples,
			u32 from, u32 end)
{
	for (u32 i = from; i < end; i++) {
		struct type_reason reason = { known, i };

		if (!samples[i])
			continue;
		g_array_append_val(l->reasons, reason);
		list_rows_add(rows, LIST_TOP);
	}
}

static void type_stat_free(void *arg)
{
	struct type_stat_list *l = arg;

	g_array_unref(l->reasons);
	g_free(l);
}

struct page *type_stat_page(const struct type_stat *stat)
{
	static const struct list_ops ops = { reason_cell, reason_text, reason_key };
	struct type_stat_list *l = g_new0(struct type_stat_list, 1);
	struct page *page = page_new(g_strdup("type-stat"));
	u64 named = 0;

	for (u32 i = ACCESS_STACK_OP; i < NR_ACCESS_HOW; i++)
		named += stat->how[i];
	page->kind = "type-stat";
	page->own = l;
	page->free_own = type_stat_free;
	l->stat = stat;
	l->reasons = g_array_new(FALSE, FALSE, sizeof(struct type_reason));
	page->rows = list_rows_new(type_columns, TYPE_STAT_NR_COLUMNS, &ops, l);
	notes_add_number(&page->notes, "samples", CELL_COUNT, stat->total);
	notes_add_number(&page->notes, "known", CELL_COUNT, stat->ok);
	notes_add_number(&page->notes, "typed", CELL_COUNT, stat->ok - named);
	notes_add_number(&page->notes, "named", CELL_COUNT, named);
	notes_add_number(&page->notes, "no_memory", CELL_COUNT, stat->why[ACCESS_NO_MEMORY]);
	notes_add_number(&page->notes, "moved", CELL_COUNT, stat->moved);
	add_reasons(l, page->rows, false, stat->why, ACCESS_WHY_NONE + 1, NR_ACCESS_WHY);
	add_reasons(l, page->rows, true, stat->how, ACCESS_UNKNOWN + 1, NR_ACCESS_HOW);
	return page;
}

static const struct insn_count *count_at(const void *arg, u32 i)
{
	return g_ptr_array_index((GPtrArray *)arg, i);
}

static void insn_stat_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	if (column == INSN_STAT_GOOD)
		out->number = count_at(arg, i)->good;
	else if (column == INSN_STAT_BAD)
		out->number = count_at(arg, i)->bad;
}

static void insn_stat_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	g_string_append(out, count_at(arg, i)->name);
}

static u64 insn_stat_key(const void *arg, u32 i)
{
	return g_str_hash(count_at(arg, i)->name);
}

static int compare_insns(const void *pa, const void *pb)
{
	const struct insn_count *a = *(struct insn_count *const *)pa;
	const struct insn_count *b = *(struct insn_count *const *)pb;

	if (a->good + a->bad != b->good + b->bad)
		return a->good + a->bad > b->good + b->bad ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void insn_stat_free(void *arg)
{
	g_ptr_array_unref(arg);
}

struct page *insn_stat_page(GHashTable *insns)
{
	static const struct list_ops ops = { insn_stat_cell, insn_stat_text, insn_stat_key };
	struct page *page = page_new(g_strdup("insn-stat"));
	GPtrArray *sorted = g_ptr_array_new();
	u64 good = 0, bad = 0;
	GHashTableIter iter;
	void *value;

	page->kind = "insn-stat";
	page->own = sorted;
	page->free_own = insn_stat_free;
	page->rows = list_rows_new(insn_columns, INSN_STAT_NR_COLUMNS, &ops, sorted);
	g_hash_table_iter_init(&iter, insns);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct insn_count *count = value;

		good += count->good;
		bad += count->bad;
		g_ptr_array_add(sorted, value);
		list_rows_add(page->rows, LIST_TOP);
	}
	g_ptr_array_sort(sorted, compare_insns);
	notes_add_number(&page->notes, "good", CELL_COUNT, good);
	notes_add_number(&page->notes, "bad", CELL_COUNT, bad);
	return page;
}
