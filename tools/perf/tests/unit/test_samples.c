// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the quick way reads of a sample is what the whole decoder reads, for every set of fields that a
 * sample may have, with one event and with two, and it fails where the decoder fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/types.h"
#include "perfdata/read/samples.h"
#include "tests/forge/forge.h"

static const struct {
	const char *name, *text;
} fields[] = {
	{ "IP", "ip=0x401000" },	{ "TID", "pid=7 tid=8" },
	{ "TIME", "time=123456789" },	{ "ADDR", "addr=0x7000" },
	{ "STREAM_ID", "stream_id=9" }, { "CPU", "cpu=3" },
	{ "PERIOD", "period=77" },	{ "CALLCHAIN", "chain=user,0x401000,0x402000" },
	{ "RAW", "raw=01020304" },	{ "TLS_USER", "tls=0102030405060708" },
};

static void assert_same_head(const struct sample_head *a, const struct sample_head *b)
{
	assert_ptr_equal(a->raw, b->raw);
	assert_ptr_equal(a->evsel, b->evsel);
	assert_int_equal(a->foff, b->foff);
	assert_int_equal(a->ip, b->ip);
	assert_int_equal(a->time, b->time);
	assert_int_equal(a->period, b->period);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->misc, b->misc);
	assert_int_equal(a->nr_ips, b->nr_ips);
	assert_int_equal(a->tls_size, b->tls_size);
	if (a->nr_ips)
		assert_ptr_equal(a->ips, b->ips);
	if (a->tls_size) {
		assert_ptr_equal(a->tls, b->tls);
		assert_int_equal(a->tls_filled, b->tls_filled);
	}
}

/* The file of some fields; whether one is asked for is a bit. */
static GBytes *file_of(u32 set, u32 nr_events, const char *id)
{
	GString *type = g_string_new(id), *text = g_string_new(NULL);
	GBytes *bytes;

	for (u32 i = 0; i < ARRAY_SIZE(fields); i++)
		if (set & 1u << i)
			g_string_append_printf(type, "|%s", fields[i].name);
	for (u32 e = 0; e < nr_events; e++)
		g_string_append_printf(text, "event e%u period=%u sample_type=%s tls_user=8\n", e,
				       5 + e, type->str);
	for (u32 e = 0; e < nr_events; e++) {
		g_string_append_printf(text, "sample event=%u misc=user", e);
		for (u32 i = 0; i < ARRAY_SIZE(fields); i++)
			if (set & 1u << i)
				g_string_append_printf(text, " %s", fields[i].text);
		g_string_append_c(text, '\n');
	}
	bytes = forge_text(text->str, NULL);
	g_string_free(type, TRUE);
	g_string_free(text, TRUE);
	return bytes;
}

static void compare(GBytes *bytes, u32 nr_events)
{
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);
	struct perfdata *pd = perfdata_open_bytes("test", data, size, NULL);
	struct event ev;
	u32 nr = 0;

	assert_non_null(pd);
	while (perfdata_next(pd, &ev, NULL) > 0) {
		struct sample_head whole, quick;

		if (ev.type != PERF_RECORD_SAMPLE)
			continue;
		sample_head_of(&ev, &whole);
		assert_true(perfdata_head(pd, ev.raw, ev.foff, &quick, NULL));
		assert_same_head(&quick, &whole);
		nr++;
	}
	assert_int_equal(nr, nr_events);
	perfdata_close(pd);
}

static void heads_are_those_of_the_decoder(void **state)
{
	static const char *const ids[] = { "IDENTIFIER", "ID", "IDENTIFIER|ID" };

	for (u32 set = 0; set < 1u << ARRAY_SIZE(fields); set++)
		for (u32 i = 0; i < ARRAY_SIZE(ids); i++)
			for (u32 nr = 1; nr <= 2; nr++) {
				g_autoptr(GBytes) bytes = file_of(set, nr, ids[i]);

				assert_non_null(bytes);
				compare(bytes, nr);
			}
}

/* A record that ends too early is malformed to both, wherever it is cut off. */
static void a_cut_record_is_malformed(void **state)
{
	g_autoptr(GBytes)
		bytes = file_of((1u << ARRAY_SIZE(fields)) - 1 - (1u << 8), 1, "IDENTIFIER");
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);
	struct perfdata *pd = perfdata_open_bytes("test", data, size, NULL);
	struct event ev;

	while (perfdata_next(pd, &ev, NULL) > 0 && ev.type != PERF_RECORD_SAMPLE)
		;
	assert_int_equal(ev.type, PERF_RECORD_SAMPLE);
	for (u16 cut = sizeof(struct perf_event_header); cut < ev.size; cut += 8) {
		g_autofree struct perf_event_header *copy = g_memdup2(ev.raw, ev.size);
		struct sample_head head;
		struct event again;

		copy->size = cut;
		assert_false(perfdata_decode(pd, copy, 0, &again, NULL));
		assert_false(perfdata_head(pd, copy, 0, &head, NULL));
	}
	perfdata_close(pd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_are_those_of_the_decoder),
		cmocka_unit_test(a_cut_record_is_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
