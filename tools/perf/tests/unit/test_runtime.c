// SPDX-License-Identifier: GPL-2.0-or-later
/* perf's folder of a user: which of three places it is, and who may have made it. */
#include <setjmp.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <glib.h>

#include "base/runtime.h"

#define SKIPPED 77

static bool is(u32 uid, const char *expected)
{
	g_autofree char *dir = runtime_dir(uid);

	return !strcmp(dir, expected);
}

/* With a /run of its own, where user 4711 has a folder, and user 4712 has none. */
static int look_at_users(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL))
		return SKIPPED;
	if (g_mkdir_with_parents("/run/user/4711", 0755))
		return 1;
	setenv("XDG_RUNTIME_DIR", "/of/this/user", 1);
	if (!is(4711, "/run/user/4711/perf") || !is(4712, "/dev/shm/perf-4712"))
		return 2;
	return is(geteuid(), "/of/this/user/perf") ? 0 : 3;
}

static void test_places(void **state)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child)
		_exit(look_at_users());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED) {
		print_message("skipped: /run cannot be replaced for a process\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* What is no absolute path is not taken from the environment. */
static void test_environment(void **state)
{
	g_autofree char *before = g_strdup(getenv("XDG_RUNTIME_DIR"));

	setenv("XDG_RUNTIME_DIR", "relative", 1);
	assert_false(is(geteuid(), "relative/perf"));
	setenv("XDG_RUNTIME_DIR", "/absolute", 1);
	assert_true(is(geteuid(), "/absolute/perf"));
	assert_false(is(geteuid() + 1, "/absolute/perf"));
	if (before)
		setenv("XDG_RUNTIME_DIR", before, 1);
	else
		unsetenv("XDG_RUNTIME_DIR");
}

static void test_made(void **state)
{
	g_autofree char *top = g_dir_make_tmp("runtime-XXXXXX", NULL);
	g_autofree char *dir = g_build_filename(top, "a", "perf", NULL);
	g_autofree char *parent = g_path_get_dirname(dir);
	g_autofree char *file = g_build_filename(top, "file", NULL);
	g_autofree char *link = g_build_filename(top, "link", NULL);

	assert_true(runtime_make(dir));
	assert_true(runtime_make(dir));
	assert_true(g_file_set_contents(file, "", 0, NULL));
	assert_false(runtime_make(file));
	assert_int_equal(symlink(dir, link), 0);
	assert_false(runtime_make(link));
	assert_int_equal(errno, ENOTDIR);
	unlink(link);
	unlink(file);
	rmdir(dir);
	rmdir(parent);
	rmdir(top);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
