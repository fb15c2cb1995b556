// SPDX-License-Identifier: GPL-2.0-or-later
/* COMPRESSED records are inflated ahead on a thread: nobody can tell from what is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <glib.h>
#include <linux/perf_event.h>

#include "../forge/forge.h"
#include "perfdata/format.h"
#include "perfdata/features.h"
#include "perfdata/read/reader.h"
#include "sanitized.h"

#define NR (SANITIZED ? 30000u : 50000u) /* samples: more than 20 COMPRESSED records */

/* Made once: the forge takes its time. */
static int set_up(void **state)
{
	g_autoptr(GString) text = g_string_new("file zstd=1\nevent e\n");
	g_autoptr(GError) error = NULL;
	GBytes *bytes;

	for (u32 i = 0; i < NR; i++)
		g_string_append_printf(text, "sample ip=%u pid=%u time=%u\n", i, i % 7, i * 3);
	bytes = forge_text(text->str, &error);
	if (error)
		fail_msg("%s", error->message);
	*state = g_bytes_unref_to_array(bytes);
	return 0;
}

static int tear_down(void **state)
{
	g_byte_array_unref(*state);
	return 0;
}

static GByteArray *many_samples(void **state)
{
	const GByteArray *made = *state;

	return g_byte_array_append(g_byte_array_new(), made->data, made->len);
}

static struct perfdata *open_bytes(const GByteArray *bytes)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = perfdata_open_bytes("case", bytes->data, bytes->len, &error);

	if (error)
		fail_msg("%s", error->message);
	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	return pd;
}

/* Where the @nr-th COMPRESSED record begins. */
static u64 compressed_at(const GByteArray *bytes, u32 nr)
{
	u64 at;

	memcpy(&at, bytes->data + 40, sizeof(at));
	for (;;) {
		struct perf_event_header header;

		assert_true(at + sizeof(header) <= bytes->len);
		memcpy(&header, bytes->data + at, sizeof(header));
		if ((header.type == PERFDATA_COMPRESSED || header.type == PERFDATA_COMPRESSED2) &&
		    !nr--)
			return at;
		at += header.size;
	}
}

/* In the COMPRESSED record at @at. */
static u64 payload_offset(const GByteArray *bytes, u64 at)
{
	struct perf_event_header header;

	memcpy(&header, bytes->data + at, sizeof(header));
	return sizeof(header) + (header.type == PERFDATA_COMPRESSED2 ? sizeof(u64) : 0);
}

/* Samples @from, @from + 1 ... up to @to, at most; how many there were before something else. */
static u64 read_samples(struct perfdata *pd, u64 from, u64 to)
{
	struct event ev;
	u64 next = from;

	while (next < to && perfdata_next(pd, &ev, NULL) > 0) {
		assert_int_equal(ev.sample.ip, next);
		assert_int_equal(ev.id.time, next * 3);
		assert_int_equal((uintptr_t)ev.raw % 8, 0);
		next++;
	}
	return next - from;
}

static void expect_end(struct perfdata *pd)
{
	g_autoptr(GError) error = NULL;
	struct event ev;

	assert_int_equal(perfdata_next(pd, &ev, &error), 0);
	assert_null(error);
}

static void all_are_read_in_order(void **state)
{
	g_autoptr(GByteArray) bytes = many_samples(state);
	struct perfdata *pd = open_bytes(bytes);

	assert_int_equal(read_samples(pd, 0, NR), NR);
	expect_end(pd);
	assert_true(perfdata_counts(pd)->records[PERFDATA_COMPRESSED] +
			    perfdata_counts(pd)->records[PERFDATA_COMPRESSED2] >
		    20);
	perfdata_close(pd);
}

static void a_pass_may_end_anywhere(void **state)
{
	const u64 places[] = { 0, 1, 3000, 20000, NR - 1, NR };
	g_autoptr(GByteArray) bytes = many_samples(state);
	struct perfdata *pd = open_bytes(bytes);

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		assert_int_equal(read_samples(pd, 0, places[i]), places[i]);
		assert_true(perfdata_rewind(pd, NULL));
	}
	assert_int_equal(read_samples(pd, 0, NR), NR);
	perfdata_close(pd);
	pd = open_bytes(bytes);
	assert_int_equal(read_samples(pd, 0, 5000), 5000);
	perfdata_close(pd);
}

/* Samples of what lies before @end in the file. */
static u64 samples_before(const GByteArray *bytes, u64 end)
{
	struct perfdata *pd = open_bytes(bytes);
	struct event ev;
	u64 nr = 0;

	while (perfdata_next(pd, &ev, NULL) > 0)
		nr += ev.foff < end;
	perfdata_close(pd);
	return nr;
}

/* Bytes that are no zstd: all before them is read, and the error says where they are. */
static void damage_is_told_where_it_is(void **state)
{
	const u32 places[] = { 0, 1, 5, 12 };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		g_autoptr(GByteArray) bytes = many_samples(state);
		g_autoptr(GError) first = NULL;
		g_autoptr(GError) again = NULL;
		u64 at = compressed_at(bytes, places[i]), expected = samples_before(bytes, at), nr;
		g_autofree char *place =
			g_strdup_printf("case: at offset 0x%lx: ", (unsigned long)at);
		struct perfdata *pd;
		struct event ev;

		/* zstd's magic in the first payload, the header of a block in the others. */
		memset(bytes->data + at + payload_offset(bytes, at), 0xff, 4);
		pd = open_bytes(bytes);
		for (nr = 0; perfdata_next(pd, &ev, &first) > 0; nr++) {
			assert_int_equal(ev.sample.ip, nr);
			assert_true(ev.foff < at);
		}
		assert_non_null(first);
		assert_true(g_str_has_prefix(first->message, place));
		assert_non_null(strstr(first->message, "expected a zstd stream"));
		assert_int_equal(nr, expected);
		assert_int_equal(perfdata_next(pd, &ev, &again), -1);
		assert_true(g_str_has_prefix(again->message, place));
		perfdata_close(pd);
	}
}

struct auxtrace_record {
	struct perf_event_header header;
	u64 size, offset, ref;
	u32 idx, tid, cpu, reserved;
};

/* Bytes in the data section; what the header says lies behind it, the features, moves. */
static void insert(GByteArray *bytes, u64 at, const void *data, u32 size)
{
	u32 behind = bytes->len - (u32)at;
	struct perfdata_file_header header;
	u64 table;

	g_byte_array_set_size(bytes, bytes->len + size);
	memmove(bytes->data + at + size, bytes->data + at, behind);
	memcpy(bytes->data + at, data, size);
	memcpy(&header, bytes->data, sizeof(header));
	header.data.size += size;
	memcpy(bytes->data, &header, sizeof(header));
	table = header.data.offset + header.data.size;
	for (u32 feat = 0; feat < FEAT_BITS; feat++) {
		u64 foff;

		if (!(header.features[feat / 64] >> (feat % 64) & 1))
			continue;
		memcpy(&foff, bytes->data + table, sizeof(foff));
		foff += size;
		memcpy(bytes->data + table, &foff, sizeof(foff));
		table += sizeof(struct perfdata_section);
	}
}

/* What an AUXTRACE record has behind it are no records, however much it looks like one. */
static void aux_data_is_not_looked_into(void **state)
{
	const struct auxtrace_record aux = {
		.header = { PERFDATA_AUXTRACE, 0, sizeof(aux) },
		.size = 64,
	};
	const u64 lost[] = { PERF_RECORD_LOST | (u64)24 << 48, 0, 7 };
	struct perf_event_header fake[8] = { { PERFDATA_COMPRESSED, 0, sizeof(fake) } };
	g_autoptr(GByteArray) bytes = many_samples(state);
	struct perfdata *pd;

	/* From the last one on: the walk to a place does not know AUXTRACE. */
	for (u32 i = 5; i > 0; i--) {
		u64 at = compressed_at(bytes, 4 * i);

		insert(bytes, at, lost, sizeof(lost));
		insert(bytes, at, fake, sizeof(fake));
		insert(bytes, at, &aux, sizeof(aux));
	}
	pd = open_bytes(bytes);
	assert_int_equal(read_samples(pd, 0, NR), NR);
	expect_end(pd);
	assert_int_equal(perfdata_counts(pd)->aux_bytes, 5 * sizeof(fake));
	assert_int_equal(perfdata_counts(pd)->records[PERF_RECORD_LOST], 5);
	perfdata_close(pd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_read_in_order),
		cmocka_unit_test(a_pass_may_end_anywhere),
		cmocka_unit_test(damage_is_told_where_it_is),
		cmocka_unit_test(aux_data_is_not_looked_into),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
