// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that one thread pushes and another one reads are those that were pushed, in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <glib.h>
#include <linux/perf_event.h>

#include "perfdata/read/pushed.h"
#include "perfdata/read/reader.h"

#define NR 3000000u /* 96 MB: more than may wait */

struct sample_record {
	struct perf_event_header header;
	u64 ip;
	u32 pid, tid;
	u64 time;
};

static struct evsel *new_evsel(void)
{
	struct evsel *evsel = evsel_new();

	evsel->attr.size = sizeof(evsel->attr);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	evsel->name = g_strdup("clock");
	return evsel;
}

static struct sample_record record(u64 i)
{
	return (struct sample_record){
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
			    sizeof(struct sample_record) },
		.ip = i,
		.pid = 1,
		.tid = 2,
		.time = i * 10,
	};
}

/* In pieces of all sizes that have whole records. */
static gpointer push_all(gpointer arg)
{
	struct pushed *p = arg;
	struct sample_record piece[100];
	u64 next = 0;

	for (u32 size = 1; next < NR; size = size % 100 + 1) {
		u32 nr = 0;

		while (nr < size && next < NR)
			piece[nr++] = record(next++);
		pushed_put(p, piece, nr * sizeof(*piece));
	}
	pushed_end(p);
	return NULL;
}

static struct perfdata *reader_of(struct pushed *p)
{
	struct evsel *evsel = new_evsel();
	struct perfdata *pd =
		perfdata_open_pushed("test", p, &evsel, 1, perfdata_info_of_host(), NULL);

	evsel_free(evsel);
	assert_non_null(pd);
	return pd;
}

static void what_is_pushed_is_read(void **state)
{
	struct pushed *p = pushed_new();
	struct perfdata *pd = reader_of(p);
	GThread *thread = g_thread_new("pusher", push_all, p);
	struct event ev;
	u64 next = 0;

	while (perfdata_next(pd, &ev, NULL) > 0) {
		assert_int_equal(ev.type, PERF_RECORD_SAMPLE);
		assert_int_equal(ev.sample.ip, next);
		assert_int_equal(ev.sample.time, next * 10);
		assert_string_equal(ev.evsel->name, "clock");
		next++;
	}
	assert_int_equal(next, NR);
	assert_true(perfdata_is_pipe(pd));
	g_thread_join(thread);
	perfdata_close(pd);
}

/* Who reads may go first; what comes then is nobody's. */
static void a_reader_may_go_first(void **state)
{
	struct pushed *p = pushed_new();
	struct perfdata *pd = reader_of(p);
	GThread *thread = g_thread_new("pusher", push_all, p);
	struct event ev;

	assert_int_equal(perfdata_next(pd, &ev, NULL), 1);
	perfdata_close(pd);
	g_thread_join(thread);
}

/* As after an error: the data are still shown, but no more are read. Putting more than the queue takes does not wait. */
static void a_reader_may_stop_and_keep_the_data(void **state)
{
	struct pushed *p = pushed_new();
	struct perfdata *pd = reader_of(p);
	g_autofree u8 *many = g_malloc0(1u << 20);

	pushed_stop_reading(pushed_hold(p));
	for (u32 i = 0; i < 80; i++)
		pushed_put(p, many, 1u << 20);
	pushed_end(p);
	perfdata_close(pd);
}

static void a_record_that_is_cut_off_is_an_error(void **state)
{
	struct pushed *p = pushed_new();
	struct perfdata *pd = reader_of(p);
	struct sample_record one = record(7);
	g_autoptr(GError) error = NULL;
	struct event ev;

	pushed_put(p, &one, sizeof(one));
	pushed_put(p, &one, sizeof(one) - 8);
	pushed_end(p);
	assert_int_equal(perfdata_next(pd, &ev, &error), 1);
	assert_int_equal(perfdata_next(pd, &ev, &error), -1);
	assert_non_null(strstr(error->message, "truncated"));
	perfdata_close(pd);
}

static void nothing_is_an_end(void **state)
{
	struct pushed *p = pushed_new();
	struct perfdata *pd = reader_of(p);
	struct event ev;

	pushed_end(p);
	assert_int_equal(perfdata_next(pd, &ev, NULL), 0);
	perfdata_close(pd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_pushed_is_read),
		cmocka_unit_test(a_reader_may_go_first),
		cmocka_unit_test(a_reader_may_stop_and_keep_the_data),
		cmocka_unit_test(a_record_that_is_cut_off_is_an_error),
		cmocka_unit_test(nothing_is_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
