// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had a lock during a wait: what other waits have told about it. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <string.h>

#include "record/waits/owners.h"

#define MS   1000000ull
#define PID  100
#define LOCK 0x5000

static struct lock_holder owner(u64 ms, u8 state, u32 tid)
{
	return (struct lock_holder){ .time = ms * MS, .tid = tid, .state = state };
}

static void see(struct owners *o, u64 ms, u32 tid)
{
	struct lock_holder seen = owner(ms, WALL_OWNER_KNOWN, tid);

	owners_add(o, PID, LOCK, &seen);
}

/* "[10 8][30 9]": from when on who had it, or a letter: N none, R readers, S stranger, C changed. */
static char *split(const struct owners *o, u64 from, u8 state, u32 tid, u64 to, u32 releaser)
{
	static const char letters[] = "N.RUSC";
	const struct owned_wait wait = { .pid = PID,
					 .tid = 7,
					 .va = LOCK,
					 .first = owner(from, state, tid),
					 .to = to * MS,
					 .releaser = releaser };
	g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(struct lock_holder));
	GString *text = g_string_new(NULL);

	owners_split(o, &wait, pieces);
	for (u32 i = 0; i < pieces->len; i++) {
		const struct lock_holder *p = &g_array_index(pieces, struct lock_holder, i);

		g_string_append_printf(text, "[%u ", (u32)(p->time / MS));
		if (p->state == WALL_OWNER_KNOWN)
			g_string_append_printf(text, "%u]", p->tid);
		else
			g_string_append_printf(text, "%c]", letters[p->state]);
	}
	return g_string_free(text, FALSE);
}

#define assert_split(o, expected, ...)                                                             \
	do {                                                                                       \
		g_autofree char *found_ = split(o, __VA_ARGS__);                                   \
		assert_string_equal(found_, expected);                                             \
	} while (0)

static void test_handed_on(void **state)
{
	struct owners *o = owners_new();

	see(o, 30, 9);
	see(o, 12, 8); /* another thread began to wait: the owner is the same */
	see(o, 40, 11);
	assert_split(o, "[10 8][30 9][40 11]", 10, WALL_OWNER_KNOWN, 8, 50, 11);
	assert_split(o, "[10 8][30 9]", 10, WALL_OWNER_KNOWN, 8, 35, 9);
	assert_split(o, "[31 9]", 31, WALL_OWNER_KNOWN, 9, 35, 9);
	owners_free(o);
}

/* Another thread than the last known owner has released the lock: nobody saw when it got it. */
static void test_changed_unseen(void **state)
{
	struct owners *o = owners_new();

	assert_split(o, "[10 C]", 10, WALL_OWNER_KNOWN, 8, 50, 9);
	assert_split(o, "[10 8]", 10, WALL_OWNER_KNOWN, 8, 50, 0);
	see(o, 30, 9);
	assert_split(o, "[10 8][30 C]", 10, WALL_OWNER_KNOWN, 8, 50, 12);
	owners_free(o);
}

/* Where an owner gave the lock up: the sample of the one that woke the next owner, if that was the owner itself. */
static void test_where_given_up(void **state)
{
	struct owners *o = owners_new();
	struct lock_holder nine = owner(30, WALL_OWNER_KNOWN, 9),
			   ten = owner(40, WALL_OWNER_KNOWN, 10);
	struct owned_wait wait = { .pid = PID,
				   .tid = 7,
				   .va = LOCK,
				   .first = owner(10, WALL_OWNER_KNOWN, 8),
				   .to = 50 * MS,
				   .releaser = 10,
				   .released = 103 };
	g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(struct lock_holder));
	const u64 expected[] = { 101, 0, 103 };

	nine.giver = 8;
	nine.given = 101;
	ten.giver = 12; /* not 9 */
	ten.given = 102;
	owners_add(o, PID, LOCK, &nine);
	owners_add(o, PID, LOCK, &ten);
	owners_split(o, &wait, pieces);
	assert_int_equal(pieces->len, 3);
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(g_array_index(pieces, struct lock_holder, i).left, expected[i]);
	wait.releaser = 9;
	owners_split(o, &wait, pieces);
	assert_int_equal(g_array_index(pieces, struct lock_holder, 2).left, 0);
	owners_free(o);
}

/* The lock was free when the thread looked: on its way to the thread that got it just before. */
static void test_on_its_way(void **state)
{
	struct owners *o = owners_new();

	see(o, 9, 9);
	assert_split(o, "[10 9]", 10, WALL_OWNER_STRANGER, 0, 50, 9);
	assert_split(o, "[10 S]", 10, WALL_OWNER_STRANGER, 0, 50, 12);
	owners_free(o);
}

static void test_readers(void **state)
{
	struct owners *o = owners_new();
	struct lock_holder readers = owner(20, WALL_OWNER_READERS, 0);

	owners_add(o, PID, LOCK, &readers);
	readers.time += MS;
	owners_add(o, PID, LOCK, &readers);
	see(o, 30, 9);
	assert_split(o, "[10 8][20 R][30 9]", 10, WALL_OWNER_KNOWN, 8, 50, 9);
	owners_free(o);
}

/* A thread does not wait for itself, and other locks tell nothing. */
static void test_others(void **state)
{
	struct owners *o = owners_new();
	struct lock_holder seen = owner(20, WALL_OWNER_KNOWN, 9);

	see(o, 20, 7);
	owners_add(o, PID, LOCK + 8, &seen);
	owners_add(o, PID + 1, LOCK, &seen);
	assert_split(o, "[10 8]", 10, WALL_OWNER_KNOWN, 8, 50, 8);
	owners_free(o);
}

/* The activity is copied. */
static void test_activity(void **state)
{
	struct owners *o = owners_new();
	u8 bytes[4] = { 1, 2, 3, 4 };
	struct lock_holder seen = owner(20, WALL_OWNER_KNOWN, 9);
	const struct owned_wait wait = { .pid = PID,
					 .tid = 7,
					 .va = LOCK,
					 .first = owner(10, WALL_OWNER_KNOWN, 8),
					 .to = 50 * MS };
	g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(struct lock_holder));

	seen.tls = bytes;
	seen.tls_size = sizeof(bytes);
	owners_add(o, PID, LOCK, &seen);
	bytes[0] = 9;
	owners_split(o, &wait, pieces);
	assert_int_equal(pieces->len, 2);
	assert_int_equal(g_array_index(pieces, struct lock_holder, 1).tls_size, 4);
	assert_int_equal(g_array_index(pieces, struct lock_holder, 1).tls[0], 1);
	owners_free(o);
}

/* Memory is limited: the older half of one lock's sights goes, and then all of all locks. What was before is not known. */
static void test_limits(void **state)
{
	struct owners *o = owners_new();
	u8 bytes[1024] = { 0 };
	struct lock_holder seen = owner(0, WALL_OWNER_KNOWN, 9);

	for (u32 i = 0; i < 5000; i++)
		see(o, 1000 + i, 8 + i % 2);
	assert_split(o, "[10 C][3048 8]", 10, WALL_OWNER_KNOWN, 8, 3049, 8);
	assert_split(o, "[4000 8][4001 9]", 4000, WALL_OWNER_KNOWN, 8, 4002, 9);
	seen.tls = bytes;
	seen.tls_size = sizeof(bytes);
	for (u32 i = 0; i < 20000; i++) {
		seen.time = (10000 + i) * MS;
		owners_add(o, PID, 0x100000 + 64 * i, &seen);
	}
	assert_split(o, "[4000 C]", 4000, WALL_OWNER_KNOWN, 8, 5000, 8);
	owners_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handed_on),      cmocka_unit_test(test_changed_unseen),
		cmocka_unit_test(test_where_given_up), cmocka_unit_test(test_on_its_way),
		cmocka_unit_test(test_readers),	       cmocka_unit_test(test_others),
		cmocka_unit_test(test_activity),       cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
