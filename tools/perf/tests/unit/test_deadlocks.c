// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait for each other. Their locks lie in this process; /proc is a folder that says how often they have run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <unistd.h>

#include "perfevent_tree.h"
#include "record/waits/deadlocks.h"

#define RUNS 5

/* A lock of each kind, at most NR; word 0 of a robust mutex, 2 of a mutex, 6 of an rwlock names the owner. */
#define NR 8
static u32 locks[NR][8];

struct there {
	struct deadlocks *d;
	struct tree tree;
};

static void say_runs(struct there *t, u32 tid, u32 runs)
{
	g_autofree char *name = g_strdup_printf("proc/%d/task/%u/schedstat", (int)getpid(), tid);
	g_autofree char *text = g_strdup_printf("1234 567 %u\n", runs);

	tree_put(&t->tree, name, text);
}

/* Thread @tid waits for lock @lock of kind @kind, that @owner has. Its own number is 100 more. */
static void wait_for(struct there *t, u32 tid, u32 lock, u8 kind, u32 owner)
{
	static const u8 words[] = {
		[WALL_LOCK_MUTEX] = 2, [WALL_LOCK_WRITE] = 6, [WALL_LOCK_READ] = 6
	};
	struct stuck s = { .pid = (u32)getpid(),
			   .tid = tid,
			   .own_tid = tid + 100,
			   .runs = RUNS,
			   .lock = { .va = (u64)(uintptr_t)locks[lock],
				     .owner_tid = owner,
				     .kind = kind,
				     .owner = WALL_OWNER_KNOWN } };

	g_snprintf(s.comm, sizeof(s.comm), "t%u", tid);
	locks[lock][kind < sizeof(words) ? words[kind] : 0] = owner + 100;
	if (kind == WALL_LOCK_ROBUST)
		locks[lock][0] |= 0x80000000;
	deadlocks_add(t->d, &s);
	say_runs(t, tid, RUNS);
}

static struct there begin(void)
{
	struct there t = { .d = deadlocks_new() };

	tree_init(&t.tree);
	return t;
}

static char *find(const struct there *t)
{
	return deadlocks_find(t->d, &t->tree.paths, NULL);
}

static void end(struct there *t)
{
	tree_release(&t->tree);
	deadlocks_free(t->d);
}

#define assert_found(t, expected)                                                                  \
	do {                                                                                       \
		g_autofree char *found_ = find(t);                                                 \
		const char *expected_ = (expected);                                                \
		if (!expected_)                                                                    \
			assert_null(found_);                                                       \
		else                                                                               \
			assert_string_equal(found_, expected_);                                    \
	} while (0)

/* Two circles, and threads that only wait for one of these. Words say it in the same order. */
static void test_circles(void **state)
{
	struct there t = begin();
	g_autoptr(GString) words = g_string_new(NULL);
	g_autofree char *found = NULL;

	wait_for(&t, 9, 0, WALL_LOCK_MUTEX, 8);
	wait_for(&t, 8, 1, WALL_LOCK_ROBUST, 9);
	wait_for(&t, 3, 2, WALL_LOCK_WRITE, 9);
	wait_for(&t, 12, 3, WALL_LOCK_PI, 11);
	wait_for(&t, 11, 4, WALL_LOCK_READ, 13);
	wait_for(&t, 13, 5, WALL_LOCK_THREAD, 12);
	wait_for(&t, 20, 6, WALL_LOCK_MUTEX, 21);
	found = deadlocks_find(t.d, &t.tree.paths, words);
	assert_string_equal(found, "8 9, 11 13 12");
	assert_string_equal(
		words->str,
		"t8 (8) -> t9 (9) -> t8 (8); t11 (11) -> t13 (13) -> t12 (12) -> t11 (11)");
	end(&t);
}

/* It has the lock itself. */
static void test_itself(void **state)
{
	struct there t = begin();

	assert_found(&t, NULL);
	wait_for(&t, 7, 0, WALL_LOCK_MUTEX, 7);
	assert_found(&t, "7");
	end(&t);
}

/* Nobody knows how a wait ends that has a timeout. */
static void test_timeout(void **state)
{
	struct there t = begin();

	wait_for(&t, 8, 0, WALL_LOCK_MUTEX, 9);
	wait_for(&t, 9, 1, WALL_LOCK_TIMED, 8);
	assert_found(&t, NULL);
	end(&t);
}

/* What was true when the waits were seen, and is not now. */
static void test_changed(void **state)
{
	struct there t = begin();

	wait_for(&t, 8, 0, WALL_LOCK_MUTEX, 9);
	wait_for(&t, 9, 1, WALL_LOCK_MUTEX, 8);
	say_runs(&t, 9, RUNS + 1);
	assert_found(&t, NULL);
	say_runs(&t, 9, RUNS);
	assert_found(&t, "8 9");
	locks[1][2] = 110;
	assert_found(&t, NULL);
	end(&t);
}

/* A circle that its first threads only lead to. */
static void test_tail(void **state)
{
	struct there t = begin();

	wait_for(&t, 1, 0, WALL_LOCK_MUTEX, 2);
	wait_for(&t, 2, 1, WALL_LOCK_MUTEX, 3);
	wait_for(&t, 3, 2, WALL_LOCK_MUTEX, 4);
	wait_for(&t, 4, 3, WALL_LOCK_MUTEX, 3);
	assert_found(&t, "3 4");
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_circles), cmocka_unit_test(test_itself),
		cmocka_unit_test(test_timeout), cmocka_unit_test(test_changed),
		cmocka_unit_test(test_tail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
