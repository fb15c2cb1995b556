// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parquet and ClickHouse Native files of row sets, read back by tests/columnar's readers, which check the formats' rules.
 * Each cell comes back, whatever its value.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "base/crew.h"
#include "base/intern.h"
#include "clickhouse/native.h"
#include "parquet/chunk.h"
#include "parquet/encode.h"
#include "parquet/parquet.h"
#include "tests/columnar/table.h"
#include "tests/unit/sanitized.h"

static const struct column_spec columns[] = {
	{ "time", COLUMN_U64, true },	  { "number", COLUMN_U64, false },
	{ "small", COLUMN_U32, false },	  { "cpu", COLUMN_S32, false },
	{ "name", COLUMN_TEXT, false },	  { "trace", COLUMN_ID16, false },
	{ "frames", COLUMN_LIST, false },
};
enum { TIME, NUMBER, SMALL, CPU, NAME, TRACE, FRAMES };

struct file {
	struct crew *crew;
	struct intern *texts;
	struct rowset *rows;
	FILE *parquet_out, *native_out;
	char *parquet_bytes, *native_bytes;
	size_t parquet_size, native_size;
	struct parquet *parquet;
	GPtrArray *cells; /* what is expected: columns of each row, one after the other */
};

static struct file *file_new(u32 most_rows)
{
	struct file *f = g_new0(struct file, 1);

	f->crew = crew_new(2);
	f->texts = intern_new();
	f->rows = rowset_new(columns, ARRAY_SIZE(columns), most_rows, f->texts);
	f->parquet_out = open_memstream(&f->parquet_bytes, &f->parquet_size);
	f->native_out = open_memstream(&f->native_bytes, &f->native_size);
	f->parquet = parquet_new(f->parquet_out, f->crew, columns, ARRAY_SIZE(columns));
	f->cells = g_ptr_array_new_with_free_func(g_free);
	return f;
}

static void write_rows(struct file *f)
{
	parquet_write(f->parquet, f->rows);
	native_write(f->native_out, f->rows);
	rowset_clear(f->rows);
}

struct row {
	u64 time, number;
	u32 small;
	s32 cpu;
	const char *name;
	u8 trace[16];
	u32 nr_frames;
	u64 frames[4];
};

static void expect(struct file *f, char *cell)
{
	g_ptr_array_add(f->cells, cell);
}

static void expect_row(struct file *f, const struct row *r)
{
	GString *trace = g_string_new(NULL), *frames = g_string_new("[");

	for (u32 i = 0; i < 16; i++)
		g_string_append_printf(trace, "%02x", r->trace[i]);
	for (u32 i = 0; i < r->nr_frames; i++)
		g_string_append_printf(frames, "%s%" PRIu64, i ? "," : "", r->frames[i % 4]);
	expect(f, g_strdup_printf("%" PRIu64, r->time));
	expect(f, g_strdup_printf("%" PRIu64, r->number));
	expect(f, g_strdup_printf("%u", r->small));
	expect(f, g_strdup_printf("%d", r->cpu));
	expect(f, g_strdup(r->name));
	expect(f, g_string_free(trace, FALSE));
	expect(f, g_string_free(g_string_append_c(frames, ']'), FALSE));
}

static void add_row(struct file *f, const struct row *r)
{
	rowset_set(f->rows, TIME, r->time);
	rowset_set(f->rows, NUMBER, r->number);
	rowset_set(f->rows, SMALL, r->small);
	rowset_set(f->rows, CPU, (u32)r->cpu);
	rowset_set(f->rows, NAME, intern_id(f->texts, r->name));
	memcpy(rowset_id(f->rows, TRACE), r->trace, 16);
	for (u32 i = 0; i < r->nr_frames; i++)
		rowset_append(f->rows, FRAMES, r->frames[i % 4]);
	rowset_end_row(f->rows);
	expect_row(f, r);
	if (rowset_is_full(f->rows))
		write_rows(f);
}

static void assert_rows(const struct file *f, const struct table_rows *rows)
{
	u64 nr = f->cells->len / ARRAY_SIZE(columns);

	if (rows->problem)
		fail_msg("%s", rows->problem);
	assert_int_equal(rows->nr_rows, nr);
	for (u64 i = 0; i < nr; i++)
		for (u32 c = 0; c < ARRAY_SIZE(columns); c++)
			assert_string_equal(table_cell(rows, columns[c].name, i),
					    f->cells->pdata[i * ARRAY_SIZE(columns) + c]);
}

/* Ends both files, and compares what they have with what was written. The rows of Parquet are returned. */
static struct table_rows *read_back(struct file *f)
{
	struct table_rows *parquet, *native;

	write_rows(f);
	parquet_note(f->parquet, "perf.schema", "1");
	parquet_finish(f->parquet);
	fclose(f->parquet_out);
	fclose(f->native_out);
	parquet = parquet_read((u8 *)f->parquet_bytes, f->parquet_size);
	native = native_read((u8 *)f->native_bytes, f->native_size);
	assert_rows(f, parquet);
	assert_rows(f, native);
	assert_int_equal(parquet->nr_groups, native->nr_groups);
	table_rows_free(native);
	return parquet;
}

static void file_free(struct file *f)
{
	parquet_free(f->parquet);
	rowset_free(f->rows);
	intern_free(f->texts);
	crew_free(f->crew);
	g_ptr_array_unref(f->cells);
	free(f->parquet_bytes);
	free(f->native_bytes);
	g_free(f);
}

static void test_types(void **state)
{
	struct file *f = file_new(100);
	struct table_rows *rows;
	const struct table_column *c;

	add_row(f, &(struct row){ .time = 5, .name = "sh", .nr_frames = 2, .frames = { 7, 8 } });
	rows = read_back(f);
	c = rows->columns->pdata[CPU];
	assert_string_equal(c->type, "s32");
	c = rows->columns->pdata[NAME];
	assert_string_equal(c->type, "text");
	assert_string_equal(c->encodings, "DICTIONARY");
	c = rows->columns->pdata[FRAMES];
	assert_string_equal(c->type, "list");
	c = rows->columns->pdata[TIME];
	assert_string_equal(c->encodings, "DELTA");
	assert_int_equal(rows->notes->len, 2);
	assert_string_equal(rows->notes->pdata[1], "1");
	table_rows_free(rows);
	file_free(f);
}

static void test_no_rows(void **state)
{
	struct file *f = file_new(100);
	struct table_rows *rows = read_back(f);

	assert_int_equal(rows->nr_groups, 0);
	assert_int_equal(rows->columns->len, ARRAY_SIZE(columns));
	table_rows_free(rows);
	file_free(f);
}

/* Both ends of each type, beside each other, and differences that wrap. */
static void test_extremes(void **state)
{
	static const u64 longs[] = { 0, UINT64_MAX, 1, INT64_MAX, (u64)INT64_MIN, 0, UINT64_MAX };
	struct file *f = file_new(5);
	struct table_rows *rows;

	for (u32 i = 0; i < ARRAY_SIZE(longs); i++) {
		struct row r = { .time = longs[i],
				 .number = longs[i],
				 .small = (u32)longs[i],
				 .cpu = i & 1 ? INT32_MIN : INT32_MAX,
				 .name = i & 1 ? "" : "\xc3\xa4\t\"\x7f",
				 .nr_frames = i % 4,
				 .frames = { UINT64_MAX, 0, (u64)INT64_MIN } };

		memset(r.trace, i & 1 ? 0xff : 0, 16);
		add_row(f, &r);
	}
	rows = read_back(f);
	assert_int_equal(rows->nr_groups, 2);
	table_rows_free(rows);
	file_free(f);
}

/* No statistics of a text that is longer than they may be; the reader holds that others have them. */
static void test_long_texts(void **state)
{
	struct file *f = file_new(100);
	g_autofree char *longest = g_strnfill(100000, 'x'), *of_64 = g_strnfill(64, 'y'),
			*of_65 = g_strnfill(65, 'z');
	const char *names[] = { longest, of_64, of_65, "", "a" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		add_row(f, &(struct row){ .time = i, .name = names[i] });
		write_rows(f);
	}
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		add_row(f, &(struct row){ .time = i, .name = names[i] });
	table_rows_free(read_back(f));
	file_free(f);
}

/* More rows than a page, and different ones: ids that repeat have a dictionary, others have not. */
static void test_pages(void **state)
{
	u32 nr = SANITIZED ? 70000 : 2 * PARQUET_ROWS + 17;
	struct file *f = file_new(PARQUET_ROWS);
	struct table_rows *rows;
	const struct table_column *c;

	for (u32 i = 0; i < nr; i++) {
		g_autofree char *name = g_strdup_printf("thread %u", i % 1000 * 7919 % 1000);
		struct row r = { .time = 1700000000000000000 + i * 1000ull,
				 .number = i * 0x9e3779b97f4a7c15ull,
				 .small = i / 100,
				 .cpu = (s32)(i % 64) - 1,
				 .name = name,
				 .nr_frames = i % 5,
				 .frames = { i % 300, 2, 3, i } };

		memcpy(r.trace, &(u32){ i / 4 * 2654435761u }, 4);
		add_row(f, &r);
	}
	rows = read_back(f);
	assert_int_equal(rows->nr_groups, (nr + PARQUET_ROWS - 1) / PARQUET_ROWS);
	assert_true(rows->nr_pages > ARRAY_SIZE(columns) * (nr / PAGE_ROWS));
	c = rows->columns->pdata[NUMBER];
	assert_string_equal(c->encodings, "PLAIN");
	c = rows->columns->pdata[TRACE];
	assert_string_equal(c->encodings, "DICTIONARY");
	table_rows_free(rows);
	file_free(f);
}

/* Random numbers of random size, repeated at random, in sets of random size. */
static void test_random(void **state)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(29);

	for (u32 round = 0; round < 60; round++) {
		struct file *f = file_new((u32)g_rand_int_range(random, 1, 700));
		u32 nr = (u32)g_rand_int_range(random, 0, 1500),
		    repeat = (u32)g_rand_int_range(random, 1, 60);
		struct row r = { .name = "" };
		g_autofree char *name = NULL;

		for (u32 i = 0; i < nr; i++) {
			u32 shift = (u32)g_rand_int_range(random, 0, 64);
			u64 wide = ((u64)g_rand_int(random) << 32 | g_rand_int(random)) >> shift;

			if (!g_rand_int_range(random, 0, (s32)repeat) || !i) {
				g_free(name);
				name = g_strdup_printf("%" PRIx64, wide);
				r = (struct row){ wide,
						  wide * 3,
						  (u32)wide,
						  (s32)wide,
						  name,
						  .nr_frames = (u32)g_rand_int_range(random, 0, 9),
						  .frames = { wide, wide % 10 } };
				memcpy(r.trace, &wide, 8);
			}
			add_row(f, &r);
		}
		table_rows_free(read_back(f));
		file_free(f);
	}
}

static void assert_bytes(const GByteArray *out, const char *hex)
{
	g_autoptr(GString) have = g_string_new(NULL);

	for (u32 i = 0; i < out->len; i++)
		g_string_append_printf(have, "%02x", out->data[i]);
	assert_string_equal(have->str, hex);
}

/* The examples of the specification's page, and of encode.h. */
static void test_documented(void **state)
{
	static const u32 seven[100] = { 0 }, rising[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const u64 times[] = { 7, 5, 3, 1, 2, 3, 4, 5 };
	g_autoptr(GByteArray) out = g_byte_array_new();
	u32 same[100];

	memcpy(same, seven, sizeof(same));
	for (u32 i = 0; i < 100; i++)
		same[i] = 7;
	encode_hybrid(out, same, 100, 3);
	assert_bytes(out, "c80107");
	g_byte_array_set_size(out, 0);
	encode_hybrid(out, rising, 8, 3);
	assert_bytes(out, "0388c6fa");
	g_byte_array_set_size(out, 0);
	/* differences -2 -2 -2 1 1 1 1: least -2, above it 0 0 0 3 3 3 3 in two bits */
	encode_delta(out, times, 8);
	assert_bytes(out, "8001"
			  "04"
			  "08"
			  "0e"
			  "03"
			  "02000000"
			  "c03f000000000000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),	   cmocka_unit_test(test_no_rows),
		cmocka_unit_test(test_extremes),   cmocka_unit_test(test_long_texts),
		cmocka_unit_test(test_pages),	   cmocka_unit_test(test_random),
		cmocka_unit_test(test_documented),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
