// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ship: what answers mean, how long it waits, which texts leave. house/ship.sh has servers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/intern.h"
#include "export/exchange/row_mask.h"
#include "ship/answer.h"
#include "ship/patience.h"

static void failures_pass_or_stay(void **state)
{
	static const struct {
		long status;
		const char *body;
		enum server_result result;
	} rows[] = {
		{ 200, "", SERVER_DONE },
		{ 200, "17\n", SERVER_DONE },
		/* Too many parts, in the words of 18.16 and of 26.7; memory; disk. */
		{ 500, "Code: 252, e.displayText() = DB::Exception: x", SERVER_UNKNOWN },
		{ 500, "Code: 252. DB::Exception: x", SERVER_UNKNOWN },
		{ 500, "Code: 241. DB::Exception: x", SERVER_UNKNOWN },
		{ 500, "Code: 243. DB::Exception: x", SERVER_UNKNOWN },
		/* A failure after the beginning of the answer. */
		{ 200, "Code: 252. DB::Exception: x", SERVER_UNKNOWN },
		{ 200, "Code: 60. DB::Exception: x", SERVER_REFUSES },
		{ 404, "Code: 60. DB::Exception: x", SERVER_REFUSES },
		{ 404, "Code: 81. DB::Exception: x", SERVER_REFUSES },
		{ 403, "Code: 516. DB::Exception: x", SERVER_REFUSES },
		{ 500, "Code: 193, x", SERVER_REFUSES },
		{ 500, "Code: ", SERVER_UNKNOWN },
		{ 500, "Code: 99999999999999999999", SERVER_UNKNOWN },
		/* Others than ClickHouse. */
		{ 301, "", SERVER_REFUSES },
		{ 401, "<html>", SERVER_REFUSES },
		{ 404, "", SERVER_REFUSES },
		{ 408, "", SERVER_UNKNOWN },
		{ 429, "slowly", SERVER_UNKNOWN },
		{ 502, "\xff\xfe", SERVER_UNKNOWN },
		{ 0, "", SERVER_UNKNOWN },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autoptr(GError) error = NULL;
		enum server_result result = answer_check(rows[i].status, rows[i].body, &error);

		if (result != rows[i].result)
			print_error("%ld %s\n", rows[i].status, rows[i].body);
		assert_int_equal(result, rows[i].result);
		assert_int_equal(!error, result == SERVER_DONE);
		assert_true(!error || g_utf8_validate(error->message, -1, NULL));
	}
}

static void an_answer_is_one_number(void **state)
{
	static const char *const wrong[] = { "",      "x",     "-1\n",
					     " 1\n",  "1",     "1\n2\n",
					     "1 2\n", "1.5\n", "99999999999999999999\n" };
	u64 n = 0;

	assert_true(answer_number("18446744073709551\n", &n, NULL));
	assert_int_equal(n, 18446744073709551ull);
	assert_true(answer_number("0\n", &n, NULL));
	for (u32 i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(answer_number(wrong[i], &n, NULL));
}

static void versions_can_be_compared(void **state)
{
	u32 version = 0;

	assert_true(answer_version("18.16.1\n", &version, NULL));
	assert_int_equal(version, 18016);
	assert_true(answer_version("26.7.2.1\n", &version, NULL));
	assert_int_equal(version, 26007);
	assert_false(answer_version("<html>", &version, NULL));
	assert_false(answer_version("", &version, NULL));
	assert_false(answer_version("26", &version, NULL));
}

/* A descriptor that is readable stops at once; without, the first wait is 0.1 to 0.3 seconds. */
static void patience_ends(void **state)
{
	struct patience p = { .stop_fd = -1, .most_s = 1 };
	GError *why = NULL, *error = NULL;
	u64 began = clock_ns(CLOCK_MONOTONIC), took;
	int fds[2];

	assert_true(patience_wait(&p, &why, &error));
	took = clock_ns(CLOCK_MONOTONIC) - began;
	assert_true(took > NS_PER_S / 11);
	p.began_ns -= NS_PER_S; /* so long ago */
	error_set(&why, PERF_ERROR_SYSTEM, "busy");
	assert_false(patience_wait(&p, &why, &error));
	assert_string_equal(error->message, "busy");
	assert_null(why);
	g_clear_error(&error);

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	p = (struct patience){ .stop_fd = fds[0], .tries = 30 }; /* a minute */
	assert_false(patience_wait(&p, &why, &error));
	assert_true(g_error_matches(error, PERF_ERROR, PERF_ERROR_STOPPED));
	g_clear_error(&error);
	close(fds[0]);
	close(fds[1]);
}

static void only_named_texts_leave(void **state)
{
	const struct row_table_spec *table = &row_tables[TABLE_SAMPLES];
	struct intern *texts = intern_new();
	struct rowset *rows = rowset_new(table->columns, table->nr_columns, 8, texts);
	struct row_mask *mask = row_mask_new();
	u32 get = intern_id(texts, "GET /cart"), put = intern_id(texts, "PUT /user/7");
	const u32 *operations = rows->values[SAMPLES_OPERATION].words;

	assert_true(row_mask_columns(mask, "operation,comm", NULL));
	assert_true(row_mask_values(mask, "operation=GET /*", NULL));
	assert_true(row_mask_values(mask, "operation=POST *", NULL));
	assert_false(row_mask_columns(mask, "operation,tid", NULL));
	assert_false(row_mask_columns(mask, "event", NULL));
	assert_false(row_mask_columns(mask, "host", NULL));
	assert_false(row_mask_values(mask, "operation", NULL));
	for (u32 i = 0; i < 3; i++) {
		for (u32 c = 0; c < table->nr_columns; c++)
			if (table->columns[c].kind != COLUMN_ID16)
				rowset_set(rows, c,
					   table->columns[c].kind == COLUMN_TEXT ? put : 7);
		rowset_set(rows, SAMPLES_OPERATION, i == 0 ? get : i == 1 ? put : 0);
		rowset_end_row(rows);
	}
	row_mask_begin(mask, texts);
	row_mask_apply(mask, table, rows);
	assert_string_equal(intern_text(texts, operations[0]), "GET /cart");
	assert_string_equal(intern_text(texts, operations[1]), "(hidden)");
	assert_string_equal(intern_text(texts, operations[2]), "");
	for (u32 c = 0; c < table->nr_columns; c++) {
		const struct column_spec *column = &table->columns[c];
		bool stays = c == SAMPLES_HOST || c == SAMPLES_EVENT || c == SAMPLES_COMM;

		if (c != SAMPLES_OPERATION && column->kind == COLUMN_TEXT)
			assert_int_equal(rows->values[c].words[1], stays ? put : 0);
		if (column->kind == COLUMN_U64)
			assert_int_equal(rows->values[c].longs[1], 7);
	}
	row_mask_free(mask);
	rowset_free(rows);
	intern_free(texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failures_pass_or_stay),
		cmocka_unit_test(an_answer_is_one_number),
		cmocka_unit_test(versions_can_be_compared),
		cmocka_unit_test(patience_ends),
		cmocka_unit_test(only_named_texts_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
