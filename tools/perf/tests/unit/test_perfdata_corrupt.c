// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged, foreign and hostile files: each is refused with one line that names the file, the offset
 * and what was expected there; none crashes, hangs or takes memory that its size does not warrant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../forge/forge.h"
#include "base/error.h"
#include "perfdata/write/encode.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"

/* Layout of what the forge makes of one event with one id: header 104, id 8, attr 128 + 16. */
#define WHOLE                                                                                      \
	"info hostname=box version=0.1 cmdline='perf record x'\n"                                  \
	"event e sample_type=IP|TID|TIME|CALLCHAIN\n"                                              \
	"comm pid=10 text=name time=1\n"                                                           \
	"sample ip=0x10 pid=1 time=2 chain=user,1,2\n"                                             \
	"sample ip=0x20 pid=1 time=3\n"

struct corrupt_case {
	const char *what, *text;
	const char *offset, *expected; /* parts of the message */
};

static const struct corrupt_case at_open[] = {
	{ "empty", WHOLE "truncate size=0\n", "offset 0x0", "empty" },
	{ "one byte", WHOLE "truncate size=1\n", "offset 0x0", "expected a perf.data header" },
	{ "15 bytes", WHOLE "truncate size=15\n", "offset 0x0", "expected a perf.data header" },
	{ "only magic and size", WHOLE "truncate size=16\n", "offset 0x10",
	  "rest of the file header" },
	{ "half a header", WHOLE "truncate size=60\n", "offset 0x3c", "rest of the file header" },
	{ "text", WHOLE "patch at=0 data=text:hello_world_no_perf\n", "offset 0x0", "PERFILE2" },
	{ "other byte order",
	  WHOLE "patch at=0 data=50455246494c4532 \n patch at=0 data=32454c4946524550",
	  "offset 0x0", "byte order" },
	{ "version 1", WHOLE "patch at=0 data=text:PERFFILE\n", "offset 0x0", "PERFILE2" },
	{ "header size 0", WHOLE "patch at=8 data=00\n", "offset 0x8", "header size" },
	{ "header size huge", WHOLE "patch at=8 data=ffffffffffffffff\n", "offset 0x8",
	  "header size" },
	{ "attr size 0", WHOLE "patch at=16 data=00\n", "offset 0x10", "80 to 65536" },
	{ "attr size huge", WHOLE "patch at=16 data=ffffffffffffffff\n", "offset 0x10",
	  "80 to 65536" },
	{ "attrs beyond the end", WHOLE "patch at=24 data=ffffffff\n", "offset 0x18",
	  "whole events" },
	{ "attrs size that wraps", WHOLE "patch at=32 data=70ffffffffffffff\n", "offset 0x18",
	  "whole events" },
	{ "no events", WHOLE "patch at=32 data=0000000000000000\n", "offset 0x20",
	  "at least one event" },
	{ "data beyond the end", WHOLE "patch at=40 data=ffffffffffff\n", "offset 0x28",
	  "data section" },
	{ "data longer than the file", WHOLE "patch at=48 data=ffffffffffff\n", "offset 0x",
	  "truncated: expected the data section to end" },
	{ "cut inside the data", WHOLE "truncate size=300\n", "offset 0x12c", "truncated" },
	{ "cut at the features", WHOLE "truncate size=500\n", "offset 0x", "inside the file" },
	{ "ids beyond the end", WHOLE "patch at=240 data=ffffffff\n", "offset 0xf0", "event ids" },
	{ "ids of 4 bytes", WHOLE "patch at=248 data=04\n", "offset 0xf0", "event ids" },
	{ "event of 63 bytes", WHOLE "patch at=116 data=3f000000\n", "offset 0x74", "at least 64" },
	{ "feature section beyond the end", WHOLE "patch at=80 data=ffffffffffffffff\n",
	  "offset 0x", "header feature" },
	{ "a pipe without events", WHOLE "file pipe\ntruncate size=16\n", "offset 0x10",
	  "at least one ATTR" },
	{ "a pipe cut in a record", WHOLE "file pipe\ntruncate size=100\n", "offset 0x10",
	  "truncated: expected a record of" },
	{ "a pipe's attr of 8 bytes", WHOLE "file pipe\npatch at=28 data=08000000\n", "offset 0x10",
	  "ATTR record is malformed" },
	{ "a pipe's attr longer than its record", WHOLE "file pipe\npatch at=28 data=ffffff7f\n",
	  "offset 0x10", "ATTR record is malformed" },
};

/* The data section starts at 0x100 with an EVENT_UPDATE of 32 bytes, so records at 0x120. */
static const struct corrupt_case at_read[] = {
	{ "record of 0 bytes", WHOLE "patch at=294 data=0000\n", "offset 0x120", "states 0 bytes" },
	{ "record of 7 bytes", WHOLE "patch at=294 data=0700\n", "offset 0x120", "states 7 bytes" },
	{ "record beyond the data", WHOLE "patch at=294 data=f8ff\n", "offset 0x120",
	  "expected a record of 65528 bytes" },
	{ "name without an end", "event e\nrecord type=3 data=0a0000000a000000_6161616161616161\n",
	  "offset 0x120", "expected its name, which must end in NUL" },
	{ "file name without an end",
	  "event e flags=mmap\nrecord type=1 "
	  "data=0a0000000a000000_0000000000000000_0000000000000000_"
	  "0000000000000000_6161616161616161\n",
	  "offset 0x120", "expected its file name" },
	{ "sample too short", "event e\nrecord type=9 data=1122334455667788\n", "offset 0x120",
	  "expected its fixed fields" },
	{ "call chain longer than its record",
	  "event e sample_type=IP|CALLCHAIN\nrecord type=9 data=0100000000000000_0200000000000000_"
	  "0100000000000000\n",
	  "offset 0x120", "expected its call chain" },
	{ "call chain whose size wraps",
	  "event e sample_type=IP|CALLCHAIN\nrecord type=9 data=0100000000000000_0000000000000020_"
	  "0100000000000000\n",
	  "offset 0x120", "expected its call chain" },
	{ "raw data longer than its record",
	  "event e sample_type=IP|RAW\nrecord type=9 data=0100000000000000_fcffffff_00000000\n",
	  "offset 0x120", "expected its raw data" },
	{ "branch stack whose size wraps",
	  "event e sample_type=IP|BRANCH_STACK\nrecord type=9 "
	  "data=0100000000000000_abaaaaaaaaaaaaaa\n",
	  "offset 0x120", "expected its branch stack" },
	{ "stack longer than its record",
	  "event e sample_type=IP|STACK_USER\nrecord type=9 data=0100000000000000_f8ffffffffffffff_"
	  "0000000000000000\n",
	  "offset 0x120", "expected its user stack" },
	{ "stack fuller than its room",
	  "event e sample_type=IP|STACK_USER\nrecord type=9 data=0100000000000000_0800000000000000_"
	  "0000000000000000_0900000000000000\n",
	  "offset 0x120", "expected its user stack" },
	{ "thread-local bytes longer than the record",
	  "event e sample_type=IP|TLS_USER\nrecord type=9 data=0100000000000000_0010000000000000\n",
	  "offset 0x120", "expected its bytes below the thread pointer" },
	{ "counters longer than the record",
	  "event e sample_type=IP|READ read_format=GROUP\nrecord type=9 data=0100000000000000_"
	  "0000000000000020_0000000000000000\n",
	  "offset 0x120", "expected its counter values" },
	{ "no room for the trailer",
	  "event e sample_type=IP|TID|TIME|CPU|STREAM_ID|ID\n"
	  "record type=14 data=1122334455667788\n",
	  "offset 0x120", "expected its trailer" },
	{ "namespaces that wrap",
	  "event e\nrecord type=16 data=0a0000000a000000_0000000000000010_0000000000000000_"
	  "0000000000000000\n",
	  "offset 0x120", "expected its list of namespaces" },
	{ "code bytes longer than the record",
	  "event e\nrecord type=20 data=0a0000000a000000_ffffffff_00000000_0000000000000000\n",
	  "offset 0x120", "expected its code bytes" },
	{ "AUX payload beyond the end",
	  "event e\nrecord type=71 data=ffffffffffffff7f_0000000000000000_0000000000000000_"
	  "0000000000000000_0000000000000000\n",
	  "offset 0x", "truncated" },
	{ "no zstd stream", "event e\nrecord type=81 data=1122334455667788\n", "offset 0x120",
	  "expected a zstd stream" },
	{ "a record in compressed ones that cannot be there",
	  "file zstd=1\nevent e\nrecord type=81 data=1122334455667788\n", "offset 0x100",
	  "a record of type 81 and 16 bytes, which cannot be" },
	{ "compressed size beyond its record",
	  "event e\nrecord type=83 data=0900000000000000_1122334455667788\n", "offset 0x120",
	  "expected its size and that many bytes" },
	{ "extension longer than its record",
	  "event e\nrecord type=65 data=5045524645585431_01000000_ff000000_0000000000000000\n",
	  "offset 0x120", "payload of its extension" },
	{ "thread-local layout without strings",
	  "event e\nrecord type=65 data=5045524645585431_01000000_28000000_0000000000000000_"
	  "0000000000000000_0000000000000000_0000000000000000_6161616161616161\n",
	  "offset 0x120", "thread-local layout" },
	{ "id index that wraps", "event e\nrecord type=69 data=0000000000000008_0000000000000000\n",
	  "offset 0x120", "table of ids" },
};

static void expect_message(const struct corrupt_case *c, const GError *error)
{
	if (!error)
		fail_msg("%s: no error", c->what);
	if (!strstr(error->message, "case") || !strstr(error->message, c->offset) ||
	    !strstr(error->message, c->expected) || strchr(error->message, '\n'))
		fail_msg("%s: \"%s\"", c->what, error->message);
}

static GBytes *forge_case(const char *text)
{
	g_autoptr(GError) error = NULL;
	GBytes *bytes = forge_text(text, &error);

	if (!bytes)
		fail_msg("%s", error->message);
	return bytes;
}

static struct perfdata *open_bytes(GBytes *bytes, GError **error)
{
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);

	return perfdata_open_bytes("case", data ? data : "", size, error);
}

static void test_at_open(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(at_open); i++) {
		g_autoptr(GBytes) bytes = forge_case(at_open[i].text);
		g_autoptr(GError) error = NULL;

		assert_null(open_bytes(bytes, &error));
		expect_message(&at_open[i], error);
	}
}

/* After the record in question the next call goes on or fails again; it never hangs. */
static void test_at_read(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(at_read); i++) {
		g_autoptr(GBytes) bytes = forge_case(at_read[i].text);
		g_autoptr(GError) error = NULL;
		struct perfdata *pd = open_bytes(bytes, &error);
		struct event ev;
		int got;

		if (!pd)
			fail_msg("%s: %s", at_read[i].what, error->message);
		while ((got = perfdata_next(pd, &ev, &error)) > 0)
			;
		expect_message(&at_read[i], error);
		for (u32 k = 0; k < 4; k++)
			perfdata_next(pd, &ev, NULL);
		perfdata_close(pd);
	}
}

/* False if there is an error, or if the end is told to be missing. */
static bool read_all(const void *data, size_t size)
{
	struct perfdata *pd = perfdata_open_bytes("case", data, size, NULL);
	g_autoptr(GByteArray) again = g_byte_array_new();
	u32 errors = 0;
	struct event ev;
	int got;

	if (!pd)
		return false;
	while ((got = perfdata_next(pd, &ev, NULL)) && errors < 8) {
		g_byte_array_set_size(again, 0);
		if (got > 0)
			event_encode(&ev, ev.evsel, again, NULL);
		errors += got < 0;
	}
	errors += perfdata_counts(pd)->cut;
	perfdata_close(pd);
	return !errors;
}

/* Every length of a file: only the whole one is read without an error or a missing end. */
static void test_every_truncation(void **state)
{
	static const char *const forms[] = { WHOLE, "file pipe\n" WHOLE, "file zstd=1\n" WHOLE };

	for (size_t f = 0; f < ARRAY_SIZE(forms); f++) {
		g_autoptr(GBytes) bytes = forge_case(forms[f]);
		gsize size;
		const u8 *data = g_bytes_get_data(bytes, &size);
		u32 good = 0;

		assert_true(read_all(data, size));
		for (gsize cut = 0; cut < size; cut++) {
			/* A copy of that very size, so that ASan sees a read beyond. */
			g_autofree u8 *copy = g_memdup2(data, cut);

			good += read_all(copy ? copy : (const u8 *)"", cut);
		}
		/* A pipe may end after any of its records. */
		assert_true(good <= (f == 1 ? 40 : 0));
	}
}

/* Every byte of a file set to 0, to 0xff and with one bit turned. */
static void test_every_byte(void **state)
{
	static const char *const forms[] = { WHOLE, "file pipe\n" WHOLE, "file zstd=1\n" WHOLE };

	for (size_t f = 0; f < ARRAY_SIZE(forms); f++) {
		g_autoptr(GBytes) bytes = forge_case(forms[f]);
		gsize size;
		const u8 *data = g_bytes_get_data(bytes, &size);
		g_autofree u8 *copy = g_memdup2(data, size);

		for (gsize at = 0; at < size; at++) {
			const u8 values[] = { 0, 0xff, data[at] ^ 1, data[at] ^ 0x80 };

			for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
				copy[at] = values[v];
				read_all(copy, size);
			}
			copy[at] = data[at];
		}
	}
}

static u64 peak_kb(void)
{
	g_autofree char *status = NULL;
	const char *line;

	if (!g_file_get_contents("/proc/self/status", &status, NULL, NULL))
		return 0;
	line = strstr(status, "VmHWM:");
	return line ? g_ascii_strtoull(line + 6, NULL, 10) : 0;
}

/* Many events that all point to the same ids would make a small file into much memory. */
static void test_shared_ids(void **state)
{
	g_autoptr(GString) text = g_string_new("");
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GError) error = NULL;
	struct perfdata_file_header *header;
	g_autofree u8 *copy = NULL;
	u64 before, nr = 200;
	gsize size;

	for (u64 i = 0; i < nr; i++)
		g_string_append(text, "event e sample_type=IP|IDENTIFIER\n");
	for (u64 i = 0; i < 100; i++)
		g_string_append_printf(text, "record type=68 data=%0*d\n", 60000, 0);
	bytes = forge_case(text->str);
	size = g_bytes_get_size(bytes);
	copy = g_memdup2(g_bytes_get_data(bytes, NULL), size);
	header = (void *)copy;
	for (u64 i = 0; i < nr; i++) {
		struct perfdata_section *ids =
			(void *)(copy + header->attrs.offset + (i + 1) * header->attr_size - 16);

		ids->offset = 0;
		ids->size = size / 8 * 8;
	}
	before = peak_kb();
	assert_null(perfdata_open_bytes("case", copy, size, &error));
	assert_non_null(strstr(error->message, "event ids"));
	/* An id has 24 bytes in memory, 8 in the file; a growing array doubles. */
	assert_true(peak_kb() - before < 8 * size / 1024);
}

/* zstd makes 8 MB of one zeroed record after the other out of a few hundred bytes. */
static void test_inflates_in_pieces(void **state)
{
	g_autoptr(GString) text = g_string_new("file zstd=19\nevent e\n");
	g_autoptr(GBytes) bytes = NULL;
	struct perfdata *pd;
	struct event ev;
	u64 nr = 0;

	for (u32 i = 0; i < 300; i++)
		g_string_append_printf(text, "record type=68 data=%0*d\n", 60000, 0);
	bytes = forge_case(text->str);
	assert_true(g_bytes_get_size(bytes) < 200000);
	pd = open_bytes(bytes, NULL);
	while (perfdata_next(pd, &ev, NULL) > 0)
		nr += ev.type == PERFDATA_FINISHED_ROUND;
	assert_int_equal(nr, 300);
	perfdata_close(pd);
}

static void test_missing_file(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(perfdata_open("/proc/self/absent/perf.data", &error));
	assert_int_equal(error->code, PERF_ERROR_ABSENT);
	assert_non_null(strstr(error->message, "/proc/self/absent/perf.data: No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_open),		 cmocka_unit_test(test_at_read),
		cmocka_unit_test(test_every_truncation), cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_shared_ids),	 cmocka_unit_test(test_inflates_in_pieces),
		cmocka_unit_test(test_missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
