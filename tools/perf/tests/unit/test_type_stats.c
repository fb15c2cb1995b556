// SPDX-License-Identifier: GPL-2.0-or-later
/* The pages in front of those of data types: why samples have none, and how many have one by instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "pages/code/type_stats.h"

static u64 fact(const struct page *page, const char *name)
{
	const struct note *note = notes_find(&page->notes, name);

	assert_non_null(note);
	return note->value.number;
}

static u64 number(const struct page *page, struct row row, u32 column)
{
	struct cell cell = { .kind = CELL_COUNT };

	page->rows->ops->cell(page->rows, row, column, 0, &cell);
	return cell.number;
}

static void assert_insn(const struct page *page, struct row row, const char *name, u64 good,
			u64 bad)
{
	g_autoptr(GString) text = g_string_new(NULL);

	assert_int_equal(row.kind, ROW_ENTRY);
	page->rows->ops->text(page->rows, row, INSN_STAT_NAME, 0, text);
	assert_string_equal(text->str, name);
	assert_int_equal(number(page, row, INSN_STAT_GOOD), good);
	assert_int_equal(number(page, row, INSN_STAT_BAD), bad);
}

/* The most frequent first, equal ones by name. With the page, all that was made for it is gone. */
static void instructions(void **state)
{
	struct insn_count counts[] = { { "sub", 1, 2 }, { "add", 3, 0 }, { "mov", 4, 6 } };
	g_autoptr(GHashTable) insns = g_hash_table_new(g_str_hash, g_str_equal);
	struct page *page;
	struct row row;

	for (u32 i = 0; i < ARRAY_SIZE(counts); i++)
		g_hash_table_insert(insns, counts[i].name, &counts[i]);
	page = insn_stat_page(insns);
	assert_int_equal(fact(page, "good"), 8);
	assert_int_equal(fact(page, "bad"), 8);
	row = page->rows->ops->first(page->rows, (struct row){ .kind = ROW_NONE });
	assert_insn(page, row, "mov", 4, 6);
	row = page->rows->ops->next(page->rows, row);
	assert_insn(page, row, "add", 3, 0);
	row = page->rows->ops->next(page->rows, row);
	assert_insn(page, row, "sub", 1, 2);
	assert_int_equal(page->rows->ops->next(page->rows, row).kind, ROW_NONE);
	page_free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
