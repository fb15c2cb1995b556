// SPDX-License-Identifier: GPL-2.0-or-later
/* Many mappings: which one counts, in what order records are taken in, what each costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "allocated.h"
#include "machine/machine.h"
#include "machine/space.h"
#include "perfdata/event.h"

struct world {
	struct dsos *dsos;
	struct machine *m;
};

static struct world world_new(void)
{
	struct world w = { .dsos = dsos_new(NULL) };

	w.m = machine_new(w.dsos);
	return w;
}

static void world_free(struct world *w)
{
	machine_free(w->m);
	dsos_free(w->dsos);
}

static void mmap_at(struct world *w, u64 time, u64 start, u64 len, const char *name)
{
	struct event e = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER };

	e.id.time = time;
	e.mmap.pid = e.mmap.tid = 7;
	e.mmap.start = start;
	e.mmap.len = len;
	e.mmap.filename = name;
	machine_apply(w->m, &e);
}

static void exec_at(struct world *w, u64 time)
{
	struct event e = { .type = PERF_RECORD_COMM };

	e.id.time = time;
	e.comm.pid = e.comm.tid = 7;
	e.comm.text = "x";
	e.comm.exec = true;
	machine_apply(w->m, &e);
}

static const char *name_at(struct world *w, u64 va, u64 time)
{
	const struct thread *t = machine_thread(w->m, 7, 7, time, NULL);
	struct mapped at;

	machine_find(w->m, t, PERF_RECORD_MISC_USER, va, time, &at, NULL);
	return at.dso ? dso_long_name(at.dso) : "";
}

/* An exec ends the mappings that records before it state, not those that records behind it do. */
static void records_of_one_time_count_in_the_order_of_the_file(void **state)
{
	for (int late = 0; late <= 1; late++) {
		struct world w = world_new();

		if (late) /* the whole is sorted by time then */
			mmap_at(&w, 90, 0x9000, 0x1000, "/late");
		mmap_at(&w, 10, 0x1000, 0x1000, "/before");
		exec_at(&w, 10);
		mmap_at(&w, 10, 0x2000, 0x1000, "/between");
		exec_at(&w, 20);
		mmap_at(&w, 20, 0x3000, 0x1000, "/behind");
		mmap_at(&w, 20, 0x3000, 0x800, "/over");
		mmap_at(&w, UINT64_MAX, 0x8000, 0x1000, "/first"); /* of no time: before all */
		machine_seal(w.m);
		assert_string_equal(name_at(&w, 0x8000, 5), "/first");
		assert_string_equal(name_at(&w, 0x1000, 15), "");
		assert_string_equal(name_at(&w, 0x2000, 15), "/between");
		assert_string_equal(name_at(&w, 0x2000, 25), "");
		assert_string_equal(name_at(&w, 0x3000, 25), "/over");
		assert_string_equal(name_at(&w, 0x3800, 25), "/behind");
		assert_string_equal(name_at(&w, 0x9000, 95), late ? "/late" : "");
		world_free(&w);
	}
}

/* A stream is asked in between. */
static void what_was_taken_in_is_not_taken_in_again(void **state)
{
	struct world w = world_new();

	mmap_at(&w, 10, 0x1000, 0x1000, "/a");
	machine_seal(w.m);
	mmap_at(&w, 20, 0x1000, 0x1000, "/b");
	machine_seal(w.m);
	exec_at(&w, 30);
	machine_seal(w.m);
	machine_seal(w.m);
	assert_string_equal(name_at(&w, 0x1000, 25), "/b");
	assert_string_equal(name_at(&w, 0x1000, 35), "");
	mmap_at(&w, 40, 0x1000, 0x1000, "/c");
	machine_seal(w.m);
	assert_string_equal(name_at(&w, 0x1000, 35), "");
	assert_string_equal(name_at(&w, 0x1000, 45), "/c");
	world_free(&w);
}

#define PIECES 2000u

/* The place of the piece added as number @i: no two are equal. */
static u32 upwards(u32 i)
{
	return i;
}

static u32 downwards(u32 i)
{
	return PIECES - 1 - i;
}

/* From both ends to the middle. */
static u32 inwards(u32 i)
{
	return i % 2 ? PIECES - 1 - i / 2 : i / 2;
}

/* Forty runs, side by side, that grow in turn. */
static u32 in_runs(u32 i)
{
	return i % 40 * (PIECES / 40) + i / 40;
}

static u32 scattered(u32 i)
{
	return i * 709 % PIECES; /* 709 is a prime */
}

static void pieces_are_found_in_whatever_order_they_came(void **state)
{
	static u32 (*const orders[])(u32) = { upwards, downwards, inwards, in_runs, scattered };
	static struct map maps[PIECES];

	for (u32 o = 0; o < G_N_ELEMENTS(orders); o++) {
		for (u32 forked = 0; forked <= PIECES; forked += PIECES / 4) {
			struct space *parent = space_new(0, NULL), *child = NULL;

			for (u32 i = 0; i < PIECES; i++) {
				u32 at = orders[o](i);

				if (i == forked)
					child = space_new(1, parent);
				space_add(child ?: parent, &maps[at], at * 2, at * 2 + 1, 1);
			}
			for (u32 i = 0; i < PIECES; i++) {
				u32 at = orders[o](i);
				const struct map *of_parent = i < forked ? &maps[at] : NULL;

				assert_ptr_equal(space_find(parent, at * 2, 1).map, of_parent);
				assert_null(space_find(child ?: parent, at * 2 + 1, 1).map);
				if (child)
					assert_ptr_equal(space_find(child, at * 2, 1).map,
							 &maps[at]);
			}
			space_free(child);
			space_free(parent);
		}
	}
}

/*
 * Recordings of a whole system name a million files and have samples in a few. A name is counted with
 * its text (24 bytes), its mapping, and the tables that double as they grow.
 */
static void a_mapping_of_a_new_name_costs_little(void **state)
{
	const u32 nr = 1 << 17;
	struct world w = world_new();
	size_t before = allocated_bytes(), each;
	char name[64];

	for (u32 i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "/some/folder/lib%08u.so", i);
		mmap_at(&w, i + 1, 0x7f0000000000 - (u64)i * 0x2000, 0x1000, name);
	}
	machine_seal(w.m);
	each = (allocated_bytes() - before) / nr;
	if (each > 300)
		fail_msg("%zu bytes for each", each);
	assert_string_equal(name_at(&w, 0x7f0000000000 - 99 * 0x2000, nr),
			    "/some/folder/lib00000099.so");
	assert_int_equal(dsos_count(w.dsos), nr);
	world_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_one_time_count_in_the_order_of_the_file),
		cmocka_unit_test(what_was_taken_in_is_not_taken_in_again),
		cmocka_unit_test(pieces_are_found_in_whatever_order_they_came),
		cmocka_unit_test(a_mapping_of_a_new_name_costs_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
