// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file of a mapping whose record is read late. In a forged /proc, another file is mapped at the same addresses by
 * then, as after dlclose() and dlopen(): its build-id and its thread-local variables are not those of the record's file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/open_files.h"
#include "perfevent_tree.h"
#include "record/base/mapped_file.h"
#include "record/buildids.h"
#include "record/seen_files.h"
#include "record/tls/objects.h"

#define START 0x7f0000001000
#define LINK  "proc/100/map_files/7f0000001000-7f0000002000"

struct setup {
	struct tree tree;
	char *mapped, *other; /* two programs with different build-ids */
	struct event_mmap map;
	struct build_id id, other_id;
};

static char *add_program(const struct tree *tree, const char *name, u8 first_byte)
{
	/* An ELF header, one PT_NOTE with a build-id of 4 bytes. */
	static const u8 program[] = {
		0x7f, 'E',  'L',  'F',	2,   1,	  1,   0,
		0,    0,    0,	  0,	0,   0,	  0,   0, /* e_ident */
		3,    0,    62,	  0,	1,   0,	  0,   0,
		0,    0,    0,	  0,	0,   0,	  0,   0, /* type, machine, entry */
		64,   0,    0,	  0,	0,   0,	  0,   0,
		0,    0,    0,	  0,	0,   0,	  0,   0, /* phoff, shoff */
		0,    0,    0,	  0,	64,  0,	  56,  0,
		1,    0,    64,	  0,	0,   0,	  0,   0, /* sizes and counts */
		4,    0,    0,	  0,	4,   0,	  0,   0,
		120,  0,    0,	  0,	0,   0,	  0,   0, /* PT_NOTE at 120 */
		120,  0,    0,	  0,	0,   0,	  0,   0,
		120,  0,    0,	  0,	0,   0,	  0,   0, /* vaddr, paddr */
		20,   0,    0,	  0,	0,   0,	  0,   0,
		20,   0,    0,	  0,	0,   0,	  0,   0, /* sizes */
		4,    0,    0,	  0,	0,   0,	  0,   0, /* alignment */
		4,    0,    0,	  0,	4,   0,	  0,   0,
		3,    0,    0,	  0,	'G', 'N', 'U', 0, /* the note */
		0xaa, 0xbb, 0xcc, 0xdd,
	};
	g_autofree u8 *bytes = g_memdup2(program, sizeof(program));
	char *path = g_build_filename(tree->root, name, NULL);

	bytes[sizeof(program) - 4] = first_byte;
	assert_true(g_file_set_contents(path, (const char *)bytes, sizeof(program), NULL));
	return path;
}

static int set_up(void **state)
{
	struct setup *s = g_new0(struct setup, 1);
	struct stat st;

	*state = s;
	tree_init(&s->tree);
	tree_put(&s->tree, "proc/100/map_files/none", "");
	s->mapped = add_program(&s->tree, "mapped.so", 0x11);
	s->other = add_program(&s->tree, "other.so", 0x22);
	assert_true(build_id_read(s->mapped, &s->id, NULL));
	assert_true(build_id_read(s->other, &s->other_id, NULL));
	assert_false(build_id_equal(&s->id, &s->other_id));
	assert_int_equal(stat(s->mapped, &st), 0);
	s->map = (struct event_mmap){ .pid = 100,
				      .tid = 100,
				      .start = START,
				      .len = 0x1000,
				      .ino = st.st_ino,
				      .has_inode = true,
				      .filename = s->mapped };
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	tree_release(&s->tree);
	g_free(s->mapped);
	g_free(s->other);
	g_free(s);
	return 0;
}

/* What is mapped at the addresses of the record now. */
static void set_mapped_now(struct setup *s, const char *path)
{
	g_autofree char *link = g_build_filename(s->tree.root, LINK, NULL);

	unlink(link);
	assert_int_equal(symlink(path, link), 0);
}

static void assert_opens(struct setup *s, const char *path)
{
	int fd = mapped_file_open(s->tree.paths.proc, &s->map);
	struct stat st, expected;

	if (!path) {
		assert_int_equal(fd, -1);
		return;
	}
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(stat(path, &expected), 0);
	assert_int_equal(st.st_ino, expected.st_ino);
	close(fd);
}

static void the_mapping_itself_if_it_is_still_of_that_file(void **state)
{
	struct setup *s = *state;
	g_autofree char *renamed = g_build_filename(s->tree.root, "renamed.so", NULL);

	set_mapped_now(s, s->mapped);
	assert_opens(s, s->mapped);
	assert_int_equal(rename(s->mapped, renamed), 0);
	set_mapped_now(s, renamed);
	assert_opens(s, renamed);
}

static void another_file_at_the_same_addresses_is_not_opened(void **state)
{
	struct setup *s = *state;

	set_mapped_now(s, s->other);
	assert_opens(s, s->mapped);
	assert_int_equal(unlink(s->mapped), 0);
	assert_opens(s, NULL);
	/* Records with a build-id have no inode. */
	s->map.has_inode = false;
	assert_opens(s, NULL);
}

static void a_mapping_of_a_device_is_not_opened(void **state)
{
	struct setup *s = *state;

	assert_int_equal(unlink(s->mapped), 0);
	set_mapped_now(s, "/dev/null");
	assert_opens(s, NULL);
}

static void build_ids_are_those_of_the_record_s_file(void **state)
{
	struct setup *s = *state;
	struct buildids *ids = buildids_new(&s->tree.paths, NULL);
	bool is_told;

	set_mapped_now(s, s->other);
	assert_true(build_id_equal(buildids_get(ids, &s->map, false, &is_told), &s->id));
	assert_true(is_told);
	buildids_free(ids);
}

/* The process has ended, and its container with it. */
static void end_process(struct setup *s)
{
	g_autofree char *link = g_build_filename(s->tree.root, LINK, NULL);

	unlink(link);
	assert_int_equal(unlink(s->mapped), 0);
}

static void a_file_that_was_looked_at_early_is_known_later(void **state)
{
	struct setup *s = *state;
	struct open_files *held = open_files_new();
	struct seen_files *seen = seen_files_new(&s->tree.paths, held, false);
	struct build_id read;
	char *path;

	seen_files_look(seen, &s->map);
	end_process(s);
	assert_true(build_id_equal(seen_files_get(seen, &s->map), &s->id));
	path = open_files_path(held, &s->id);
	assert_true(build_id_read(path, &read, NULL));
	assert_true(build_id_equal(&read, &s->id));
	/* Another mapping of the file; and one of another file with the same name, inode and addresses. */
	s->map.start += 0x1000;
	assert_true(build_id_equal(seen_files_get(seen, &s->map), &s->id));
	s->map.start -= 0x1000;
	s->map.ino_generation++;
	assert_null(seen_files_get(seen, &s->map));
	g_free(path);
	seen_files_free(seen);
	open_files_free(held);
}

static bool is_zeros(const struct build_id *id)
{
	static const u8 zeros[BUILD_ID_MAX];

	return id->size == BUILD_ID_MAX && !memcmp(id->bytes, zeros, BUILD_ID_MAX);
}

/* The name of @map has the build-id of another file; that of its own is not known. */
static void a_file_that_was_missed_gets_no_other_s_build_id(void **state)
{
	struct setup *s = *state;
	struct buildids *ids = buildids_new(&s->tree.paths, NULL);
	struct event_mmap missed = s->map;
	bool is_told;

	missed.pid = 200;
	missed.ino += 1000000;
	assert_true(build_id_equal(buildids_get(ids, &s->map, false, &is_told), &s->id));
	assert_true(is_told);
	assert_true(is_zeros(buildids_get(ids, &missed, false, &is_told)));
	assert_false(is_told);
	buildids_free(ids);
}

/* The same, and the file that was missed is the first one. What the name is here does not count either. */
static void a_later_file_does_not_give_its_build_id(void **state)
{
	struct setup *s = *state;
	struct buildids *ids = buildids_new(&s->tree.paths, NULL);
	struct event_mmap missed = s->map;
	struct perfdata_info *info = perfdata_info_new();
	bool is_told;

	missed.ino += 1000000;
	assert_true(is_zeros(buildids_get(ids, &missed, false, &is_told)));
	assert_false(is_told);
	assert_true(build_id_equal(buildids_get(ids, &s->map, false, &is_told), &s->id));
	assert_false(is_told);
	buildids_tell(ids, info);
	assert_true(!info->build_ids || !info->build_ids->len);
	perfdata_info_free(info);
	buildids_free(ids);
}

/* Its first process ended too early, its second one did not. */
static void a_file_that_is_seen_later_gives_its_build_id(void **state)
{
	struct setup *s = *state;
	struct buildids *ids = buildids_new(&s->tree.paths, NULL);
	g_autofree char *away = g_build_filename(s->tree.root, "away.so", NULL);
	bool is_told;

	assert_int_equal(rename(s->mapped, away), 0);
	assert_int_equal(buildids_get(ids, &s->map, false, &is_told)->size, 0);
	assert_true(is_told);
	set_mapped_now(s, away);
	assert_true(build_id_equal(buildids_get(ids, &s->map, false, &is_told), &s->id));
	assert_true(is_told);
	buildids_free(ids);
}

static void variables_are_looked_for_in_the_record_s_file(void **state)
{
	struct setup *s = *state;
	g_autoptr(GArray) asked = g_array_new(FALSE, TRUE, sizeof(struct activity_layout));
	struct tls_objects *objects = tls_objects_new(asked, &s->tree.paths);
	const struct tls_object *object;

	set_mapped_now(s, s->other);
	object = tls_objects_find(objects, &s->map);
	assert_non_null(object);
	set_mapped_now(s, s->mapped);
	assert_ptr_equal(tls_objects_find(objects, &s->map), object);
	tls_objects_free(objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(the_mapping_itself_if_it_is_still_of_that_file),
		TEST(another_file_at_the_same_addresses_is_not_opened),
		TEST(a_mapping_of_a_device_is_not_opened),
		TEST(build_ids_are_those_of_the_record_s_file),
		TEST(a_file_that_was_looked_at_early_is_known_later),
		TEST(a_file_that_was_missed_gets_no_other_s_build_id),
		TEST(a_later_file_does_not_give_its_build_id),
		TEST(a_file_that_is_seen_later_gives_its_build_id),
		TEST(variables_are_looked_for_in_the_record_s_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
