// SPDX-License-Identifier: GPL-2.0-or-later
/* Budgets of answers, and handles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ask/answer.h"
#include "ask/handle.h"
#include "fields/fields.h"

#define NR_ROWS 40

/* An answer with NR_ROWS rows of unlike lengths; row i has the share i + 1. */
static void answer_with_rows(struct answer *a, u32 bytes, u32 nr_notes)
{
	answer_init(a, "top", &(struct budget){ NR_ROWS, bytes });
	a->has_rows = true;
	a->share_name = g_strdup("overhead");
	for (u32 i = 0; i < NR_ROWS; i++) {
		double share = i + 1;
		char *row = g_strdup_printf("{\"overhead\":%u,\"text\":\"%*s\"}", i + 1,
					    (int)(i * 7 % 31), "x");

		g_ptr_array_add(a->rows, row);
		a->rows_size += strlen(row) + 1;
		g_array_append_val(a->shares, share);
		a->share += share;
		a->nr_rows++;
	}
	for (u32 i = 0; i < nr_notes; i++)
		answer_note(a, "a note of some length, so that not all of them fit");
	answer_next(a, "drill", "handle", "type=struct order", NULL);
}

static u32 count(const char *text, const char *word)
{
	u32 nr = 0;

	for (; (text = strstr(text, word)); text++)
		nr++;
	return nr;
}

static void assert_left_out(const char *text, u32 nr_shown)
{
	const char *left = strstr(text, "\"left_out\":");
	u32 rows = 0, share = 0;

	assert_non_null(left);
	assert_int_equal(sscanf(left, "\"left_out\":{\"rows\":%u,\"overhead\":%u}", &rows, &share),
			 2);
	assert_int_equal(rows, NR_ROWS - nr_shown);
	assert_int_equal(share, (NR_ROWS * (NR_ROWS + 1) - nr_shown * (nr_shown + 1)) / 2);
}

static void no_answer_is_longer_than_its_budget(void **state)
{
	static const u32 notes[] = { 0, 1, 12 };

	for (u32 n = 0; n < ARRAY_SIZE(notes); n++)
		for (u32 bytes = BUDGET_MIN_BYTES; bytes < 4096; bytes += 13) {
			g_autoptr(GString) out = g_string_new(NULL);
			struct answer a;

			answer_with_rows(&a, bytes, notes[n]);
			assert_true(answer_end(&a, out, NULL));
			assert_in_range(out->len, 1, bytes);
			assert_left_out(out->str, count(out->str, "\"text\":"));
			answer_release(&a);
		}
}

/* What is saved is used: the first row that is left out would not have fitted, but for the reserve. */
static void a_budget_is_used(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct answer a;

	answer_with_rows(&a, 1024, 0);
	assert_true(answer_end(&a, out, NULL));
	assert_in_range(out->len, 1024 - 200, 1024);
	answer_release(&a);
}

static void facts_that_do_not_fit_are_an_error(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *fact = g_strnfill(600, 'x');
	struct answer a;

	answer_with_rows(&a, 600, 0);
	json_out_key(&a.facts, "fact");
	json_out_text(&a.facts, fact);
	assert_false(answer_end(&a, out, &error));
	assert_int_equal(out->len, 0);
	assert_non_null(strstr(error->message, "ask with bytes="));
	answer_release(&a);
}

static void assert_handle(const char *handle, const char *field, const char *exact,
			  const char *part)
{
	g_autoptr(GArray) terms = terms_new();
	const struct term *t;

	assert_true(handle_parse(handle, terms, NULL));
	assert_in_range(terms->len, 1, 16);
	t = terms_at(terms, terms->len - 1);
	assert_string_equal(t->field->name, field);
	assert_true(!g_strcmp0(t->exact, exact));
	if (part)
		assert_non_null(t->part);
}

static void handles_come_back_as_they_were_written(void **state)
{
	static const char *const texts[] = { "plain", "a;b",   "a\\b",
					     "\\;",   "a=b~c", "struct order +0x8 (x)" };

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		g_autoptr(GString) handle = g_string_new(NULL);

		handle_append(handle, "comm", "first");
		handle_append(handle, "symbol", texts[i]);
		assert_handle(handle->str, "symbol", texts[i], NULL);
	}
	assert_handle("comm~ord", "comm", NULL, "ord");
}

static void a_handle_has_no_condition_twice(void **state)
{
	g_autoptr(GString) handle = g_string_new("comm=a;symbol=f;g");

	handle_append(handle, "comm", "a");
	assert_string_equal(handle->str, "comm=a;symbol=f;g");
	handle_append(handle, "symbol", "f;g");
	handle_append(handle, "comm", "b");
	assert_string_equal(handle->str, "comm=a;symbol=f;g;symbol=f\\;g;comm=b");
}

static void wrong_handles_are_refused(void **state)
{
	g_autoptr(GString) many = g_string_new("comm=a");
	const char *const wrong[] = { "comm", "=x", "comm=", "nothing=x", "overhead=3", many->str };

	for (u32 i = 0; i < 16; i++)
		g_string_append(many, ";comm=a");
	for (u32 i = 0; i < ARRAY_SIZE(wrong); i++) {
		g_autoptr(GArray) terms = terms_new();
		g_autoptr(GError) error = NULL;

		assert_false(handle_parse(i == 5 ? many->str : wrong[i], terms, &error));
		assert_int_equal(error->code, PERF_ERROR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_answer_is_longer_than_its_budget),
		cmocka_unit_test(a_budget_is_used),
		cmocka_unit_test(facts_that_do_not_fit_are_an_error),
		cmocka_unit_test(handles_come_back_as_they_were_written),
		cmocka_unit_test(a_handle_has_no_condition_twice),
		cmocka_unit_test(wrong_handles_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
