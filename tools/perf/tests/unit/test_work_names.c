// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of the functions that workqueues run, by the kernel's symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "record/waits/work_names.h"

static struct work_names *with(const char *kallsyms, char **path)
{
	int fd = g_file_open_tmp("kallsyms.XXXXXX", path, NULL);

	assert_true(fd >= 0);
	close(fd);
	assert_true(g_file_set_contents(*path, kallsyms, -1, NULL));
	return work_names_new(*path);
}

static void done(struct work_names *n, char *path)
{
	work_names_free(n);
	g_unlink(path);
	g_free(path);
}

static void test_names(void **state)
{
	char *path;
	struct work_names *n = with("ffffffff81000300 t wb_workfn\n"
				    "ffffffff81000100 T flush_to_ldisc\n"
				    "ffffffff81000200 D jiffies\n"
				    "ffffffffc0000100 t do_dio\t[loop]\n",
				    &path);

	assert_string_equal(work_names_find(n, 0xffffffff81000100), "flush_to_ldisc");
	assert_string_equal(work_names_find(n, 0xffffffff81000300), "wb_workfn");
	assert_string_equal(work_names_find(n, 0xffffffffc0000100), "do_dio");
	/* Data, the middle of a function, and nothing. */
	assert_null(work_names_find(n, 0xffffffff81000200));
	assert_null(work_names_find(n, 0xffffffff81000108));
	assert_null(work_names_find(n, 0));
	done(n, path);
}

static void test_hidden(void **state)
{
	char *path;
	struct work_names *n = with("0000000000000000 T flush_to_ldisc\n"
				    "0000000000000000 t wb_workfn\n",
				    &path);

	assert_null(work_names_find(n, 0));
	assert_null(work_names_find(n, 0xffffffff81000100));
	done(n, path);
	n = work_names_new("/nowhere/kallsyms");
	assert_null(work_names_find(n, 0xffffffff81000100));
	work_names_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
