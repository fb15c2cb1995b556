// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lock that a sleeping thread waits for, by the words of its memory. The locks lie in this process, and a folder of the test
 * tells how often the thread ran. Threads of the tests: WAITER, OWNER and NEXT.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "perfevent_tree.h"
#include "record/waits/wall_account.h"
#include "record/waits/wall_locks.h"

enum { WAITER = 9, OWNER, NEXT };
#define RUNS 57

#define OP_WAIT		 128 /* private */
#define OP_LOCK_PI	 (128 + 6)
#define OP_WAIT_BITSET	 (128 + 9)
#define OP_SHARED_BITSET 9

static u32 words[8];

struct locks_test {
	struct tree tree;
	struct wall_account *account;
	struct wall_locks *locks;
};

static void put_runs(struct locks_test *t, u32 runs)
{
	g_autofree char *name = g_strdup_printf("proc/%d/task/%d/schedstat", getpid(), WAITER);
	g_autofree char *text = g_strdup_printf("1000 200 %u\n", runs);

	tree_put(&t->tree, name, text);
}

static void no_stretch(const struct wall_look *look, u64 end, u64 length, void *arg)
{
}

static struct wall_look thread(u32 tid, const char *comm)
{
	struct wall_look look = { .pid = (u32)getpid(),
				  .tid = tid,
				  .made = 1,
				  .time = 10,
				  .state = WALL_SLEEP,
				  .syscall = -1,
				  .runs = RUNS };

	g_strlcpy(look.comm, comm, sizeof(look.comm));
	return look;
}

/* The waiter, in futex(&words[word], op, value). */
static struct wall_look waiter(u32 word, u32 op, u32 value)
{
	struct wall_look look = thread(WAITER, "waiter");

	look.syscall = SYS_futex;
	look.args[0] = (uintptr_t)&words[word];
	look.args[1] = op;
	look.args[2] = value;
	return look;
}

static int set_up(void **state)
{
	struct locks_test *t = g_new0(struct locks_test, 1);
	struct wall_look owner = thread(OWNER, "owner"), next = thread(NEXT, "next");

	memset(words, 0, sizeof(words));
	tree_init(&t->tree);
	put_runs(t, RUNS);
	t->account = wall_account_new(0, no_stretch, NULL);
	t->locks = wall_locks_new(&t->tree.paths, t->account);
	wall_account_take(t->account, &owner, 0);
	wall_account_take(t->account, &next, 0);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct locks_test *t = *state;

	wall_locks_free(t->locks);
	wall_account_free(t->account);
	tree_release(&t->tree);
	g_free(t);
	return 0;
}

/* Some containers forbid it, also within a process. */
static bool may_read(void)
{
	u32 word;
	struct iovec to = { &word, sizeof(word) }, from = { words, sizeof(word) };

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(word);
}

static void each_kind_of_lock_says_its_owner(void **state)
{
	static const struct {
		u32 word, op, value; /* of the call */
		u32 at, is;	     /* words[at] = is */
		enum wall_lock_kind kind;
		enum wall_owner owner;
		u32 start; /* of the lock: a word */
	} rows[] = {
		{ 0, OP_WAIT, 2, 2, OWNER, WALL_LOCK_MUTEX, WALL_OWNER_KNOWN, 0 },
		{ 0, OP_WAIT, 2, 2, 4711, WALL_LOCK_MUTEX, WALL_OWNER_STRANGER, 0 },
		{ 0, OP_WAIT, 2, 2, WAITER, WALL_LOCK_MUTEX, WALL_OWNER_STRANGER, 0 },
		{ 0, OP_WAIT_BITSET, 2, 2, OWNER, WALL_LOCK_TIMED, WALL_OWNER_KNOWN, 0 },
		{ 0, OP_LOCK_PI, 0, 0, 0x80000000 + OWNER, WALL_LOCK_PI, WALL_OWNER_KNOWN, 0 },
		{ 0, OP_WAIT, 0x80000000 + OWNER, 0, 0x80000000 + OWNER, WALL_LOCK_ROBUST,
		  WALL_OWNER_KNOWN, 0 },
		{ 2, OP_WAIT_BITSET, 3, 6, OWNER, WALL_LOCK_READ, WALL_OWNER_KNOWN, 0 },
		{ 3, OP_WAIT_BITSET, 3, 6, OWNER, WALL_LOCK_WRITE, WALL_OWNER_KNOWN, 0 },
		{ 0, OP_SHARED_BITSET, OWNER, 0, OWNER, WALL_LOCK_THREAD, WALL_OWNER_KNOWN, 0 },
		{ 0, OP_WAIT, 1, 0, 1, WALL_LOCK_FUTEX, WALL_OWNER_NONE, 0 },
	};
	struct locks_test *t = *state;

	if (!may_read())
		skip();
	for (u32 i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct wall_look look = waiter(rows[i].word, rows[i].op, rows[i].value);

		memset(words, 0, sizeof(words));
		words[rows[i].at] = rows[i].is;
		wall_locks_read(t->locks, &look, NULL);
		assert_int_equal(look.lock.kind, rows[i].kind);
		assert_int_equal(look.lock.owner, rows[i].owner);
		assert_int_equal(look.lock.va, (uintptr_t)&words[rows[i].start]);
		assert_int_equal(look.lock.owner_tid,
				 rows[i].owner == WALL_OWNER_KNOWN ? OWNER : 0);
		wall_locks_complete(t->locks, &look);
		if (rows[i].owner == WALL_OWNER_KNOWN)
			assert_string_equal(look.owner, "owner");
		else
			assert_null(look.owner);
	}
}

/* The waiter, in a call on its descriptor 3, which is a file with the number @inode. */
static struct wall_look file_waiter(struct locks_test *t, s32 call, u64 command)
{
	struct wall_look look = thread(WAITER, "waiter");

	look.syscall = call;
	look.args[0] = 3;
	look.args[1] = command;
	return look;
}

/* A file of the test, as descriptor 3 of the waiter's process. Returns its number. */
static u64 make_file(struct locks_test *t)
{
	g_autofree char *name = g_strdup_printf("proc/%d/fd/3", getpid());
	g_autofree char *path = NULL;
	struct stat s;

	tree_put(&t->tree, name, "");
	path = g_strdup_printf("%s/%d/fd/3", t->tree.paths.proc, getpid());
	assert_int_equal(stat(path, &s), 0);
	return s.st_ino;
}

static void put_locks(struct locks_test *t, u64 inode, const char *access)
{
	g_autofree char *text = g_strdup_printf(
		"1: POSIX  ADVISORY  WRITE 77 fd:01:%lu 0 EOF\n"
		"1: -> POSIX  ADVISORY  WRITE %d fd:01:%lu 0 EOF\n"
		"2: FLOCK  ADVISORY  WRITE %d fd:01:%lu 0 EOF\n"
		"2: -> FLOCK  ADVISORY  WRITE 4712 fd:01:%lu 0 EOF\n"
		"2:  -> FLOCK  ADVISORY  %s %d fd:01:%lu 0 EOF\n"
		"garbage\n",
		(unsigned long)inode + 1, getpid(), (unsigned long)inode + 1, OWNER,
		(unsigned long)inode, (unsigned long)inode, access, getpid(), (unsigned long)inode);
	g_autofree char *task = g_strdup_printf("proc/%d/task/%d/comm", OWNER, OWNER);

	tree_put(&t->tree, "proc/locks", text);
	tree_put(&t->tree, task, "owner\n");
}

static void a_lock_of_a_file_has_its_process(void **state)
{
	struct locks_test *t = *state;
	u64 inode = make_file(t);
	struct wall_look look = file_waiter(t, SYS_flock, 2);

	put_locks(t, inode, "WRITE");
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_FILE_WRITE);
	assert_int_equal(look.lock.owner, WALL_OWNER_KNOWN);
	assert_int_equal(look.lock.owner_tid, OWNER);
	assert_int_equal(wall_lock_owner_pid(&look.lock), OWNER);
	wall_locks_complete(t->locks, &look);
	assert_string_equal(look.owner, "owner");
	/* The process also waits for a lock of another kind, on another file. */
	look = file_waiter(t, SYS_fcntl, F_SETLKW);
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_NONE);
	look = file_waiter(t, SYS_fcntl, F_GETFL);
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_NONE);
}

/* /proc/locks names a process only. */
static void of_several_threads_none_is_the_owner(void **state)
{
	struct locks_test *t = *state;
	u64 inode = make_file(t);
	struct wall_look look = file_waiter(t, SYS_flock, 2);
	g_autofree char *task = g_strdup_printf("proc/%d/task/%d/comm", OWNER, NEXT);

	put_locks(t, inode, "READ");
	tree_put(&t->tree, task, "next\n");
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_FILE_READ);
	assert_int_equal(look.lock.owner, WALL_OWNER_UNSEEN);
	assert_int_equal(look.lock.owner_tid, 0);
}

static void a_writer_that_waits_for_readers(void **state)
{
	struct locks_test *t = *state;
	struct wall_look look = waiter(2, OP_WAIT_BITSET, 2);

	if (!may_read())
		skip();
	words[0] = 0xa;
	words[2] = 2;
	words[3] = 3;
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_WRITE);
	assert_int_equal(look.lock.owner, WALL_OWNER_READERS);
	assert_int_equal(look.lock.va, (uintptr_t)words);
}

static void words_of_a_thread_that_ran_meanwhile_do_not_count(void **state)
{
	struct locks_test *t = *state;
	struct wall_look look = waiter(0, OP_WAIT, 2);

	words[2] = OWNER;
	put_runs(t, RUNS + 1);
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_NONE);
}

static void who_waits_for_no_lock_has_none(void **state)
{
	struct locks_test *t = *state;
	struct wall_look other = waiter(0, OP_WAIT, 2), runs = other, wakes = other, over = other;

	words[2] = OWNER;
	other.syscall = SYS_read;
	runs.state = WALL_RUNNING;
	wakes.args[1] = 1;
	over.flags = WALL_LAST_CALL;
	for (u32 i = 0; i < 4; i++) {
		struct wall_look *look = (struct wall_look *[]){ &other, &runs, &wakes, &over }[i];

		wall_locks_read(t->locks, look, NULL);
		assert_int_equal(look->lock.kind, WALL_LOCK_NONE);
	}
}

static void memory_that_cannot_be_read(void **state)
{
	struct locks_test *t = *state;
	struct wall_look look = waiter(0, OP_WAIT, 2);

	look.args[0] = 16;
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.kind, WALL_LOCK_FUTEX);
	assert_int_equal(look.lock.owner, WALL_OWNER_UNREADABLE);
}

/* The thread sleeps on: there is no new look. */
static void a_new_owner_of_a_sleeper_s_lock(void **state)
{
	struct locks_test *t = *state;
	struct wall_look look = waiter(0, OP_WAIT, 2), next;

	if (!may_read())
		skip();
	words[2] = OWNER;
	wall_locks_read(t->locks, &look, NULL);
	wall_account_take(t->account, &look, 0);
	words[2] = NEXT;
	next = *wall_account_look(t->account, WAITER);
	wall_locks_complete(t->locks, &next);
	assert_int_equal(next.lock.owner, WALL_OWNER_CHANGED);
	assert_int_equal(next.lock.owner_tid, 0);
	next = *wall_account_look(t->account, WAITER);
	wall_locks_complete(t->locks, &next);
	assert_int_equal(next.lock.owner, WALL_OWNER_KNOWN);
	assert_int_equal(next.lock.owner_tid, NEXT);
	assert_string_equal(next.owner, "next");
}

/* It ran, and sleeps at the same place: only times come. */
static void the_same_place_with_another_owner_is_another_wait(void **state)
{
	struct locks_test *t = *state;
	struct wall_look look = waiter(0, OP_WAIT, 2), same = thread(WAITER, "waiter");

	if (!may_read())
		skip();
	words[2] = OWNER;
	wall_locks_read(t->locks, &look, NULL);
	wall_account_take(t->account, &look, 0);
	same.same = true;
	wall_locks_read(t->locks, &same, wall_account_look(t->account, WAITER));
	assert_true(same.same);
	words[2] = NEXT;
	wall_locks_read(t->locks, &same, wall_account_look(t->account, WAITER));
	assert_false(same.same);
	assert_int_equal(same.lock.owner_tid, NEXT);
	assert_int_equal(same.syscall, SYS_futex);
}

/* In another pid namespace, locks have the numbers of there. */
static void numbers_of_another_namespace(void **state)
{
	struct locks_test *t = *state;
	struct wall_look owner = thread(OWNER, "owner"), look = waiter(0, OP_WAIT, 2);

	if (!may_read())
		skip();
	owner.inner_tid = 2;
	look.inner_tid = 3;
	words[2] = 2;
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.owner, WALL_OWNER_STRANGER);
	wall_locks_read(t->locks, &owner, NULL);
	wall_locks_read(t->locks, &look, NULL);
	assert_int_equal(look.lock.owner, WALL_OWNER_KNOWN);
	assert_int_equal(look.lock.owner_tid, OWNER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define LOCKS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		LOCKS_TEST(each_kind_of_lock_says_its_owner),
		LOCKS_TEST(a_writer_that_waits_for_readers),
		LOCKS_TEST(a_lock_of_a_file_has_its_process),
		LOCKS_TEST(of_several_threads_none_is_the_owner),
		LOCKS_TEST(words_of_a_thread_that_ran_meanwhile_do_not_count),
		LOCKS_TEST(who_waits_for_no_lock_has_none),
		LOCKS_TEST(memory_that_cannot_be_read),
		LOCKS_TEST(a_new_owner_of_a_sleeper_s_lock),
		LOCKS_TEST(the_same_place_with_another_owner_is_another_wait),
		LOCKS_TEST(numbers_of_another_namespace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
