// SPDX-License-Identifier: GPL-2.0-or-later
/* Passes by /proc, over forged processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "record/waits/wall.h"
#include "record/waits/wall_files.h"
#include "tests/unit/perfevent_tree.h"

struct looks {
	char comm[16];
	u32 nr;
};

static void note(const struct wall_look *look, void *arg)
{
	struct looks *l = arg;

	g_strlcpy(l->comm, look->comm, sizeof(l->comm));
	l->nr++;
}

/* The kernel's files of an id are the same ones when another thread takes it: they are not replaced here, either. */
static void put(const struct tree *t, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(t->proc, "4711/task/4711", name, NULL);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void put_sleeper(const struct tree *t, const char *comm, const char *sums)
{
	g_autofree char *stat = g_strdup_printf(
		"4711 (%s) S 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9000 0", comm);

	put(t, "stat", stat);
	put(t, "schedstat", sums);
}

static u32 look(struct wall_eye *eye, struct looks *looks)
{
	struct wall_pass pass;

	looks->nr = 0;
	assert_true(eye->ops->pass(eye, false, note, looks, &pass, NULL));
	assert_int_equal(pass.seen, 1);
	return looks->nr;
}

/*
 * A thread that executes a program takes the id of its process's first thread. It is looked at, also if both ran equally
 * often: the end of the first one is told by its EXIT record, and without a look the new program would have ended, too.
 */
static void test_another_with_its_id(void **state)
{
	struct wall_clock clock = { 0 };
	struct looks looks = { .nr = 0 };
	struct wall_proc_options options;
	struct wall_eye *eye;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/4711/task/4711/wchan", "0");
	put_sleeper(&t, "first", "1000000 20000 3\n");
	options = (struct wall_proc_options){ .paths = &t.paths };
	eye = wall_proc_open(&options, &clock, NULL);
	assert_non_null(eye);
	eye->ops->want(eye, 4711, 4711);
	assert_int_equal(look(eye, &looks), 1);
	assert_string_equal(looks.comm, "first");
	assert_int_equal(look(eye, &looks), 0); /* it has not run since */
	put_sleeper(&t, "second", "1500000 20000 3\n");
	assert_int_equal(look(eye, &looks), 1);
	assert_string_equal(looks.comm, "second");
	assert_int_equal(look(eye, &looks), 0);
	put_sleeper(&t, "second", "1500000 20000 4\n");
	assert_int_equal(look(eye, &looks), 1);
	eye->ops->close(eye);
	tree_release(&t);
}

static void keep(const struct wall_look *look, void *arg)
{
	*(struct wall_look *)arg = *look;
}

/* What only the file status says: ids in the thread's own namespace, and how often a thread that runs has slept. */
static void test_status(void **state)
{
	struct wall_clock clock = { 0 };
	struct wall_proc_options options;
	struct wall_look look = { .tid = 0 };
	struct wall_pass pass;
	struct wall_eye *eye;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/4711/task/4711/stat",
		 "4711 (busy) R 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9000 0");
	put(&t, "schedstat", "1000000 20000 3\n");
	put(&t, "status",
	    "Name:\tbusy\nNStgid:\t4711\t12\nNSpid:\t4711\t15\n"
	    "voluntary_ctxt_switches:\t41\nnonvoluntary_ctxt_switches:\t9\n");
	options = (struct wall_proc_options){ .paths = &t.paths };
	eye = wall_proc_open(&options, &clock, NULL);
	assert_non_null(eye);
	eye->ops->want(eye, 4711, 4711);
	assert_true(eye->ops->pass(eye, false, keep, &look, &pass, NULL));
	assert_int_equal(look.tid, 4711);
	assert_int_equal(look.sleeps, 41);
	assert_int_equal(look.inner_pid, 12);
	assert_int_equal(look.inner_tid, 15);
	eye->ops->close(eye);
	tree_release(&t);
}

#define STAT "4711 (some) S 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9000 0"

static struct wall_eye *open_on(const struct tree *t, bool by_tid, u32 pid, u32 tid)
{
	static const struct wall_clock clock;
	const struct wall_proc_options options = { .by_tid = by_tid, .paths = &t->paths };
	struct wall_eye *eye = wall_proc_open(&options, &clock, NULL);

	assert_non_null(eye);
	eye->ops->want(eye, pid, tid);
	return eye;
}

static void put_thread(struct tree *t, const char *thread)
{
	g_autofree char *stat = g_strdup_printf("proc/%s/stat", thread);
	g_autofree char *sums = g_strdup_printf("proc/%s/schedstat", thread);

	tree_put(t, stat, STAT);
	tree_put(t, sums, "1000000 20000 3\n");
}

static void remove_folder(const struct tree *t, const char *name)
{
	g_autofree char *path = g_build_filename(t->proc, name, NULL);

	tree_remove(path);
}

/* Numbers of threads that a pass sees, and that it no longer finds. */
static void assert_pass(struct wall_eye *eye, u32 seen, u32 gone)
{
	struct looks looks = { .nr = 0 };
	struct wall_pass pass;

	assert_true(eye->ops->pass(eye, false, note, &looks, &pass, NULL));
	assert_int_equal(pass.seen, seen);
	assert_int_equal(pass.gone->len, gone);
}

/* A process that ends is not selected any more: the next one with its number is not its child, and nobody's business. */
static void test_the_next_process_with_its_id(void **state)
{
	struct wall_eye *eye;
	struct tree t;

	tree_init(&t);
	put_thread(&t, "4711/task/4711");
	put_thread(&t, "4711/task/4712");
	eye = open_on(&t, false, 4711, 4711);
	assert_pass(eye, 2, 0);
	remove_folder(&t, "4711/task/4712");
	assert_pass(eye, 1, 1);
	put_thread(&t, "4711/task/4712"); /* another thread of it */
	assert_pass(eye, 2, 0);
	remove_folder(&t, "4711");
	assert_pass(eye, 0, 2);
	put_thread(&t, "4711/task/4711");
	assert_pass(eye, 0, 0);
	eye->ops->want(eye, 4711, 4711); /* one that a selected process has made */
	assert_pass(eye, 1, 0);
	eye->ops->close(eye);
	tree_release(&t);
}

/* No pass came in between: the file of the thread that has ended cannot be read any more. */
static void test_the_next_process_at_once(void **state)
{
	struct wall_eye *eye;
	struct tree t;

	tree_init(&t);
	put_thread(&t, "4711/task/4711");
	eye = open_on(&t, false, 4711, 4711);
	assert_pass(eye, 1, 0);
	put(&t, "schedstat", "");
	remove_folder(&t, "4711");
	put_thread(&t, "4711/task/4711");
	assert_pass(eye, 0, 1);
	assert_pass(eye, 0, 0);
	eye->ops->close(eye);
	tree_release(&t);
}

/* The same of a selected thread, whose process goes on. */
static void test_the_next_thread_with_its_id(void **state)
{
	struct wall_eye *eye;
	struct tree t;

	tree_init(&t);
	put_thread(&t, "4711/task/4711");
	put_thread(&t, "4711/task/4712");
	eye = open_on(&t, true, 4711, 4712);
	assert_pass(eye, 1, 0);
	remove_folder(&t, "4711/task/4712");
	assert_pass(eye, 0, 1);
	put_thread(&t, "4711/task/4712");
	assert_pass(eye, 0, 0);
	eye->ops->close(eye);
	tree_release(&t);
}

#define NR_MANY 8

/* The files that stay open for the next pass are closed when they leave no room for others: no thread is left out. */
static void test_few_files_may_be_open(void **state)
{
	struct wall_clock clock = { 0 };
	struct wall_proc_options options;
	struct rlimit before, low;
	struct wall_pass pass[2];
	struct wall_eye *eye;
	struct looks looks = { .nr = 0 };
	struct tree t;
	bool fine;

	tree_init(&t);
	for (u32 i = 0; i < NR_MANY; i++) {
		g_autofree char *stat = g_strdup_printf("proc/4711/task/%u/stat", 4711 + i);
		g_autofree char *sums = g_strdup_printf("proc/4711/task/%u/schedstat", 4711 + i);

		tree_put(&t, stat,
			 "4711 (many) S 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9000 0");
		tree_put(&t, sums, "1000000 20000 3\n");
	}
	options = (struct wall_proc_options){ .paths = &t.paths };
	eye = wall_proc_open(&options, &clock, NULL);
	assert_non_null(eye);
	eye->ops->want(eye, 4711, 4711);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = before;
	low.rlim_cur = (rlim_t)dup(0) + 4; /* two folders, and one or two files */
	close((int)low.rlim_cur - 4);
	setrlimit(RLIMIT_NOFILE, &low);
	fine = eye->ops->pass(eye, false, note, &looks, &pass[0], NULL) &&
	       eye->ops->pass(eye, false, note, &looks, &pass[1], NULL);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_true(fine);
	assert_int_equal(pass[0].seen, NR_MANY);
	assert_int_equal(looks.nr, NR_MANY);
	assert_int_equal(pass[1].seen, NR_MANY);
	eye->ops->close(eye);
	tree_release(&t);
}

static void test_no_schedstat(void **state)
{
	struct wall_clock clock = { 0 };
	struct wall_proc_options options;
	g_autoptr(GError) error = NULL;
	struct wall_eye *eye;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/self/stat", "4711 (self) R 1");
	options = (struct wall_proc_options){ .paths = &t.paths };
	assert_null(wall_proc_open(&options, &clock, &error));
	assert_non_null(strstr(error->message, "self/schedstat"));
	tree_put(&t, "proc/self/schedstat", "1 1 1\n");
	eye = wall_proc_open(&options, &clock, NULL);
	assert_non_null(eye);
	eye->ops->close(eye);
	tree_release(&t);
}

/* What process 4711 has open as @fd. */
static void open_as(struct tree *t, u32 fd, const char *name)
{
	g_autofree char *path = g_strdup_printf("%s/4711/fd/%u", t->paths.proc, fd);
	g_autofree char *folder = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	unlink(path);
	if (name)
		assert_int_equal(symlink(name, path), 0);
}

/* A name is read once for a file. Anonymous files share an inode, and have names by their descriptor. */
static void test_names_of_files(void **state)
{
	struct wall_files *f;
	struct tree t;

	tree_init(&t);
	open_as(&t, 3, "/var/log/syslog");
	open_as(&t, 5, "anon_inode:[eventfd]");
	open_as(&t, 6, "anon_inode:[eventpoll]");
	f = wall_files_new(t.paths.proc);
	assert_string_equal(wall_files_name(f, 4711, 3, 8, 100), "/var/log/syslog");
	open_as(&t, 3, "/var/log/other");
	assert_string_equal(wall_files_name(f, 4711, 3, 8, 100), "/var/log/syslog");
	assert_string_equal(wall_files_name(f, 99, 7, 8, 100), "/var/log/syslog");
	assert_string_equal(wall_files_name(f, 4711, 3, 8, 101), "/var/log/other");
	assert_string_equal(wall_files_name(f, 4711, 5, 13, 1032), "anon_inode:[eventfd]");
	assert_string_equal(wall_files_name(f, 4711, 6, 13, 1032), "anon_inode:[eventpoll]");
	open_as(&t, 6, NULL);
	assert_string_equal(wall_files_name(f, 4711, 6, 13, 1032), "anon_inode:[eventpoll]");
	assert_null(wall_files_name(f, 4711, 7, 13, 1032));
	/* The descriptor is another pipe's, or another socket's, by the time it is looked up. */
	open_as(&t, 8, "pipe:[204]");
	assert_null(wall_files_name(f, 4711, 8, 12, 203));
	assert_string_equal(wall_files_name(f, 4711, 8, 12, 204), "pipe:[204]");
	open_as(&t, 8, "socket:[304]");
	assert_null(wall_files_name(f, 4711, 8, 9, 303));
	assert_string_equal(wall_files_name(f, 4711, 8, 9, 304), "socket:[304]");
	wall_files_free(f);
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_another_with_its_id),
		cmocka_unit_test(test_the_next_process_with_its_id),
		cmocka_unit_test(test_the_next_process_at_once),
		cmocka_unit_test(test_the_next_thread_with_its_id),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_few_files_may_be_open),
		cmocka_unit_test(test_no_schedstat),
		cmocka_unit_test(test_names_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
