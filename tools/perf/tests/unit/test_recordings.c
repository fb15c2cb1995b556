// SPDX-License-Identifier: GPL-2.0-or-later
/* The recordings of a folder to which a recorder writes, which renames its file and deletes the oldest one meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <glib.h>
#include <glib/gstdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/types.h"
#include "cmd/recordings.h"
#include "tests/forge/forge.h"

#define NR_FILES 100

struct folder {
	char *path;
	int opened; /* inotify: of the first file */
};

static char *file_in(const struct folder *f, const char *name)
{
	return g_build_filename(f->path, name, NULL);
}

static void write_recording(const struct folder *f, const char *name, u32 second)
{
	g_autofree char *path = file_in(f, name);
	g_autofree char *text = g_strdup_printf("info wall=1700000000000000000 clock=0\n"
						"event cpu-clock\n"
						"sample pid=7 time=%u000000000 ip=0x400000\n",
						second);
	g_autoptr(GBytes) bytes = forge_text(text, NULL);

	assert_non_null(bytes);
	assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
}

static int enter(void **state)
{
	struct folder *f = g_new0(struct folder, 1);
	g_autofree char *first = NULL;

	f->path = g_dir_make_tmp("recordings-XXXXXX", NULL);
	for (u32 i = 0; i < NR_FILES; i++) {
		g_autofree char *name = g_strdup_printf("wall.%03u", i);

		write_recording(f, name, i + 1);
	}
	write_recording(f, "wall", NR_FILES + 1);
	first = file_in(f, "wall.000");
	f->opened = inotify_init1(IN_CLOEXEC);
	inotify_add_watch(f->opened, first, IN_OPEN);
	*state = f;
	return 0;
}

static int leave(void **state)
{
	struct folder *f = *state;
	const char *name;
	GDir *dir = g_dir_open(f->path, 0, NULL);

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = file_in(f, name);

		g_unlink(path);
	}
	g_dir_close(dir);
	g_rmdir(f->path);
	close(f->opened);
	g_free(f->path);
	g_free(f);
	return 0;
}

/* What a recorder does at the end of a part. */
static gpointer rotate(gpointer arg)
{
	const struct folder *f = arg;
	g_autofree char *present = file_in(f, "wall"), *finished = file_in(f, "wall.999"),
			*oldest = file_in(f, "wall.099");
	struct inotify_event event;

	if (read(f->opened, &event, sizeof(event)) != sizeof(event))
		return NULL;
	g_rename(present, finished);
	write_recording(f, "wall", NR_FILES + 2);
	g_unlink(oldest);
	return NULL;
}

static void what_is_there_at_the_end_is_chosen(void **state)
{
	struct folder *f = *state;
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	struct recordings r;
	GThread *recorder = g_thread_new("recorder", rotate, f);
	bool ok;

	g_ptr_array_add(inputs, f->path);
	ok = recordings_choose(&r, inputs, "2023-11-14T00:00:00,2023-11-16T00:00:00", false,
			       &error);
	g_thread_join(recorder);
	assert_true(ok);
	assert_int_equal(r.paths->len, NR_FILES + 1);
	for (u32 i = 0; i < r.paths->len; i++)
		assert_int_equal(g_access(r.paths->pdata[i], R_OK), 0);
	recordings_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_there_at_the_end_is_chosen, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
