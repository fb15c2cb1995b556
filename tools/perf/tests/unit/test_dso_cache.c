// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id cache, and files that are kept open: of programs compiled here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/cache.h"
#include "dso/dso.h"
#include "dso/open_files.h"

static char *dir, *cache;

/* Compiles DIR/@name; another @number is another build. */
static char *build(const char *name, int number, struct build_id *id)
{
	char *path = g_build_filename(dir, name, NULL);
	g_autofree char *command = g_strdup_printf("echo 'int x = %d; int main(void) { return x; "
						   "}' | gcc -Wl,--build-id -x c -o '%s' -",
						   number, path);

	assert_int_equal(system(command), 0);
	assert_true(build_id_read(path, id, NULL));
	return path;
}

static int set_up(void **state)
{
	dir = g_dir_make_tmp("test-cache-XXXXXX", NULL);
	cache = g_build_filename(dir, "cache", NULL);
	return 0;
}

static int tear_down(void **state)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", dir);

	assert_int_equal(system(command), 0);
	g_free(dir);
	g_free(cache);
	return 0;
}

static void a_dso_is_found_after_its_file_was_removed(void **state)
{
	struct build_id id;
	g_autofree char *path = build("program", 1, &id);
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = cache });
	struct dso *dso = dsos_get(dsos, path, id.bytes, id.size, DSO_USER);

	assert_false(cache_has(cache, &id, "elf"));
	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_true(cache_has(cache, &id, "elf"));
	assert_true(cache_add(cache, &id, path, "elf", path, NULL)); /* again */
	unlink(path);
	assert_non_null(dso_symbol_named(dso, "main"));
	assert_int_equal(dso_symbols_origin(dso), 'B');
	dsos_free(dsos);
}

/* As Go's linker makes it. */
static char *build_without_id(const char *name, int number, struct build_id *contents)
{
	char *path = g_build_filename(dir, name, NULL);
	g_autofree char *command =
		g_strdup_printf("echo 'int x = %d; int main(void) { return x; }' | gcc "
				"-Wl,--build-id=none -x c -o '%s' -",
				number, path);
	g_autofree char *bytes = NULL;
	struct build_id none;
	gsize size;

	assert_int_equal(system(command), 0);
	assert_false(build_id_read(path, &none, NULL));
	assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	*contents = build_id_of_contents(bytes, size);
	return path;
}

static void check_reason(const char *path, const struct build_id *contents, const char *reason)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = cache });
	struct dso *dso = dsos_get_by_contents(dsos, path, contents);

	assert_null(dso_symbol_named(dso, "main"));
	assert_non_null(strstr(dso_no_symbols(dso).text, reason));
	dsos_free(dsos);
}

static void a_file_without_a_build_id_is_found_by_its_contents(void **state)
{
	struct build_id first, second;
	g_autofree char *path = build_without_id("bare", 1, &first);
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = cache });
	struct dso *dso = dsos_get_by_contents(dsos, path, &first);

	assert_true(cache_add(cache, &first, path, "elf", path, NULL));
	assert_true(cache_use(cache, &first, "elf"));
	g_free(build_without_id("bare", 2, &second));
	assert_false(build_id_equal(&first, &second));
	assert_false(cache_add(cache, &first, path, "elf", path, NULL)); /* another file */
	assert_non_null(dso_symbol_named(dso, "main"));
	assert_int_equal(dso_symbols_origin(dso), 'B');
	/* It is no build-id for anybody else. */
	assert_int_equal(dso_build_id(dso).size, 0);
	assert_int_equal(dso_recorded_build_id(dso).size, 0);
	assert_true(cache_remove(cache, &first, NULL));
	check_reason(path, &first, "the file here is another one");
	unlink(path);
	check_reason(path, &first, "its file is not here, and has no build-id");
	dsos_free(dsos);
}

static void a_name_does_not_lead_out_of_the_cache(void **state)
{
	struct build_id id;
	g_autofree char *path = build("program", 1, &id);
	g_autofree char *outside = g_build_filename(dir, "outside", NULL);

	assert_true(cache_add(cache, &id, "../..", "elf", path, NULL)); /* no name is left */
	assert_true(cache_has(cache, &id, "elf"));
	assert_true(cache_remove(cache, &id, NULL));
	assert_true(cache_add(cache, &id, "/memfd:/../../../outside/./x", "elf", path, NULL));
	assert_true(cache_has(cache, &id, "elf"));
	assert_false(g_file_test(outside, G_FILE_TEST_EXISTS));
}

static void another_build_is_refused(void **state)
{
	struct build_id id, other;
	g_autofree char *path = build("program", 1, &id), *second = build("second", 2, &other);
	g_autoptr(GError) error = NULL;

	assert_false(cache_add(cache, &id, path, "elf", second, &error));
	assert_int_equal(error->code, PERF_ERROR_FORMAT);
	assert_false(cache_has(cache, &id, "elf"));
}

/* The path of the copy of @path. */
static char *copy_of(const char *path, const struct build_id *id)
{
	char hex[BUILD_ID_HEX];

	return g_build_filename(cache, path, build_id_hex(id, hex), "elf", NULL);
}

static void a_copy_has_no_more_rights_than_its_file(void **state)
{
	struct build_id id;
	g_autofree char *path = build("program", 1, &id), *copy = copy_of(path, &id);
	g_autofree char *folder = g_path_get_dirname(copy);
	g_autofree char *symbols = g_build_filename(folder, "kallsyms", NULL);
	struct stat st;

	assert_int_equal(chmod(path, 04700), 0);
	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_int_equal(stat(copy, &st), 0);
	assert_int_equal(st.st_nlink, 1);
	assert_int_equal(st.st_mode & 07777, 0700);
	/* What the kernel shows to root is not for others. */
	assert_true(cache_add(cache, &id, path, "kallsyms", "/proc/kallsyms", NULL));
	assert_int_equal(stat(symbols, &st), 0);
	assert_int_equal(st.st_mode & 077, 0);
}

/* "cp new server" writes into the inode. */
static void a_copy_stays_if_its_file_is_written_in_place(void **state)
{
	struct build_id id, other;
	g_autofree char *path = build("program", 1, &id), *second = build("second", 2, &other);
	g_autofree char *command = g_strdup_printf("cp '%s' '%s'", second, path);
	g_autofree char *copy = copy_of(path, &id);

	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_int_equal(system(command), 0);
	assert_true(build_id_read(copy, &other, NULL));
	assert_true(build_id_equal(&id, &other));
}

/* A copy of another build, such as a hard link of another perf whose file was written in place, counts as absent. */
static void a_copy_of_another_build_is_not_used(void **state)
{
	struct build_id id, other;
	g_autofree char *path = build("program", 1, &id), *second = build("second", 2, &other);
	g_autofree char *copy = copy_of(path, &id);
	g_autofree char *command = g_strdup_printf("cp '%s' '%s'", second, copy);

	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_true(cache_use(cache, &id, "elf"));
	assert_int_equal(system(command), 0);
	assert_false(cache_use(cache, &id, "elf"));
	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_true(cache_use(cache, &id, "elf"));
}

/* A link in the cache that leads out of it, as an archive of somebody else can have. */
static void links_do_not_lead_out_of_the_cache(void **state)
{
	struct build_id id;
	g_autofree char *path = build("program", 1, &id);
	char hex[BUILD_ID_HEX];
	g_autofree char *outside = g_build_filename(dir, build_id_hex(&id, hex), NULL);
	g_autofree char *precious = g_build_filename(outside, "precious", NULL);
	g_autofree char *to = g_strdup_printf("../../../%s", hex);
	g_autofree char *link = g_strdup_printf("%s/.build-id/%.2s/%s", cache, hex, hex + 2);
	g_autofree char *folder = g_build_filename(cache, path, hex, NULL);
	g_autofree char *command =
		g_strdup_printf("rm -r '%s'; ln -s '%s' '%s'", folder, outside, folder);
	g_autoptr(GPtrArray) entries = NULL;

	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_int_equal(mkdir(outside, 0755), 0);
	assert_true(g_file_set_contents(precious, "precious", -1, NULL));
	unlink(link);
	assert_int_equal(symlink(to, link), 0);
	entries = cache_entries(cache);
	assert_int_equal(entries->len, 0);
	assert_true(cache_remove(cache, &id, NULL));
	assert_true(g_file_test(precious, G_FILE_TEST_EXISTS));
	/* A folder that is a link. */
	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	assert_int_equal(system(command), 0);
	cache_remove(cache, &id, NULL);
	assert_true(g_file_test(precious, G_FILE_TEST_EXISTS));
}

static void the_oldest_entries_are_trimmed(void **state)
{
	const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
	g_autoptr(GPtrArray) entries = NULL;
	struct build_id first, second;
	g_autofree char *a = build("a", 1, &first), *b = build("b", 2, &second);
	g_autofree char *of_a = copy_of(a, &first), *of_b = copy_of(b, &second);
	g_autofree char *folder = g_path_get_dirname(of_a);
	g_autofree char *other = g_build_filename(dir, "other", NULL);
	g_autofree char *command =
		g_strdup_printf("ln -f '%s' '%s' && ln -f '%s' '%s'", a, of_a, b, of_b);

	assert_true(cache_add(cache, &first, a, "elf", a, NULL));
	assert_true(cache_add(cache, &second, b, "elf", b, NULL));
	assert_int_equal(system(command), 0);
	assert_int_equal(cache_trim(cache, 0), 0); /* links need no room */
	/* Another cache has a link, too. */
	assert_int_equal(link(a, other), 0);
	unlink(a);
	unlink(b);
	assert_int_equal(utimensat(AT_FDCWD, folder, old, 0), 0);
	assert_int_equal(cache_trim(cache, 1 << 30), 0);
	entries = cache_entries(cache);
	assert_int_equal(entries->len, 2);
	assert_true(cache_use(cache, &first, "elf"));
	assert_int_equal(utimensat(AT_FDCWD, folder, old, 0), 0);
	assert_int_equal(cache_trim(cache, ((struct cache_entry *)entries->pdata[0])->size), 1);
	assert_false(cache_has(cache, &first, "elf"));
	assert_true(cache_has(cache, &second, "elf"));
	assert_true(cache_remove(cache, &second, NULL));
	assert_false(cache_remove(cache, &second, NULL));
}

static void open_files_outlive_their_names(void **state)
{
	struct open_files *held = open_files_new();
	struct rlimit old, few = { 0 };
	struct build_id id, other;
	g_autofree char *path = build("program", 1, &id), *second = build("second", 2, &other);
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = cache, .held = held });
	struct dso *dso = dsos_get(dsos, path, id.bytes, id.size, DSO_USER);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	open_files_add(held, &id, fd);
	open_files_add(held, &id, fd);
	close(fd);
	unlink(path);
	assert_non_null(dso_symbol_named(dso, "main"));
	assert_null(open_files_path(held, &other));
	/* Half of the descriptors are left to others. */
	getrlimit(RLIMIT_NOFILE, &old);
	few = (struct rlimit){ 6, old.rlim_max };
	fd = open(second, O_RDONLY | O_CLOEXEC);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	open_files_add(held, &other, fd);
	setrlimit(RLIMIT_NOFILE, &old);
	close(fd);
	assert_null(open_files_path(held, &other));
	dsos_free(dsos);
	open_files_free(held);
}

/* The link from a program to its debug file has no folder: it is that of the program, and not of its copy. */
static void the_debug_file_of_a_copy_is_beside_the_recorded_name(void **state)
{
	struct build_id id;
	g_autofree char *path = build("program", 1, &id);
	g_autofree char *command =
		g_strdup_printf("cd '%s' && gcc -g -Wl,--build-id -x c -o program - <<<'int main() "
				"{ return 1; }' && "
				"objcopy --only-keep-debug program program.debug && "
				"objcopy --strip-all --add-gnu-debuglink=program.debug program",
				dir);
	g_autofree char *bash = g_strdup_printf("bash -c \"%s\"", command);
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = cache });
	struct dso *dso;

	assert_int_equal(system(bash), 0);
	assert_true(build_id_read(path, &id, NULL));
	assert_true(cache_add(cache, &id, path, "elf", path, NULL));
	dso = dsos_get(dsos, path, id.bytes, id.size, DSO_USER);
	assert_true(g_str_has_prefix(dso_file(dso), cache));
	assert_true(g_str_has_suffix(dso_debug_file(dso), "/program.debug"));
	dsos_free(dsos);
}

static const char *function_at(const char *list, const struct build_id *id, u64 vaddr)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = cache });
	struct dso *dso = dsos_get(dsos, list, id->bytes, id->size, DSO_JIT);
	const struct symbol *symbol = dso_find_symbol(dso, vaddr);
	const char *name = symbol ? g_intern_string(symbol->raw) : "none";

	dsos_free(dsos);
	return name;
}

/* The copy was made at the end of the recording. Another process with the same pid may have its list here by now. */
static void the_copy_of_a_list_is_that_of_the_recorded_process(void **state)
{
	g_autofree char *list = g_build_filename(dir, "perf-77.map", NULL);
	const struct build_id id = build_id_of("0123456789abcdef0123", 20);

	assert_true(g_file_set_contents(list, "1000 10 first\n", -1, NULL));
	assert_true(cache_add(cache, &id, "/tmp/perf-77.map", "map", list, NULL));
	/* The process went on. */
	assert_true(g_file_set_contents(list, "1000 10 first\n1010 10 later\n", -1, NULL));
	assert_string_equal(function_at(list, &id, 0x1018), "later");
	/* Another process. */
	assert_true(g_file_set_contents(list, "1008 10 other\n1018 10 wrong\n", -1, NULL));
	assert_string_equal(function_at(list, &id, 0x1008), "first");
	assert_string_equal(function_at(list, &id, 0x1018), "none");
	unlink(list);
	assert_string_equal(function_at(list, &id, 0x1008), "first");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_dso_is_found_after_its_file_was_removed, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			the_debug_file_of_a_copy_is_beside_the_recorded_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_copy_of_a_list_is_that_of_the_recorded_process,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_without_a_build_id_is_found_by_its_contents,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_name_does_not_lead_out_of_the_cache, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(another_build_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_copy_has_no_more_rights_than_its_file, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_copy_stays_if_its_file_is_written_in_place,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_copy_of_another_build_is_not_used, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(links_do_not_lead_out_of_the_cache, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_oldest_entries_are_trimmed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(open_files_outlive_their_names, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
