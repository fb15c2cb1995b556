// SPDX-License-Identifier: GPL-2.0-or-later
/* Pieces of work that several threads make, and one takes in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "base/relay.h"

#define NR_SLOTS 6u

struct piece {
	u32 number, made_by;
	bool made;
};

struct work {
	struct piece slots[NR_SLOTS];
	u32 next, most; /* pieces that next() has given out, and gives out */
	u32 nr_made;	/* atomic */
};

static bool next(void *arg, void *slot)
{
	struct work *w = arg;

	if (w->next == w->most)
		return false;
	*(struct piece *)slot = (struct piece){ .number = w->next++ };
	return true;
}

static void make(void *arg, u32 worker, void *slot)
{
	struct work *w = arg;
	struct piece *p = slot;

	assert_false(p->made);
	if (p->number % 7 == 3)
		g_usleep(200); /* later ones are made before it */
	p->made = true;
	p->made_by = worker;
	__atomic_fetch_add(&w->nr_made, 1, __ATOMIC_RELAXED);
}

static const struct relay_ops pull = { .next = next, .make = make };
static const struct relay_ops push = { .make = make };

static struct relay *begin(const struct relay_ops *ops, struct work *w, u32 nr_workers)
{
	return relay_new(ops, w, w->slots, sizeof(*w->slots), NR_SLOTS, nr_workers);
}

static void in_order(u32 nr_workers, u32 nr)
{
	struct work w = { .most = nr };
	struct relay *r = begin(&pull, &w, nr_workers);
	struct piece *p;

	for (u32 i = 0; i < nr; i++) {
		p = relay_take(r, true);
		assert_non_null(p);
		assert_int_equal(p->number, i);
		assert_true(p->made);
		assert_true(p->made_by < nr_workers);
		relay_release(r);
	}
	assert_null(relay_take(r, true));
	assert_null(relay_take(r, false));
	relay_free(r);
	assert_int_equal(w.nr_made, nr);
}

static void test_pieces_come_in_order(void **state)
{
	const u32 workers[] = { 1, 2, 4 }, nrs[] = { 0, 1, NR_SLOTS, 1000 };

	for (u32 i = 0; i < ARRAY_SIZE(workers); i++)
		for (u32 k = 0; k < ARRAY_SIZE(nrs); k++)
			in_order(workers[i], nrs[k]);
}

/* Not more than the ring has room for, however long the caller keeps a slot. */
static void test_few_are_made_ahead(void **state)
{
	struct work w = { .most = 100 };
	struct relay *r = begin(&pull, &w, 3);

	assert_non_null(relay_take(r, true));
	g_usleep(20000);
	assert_true(__atomic_load_n(&w.nr_made, __ATOMIC_RELAXED) <= NR_SLOTS);
	relay_free(r);
}

/* Freed in the middle: no thread runs afterwards, and what was begun is made. */
static void test_it_can_be_stopped(void **state)
{
	for (u32 i = 0; i < 20; i++) {
		struct work w = { .most = 1000 };
		struct relay *r = begin(&pull, &w, 3);
		u32 nr_made;

		for (u32 k = 0; k < i; k++) {
			assert_non_null(relay_take(r, true));
			relay_release(r);
		}
		relay_free(r);
		nr_made = w.nr_made;
		assert_true(nr_made >= i && nr_made <= i + NR_SLOTS);
		assert_int_equal(w.next, nr_made);
	}
}

static void test_the_caller_can_fill_slots(void **state)
{
	struct work w = { 0 };
	struct relay *r = begin(&push, &w, 3);
	u32 taken = 0;

	assert_null(relay_take(r, true));
	for (u32 i = 0; i < 500; i++) {
		assert_true(relay_pending(r) < NR_SLOTS);
		*(struct piece *)relay_slot(r) = (struct piece){ .number = i };
		relay_put(r);
		for (struct piece *p;
		     relay_pending(r) && (p = relay_take(r, relay_pending(r) == NR_SLOTS));) {
			assert_int_equal(p->number, taken++);
			assert_true(p->made);
			relay_release(r);
		}
	}
	while (relay_pending(r)) {
		assert_int_equal(((struct piece *)relay_take(r, true))->number, taken++);
		relay_release(r);
	}
	assert_int_equal(taken, 500);
	relay_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces_come_in_order),
		cmocka_unit_test(test_few_are_made_ahead),
		cmocka_unit_test(test_it_can_be_stopped),
		cmocka_unit_test(test_the_caller_can_fill_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
