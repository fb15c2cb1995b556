// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings through passes: what stays as it is, what a pass changes, and what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dso/buildid.h"
#include "pass/build_ids.h"
#include "pass/pipeline.h"
#include "perfdata/read/reader.h"
#include "../forge/forge.h"

static const char recording[] = "info hostname=h osrelease=r arch=x86_64 cmdline='perf record x'\n"
				"note kept.note=1\n"
				"event cpu-clock sample_type=IP|TID|TIME|PERIOD\n"
				"comm pid=10 text=alpha time=100\n"
				"mmap2 pid=10 start=0x400000 len=0x1000 file=/none/alpha time=101\n"
				"sample ip=0x400010 pid=10 time=300 period=3\n"
				"record type=200 data=0102030405060708\n"
				"sample ip=0x400020 pid=10 time=201 period=4\n"
				"finished_round\n"
				"sample ip=0x400030 pid=10 time=400 period=5\n";

struct fixture {
	char *path;
	struct perfdata *in;
	GBytes *bytes;
	GPtrArray *passes;
};

static void prepare(struct fixture *f, const char *text)
{
	gsize size;
	const void *data;
	int fd;

	f->path = g_strdup("test-pass-XXXXXX");
	fd = g_mkstemp(f->path);
	assert_true(fd >= 0);
	close(fd);
	f->bytes = forge_text(text, NULL);
	data = g_bytes_get_data(f->bytes, &size);
	f->in = perfdata_open_bytes("in", data, size, NULL);
	assert_non_null(f->in);
	f->passes = g_ptr_array_new_with_free_func((GDestroyNotify)pass_free);
}

static void release(struct fixture *f)
{
	g_ptr_array_unref(f->passes);
	perfdata_close(f->in);
	g_bytes_unref(f->bytes);
	unlink(f->path);
	g_free(f->path);
}

/* "COMM SAMPLE:300 200 ...": kinds of records, and times of samples. */
static char *contents(const char *path)
{
	struct perfdata *pd = perfdata_open(path, NULL);
	GString *out = g_string_new(NULL);
	struct event ev;

	assert_non_null(pd);
	perfdata_want(pd, PERFDATA_WANT_EVERY_TYPE);
	while (perfdata_next(pd, &ev, NULL) > 0) {
		const char *name = event_type_name(ev.type);

		if (ev.type == PERFDATA_EVENT_UPDATE || ev.type == PERFDATA_EVENT_TYPE)
			continue;
		if (name)
			g_string_append_printf(out, "%s%s", out->len ? " " : "", name);
		else
			g_string_append_printf(out, "%s%u", out->len ? " " : "", ev.type);
		if (ev.type == PERF_RECORD_SAMPLE)
			g_string_append_printf(out, ":%" G_GUINT64_FORMAT, ev.id.time);
	}
	perfdata_close(pd);
	return g_string_free(out, FALSE);
}

static void check_output(struct fixture *f, const struct pipeline_options *options,
			 const char *expected)
{
	struct pipeline_options with = *options;
	g_autofree char *got = NULL;
	GError *error = NULL;

	with.output = f->path;
	if (!pipeline_run(f->in, &with, f->passes, &error))
		fail_msg("%s", error->message);
	got = contents(f->path);
	assert_string_equal(got, expected);
}

static void test_nothing_changes(void **state)
{
	struct fixture f;
	struct perfdata *pd;
	const struct evsel *evsel;

	prepare(&f, recording);
	check_output(&f, &(struct pipeline_options){ 0 },
		     "COMM MMAP2 SAMPLE:300 200 SAMPLE:201 FINISHED_ROUND SAMPLE:400");
	pd = perfdata_open(f.path, NULL);
	assert_string_equal(perfdata_info(pd)->hostname, "h");
	assert_string_equal(perfdata_info(pd)->cmdline[2], "x");
	assert_string_equal(perfdata_info_note(perfdata_info(pd), "kept.note"), "1");
	assert_int_equal(perfdata_evsels(pd)->len, 1);
	evsel = g_ptr_array_index(perfdata_evsels(pd), 0);
	assert_string_equal(evsel->name, "cpu-clock");
	perfdata_close(pd);
	release(&f);
}

static void test_by_time(void **state)
{
	struct fixture f;

	prepare(&f, recording);
	check_output(&f, &(struct pipeline_options){ .by_time = true },
		     "200 FINISHED_ROUND COMM MMAP2 SAMPLE:201 SAMPLE:300 SAMPLE:400");
	release(&f);
}

/* Drops samples of odd times, makes each other one twice, and holds the last one back. */
struct toy {
	struct pass pass;
	GByteArray *held;
	u32 flushes;
};

static bool toy_take(struct pass *p, const struct event *ev, GError **error)
{
	struct event made = *ev;

	if (ev->type != PERF_RECORD_SAMPLE)
		return pass_on(p, ev, error);
	if (ev->id.time % 2)
		return true;
	made.sample.time++;
	return pass_on(p, ev, error) && pass_on_made(p, &made, pass_evsel(p, ev), error);
}

static bool toy_flush(struct pass *p, GError **error)
{
	struct event ev = { .type = PERFDATA_FINISHED_ROUND };

	container_of(p, struct toy, pass)->flushes++;
	return pass_on_made(p, &ev, NULL, error);
}

static void toy_free(struct pass *p)
{
	g_free(container_of(p, struct toy, pass));
}

static const struct pass_ops toy_ops = {
	.name = "toy", .take = toy_take, .flush = toy_flush, .free = toy_free
};

static void test_toy(void **state)
{
	struct toy *toy = g_new0(struct toy, 1);
	struct fixture f;

	toy->pass.ops = &toy_ops;
	prepare(&f, recording);
	g_ptr_array_add(f.passes, &toy->pass);
	check_output(&f, &(struct pipeline_options){ 0 },
		     "COMM MMAP2 SAMPLE:300 SAMPLE:301 200 FINISHED_ROUND SAMPLE:400 SAMPLE:401 "
		     "FINISHED_ROUND");
	assert_int_equal(toy->flushes, 1);
	release(&f);
}

static bool failing_take(struct pass *p, const struct event *ev, GError **error)
{
	return ev->type != PERF_RECORD_SAMPLE
		       ? pass_on(p, ev, error)
		       : error_set(error, PERF_ERROR_FORMAT, "no samples today");
}

static const struct pass_ops failing_ops = { .name = "failing",
					     .take = failing_take,
					     .free = toy_free };

static void test_failure_leaves_nothing(void **state)
{
	struct toy *toy = g_new0(struct toy, 1);
	g_autoptr(GError) error = NULL;
	struct pipeline_options options = { 0 };
	struct fixture f;

	toy->pass.ops = &failing_ops;
	prepare(&f, recording);
	options.output = f.path;
	g_ptr_array_add(f.passes, &toy->pass);
	assert_false(pipeline_run(f.in, &options, f.passes, &error));
	assert_string_equal(error->message, "no samples today");
	assert_int_equal(access(f.path, F_OK), -1);
	release(&f);
}

/* A sink instead of a file. */
struct counting_sink {
	struct pass pass;
	u32 samples;
};

static bool counting_take(struct pass *p, const struct event *ev, GError **error)
{
	container_of(p, struct counting_sink, pass)->samples += ev->type == PERF_RECORD_SAMPLE;
	return true;
}

static void counting_free(struct pass *p)
{
}

static const struct pass_ops counting_ops = { .name = "counting",
					      .take = counting_take,
					      .free = counting_free };

static void test_sink(void **state)
{
	struct counting_sink sink = { .pass = { .ops = &counting_ops } };
	struct pipeline_options options = { .sink = &sink.pass };
	struct fixture f;

	prepare(&f, recording);
	options.output = "-";
	assert_true(pipeline_run(f.in, &options, f.passes, NULL));
	assert_int_equal(sink.samples, 3);
	pass_free(&sink.pass);
	release(&f);
}

static void test_known_build_ids(void **state)
{
	g_autoptr(GHashTable) known = build_ids_parse_known(
		"00112233445566778899aabbccddeeff00112233 /a b, 0102 /c", NULL);
	const struct build_id *id;

	assert_non_null(known);
	id = g_hash_table_lookup(known, "/a b");
	assert_non_null(id);
	assert_int_equal(id->size, 20);
	assert_int_equal(id->bytes[19], 0x33);
	id = g_hash_table_lookup(known, "/c");
	assert_int_equal(id->size, 2);
	assert_null(build_ids_parse_known("xyz /a", NULL));
	assert_null(build_ids_parse_known("0102", NULL));
	assert_null(build_ids_parse_known("@/none/such/file", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_changes),
		cmocka_unit_test(test_by_time),
		cmocka_unit_test(test_toy),
		cmocka_unit_test(test_failure_leaves_nothing),
		cmocka_unit_test(test_sink),
		cmocka_unit_test(test_known_build_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
