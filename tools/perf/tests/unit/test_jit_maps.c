// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of generated functions in another /tmp: that of a child whose root folder is a folder of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dso/buildid.h"
#include "dso/open_files.h"
#include "record/jit_maps.h"

#define LIST "7f0000001000 40 made\n"

struct setup {
	char *root, *tmp, *list; /* list: the child's /tmp/perf-PID.map */
	pid_t child;
	struct open_files *held;
	struct jit_maps *maps;
	struct event_mmap map;
};

/* The child waits in its root folder. It writes to the pipe when it is there. */
static pid_t start_child(const char *root)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		if (!chroot(root) && !chdir("/") && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static int set_up(void **state)
{
	struct setup *s = g_new0(struct setup, 1);

	*state = s;
	if (geteuid())
		return 0;
	s->root = g_dir_make_tmp("test-jit-XXXXXX", NULL);
	s->tmp = g_build_filename(s->root, "tmp", NULL);
	assert_int_equal(mkdir(s->tmp, 0755), 0);
	s->child = start_child(s->root);
	s->list = g_strdup_printf("%s/perf-%d.map", s->tmp, s->child);
	s->held = open_files_new();
	s->maps = jit_maps_new(s->held);
	s->map = (struct event_mmap){ .pid = (u32)s->child,
				      .prot = PROT_READ | PROT_EXEC,
				      .filename = "//anon" };
	return 0;
}

static void end_child(struct setup *s)
{
	if (s->child > 0) {
		kill(s->child, SIGKILL);
		waitpid(s->child, NULL, 0);
	}
	s->child = 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", s->root ?: "/nonexistent");

	end_child(s);
	assert_int_equal(system(command), 0);
	jit_maps_free(s->maps);
	open_files_free(s->held);
	g_free(s->root);
	g_free(s->tmp);
	g_free(s->list);
	g_free(s);
	return 0;
}

static struct setup *with_root(void **state)
{
	struct setup *s = *state;

	if (!s->root)
		skip();
	return s;
}

static void put(const char *path, const char *text)
{
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* The list that the recording tells of; "" if there is none. To free. */
static char *told(struct setup *s)
{
	struct perfdata_info *info = perfdata_info_new();
	g_autofree char *name = g_strdup_printf("/tmp/perf-%u.map", s->map.pid), *path = NULL;
	char *text = NULL;

	jit_maps_tell(s->maps, info);
	if (info->build_ids && info->build_ids->len) {
		const struct info_build_id *entry = info->build_ids->pdata[0];
		struct build_id id = build_id_of(entry->build_id, entry->size);
		char hex[BUILD_ID_HEX];

		assert_int_equal(info->build_ids->len, 1);
		assert_string_equal(entry->filename, name);
		path = open_files_path(s->held, &id);
		assert_true(g_file_get_contents(path, &text, NULL, NULL));
		g_free(name);
		name = g_compute_checksum_for_string(G_CHECKSUM_SHA1, text, -1);
		assert_string_equal(build_id_hex(&id, hex), name);
	}
	perfdata_info_free(info);
	return text ?: g_strdup("");
}

static void assert_told(struct setup *s, const char *expected)
{
	g_autofree char *text = told(s);

	assert_string_equal(text, expected);
}

static void a_list_is_copied_after_the_end_of_its_process(void **state)
{
	struct setup *s = with_root(state);

	put(s->list, LIST);
	jit_maps_see(s->maps, &s->map);
	end_child(s);
	assert_told(s, LIST);
}

static void a_list_may_be_written_after_the_first_mapping(void **state)
{
	struct setup *s = with_root(state);

	jit_maps_see(s->maps, &s->map);
	put(s->list, LIST);
	end_child(s);
	assert_told(s, LIST);
}

/* As when the container's folder is removed. */
static void a_removed_list_is_copied(void **state)
{
	struct setup *s = with_root(state);

	jit_maps_see(s->maps, &s->map);
	put(s->list, LIST);
	jit_maps_see(s->maps, &s->map);
	end_child(s);
	assert_int_equal(unlink(s->list), 0);
	assert_told(s, LIST);
}

/* A runtime may write its list again, as another file. */
static void the_last_list_of_a_name_is_copied(void **state)
{
	struct setup *s = with_root(state);

	put(s->list, "7f0000001000 40 old\n");
	jit_maps_see(s->maps, &s->map);
	put(s->list, LIST); /* by rename() */
	assert_told(s, LIST);
}

static void a_process_that_was_not_seen_has_none(void **state)
{
	struct setup *s = with_root(state);

	put(s->list, LIST);
	end_child(s);
	jit_maps_see(s->maps, &s->map);
	assert_told(s, "");
}

/* The container chooses what is there, and wants a secret of this machine. */
static void links_are_not_followed(void **state)
{
	struct setup *s = with_root(state);
	g_autofree char *secret = g_build_filename(s->root, "secret", NULL);
	g_autofree char *other = g_build_filename(s->root, "other", NULL);

	put(secret, LIST);
	assert_int_equal(symlink(secret, s->list), 0);
	jit_maps_see(s->maps, &s->map);
	assert_told(s, "");
	/* /tmp is a link to a folder of this machine, which has a file of that name. */
	unlink(s->list);
	put(s->list, LIST);
	assert_int_equal(rename(s->tmp, other), 0);
	assert_int_equal(symlink(other, s->tmp), 0);
	jit_maps_free(s->maps);
	s->maps = jit_maps_new(s->held);
	jit_maps_see(s->maps, &s->map);
	assert_told(s, "");
}

static void only_regular_files_of_trusted_owners_are_opened(void **state)
{
	struct setup *s = with_root(state);

	assert_int_equal(mkfifo(s->list, 0600), 0);
	jit_maps_see(s->maps, &s->map);
	assert_told(s, "");
	unlink(s->list);
	put(s->list, LIST);
	assert_int_equal(chown(s->list, 65534, 65534), 0);
	assert_told(s, "");
	assert_int_equal(chown(s->list, 0, 0), 0);
	assert_told(s, LIST);
}

static void too_large_a_list_is_left_out(void **state)
{
	struct setup *s = with_root(state);

	put(s->list, LIST);
	jit_maps_see(s->maps, &s->map);
	assert_int_equal(truncate(s->list, (off_t)1 << 40), 0);
	assert_told(s, "");
}

static void covers_executable_memory_without_a_file(void **state)
{
	struct event_mmap map = { .prot = PROT_READ | PROT_EXEC, .filename = "//anon" };

	assert_true(jit_maps_covers(&map));
	map.prot = PROT_READ | PROT_WRITE;
	assert_false(jit_maps_covers(&map));
	map.prot = PROT_EXEC;
	map.filename = "[vdso]";
	assert_false(jit_maps_covers(&map));
	map.filename = "/usr/bin/node";
	assert_false(jit_maps_covers(&map));
	map.filename = "/dev/zero (deleted)";
	assert_true(jit_maps_covers(&map));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_list_is_copied_after_the_end_of_its_process),
		TEST(a_list_may_be_written_after_the_first_mapping),
		TEST(a_removed_list_is_copied),
		TEST(the_last_list_of_a_name_is_copied),
		TEST(a_process_that_was_not_seen_has_none),
		TEST(links_are_not_followed),
		TEST(only_regular_files_of_trusted_owners_are_opened),
		TEST(too_large_a_list_is_left_out),
		cmocka_unit_test(covers_executable_memory_without_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
