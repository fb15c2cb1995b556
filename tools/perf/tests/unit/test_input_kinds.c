// SPDX-License-Identifier: GPL-2.0-or-later
/* A path is opened by the first kind of input that fits it, and a further kind is a further row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>
#include <linux/perf_event.h>

#include "../forge/forge.h"
#include "base/error.h"
#include "perfdata/read/kinds.h"
#include "perfdata/read/reader_private.h"

struct sample_record {
	struct perf_event_header header;
	u64 ip;
};

/* A toy: "count:3" are three samples, at the addresses 0, 1 and 2. */
struct counting {
	u64 next, nr;
};

static bool is_count(const char *path, const struct stat *st)
{
	return g_str_has_prefix(path, "count:");
}

/* As read(2). There is room for a record: a reader asks for a whole buffer. */
static ssize_t read_count(void *arg, void *to, size_t size)
{
	struct counting *c = arg;
	struct sample_record one = {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(one) },
		.ip = c->next,
	};

	if (c->next == c->nr)
		return 0;
	assert_true(size >= sizeof(one));
	memcpy(to, &one, sizeof(one));
	c->next++;
	return sizeof(one);
}

static bool open_count(struct perfdata *pd, const char *path, GError **error)
{
	struct counting *c = g_new0(struct counting, 1);
	struct evsel *evsel = evsel_new();
	bool good;

	c->nr = g_ascii_strtoull(path + strlen("count:"), NULL, 10);
	pd->input = input_new_reader(path, read_count, g_free, c, 0);
	pd->one_pass = pd->absorbed = true;
	evsel->attr.size = sizeof(evsel->attr);
	evsel->attr.sample_type = PERF_SAMPLE_IP;
	good = reader_add_events(pd, &evsel, 1, error);
	evsel_free(evsel);
	if (good && !c->nr)
		return error_set(error, PERF_ERROR_USAGE, "%s: nothing to count", path);
	return good;
}

static const struct input_kind only_count[] = { { "count:N", is_count, open_count }, { NULL } };

static void a_row_is_a_kind(void **state)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = perfdata_open_kind("count:3", false, only_count, &error);
	struct event ev;

	assert_null(error);
	assert_string_equal(perfdata_path(pd), "count:3");
	for (u64 i = 0; i < 3; i++) {
		assert_int_equal(perfdata_next(pd, &ev, NULL), 1);
		assert_int_equal(ev.sample.ip, i);
	}
	assert_int_equal(perfdata_next(pd, &ev, NULL), 0);
	perfdata_close(pd);
}

static void what_its_opening_fails_with_is_the_error(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(perfdata_open_kind("count:0", false, only_count, &error));
	assert_string_equal(error->message, "count:0: nothing to count");
}

static void what_fits_no_row_names_the_rows(void **state)
{
	const struct input_kind two[] = { { "count:N", is_count, open_count },
					  { "sum:N", is_count, open_count },
					  { NULL } };
	g_autoptr(GError) error = NULL;

	assert_null(perfdata_open_kind("beats:3", false, two, &error));
	assert_string_equal(error->message,
			    "beats:3: cannot be read: expected one of: count:N, sum:N");
}

/* The kinds that every command knows. */
static const char *kind_of(const char *path)
{
	const struct input_kind *kind = input_kinds;
	struct stat st;
	bool there = !g_stat(path, &st);

	while (kind->name && !kind->fits(path, there ? &st : NULL))
		kind++;
	return kind->name;
}

static void each_path_has_its_kind(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("kinds-XXXXXX", NULL);
	g_autofree char *fifo = g_build_filename(dir, "fifo", NULL);
	g_autofree char *file = g_build_filename(dir, "perf.data", NULL);

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_true(g_file_set_contents(file, "x", 1, NULL));
	assert_string_equal(kind_of("-"), "standard input");
	assert_string_equal(kind_of(dir), "directory");
	assert_string_equal(kind_of(fifo), "file or fifo");
	assert_string_equal(kind_of(file), "file or fifo");
	assert_string_equal(kind_of("/nothing/here"), "file or fifo");
	g_unlink(fifo);
	g_unlink(file);
	g_rmdir(dir);
}

/* A directory has the records of the file `data` in it. */
static void a_directory_is_its_data(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("kinds-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(dir, "data", NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = forge_text("event one sample_type=IP|TID|TIME\n"
					     "sample ip=0x400100 pid=10 time=3\n",
					     &error);
	struct perfdata *pd;
	struct event ev;

	assert_null(error);
	assert_true(g_file_set_contents(file, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
	pd = perfdata_open(dir, &error);
	assert_null(error);
	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	assert_int_equal(perfdata_next(pd, &ev, NULL), 1);
	assert_int_equal(ev.sample.ip, 0x400100);
	assert_int_equal(perfdata_next(pd, &ev, NULL), 0);
	perfdata_close(pd);
	g_unlink(file);
	g_rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_a_kind),
		cmocka_unit_test(what_its_opening_fails_with_is_the_error),
		cmocka_unit_test(what_fits_no_row_names_the_rows),
		cmocka_unit_test(each_path_has_its_kind),
		cmocka_unit_test(a_directory_is_its_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
