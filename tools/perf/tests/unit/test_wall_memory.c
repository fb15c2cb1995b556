// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is read of a sleeping thread's memory. The thread is one of this process, and sleeps as the tests say: its
 * activity is in `area`, and a folder of the test tells how often it ran.
 *
 * The linker gives this program its own tls_source_plan() (tools/build/tests.mk): which memory to read is known when a
 * test says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/types.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bpf/sample_tls.h"
#include "perfevent_tree.h"
#include "record/base/source.h"
#include "record/tls/source.h"
#include "record/waits/wall_account.h"
#include "record/waits/wall_memory.h"

#define TID  9
#define RUNS 57

bool __wrap_tls_source_plan(const struct source *tls, u32 pid, struct sample_tls_plan *plan);

static u8 area[64]; /* the thread pointer is its end */
static bool place_known;

bool __wrap_tls_source_plan(const struct source *tls, u32 pid, struct sample_tls_plan *plan)
{
	*plan = (struct sample_tls_plan){ .window = sizeof(area) };
	return place_known;
}

struct memory_test {
	struct tree tree;
	struct source source;
	struct wall_memory *memory;
};

/* The thread got a CPU so often. */
static void put_runs(struct memory_test *t, u32 runs)
{
	g_autofree char *name = g_strdup_printf("proc/%d/task/%d/schedstat", getpid(), TID);
	g_autofree char *text = g_strdup_printf("1000 200 %u\n", runs);

	tree_put(&t->tree, name, text);
}

static int set_up(void **state)
{
	struct memory_test *t = g_new0(struct memory_test, 1);

	for (u32 i = 0; i < sizeof(area); i++)
		area[i] = (u8)(i + 1);
	place_known = true;
	tree_init(&t->tree);
	put_runs(t, RUNS);
	t->memory = wall_memory_new(&t->tree.paths, &t->source);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct memory_test *t = *state;

	wall_memory_free(t->memory);
	tree_release(&t->tree);
	g_free(t);
	return 0;
}

static struct wall_look look_at(enum wall_state state)
{
	return (struct wall_look){ .pid = (u32)getpid(),
				   .tid = TID,
				   .made = 1,
				   .time = 10,
				   .state = (u8)state,
				   .runs = RUNS,
				   .tp = (uintptr_t)area + sizeof(area) };
}

static void assert_read(const struct wall_bytes *tls)
{
	assert_true(tls->size > sizeof(area));
	assert_int_equal(tls->filled, tls->size);
	assert_memory_equal(tls->data + tls->size - sizeof(area), area, sizeof(area));
}

/* There is an activity, perhaps, but nobody has read it. */
static void assert_unread(const struct wall_bytes *tls)
{
	assert_true(tls->size > sizeof(area));
	assert_int_equal(tls->filled, tls->size - sizeof(area));
}

/* Some containers forbid it, also within a process. */
static bool may_read(void)
{
	u8 byte;
	struct iovec to = { &byte, 1 }, from = { area, 1 };

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1;
}

/* Also that of a thread that sleeps since before the recording. */
static void a_thread_that_cannot_run_is_read(void **state)
{
	static const struct {
		enum wall_state state;
		bool read;
	} rows[] = {
		{ WALL_SLEEP, true },	{ WALL_DISK, true },	{ WALL_STOPPED, true },
		{ WALL_TRACED, true },	{ WALL_FROZEN, true },	{ WALL_RUNNING, false },
		{ WALL_QUEUED, false }, { WALL_ZOMBIE, false },
	};
	struct memory_test *t = *state;

	if (!may_read())
		skip();
	for (u32 i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct wall_look look = look_at(rows[i].state);

		wall_memory_read(t->memory, &look, NULL);
		if (rows[i].read)
			assert_read(&look.tls);
		else
			assert_unread(&look.tls);
	}
}

static void bytes_of_a_thread_that_ran_meanwhile_do_not_count(void **state)
{
	struct memory_test *t = *state;
	struct wall_look look = look_at(WALL_SLEEP);

	put_runs(t, RUNS + 1);
	wall_memory_read(t->memory, &look, NULL);
	assert_unread(&look.tls);
}

/* A thread of the kernel has no activity: it is not unread. */
static void a_thread_without_a_thread_pointer_has_none(void **state)
{
	struct memory_test *t = *state;
	struct wall_look look = look_at(WALL_SLEEP);

	look.tp = 0;
	wall_memory_read(t->memory, &look, NULL);
	assert_int_equal(look.tls.size, 0);
}

static void no_stretch(const struct wall_look *look, u64 end, u64 length, void *arg)
{
}

/* The account of a thread whose place was not known at the look. */
static struct wall_account *account_of_an_early_look(struct memory_test *t)
{
	struct wall_account *account = wall_account_new(0, no_stretch, NULL);
	struct wall_look look = look_at(WALL_SLEEP);

	place_known = false;
	wall_memory_read(t->memory, &look, NULL);
	assert_int_equal(look.tls.size, 0);
	wall_account_take(account, &look, 0);
	return account;
}

static void a_thread_is_read_when_its_place_becomes_known(void **state)
{
	struct memory_test *t = *state;
	struct wall_account *account;

	if (!may_read())
		skip();
	account = account_of_an_early_look(t);
	wall_memory_read_late(t->memory, account);
	assert_int_equal(wall_account_look(account, TID)->tls.size, 0);
	place_known = true;
	wall_memory_read_late(t->memory, account);
	assert_read(&wall_account_look(account, TID)->tls);
	wall_account_free(account);
}

static void not_if_it_has_run_since(void **state)
{
	struct memory_test *t = *state;
	struct wall_account *account = account_of_an_early_look(t);

	place_known = true;
	put_runs(t, RUNS + 1);
	wall_memory_read_late(t->memory, account);
	assert_int_equal(wall_account_look(account, TID)->tls.size, 0);
	wall_account_free(account);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_thread_that_cannot_run_is_read, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(bytes_of_a_thread_that_ran_meanwhile_do_not_count,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_thread_without_a_thread_pointer_has_none, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_thread_is_read_when_its_place_becomes_known,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(not_if_it_has_run_since, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
