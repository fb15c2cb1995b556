// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said when a BPF program could not be loaded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/resource.h>

#include "base/error.h"
#include "record/base/kernel_types.h"

static char *words_of(const char *needs, int errnum)
{
	GError *error = NULL;
	char *words;

	assert_false(kernel_bpf_failed("--x", needs, errnum, &error));
	assert_non_null(error);
	words = g_strdup(error->message);
	g_error_free(error);
	return words;
}

static void assert_says(const char *needs, int errnum, const char *expected)
{
	g_autofree char *words = words_of(needs, errnum);

	assert_string_equal(words, expected);
}

static void a_shortage_is_no_old_kernel(void **state)
{
	(void)state;
	assert_says("Linux 5.15", EMFILE,
		    "--x: the BPF program cannot be loaded: Too many open files");
	assert_says("Linux 5.15", ENOMEM,
		    "--x: the BPF program cannot be loaded: Cannot allocate memory");
}

static void no_permission(void **state)
{
	g_autofree char *words = words_of("Linux 5.15", EPERM);

	(void)state;
	assert_true(g_str_has_prefix(words, "--x needs BPF: "));
}

static void an_old_kernel(void **state)
{
	(void)state;
	if (kernel_types_missing("--x", NULL))
		skip();
	assert_says("Linux 5.15", EINVAL,
		    "--x: the kernel rejects the BPF program (needs Linux 5.15): Invalid argument");
	assert_says(NULL, EINVAL, "--x: the kernel rejects the BPF program: Invalid argument");
}

/* libbpf says EINVAL if its tests of the kernel's features got no descriptors. */
static void a_hidden_shortage(void **state)
{
	struct rlimit before, few;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ 16, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_says("Linux 5.15", EINVAL,
		    "--x: the BPF program cannot be loaded: Too many open files");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shortage_is_no_old_kernel),
		cmocka_unit_test(no_permission),
		cmocka_unit_test(an_old_kernel),
		cmocka_unit_test(a_hidden_shortage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
