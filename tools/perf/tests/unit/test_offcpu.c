// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of waits: upstream's form, in which all is in the raw data, and ours, which says the same twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perfdata/decoder.h"
#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"
#include "perfdata/write/encode.h"

static const u64 ips[] = { (u64)PERF_CONTEXT_USER, 0x401000, 0x402000 };

static struct evsel *event_of(const char *name, u64 more)
{
	struct evsel *e = evsel_new();

	e->name = g_strdup(name);
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	e->attr.sample_period = 1;
	e->attr.sample_id_all = 1;
	e->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			      PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | more;
	return e;
}

static struct sample wait_sample(void)
{
	return (struct sample){ .pid = 7,
				.tid = 8,
				.time = 1000,
				.period = 500,
				.nr_ips = 3,
				.ips = ips,
				.ip = 0x401000,
				.cgroup = 99 };
}

/* Encodes @s for @e, with @raw, and decodes it again. */
static GByteArray *pass_through(const struct evsel *e, struct sample s, const GByteArray *raw,
				struct event *out)
{
	struct event ev = { .type = PERF_RECORD_SAMPLE,
			    .misc = PERF_RECORD_MISC_USER,
			    .sample = s };
	struct evsel *const evsels[] = { (struct evsel *)e };
	struct perfdata_decoder *d = perfdata_decoder_new(evsels, 1, NULL);
	GByteArray *record = g_byte_array_new();

	ev.sample.raw = raw->data;
	ev.sample.raw_size = raw->len;
	assert_true(event_encode(&ev, e, record, NULL));
	out->type = perfdata_decoder_decode(d, (const void *)record->data, out) ? out->type : 0;
	perfdata_decoder_free(d);
	return record;
}

/* As the kernel writes them for upstream: the sample's own fields are of whoever ran when the wait was over. */
static void test_upstreams(void **state)
{
	struct evsel *e = event_of("offcpu-time", 0);
	struct sample s = wait_sample(), runner = { .pid = 1, .tid = 2, .time = 1000, .period = 1 };
	g_autoptr(GByteArray) raw = offcpu_raw(&s, NULL, 0), record = NULL;
	struct event ev = { 0 };

	record = pass_through(e, runner, raw, &ev);
	assert_int_equal(ev.type, PERF_RECORD_SAMPLE);
	assert_int_equal(ev.sample.pid, 7);
	assert_int_equal(ev.id.pid, 7);
	assert_int_equal(ev.sample.tid, 8);
	assert_int_equal(ev.sample.period, 500);
	assert_int_equal(ev.sample.time, 1000);
	assert_int_equal(ev.sample.ip, 0x401000);
	assert_int_equal(ev.sample.nr_ips, 3);
	assert_memory_equal(ev.sample.ips, ips, sizeof(ips));
	assert_int_equal(ev.sample.cgroup, 99);
	evsel_free(e);
}

/* What stands behind is found again, whatever the chain. */
static void test_ours(void **state)
{
	struct evsel *e = event_of("offcpu-time", PERF_SAMPLE_CALLCHAIN);
	struct sample s = wait_sample();
	g_autoptr(GByteArray) raw = offcpu_raw(&s, (const u8 *)"twelve bytes", 12), record = NULL;
	struct event ev = { 0 };
	const u8 *rest;
	u32 size;

	record = pass_through(e, s, raw, &ev);
	assert_int_equal(ev.sample.tid, 8);
	assert_int_equal(ev.sample.nr_ips, 3);
	rest = offcpu_rest(&ev.sample, &size);
	assert_true(size >= 12);
	assert_memory_equal(rest, "twelve bytes", 12);
	evsel_free(e);
}

/* A wait without a place (many short ones, added up) has none for upstream either: no bytes behind its chain are read. */
static void test_no_place(void **state)
{
	struct evsel *e = event_of("offcpu-time", 0);
	struct sample s = wait_sample();
	g_autoptr(GByteArray) raw = NULL, record = NULL;
	struct event ev = { 0 };
	u64 nr, address;
	const u8 *rest;
	u32 size;

	s.nr_ips = 0;
	raw = offcpu_raw(&s, (const u8 *)"twelve bytes", 12);
	memcpy(&nr, raw->data + 16, sizeof(nr));
	memcpy(&address, raw->data + 32, sizeof(address)); /* ips[1] */
	assert_int_equal(nr, 2);
	assert_int_equal(address, 0);
	record = pass_through(e, s, raw, &ev);
	assert_int_equal(ev.sample.ip, 0);
	rest = offcpu_rest(&ev.sample, &size);
	assert_memory_equal(rest, "twelve bytes", 12);
	evsel_free(e);
}

/* Another event with raw data is none of this. */
static void test_others(void **state)
{
	struct evsel *e = event_of("bpf-output", 0);
	struct sample s = wait_sample(), runner = { .pid = 1, .tid = 2, .time = 1000, .period = 1 };
	g_autoptr(GByteArray) raw = offcpu_raw(&s, NULL, 0), record = NULL;
	struct event ev = { 0 };

	record = pass_through(e, runner, raw, &ev);
	assert_int_equal(ev.sample.pid, 1);
	evsel_free(e);
}

/* A chain that says that it is longer than the raw data are, and raw data that end early. */
static void test_damaged(void **state)
{
	struct evsel *e = event_of("offcpu-time", 0);
	struct sample s = wait_sample();
	g_autoptr(GByteArray) raw = offcpu_raw(&s, NULL, 0);

	for (u64 nr = 4; nr; nr <<= 7) {
		g_autoptr(GByteArray) record = NULL;
		struct event ev = { 0 };

		memcpy(raw->data + 16, &nr, sizeof(nr));
		record = pass_through(e, s, raw, &ev);
		assert_int_equal(ev.type, 0);
	}
	for (u32 size = 0; size < 48; size += 4) {
		g_autoptr(GByteArray) whole = offcpu_raw(&s, NULL, 0), record = NULL;
		struct event ev = { 0 };

		g_byte_array_set_size(whole, size);
		record = pass_through(e, s, whole, &ev);
		assert_int_equal(ev.type, 0);
	}
	evsel_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_upstreams), cmocka_unit_test(test_ours),
		cmocka_unit_test(test_no_place),  cmocka_unit_test(test_others),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
