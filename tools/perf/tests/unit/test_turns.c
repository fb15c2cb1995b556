// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns: one thread at a time, in the order in which they asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib.h>

#include "base/turns.h"

#define NR_THREADS 4
#define NR_TURNS   20000

struct shared {
	struct turns turns;
	u64 count; /* not atomic: turns are what keeps it right */
	bool over;
};

static gpointer add_up(gpointer arg)
{
	struct shared *s = arg;

	for (u32 i = 0; i < NR_TURNS; i++) {
		turns_begin(&s->turns);
		s->count++;
		turns_yield(&s->turns);
		s->count++;
		turns_end(&s->turns);
	}
	return NULL;
}

static void test_one_at_a_time(void **state)
{
	struct shared s = { 0 };
	GThread *threads[NR_THREADS];

	turns_init(&s.turns);
	for (u32 i = 0; i < NR_THREADS; i++)
		threads[i] = g_thread_new("turns", add_up, &s);
	for (u32 i = 0; i < NR_THREADS; i++)
		g_thread_join(threads[i]);
	assert_int_equal(s.count, 2 * NR_THREADS * NR_TURNS);
	turns_clear(&s.turns);
}

/* Works all the time, and would never let anybody else in if it need not. */
static gpointer work(gpointer arg)
{
	struct shared *s = arg;

	turns_begin(&s->turns);
	while (!s->over) {
		s->count++;
		turns_yield(&s->turns);
	}
	turns_end(&s->turns);
	return NULL;
}

static void test_who_waits_is_next(void **state)
{
	struct shared s = { 0 };
	GThread *thread;

	turns_init(&s.turns);
	thread = g_thread_new("works", work, &s);
	for (u32 i = 0; i < 100; i++) {
		turns_begin(&s.turns);
		s.over = i == 99;
		turns_end(&s.turns);
	}
	g_thread_join(thread);
	turns_clear(&s.turns);
}

/* With nobody else there, a yield keeps the turn. */
static void test_alone(void **state)
{
	struct turns t;

	turns_init(&t);
	turns_begin(&t);
	turns_yield(&t);
	turns_yield(&t);
	turns_end(&t);
	turns_begin(&t);
	turns_end(&t);
	assert_int_equal(t.next, t.serving);
	turns_clear(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_at_a_time),
		cmocka_unit_test(test_who_waits_is_next),
		cmocka_unit_test(test_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
