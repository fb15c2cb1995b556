// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiled rows outlive a run: the next one has the same rules without compiling. What is damaged, of another version, of another
 * object or somebody else's is not used, and made anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <glib/gstdio.h>

#include "dso/kept.h"
#include "tests/unit/rules.h"

#define TEXT	     0x10000
#define NR_FUNCTIONS 200
#define TEXT_SIZE    0x1000
#define HEAD_SIZE    80

static struct {
	char *dir, *folder, *object, *other, *file;
	struct build_id id;
} files;

/* Functions with frames of different sizes; some have an expression. Both objects have the same build-id. */
static char *build(const char *name, u32 step)
{
	char *path = g_build_filename(files.dir, name, NULL);
	g_autofree char *s = g_build_filename(files.dir, "f.s", NULL), *command = NULL;
	g_autoptr(GString) text = g_string_new("	.text\n");

	for (u32 i = 0; i < NR_FUNCTIONS; i++)
		g_string_append_printf(
			text,
			"	.cfi_startproc\n	push %%rbp\n"
			"	.cfi_def_cfa_offset 16\n	.cfi_offset rbp, -16\n"
			"	.skip %u\n	.cfi_def_cfa_offset %u\n	nop\n"
			"%s	nop\n	.cfi_endproc\n",
			step + i % 3, 16 + i % 32 * 8,
			i % 16 ? "" : "	.cfi_escape 0x0f,0x03,0x77,0x08,0x06\n");
	assert_true(g_file_set_contents(s, text->str, -1, NULL));
	command = g_strdup_printf("gcc -nostdlib -shared -Wl,-Ttext=%#x -Wl,-z,noexecstack "
				  "-Wl,--build-id=0x00112233445566778899 -o %s %s",
				  TEXT, path, s);
	assert_int_equal(system(command), 0);
	g_unlink(s);
	return path;
}

static int make_objects(void **state)
{
	files.dir = g_dir_make_tmp("kept.XXXXXX", NULL);
	files.object = build("object", 1);
	files.other = build("other", 2);
	files.folder = g_build_filename(files.dir, "cache", NULL);
	files.file = g_build_filename(files.folder, "00112233445566778899-0", NULL);
	return !build_id_read(files.object, &files.id, NULL);
}

static int remove_objects(void **state)
{
	g_unlink(files.file);
	g_rmdir(files.folder);
	g_unlink(files.object);
	g_unlink(files.other);
	return g_rmdir(files.dir);
}

static int forget_all(void **state)
{
	g_unlink(files.file);
	return 0;
}

/* Opens the object with what is kept, asks for all rules and closes it: returns these, and how many functions were kept. */
static char *ask(const char *path, u32 *nr_kept, u32 *nr_compiled)
{
	struct image *image = image_open(path, NULL);
	struct cfi *cfi = cfi_open(image, NULL);
	struct cfi_stats stats;
	char *text;

	assert_non_null(cfi);
	cfi_keep(cfi, files.folder, &files.id);
	text = rules_text(cfi, TEXT, TEXT_SIZE);
	cfi_compile(cfi);
	stats = cfi_stats(cfi);
	*nr_kept = stats.nr_kept;
	*nr_compiled = stats.nr_compiled;
	assert_int_equal(stats.nr_functions, NR_FUNCTIONS);
	cfi_close(cfi);
	image_close(image);
	return text;
}

static void check_kept(const char *right, u32 kept)
{
	u32 nr_kept, nr_compiled;
	g_autofree char *text = ask(files.object, &nr_kept, &nr_compiled);

	assert_string_equal(text, right);
	assert_int_equal(nr_kept, kept);
	assert_int_equal(nr_compiled, NR_FUNCTIONS - kept);
}

static char *write_file(void)
{
	u32 nr_kept, nr_compiled;
	char *right = ask(files.object, &nr_kept, &nr_compiled);

	assert_int_equal(nr_kept, 0);
	assert_int_equal(nr_compiled, NR_FUNCTIONS);
	assert_true(g_file_test(files.file, G_FILE_TEST_EXISTS));
	return right;
}

static void test_kept(void **state)
{
	g_autofree char *right = write_file();
	struct stat before, after;

	assert_int_equal(stat(files.file, &before), 0);
	check_kept(right, NR_FUNCTIONS);
	/* Nothing was new, so it is the same file. */
	assert_int_equal(stat(files.file, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

/* Few functions are not worth a file; those of two runs add up. */
static void test_adds_up(void **state)
{
	struct image *image = image_open(files.object, NULL);
	u32 asked[] = { 20, 150, 200 };
	g_autofree char *right = NULL;

	for (u32 run = 0; run < ARRAY_SIZE(asked); run++) {
		struct cfi *cfi = cfi_open(image, NULL);
		u64 vaddr = TEXT;

		cfi_keep(cfi, files.folder, &files.id);
		assert_int_equal(cfi_stats(cfi).nr_kept, run == 2 ? 150 : 0);
		while (cfi_stats(cfi).nr_compiled + cfi_stats(cfi).nr_kept < asked[run])
			assert_non_null(cfi_find(cfi, vaddr++));
		cfi_close(cfi);
		assert_int_equal(g_file_test(files.file, G_FILE_TEST_EXISTS), run > 0);
	}
	image_close(image);
	/* 50 new ones were too few. */
	g_unlink(files.file);
	right = write_file();
	check_kept(right, NR_FUNCTIONS);
}

static void replace_file(const char *bytes, size_t size)
{
	g_unlink(files.file); /* GLib does not cut off what is behind */
	assert_true(g_file_set_contents_full(files.file, bytes, (gssize)size,
					     G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* Every 31st byte changed, and cut at many lengths: each time the rows are made anew, and the file too. */
static void test_damaged(void **state)
{
	g_autofree char *right = write_file(), *bytes = NULL;
	size_t size;

	assert_true(g_file_get_contents(files.file, &bytes, &size, NULL));
	for (size_t i = 0; i < size; i += 31) {
		bytes[i] ^= (char)(1 << i % 8);
		replace_file(bytes, size);
		check_kept(right, 0);
		bytes[i] ^= (char)(1 << i % 8);
	}
	for (size_t i = 0; i < size; i += 307) {
		replace_file(bytes, i);
		check_kept(right, 0);
	}
	check_kept(right, NR_FUNCTIONS);
}

static void sum_up(char *bytes, size_t size)
{
	u32 version;
	u64 sum;

	memcpy(&version, bytes + 8, sizeof(version));
	memset(bytes + HEAD_SIZE - 8, 0, 8);
	sum = kept_sum(bytes + HEAD_SIZE, size - HEAD_SIZE, kept_sum(bytes, HEAD_SIZE, version));
	memcpy(bytes + HEAD_SIZE - 8, &sum, sizeof(sum));
}

/* Of another kind, version, object, program, contents; with the sum that such a file would have. */
static void test_other_versions(void **state)
{
	static const size_t fields[] = { 0, 8, 12, 17, 38, 64 };
	g_autofree char *right = write_file(), *bytes = NULL;
	size_t size;

	assert_true(g_file_get_contents(files.file, &bytes, &size, NULL));
	for (u32 i = 0; i < ARRAY_SIZE(fields); i++) {
		g_autofree char *other = g_memdup2(bytes, size);

		other[fields[i]] ^= 1;
		sum_up(other, size);
		replace_file(other, size);
		check_kept(right, 0);
	}
	sum_up(bytes, size);
	replace_file(bytes, size);
	check_kept(right, NR_FUNCTIONS);
}

/* A right sum over bytes that mean nothing: what is used cannot lead out of the file, the section or the tables. */
static void test_nonsense(void **state)
{
	g_autofree char *right = write_file(), *bytes = NULL;
	u64 random = 1;
	size_t size;

	assert_true(g_file_get_contents(files.file, &bytes, &size, NULL));
	for (u32 i = 0; i < 400; i++) {
		g_autofree char *other = g_memdup2(bytes, size), *text = NULL;
		u32 nr_kept, nr_compiled;

		for (u32 k = 0; k < 1 + i % 3; k++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			other[HEAD_SIZE + (random >> 33) % (size - HEAD_SIZE)] =
				(char)(random >> 56);
		}
		sum_up(other, size);
		replace_file(other, size);
		text = ask(files.object, &nr_kept, &nr_compiled);
	}
	g_unlink(files.file);
	g_free(right);
	right = write_file();
	check_kept(right, NR_FUNCTIONS);
}

/* A build-id can be chosen. */
static void test_same_build_id(void **state)
{
	g_autofree char *right = write_file(), *other = NULL;
	u32 nr_kept, nr_compiled;

	other = ask(files.other, &nr_kept, &nr_compiled);
	assert_int_equal(nr_kept, 0);
	assert_string_not_equal(other, right);
	/* The last one that was asked has the file. */
	check_kept(right, 0);
	check_kept(right, NR_FUNCTIONS);
}

static void test_foreign(void **state)
{
	g_autofree char *right = write_file();

	assert_int_equal(chmod(files.file, 0620), 0);
	check_kept(right, 0); /* and one of ours takes its place */
	check_kept(right, NR_FUNCTIONS);
	assert_int_equal(g_unlink(files.file), 0);
	assert_int_equal(symlink(files.object, files.file), 0);
	check_kept(right, 0);
	check_kept(right, NR_FUNCTIONS);
	if (chown(files.file, geteuid() + 1, (gid_t)-1)) {
		print_message("only root can give files away\n");
		return;
	}
	check_kept(right, 0);
	check_kept(right, NR_FUNCTIONS);
}

/* Whoever reads while others write has a whole file or none. */
static void test_many_writers(void **state)
{
	g_autofree char *right = write_file();
	pid_t pids[3];
	int status;

	for (u32 i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		for (u32 n = 0; !pids[i] && n < 15; n++) {
			u32 nr_kept, nr_compiled;

			g_unlink(files.file);
			g_free(ask(files.object, &nr_kept, &nr_compiled));
		}
		if (!pids[i])
			_exit(0);
	}
	for (u32 n = 0; n < 40; n++) {
		u32 nr_kept, nr_compiled;
		g_autofree char *text = ask(files.object, &nr_kept, &nr_compiled);

		assert_string_equal(text, right);
		assert_true(nr_kept == 0 || nr_kept == NR_FUNCTIONS);
	}
	for (u32 i = 0; i < ARRAY_SIZE(pids); i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	g_unlink(files.file);
	g_free(right);
	right = write_file();
	check_kept(right, NR_FUNCTIONS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_kept, forget_all),
		cmocka_unit_test_teardown(test_adds_up, forget_all),
		cmocka_unit_test_teardown(test_damaged, forget_all),
		cmocka_unit_test_teardown(test_other_versions, forget_all),
		cmocka_unit_test_teardown(test_nonsense, forget_all),
		cmocka_unit_test_teardown(test_same_build_id, forget_all),
		cmocka_unit_test_teardown(test_foreign, forget_all),
		cmocka_unit_test_teardown(test_many_writers, forget_all),
	};

	return cmocka_run_group_tests(tests, make_objects, remove_objects);
}
