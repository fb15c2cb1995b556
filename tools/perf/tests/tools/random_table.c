// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the table samples with random rows, as those of a busy host with many services, and prints what a row takes:
 *
 *	random_table ROWS FILE.parquet		"1000000 rows, 26.3 bytes and 0.37 microseconds of CPU each"
 *
 * Ids of traces, spans and stacks are random, as they are in reality, and cannot be compressed. A span has 4 samples on
 * average. Threads, operations and stacks come by Zipf's law: few of them have most samples. The time includes making the rows.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <glib.h>

#include "base/crew.h"
#include "base/intern.h"
#include "export/exchange/row_tables.h"
#include "parquet/parquet.h"

enum {
	STACKS = 9436,
	SYMBOLS = 3000,
	FILES = 40,
	TYPES = 105,
	OPERATIONS = 1000,
	SERVICES = 50,
	THREADS = 300
};

struct random_stack {
	u64 id, leaf;
	u32 symbol, dso, build_id, type, field;
};

struct random_thread {
	u32 left; /* samples of the present span */
	u64 trace[2], span;
	u32 operation, service, comm;
};

struct random_host {
	GRand *random;
	struct intern *texts;
	struct random_stack stacks[STACKS];
	struct random_thread threads[THREADS];
	u32 operations[OPERATIONS], services[SERVICES], host, event;
	u64 time;
};

static u64 draw(struct random_host *h)
{
	return (u64)g_rand_int(h->random) << 32 | g_rand_int(h->random);
}

static u32 zipf(struct random_host *h, u32 nr)
{
	return (u32)(pow(nr, g_rand_double(h->random)) - 1);
}

static u32 G_GNUC_PRINTF(2, 3) text(struct random_host *h, const char *fmt, ...)
{
	g_autofree char *made = NULL;
	va_list args;

	va_start(args, fmt);
	made = g_strdup_vprintf(fmt, args);
	va_end(args);
	return intern_id(h->texts, made);
}

static void make_stacks(struct random_host *h)
{
	for (u32 i = 0; i < STACKS; i++) {
		u32 function = zipf(h, SYMBOLS), file = function % FILES;
		struct random_stack *s = &h->stacks[i];

		s->id = draw(h);
		s->leaf = (function * 5 + g_rand_int(h->random) % 5 + 1) * 0x9e3779b97f4a7c15ull;
		s->symbol = text(h, "function_number_%u(int, char const*)", function);
		s->dso = text(h, "/usr/lib/x86_64-linux-gnu/libnumber_%u.so.1", file);
		s->build_id =
			text(h, "%016" PRIx64 "%024u", (u64)(file * 0x9e3779b97f4a7c15ull), file);
		if (function % 3 == 0)
			continue;
		s->type = text(h, "struct number_%u", function % TYPES);
		s->field = text(h, "member_%u", function % 7);
	}
}

static void make_names(struct random_host *h)
{
	h->host = text(h, "host-1");
	h->event = text(h, "cpu-clock");
	for (u32 i = 0; i < OPERATIONS; i++)
		h->operations[i] = text(h, "GET /operation/%u", i);
	for (u32 i = 0; i < SERVICES; i++)
		h->services[i] = text(h, "service-%u", i);
	for (u32 i = 0; i < THREADS; i++)
		h->threads[i].comm = text(h, "worker/%u", i);
}

static const struct random_thread *next_sample(struct random_host *h, u32 thread)
{
	struct random_thread *t = &h->threads[thread];

	if (!t->left) {
		t->left = 1 + g_rand_int(h->random) % 7;
		t->trace[0] = draw(h);
		t->trace[1] = draw(h);
		t->span = draw(h);
		t->operation = h->operations[zipf(h, OPERATIONS)];
		t->service = h->services[zipf(h, SERVICES)];
	}
	t->left--;
	return t;
}

static void set_place(struct random_host *h, struct rowset *rows)
{
	const struct random_stack *s = &h->stacks[zipf(h, STACKS)];

	rowset_set(rows, SAMPLES_TYPE, s->type);
	rowset_set(rows, SAMPLES_FIELD, s->field);
	rowset_set(rows, SAMPLES_DSO, s->dso);
	rowset_set(rows, SAMPLES_BUILD_ID, s->build_id);
	rowset_set(rows, SAMPLES_SYMBOL, s->symbol);
	rowset_set(rows, SAMPLES_LEAF_ID, s->leaf);
	rowset_set(rows, SAMPLES_STACK_ID, s->id);
}

static void add_row(struct random_host *h, struct rowset *rows)
{
	u32 thread = zipf(h, THREADS);
	const struct random_thread *t = next_sample(h, thread);
	static const u8 empty[] = { SAMPLES_CONTAINER, SAMPLES_POD,   SAMPLES_STATE,
				    SAMPLES_SYSCALL,   SAMPLES_WCHAN, SAMPLES_LOCK,
				    SAMPLES_ACTIVITY };

	for (u32 i = 0; i < ARRAY_SIZE(empty); i++)
		rowset_set(rows, empty[i], 0);
	rowset_set(rows, SAMPLES_TIME, h->time += g_rand_int(h->random) % 20000000);
	rowset_set(rows, SAMPLES_HOST, h->host);
	rowset_set(rows, SAMPLES_EVENT, h->event);
	rowset_set(rows, SAMPLES_COMM, t->comm);
	rowset_set(rows, SAMPLES_PID, 1000 + thread / 8);
	rowset_set(rows, SAMPLES_TID, 1000 + thread);
	rowset_set(rows, SAMPLES_CPU, g_rand_int(h->random) % 16);
	rowset_set(rows, SAMPLES_WEIGHT,
		   52631578 + (thread % 4 ? 0 : g_rand_int(h->random) % 100000));
	rowset_set(rows, SAMPLES_SERVICE, t->service);
	rowset_set(rows, SAMPLES_OPERATION, t->operation);
	rowset_set(rows, SAMPLES_SPAN_ID, t->span);
	memcpy(rowset_id(rows, SAMPLES_TRACE_ID), t->trace, sizeof(t->trace));
	set_place(h, rows);
	rowset_set(rows, SAMPLES_PUSH_ID, 1);
	rowset_end_row(rows);
}

/* Returns the bytes of the file. */
static u64 write_rows(struct random_host *h, u64 nr, FILE *out)
{
	const struct row_table_spec *table = &row_tables[TABLE_SAMPLES];
	struct rowset *rows =
		rowset_new(table->columns, table->nr_columns, table->most_rows, h->texts);
	struct crew *crew = crew_new(1);
	struct parquet *p = parquet_new(out, crew, table->columns, table->nr_columns);

	for (u64 i = 0; i < nr; i++) {
		add_row(h, rows);
		if (!rowset_is_full(rows))
			continue;
		parquet_write(p, rows);
		rowset_clear(rows);
	}
	parquet_write(p, rows);
	parquet_finish(p);
	parquet_free(p);
	crew_free(crew);
	rowset_free(rows);
	return (u64)ftell(out);
}

int main(int argc, char **argv)
{
	u64 nr = argc == 3 ? g_ascii_strtoull(argv[1], NULL, 10) : 0, bytes;
	FILE *out = nr ? fopen(argv[2], "w") : NULL;
	struct random_host *h = g_new0(struct random_host, 1);
	clock_t begin;

	if (!out) {
		fprintf(stderr, "random_table ROWS FILE\n");
		return 1;
	}
	h->random = g_rand_new_with_seed(29);
	h->texts = intern_new();
	h->time = 1700000000000000000;
	make_stacks(h);
	make_names(h);
	begin = clock();
	bytes = write_rows(h, nr, out);
	printf("%" G_GUINT64_FORMAT " rows, %.1f bytes and %.2f microseconds of CPU each\n", nr,
	       (double)bytes / (double)nr,
	       (double)(clock() - begin) * 1e6 / CLOCKS_PER_SEC / (double)nr);
	intern_free(h->texts);
	g_rand_free(h->random);
	g_free(h);
	return fclose(out) != 0;
}
