// SPDX-License-Identifier: GPL-2.0-or-later
/* The call-frame information of object files: none where there is no file, and one for a file that has two names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chains/objects.h"
#include "dso/dsos.h"
#include "programs.h"

static void test_absent(void **state)
{
	char *folder = g_dir_make_tmp("objects-XXXXXX", NULL); /* program_remove() frees it */
	g_autofree char *gone = g_build_filename(folder, "gone", NULL);
	g_autofree char *program = g_build_filename(folder, "program", NULL);
	g_autofree char *other = g_build_filename(folder, "other", NULL);
	g_autofree char *command =
		g_strdup_printf("echo 'int main(void) { return 0; }' | "
				"gcc -xc -g -Wl,--build-id -o '%s' - && cp '%s' '%s'",
				program, program, other);
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = folder });
	struct objects *objects = objects_new();
	struct dso *absent = dsos_get(dsos, gone, NULL, 0, DSO_USER);
	struct cfi *cfi;

	assert_int_equal(system(command), 0);
	assert_null(objects_cfi(objects, absent));
	assert_null(objects_cfi(objects, absent));
	cfi = objects_cfi(objects, dsos_get(dsos, program, NULL, 0, DSO_USER));
	assert_non_null(cfi);
	assert_ptr_equal(objects_cfi(objects, dsos_get(dsos, other, NULL, 0, DSO_USER)), cfi);
	objects_free(objects);
	dsos_free(dsos);
	program_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_absent) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
