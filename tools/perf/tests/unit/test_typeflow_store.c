// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers that outlive a run: what was written is found, what is damaged is not believed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#include "dso/dsos.h"
#include "dso/kept.h"
#include "typeflow/answers/identity.h"
#include "typeflow/answers/store.h"

static struct store_parts parts_new(void)
{
	return (struct store_parts){
		.pieces = g_array_new(false, false, sizeof(struct store_piece)),
		.functions = g_array_new(false, false, sizeof(struct store_function)),
		.rows = g_array_new(false, false, sizeof(struct store_row)),
		.types = g_array_new(false, false, sizeof(struct store_type)),
		.waits = g_array_new(false, false, sizeof(struct wait_row)),
		.ways = g_array_new(false, false, sizeof(struct wait_way)),
	};
}

static void parts_free(struct store_parts *parts)
{
	g_array_unref(parts->pieces);
	g_array_unref(parts->functions);
	g_array_unref(parts->rows);
	g_array_unref(parts->types);
	g_array_unref(parts->waits);
	g_array_unref(parts->ways);
}

/* A function at @low of two pieces and three rows, 4 bytes apart, of type @type. */
static void add_function(struct store_parts *parts, u64 low, u32 type)
{
	struct store_function function = { .low = low, .first = parts->rows->len, .nr = 3 };
	struct store_piece pieces[] = {
		{ low + 0x1000, low + 0x1010, parts->functions->len },
		{ low, low + 0x10, parts->functions->len },
	};

	for (u32 i = 0; i < 3; i++) {
		struct store_row row = { .at = i * 4, .type = type, .offset = (s32)i, .how = 1 };

		g_array_append_val(parts->rows, row);
	}
	g_array_append_vals(parts->pieces, pieces, 2);
	g_array_append_val(parts->functions, function);
}

static struct store_key key_of(const char *folder)
{
	return (struct store_key){ .folder = folder, .object = build_id_of("0123456789", 10) };
}

static char *file_of(const char *folder)
{
	return g_build_filename(folder, "30313233343536373839-0", NULL);
}

static void write_two(const char *folder)
{
	struct store_parts parts = parts_new();
	struct store_key key = key_of(folder);
	struct store_type type = { .place = 77, .size = 8, .name_hash = 9 };

	g_array_append_val(parts.types, type);
	add_function(&parts, 0x5000, 1);
	add_function(&parts, 0x3000, 0);
	store_write(&key, &parts);
	parts_free(&parts);
}

static void check_row(const struct store *store, u64 vaddr, u32 type, s32 offset)
{
	const struct store_row *row = NULL;

	assert_non_null(store_find(store, vaddr, &row));
	assert_non_null(row);
	assert_int_equal(row->type, type);
	assert_int_equal(row->offset, offset);
}

static void test_found(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	struct store_key key = key_of(folder);
	const struct store_row *row;
	struct store *store;

	assert_null(store_open(&key));
	write_two(folder);
	store = store_open(&key);
	assert_non_null(store);
	assert_int_equal(store_nr_types(store), 1);
	assert_int_equal(store_type(store, 0)->place, 77);
	assert_null(store_type(store, 1));
	check_row(store, 0x5004, 1, 1);
	check_row(store, 0x3008, 0, 2);
	assert_non_null(store_find(store, 0x6002, &row));
	assert_null(row);
	assert_null(store_find(store, 0x5010, &row));
	assert_null(store_find(store, 0x2fff, &row));
	store_close(store);
	key.variant = 1;
	assert_null(store_open(&key));
	g_unlink(path);
	g_rmdir(folder);
}

/* What is new replaces the whole function that it overlaps; the rest stays. */
static void test_merged(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	struct store_parts parts = parts_new();
	struct store_key key = key_of(folder);
	struct store_type type = { .place = 99 };
	struct store_function function = { .low = 0x6008, .why = 3 };
	struct store_piece piece = { .start = 0x6008, .end = 0x6009, .function = 0 };
	const struct store_row *row;
	struct store *store;
	u32 moved = 2;

	write_two(folder);
	store = store_open(&key);
	g_array_append_val(parts.types, type);
	type.place = 77;
	g_array_append_val(parts.types, type);
	g_array_append_val(parts.functions, function);
	g_array_append_val(parts.pieces, piece);
	store_merge(store, &parts, &moved);
	store_close(store);
	store_write(&key, &parts);
	store = store_open(&key);
	assert_non_null(store);
	check_row(store, 0x3004, 0, 1);
	assert_null(store_find(store, 0x5004, &row));
	assert_int_equal(store_find(store, 0x6008, &row)->why, 3);
	store_close(store);
	parts_free(&parts);
	g_unlink(path);
	g_rmdir(folder);
}

/* A function whose rows are not all in the file has none; of the others, rows and types are those that they had. */
static void test_damaged_row_ranges(void **state)
{
	static const struct {
		u32 first, nr, kept;
	} ranges[] = { { 0, 3, 3 },
		       { 1, 2, 2 },
		       { 3, 0, 0 },
		       { 4, 0, 0 },
		       { 3, 1, 0 },
		       { 1, 3, 0 },
		       { 0, 4, 0 },
		       { 0, UINT32_MAX, 0 },
		       { 4, 1, 0 },
		       { UINT32_MAX, 1, 0 },
		       { 2, UINT32_MAX - 1, 0 } };
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	struct store_parts parts = parts_new(), merged = parts_new();
	struct store_key key = key_of(folder);
	struct store *store;

	add_function(&parts, 0x1000, 0);
	g_array_set_size(parts.pieces, 0);
	g_array_set_size(parts.functions, 0);
	for (u32 i = 0; i < ARRAY_SIZE(ranges); i++) {
		/* The piece's only address is 4 bytes behind its function's start: that of the second row. */
		struct store_function function = { .low = 0x1000 + i - 4,
						   .first = ranges[i].first,
						   .nr = ranges[i].nr };
		struct store_piece piece = { 0x1000 + i, 0x1001 + i, i };

		g_array_append_val(parts.functions, function);
		g_array_append_val(parts.pieces, piece);
	}
	store_write(&key, &parts);
	store = store_open(&key);
	assert_non_null(store);
	for (u32 i = 0; i < ARRAY_SIZE(ranges); i++) {
		const struct store_row *row;

		assert_non_null(store_find(store, 0x1000 + i, &row));
		assert_int_equal(row != NULL, ranges[i].kept > 1);
	}
	store_merge(store, &merged, NULL);
	assert_int_equal(merged.functions->len, ARRAY_SIZE(ranges));
	for (u32 i = 0, rows = 0; i < ARRAY_SIZE(ranges); i++) {
		const struct store_function *f =
			&g_array_index(merged.functions, struct store_function, i);

		assert_int_equal(f->nr, ranges[i].kept);
		assert_int_equal(f->first, rows);
		for (u32 k = 0; k < f->nr; k++)
			assert_int_equal(g_array_index(merged.rows, struct store_row, rows + k).at,
					 4 * (ranges[i].first + k));
		rows += f->nr;
	}
	store_close(store);
	parts_free(&merged);
	parts_free(&parts);
	g_unlink(path);
	g_rmdir(folder);
}

static void test_damaged(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	g_autofree char *bytes = NULL;
	struct store_key key = key_of(folder);
	size_t size;

	write_two(folder);
	assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	for (size_t i = 0; i < size; i++) {
		bytes[i] ^= 1 << i % 8;
		assert_true(g_file_set_contents(path, bytes, (ssize_t)size, NULL));
		assert_null(store_open(&key));
		bytes[i] ^= 1 << i % 8;
	}
	for (size_t i = 0; i < size; i++) {
		assert_true(g_file_set_contents(path, bytes, (ssize_t)i, NULL));
		assert_null(store_open(&key));
	}
	assert_true(g_file_set_contents(path, bytes, (ssize_t)size, NULL));
	store_close(store_open(&key));
	g_unlink(path);
	g_rmdir(folder);
}

/* What somebody else wrote, could write, or leads to is not read, however right it is. */
static void test_foreign(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	g_autofree char *beside = g_build_filename(folder, "beside", NULL);
	struct store_key key = key_of(folder);
	struct store *store;

	write_two(folder);
	for (u32 mode = 0620; mode; mode = mode == 0620 ? 0602 : 0) {
		assert_int_equal(chmod(path, mode), 0);
		assert_null(store_open(&key));
	}
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(g_rename(path, beside), 0);
	assert_int_equal(symlink("beside", path), 0);
	assert_null(store_open(&key));
	assert_int_equal(g_unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(store_open(&key));
	assert_int_equal(g_unlink(path), 0);
	assert_int_equal(g_rename(beside, path), 0);
	store = store_open(&key);
	assert_non_null(store);
	store_close(store);
	if (!chown(path, geteuid() + 1, (gid_t)-1))
		assert_null(store_open(&key));
	else
		print_message("only root can give files away\n");
	g_unlink(path);
	g_rmdir(folder);
}

/* A folder that someone else keeps things in too: too much of it is ours to remove, or nobody's. */
static void test_only_ours_removed(void **state)
{
	static const char *const names[] = { "notes", "2024-1", "00112233445566778899aabb-0" };
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		g_autofree char *other = g_build_filename(folder, names[i], NULL);

		assert_true(g_file_set_contents(other, "", 0, NULL));
		assert_int_equal(truncate(other, 2LL << 30), 0); /* without blocks */
		assert_int_equal(utimes(other, (struct timeval[2]){ { 1000, 0 }, { 1000, 0 } }), 0);
	}
	write_two(folder);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		g_autofree char *other = g_build_filename(folder, names[i], NULL);

		assert_int_equal(g_unlink(other), i == 2 ? -1 : 0);
	}
	assert_int_equal(g_unlink(path), 0);
	assert_int_equal(g_rmdir(folder), 0);
}

#define HEAD_SIZE 80

/* Of other versions, programs and objects, with the sum that they would have. */
static void test_other_versions(void **state)
{
	static const size_t fields[] = { 0, 8, 12, 17, 38, 64 };
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	g_autofree char *bytes = NULL;
	struct store_key key = key_of(folder);
	u64 sum, stored;
	size_t size;
	u32 version;

	write_two(folder);
	assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	memcpy(&version, bytes + 8, sizeof(version));
	memcpy(&stored, bytes + HEAD_SIZE - 8, sizeof(stored));
	for (u32 i = 0; i <= ARRAY_SIZE(fields); i++) {
		g_autofree char *other = g_memdup2(bytes, size);
		struct store *store;

		if (i < ARRAY_SIZE(fields))
			other[fields[i]] ^= 1;
		memset(other + HEAD_SIZE - 8, 0, 8);
		sum = kept_sum(other + HEAD_SIZE, size - HEAD_SIZE,
			       kept_sum(other, HEAD_SIZE, version));
		memcpy(other + HEAD_SIZE - 8, &sum, sizeof(sum));
		assert_true(g_file_set_contents(path, other, (ssize_t)size, NULL));
		store = store_open(&key);
		if (i < ARRAY_SIZE(fields))
			assert_null(store);
		else /* unchanged, so the sum is right */
			assert_true(store && sum == stored);
		store_close(store);
	}
	key.contents = 1;
	assert_null(store_open(&key));
	g_unlink(path);
	g_rmdir(folder);
}

/* Whoever reads while others write has a whole file or none, and nothing stays behind. */
static void test_many_writers(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	struct store_key key = key_of(folder);
	struct store *store;
	pid_t pids[4];
	int status;

	for (u32 i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		for (u32 n = 0; !pids[i] && n < 200; n++)
			write_two(folder);
		if (!pids[i])
			_exit(0);
	}
	for (u32 n = 0; n < 2000; n++) {
		bool written = g_file_test(path, G_FILE_TEST_EXISTS);

		store = store_open(&key);
		assert_true(store || !written);
		if (store) {
			check_row(store, 0x5004, 1, 1);
			check_row(store, 0x3008, 0, 2);
		}
		store_close(store);
	}
	for (u32 i = 0; i < ARRAY_SIZE(pids); i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	store = store_open(&key);
	assert_non_null(store);
	store_close(store);
	assert_int_equal(g_unlink(path), 0);
	assert_int_equal(g_rmdir(folder), 0);
}

static void test_folders(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL), *path = file_of(folder);
	g_autofree char *link = g_build_filename(folder, "link", NULL);
	g_autofree char *deep = g_build_filename(folder, "a/b", NULL), *in_deep = file_of(deep);
	struct store_key key = key_of(folder);
	struct stat st;

	/* Others may write there. */
	assert_int_equal(chmod(folder, 0770), 0);
	write_two(folder);
	assert_null(store_open(&key));
	assert_int_equal(chmod(folder, 0700), 0);
	/* A file in its place, or in that of the folder above. */
	assert_true(g_file_set_contents(link, "x", 1, NULL));
	write_two(link);
	key.folder = link;
	assert_null(store_open(&key));
	assert_int_equal(g_unlink(link), 0);
	/* It is made, for this user alone. */
	write_two(deep);
	key.folder = deep;
	store_close(store_open(&key));
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	/* A link of ours to a folder of ours is what we meant. */
	assert_int_equal(symlink(deep, link), 0);
	key.folder = link;
	assert_int_equal(g_unlink(in_deep), 0);
	write_two(link);
	assert_true(g_file_test(in_deep, G_FILE_TEST_EXISTS));
	/* Another's folder, as root has it who runs in a user's environment. */
	assert_int_equal(g_unlink(in_deep), 0);
	if (!chown(deep, geteuid() + 1, (gid_t)-1)) {
		write_two(deep);
		assert_false(g_file_test(in_deep, G_FILE_TEST_EXISTS));
	}
	g_unlink(link);
	g_rmdir(deep);
	*strrchr(deep, '/') = 0;
	g_rmdir(deep);
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	assert_int_equal(g_rmdir(folder), 0);
}

static u64 identity_of(const char *path)
{
	struct dsos *dsos = dsos_new(NULL);
	u64 identity = object_identity(dsos_get(dsos, path, NULL, 0, DSO_USER));

	dsos_free(dsos);
	return identity;
}

/* The build-id is the same, the code is not. */
static void test_same_build_id(void **state)
{
	g_autofree char *program = g_build_filename(
		g_getenv("SRC") ?: ".", "tools/perf/tests/data/", "orders/opt/orders/orders", NULL);
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
	g_autofree char *copy = g_build_filename(folder, "copy", NULL), *bytes = NULL;
	struct build_id a, b;
	size_t size;

	if (!g_file_get_contents(program, &bytes, &size, NULL)) {
		g_rmdir(folder);
		skip();
	}
	assert_true(g_file_set_contents(copy, bytes, (ssize_t)size, NULL));
	assert_true(identity_of(program));
	assert_true(identity_of(program) == identity_of(copy));
	bytes[0x1244] ^= 1; /* in main() */
	assert_true(g_file_set_contents(copy, bytes, (ssize_t)size, NULL));
	assert_true(build_id_read(program, &a, NULL) && build_id_read(copy, &b, NULL));
	assert_true(build_id_equal(&a, &b));
	assert_true(identity_of(program) != identity_of(copy));
	g_unlink(copy);
	g_rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_damaged_row_ranges),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_only_ours_removed),
		cmocka_unit_test(test_other_versions),
		cmocka_unit_test(test_many_writers),
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_same_build_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
