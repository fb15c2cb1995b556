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
#include "options/recordings.h"
#include "tests/forge/forge.h"

#define NR_FILES   100
#define OLDEST	   "wall.099" /* read late, so that it is there when the folder is listed at first */
#define MOST_TRIES 50

struct folder {
	char *path;
	int opened;  /* inotify: of the first file */
	int changed; /* inotify: of the folder */
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

static struct folder *enter(void)
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
	f->changed = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	inotify_add_watch(f->changed, f->path, IN_OPEN | IN_DELETE | IN_ONLYDIR);
	return f;
}

static void leave(struct folder *f)
{
	const char *name;
	GDir *dir = g_dir_open(f->path, 0, NULL);

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = file_in(f, name);

		g_unlink(path);
	}
	g_dir_close(dir);
	g_rmdir(f->path);
	close(f->opened);
	close(f->changed);
	g_free(f->path);
	g_free(f);
}

/* What a recorder does at the end of a part. */
static gpointer rotate(gpointer arg)
{
	const struct folder *f = arg;
	g_autofree char *present = file_in(f, "wall"), *finished = file_in(f, "wall.999"),
			*oldest = file_in(f, OLDEST);
	struct inotify_event event;

	if (read(f->opened, &event, sizeof(event)) != sizeof(event))
		return NULL;
	g_rename(present, finished);
	write_recording(f, "wall", NR_FILES + 2);
	g_unlink(oldest);
	return NULL;
}

/* Has the folder been opened since the oldest file was deleted? The kernel queues both in their order. */
static bool was_listed_after(const struct folder *f)
{
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool deleted = false, listed = false;
	ssize_t size;

	while ((size = read(f->changed, events, sizeof(events))) > 0) {
		const struct inotify_event *e;

		for (ssize_t at = 0; at < size; at += (ssize_t)(sizeof(*e) + e->len)) {
			e = (const void *)(events + at);
			assert_false(e->mask & IN_Q_OVERFLOW);
			deleted |= e->mask & IN_DELETE && e->len && !strcmp(e->name, OLDEST);
			listed |= deleted && e->mask & IN_OPEN && e->mask & IN_ISDIR;
		}
	}
	return listed;
}

/* False: the recorder was too late, because the machine is busy, so the files are those of the beginning. */
static bool are_chosen(struct folder *f)
{
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	struct recordings r;
	GThread *recorder = g_thread_new("recorder", rotate, f);
	bool ok, in_time;

	g_ptr_array_add(inputs, f->path);
	ok = recordings_choose(&r, inputs, "2023-11-14T00:00:00,2023-11-16T00:00:00", false,
			       &error);
	in_time = was_listed_after(f);
	g_thread_join(recorder);
	assert_true(ok);
	if (in_time)
		assert_int_equal(r.paths->len, NR_FILES + 1);
	for (u32 i = 0; in_time && i < r.paths->len; i++)
		assert_int_equal(g_access(r.paths->pdata[i], R_OK), 0);
	recordings_release(&r);
	return in_time;
}

static void what_is_there_at_the_end_is_chosen(void **state)
{
	bool in_time = false;

	(void)state;
	for (u32 tries = 0; tries < MOST_TRIES && !in_time; tries++) {
		struct folder *f = enter();

		in_time = are_chosen(f);
		leave(f);
	}
	assert_true(in_time);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_there_at_the_end_is_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
