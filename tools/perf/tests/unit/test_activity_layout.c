// SPDX-License-Identifier: GPL-2.0-or-later
/* LAYOUT texts, and what windows of bytes say under them. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "activity/identity.h"
#include "activity/layout.h"
#include "activity/record.h"

static void test_parse(void **state)
{
	static const struct {
		const char *text, *symbol;
		enum activity_format format;
		u32 offset, size;
	} cases[] = {
		{ NULL, "activity_record", ACTIVITY_RECORD, 0, 0 },
		{ "", "activity_record", ACTIVITY_RECORD, 0, 0 },
		{ "activity", "activity_record", ACTIVITY_RECORD, 0, 0 },
		{ "req", "req", ACTIVITY_HEX, 0, 0 },
		{ "activity:0", "activity", ACTIVITY_HEX, 0, 0 },
		{ "req:8", "req", ACTIVITY_HEX, 8, 0 },
		{ "req:0x10:4", "req", ACTIVITY_U64, 16, 4 },
		{ "req:0:3", "req", ACTIVITY_HEX, 0, 3 },
		{ "req:0:8:hex", "req", ACTIVITY_HEX, 0, 8 },
		{ "req:0:16:uuid", "req", ACTIVITY_UUID, 0, 16 },
		{ "req:0:64:string", "req", ACTIVITY_STRING, 0, 64 },
		{ "_ZN3foo3barE:4:4:u64", "_ZN3foo3barE", ACTIVITY_U64, 4, 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct activity_layout layout;

		assert_true(activity_layout_parse(cases[i].text, &layout, NULL));
		assert_string_equal(layout.symbol, cases[i].symbol);
		assert_int_equal(layout.format, cases[i].format);
		assert_int_equal(layout.offset, cases[i].offset);
		assert_int_equal(layout.size, cases[i].size);
		assert_int_equal(layout.tpoff, 0);
		g_free((char *)layout.symbol);
	}
}

static void test_parse_errors(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ ":8", "layout ':8': no symbol before ':'" },
		{ "req:", "layout 'req:': offset '' is not a number" },
		{ "req:x", "layout 'req:x': offset 'x' is not a number" },
		{ "req:-1", "layout 'req:-1': offset '-1' is not a number" },
		{ "req:0x", "layout 'req:0x': offset '0x' is not a number" },
		{ "req:4294967296",
		  "layout 'req:4294967296': offset '4294967296' is not a number" },
		{ "req:0:0", "layout 'req:0:0': size '0' is not a number from 1 to 64" },
		{ "req:0:65", "layout 'req:0:65': size '65' is not a number from 1 to 64" },
		{ "req:0:8:int",
		  "layout 'req:0:8:int': type 'int': expected u64, hex, uuid or string" },
		{ "req:0:3:u64", "layout 'req:0:3:u64': a u64 cannot have 3 bytes" },
		{ "req:0:8:uuid", "layout 'req:0:8:uuid': a uuid cannot have 8 bytes" },
		{ "req:0:8:u64:9", "layout 'req:0:8:u64:9': more than SYMBOL:offset:size:type" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		g_autoptr(GError) error = NULL;
		struct activity_layout layout;

		assert_false(activity_layout_parse(cases[i].text, &layout, &error));
		assert_int_equal(error->code, PERF_ERROR_USAGE);
		assert_string_equal(error->message, cases[i].message);
	}
}

static void test_place(void **state)
{
	static const struct {
		const char *text;
		s64 tpoff;
		u64 symbol_size;
		bool ok;
		enum activity_format format;
		u32 size, window;
	} cases[] = {
		{ "activity", -64, 64, true, ACTIVITY_RECORD, 64, 64 },
		{ "activity", -128, 64, true, ACTIVITY_RECORD, 64, 128 },
		{ "activity", -72, 64, true, ACTIVITY_RECORD, 64, 72 },
		{ "activity", -4096, 64, true, ACTIVITY_RECORD, 64, 4096 },
		{ "activity", -4104, 64, true, ACTIVITY_RECORD, 64, 0 },
		{ "activity", -16, 16, false }, /* another record of the same name */
		{ "activity", -16, 32, false }, /* above the thread pointer */
		{ "req", -8, 8, true, ACTIVITY_U64, 8, 64 },
		{ "req", -4, 4, true, ACTIVITY_U64, 4, 64 },
		{ "req", -16, 16, true, ACTIVITY_HEX, 16, 64 },
		{ "req", -4000, 3000, true, ACTIVITY_HEX, 64, 4000 },
		{ "req:2992", -4000, 3000, true, ACTIVITY_U64, 8, 1008 },
		{ "req:3000", -4000, 3000, false },
		{ "req:2992:16", -4000, 3000, false },
		{ "req:0:16:uuid", -24, 0, true, ACTIVITY_UUID, 16, 64 }, /* a symbol of no size */
		{ "req", -24, 0, false },
		{ "req", 8, 8, false },
		{ "req", -5000000000, 8, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		g_autoptr(GError) error = NULL;
		struct activity_layout asked, placed;
		bool ok;

		assert_true(activity_layout_parse(cases[i].text, &asked, NULL));
		ok = activity_layout_place(&asked, cases[i].tpoff, cases[i].symbol_size, &placed,
					   &error);
		assert_int_equal(ok, cases[i].ok);
		if (ok) {
			assert_int_equal(placed.format, cases[i].format);
			assert_int_equal(placed.size, cases[i].size);
			assert_int_equal(activity_layout_window(&placed), cases[i].window);
		} else {
			assert_non_null(strstr(error->message, asked.symbol));
		}
		g_free((char *)asked.symbol);
	}
}

/* A layout whose bytes are not in the window may state any place, as long as it can be one. */
static void test_window_of_any_place(void **state)
{
	static const struct {
		s64 tpoff;
		u32 offset;
		bool valid;
		u32 window;
	} cases[] = {
		{ G_MININT64, 0, false },
		{ G_MININT64, 8, false },
		{ G_MAXINT64, G_MAXUINT32, false },
		{ -(s64)G_MAXUINT32 - 1, 0, false },
		{ (s64)G_MAXUINT32 + 1, 0, false },
		{ G_MAXUINT32, G_MAXUINT32, true, 0 },
		{ 0, 0, true, 0 },
		{ -16, 16, true, 0 },
		{ -16, 8, true, 64 },
		{ -(s64)G_MAXUINT32, 0, true, 0 },
		{ -(s64)G_MAXUINT32, G_MAXUINT32 - 72, true, 72 },
	};
	static const u8 nothing[64];
	struct activity activity;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct activity_layout layout = { .format = ACTIVITY_HEX,
						  .where = ACTIVITY_APPENDED,
						  .framed = true,
						  .size = 8,
						  .tpoff = cases[i].tpoff,
						  .offset = cases[i].offset };

		assert_int_equal(activity_layout_valid(&layout), cases[i].valid);
		if (cases[i].valid)
			assert_int_equal(activity_layout_window(&layout), cases[i].window);
		activity_decode(&layout, nothing, sizeof(nothing), sizeof(nothing), NULL,
				&activity);
		assert_int_equal(activity.state, ACTIVITY_UNREADABLE);
	}
}

/* A window of @size bytes with @value at @tpoff. */
static void fill(u8 *window, size_t size, s64 tpoff, const void *value, size_t value_size)
{
	memset(window, 0xee, size);
	memcpy(window + size + tpoff, value, value_size);
}

static void test_decode_values(void **state)
{
	static const u8 uuid[16] = { 0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3,
				     0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00 };
	static const struct {
		enum activity_format format;
		const void *bytes;
		u32 size;
		const char *text;
	} cases[] = {
		{ ACTIVITY_U64, "\x2a\0\0\0\0\0\0\0", 8, "42" },
		{ ACTIVITY_U64, "\0\0\0\0\0\0\0\0", 8, "0" },
		{ ACTIVITY_U64, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "18446744073709551615" },
		{ ACTIVITY_U64, "\x01\x02", 2, "513" },
		{ ACTIVITY_HEX, "\x00\x2a\xff", 3, "002aff" },
		{ ACTIVITY_HEX, "\0\0\0", 3, "(none)" },
		{ ACTIVITY_UUID, uuid, 16, "123e4567-e89b-12d3-a456-426614174000" },
		{ ACTIVITY_UUID, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "(none)" },
		{ ACTIVITY_STRING, "GET /a\0x", 8, "GET /a" },
		{ ACTIVITY_STRING, "full", 4, "full" },
		{ ACTIVITY_STRING, "a\n\\\xff\xc3\xa9z", 7, "a\\x0a\\x5c\\xff\u00e9z" },
		{ ACTIVITY_STRING, "cut\xe2\x82", 5, "cut\\xe2\\x82" },
		{ ACTIVITY_STRING, "\0rest", 5, "(none)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct activity_layout layout = {
			.format = cases[i].format,
			.symbol = "v",
			.tpoff = -40,
			.offset = 8,
			.size = cases[i].size,
		};
		char text[ACTIVITY_TEXT_MAX];
		struct activity activity;
		u8 window[64];

		fill(window, sizeof(window), -32, cases[i].bytes, cases[i].size);
		activity_decode(&layout, window, sizeof(window), sizeof(window), NULL, &activity);
		assert_string_equal(activity_print(&activity, text), cases[i].text);
	}
}

static void test_escaped_string_fits(void **state)
{
	struct activity activity = { .state = ACTIVITY_OK,
				     .format = ACTIVITY_STRING,
				     .value_size = ACTIVITY_VALUE_MAX };
	char text[ACTIVITY_TEXT_MAX];

	memset(activity.value, 0x80, sizeof(activity.value));
	assert_int_equal(strlen(activity_print(&activity, text)), 4 * ACTIVITY_VALUE_MAX);
}

static struct activity_record record_of(enum activity_record_state record_state, u64 trace0,
					u64 trace1, u64 span, u32 depth)
{
	return (struct activity_record){ .root = 7,
					 .parent = 8,
					 .trace = { trace0, trace1 },
					 .span = span,
					 .tail = ACTIVITY_TAIL(record_state, 1, depth) };
}

static struct activity decode_record(const void *record, s64 tpoff, u64 size, u64 dyn_size)
{
	struct activity_layout layout = {
		.format = ACTIVITY_RECORD, .symbol = "activity_record", .tpoff = tpoff, .size = 64
	};
	struct activity activity;
	u8 window[512];

	assert_true(size <= sizeof(window));
	memset(window, 0xee, sizeof(window));
	if (size >= (u64)-tpoff)
		memcpy(window + size + tpoff, record, 64);
	activity_decode(&layout, window, size, dyn_size, NULL, &activity);
	return activity;
}

static void test_decode_record(void **state)
{
	struct activity_record a = record_of(ACTIVITY_RECORD_SET, 0x0102030405060708, 2, 3, 1);
	struct activity_record other;
	struct activity activity = decode_record(&a, -64, 64, 64);
	static const u8 three[8] = { 3 }, seven[8] = { 7 }, eight[8] = { 8 };
	char text[ACTIVITY_TEXT_MAX];

	assert_int_equal(activity.state, ACTIVITY_OK);
	assert_string_equal(activity_print(&activity, text),
			    "08070605040302010200000000000000:0300000000000000");
	assert_int_equal(activity.has, ACTIVITY_HAS_IDS | ACTIVITY_HAS_ROOT | ACTIVITY_HAS_FLAGS);
	assert_int_equal(activity.flags, 1);
	assert_memory_equal(activity.root_span, three, 8);
	assert_int_equal(decode_record(&a, -128, 128, 128).state, ACTIVITY_OK);
	assert_int_equal(decode_record(&a, -300, 304, 304).state, ACTIVITY_OK);
	assert_int_equal(decode_record(&a, -72, 64, 64).state, ACTIVITY_TRUNCATED);
	assert_int_equal(decode_record(&a, -64, 64, 0).state, ACTIVITY_UNREADABLE);
	assert_int_equal(decode_record(&a, -64, 64, 63).state, ACTIVITY_UNREADABLE);
	assert_int_equal(decode_record(&a, -128, 128, 64).state, ACTIVITY_OK);
	assert_int_equal(decode_record(&a, -64, 0, 0).state, ACTIVITY_NONE);
	assert_int_equal(decode_record(&a, 32, 64, 64).state, ACTIVITY_UNREADABLE);

	other = record_of(ACTIVITY_RECORD_WIDE, 1, 2, 3, 2); /* in a span of another */
	activity = decode_record(&other, -64, 64, 64);
	assert_int_equal(activity.state, ACTIVITY_OK);
	assert_true(activity.has & ACTIVITY_HAS_PARENT);
	assert_memory_equal(activity.root_span, eight, 8);
	assert_memory_equal(activity.parent_id, eight, 8);
	other = record_of(ACTIVITY_RECORD_SET, 1, 2, 3, 3);
	activity = decode_record(&other, -64, 64, 64);
	assert_memory_equal(activity.root_span, seven, 8);
	assert_memory_equal(activity.parent_id, eight, 8);

	other = record_of(ACTIVITY_RECORD_UPDATING, 1, 2, 3, 1);
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_UPDATING);
	memset(&other, 0, sizeof(other));
	other.tail = ACTIVITY_RECORD_UPDATING; /* of a thread's first change */
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_UPDATING);
	other = record_of(ACTIVITY_RECORD_NONE, 0, 0, 0, 0);
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_NONE);
	other = record_of(ACTIVITY_RECORD_SET, 0, 0, 0, 1);
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_NONE);
	memset(&other, 0, sizeof(other));
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_NONE);
	other = a;
	other.tail += (u64)1 << 32; /* a version to come */
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_UNREADABLE);
	other = record_of(0x33, 1, 2, 3, 1);
	assert_int_equal(decode_record(&other, -64, 64, 64).state, ACTIVITY_UNREADABLE);
}

static void test_no_layout(void **state)
{
	struct activity activity;
	u8 window[64] = { 1 };
	char text[ACTIVITY_TEXT_MAX];

	activity_decode(NULL, window, 64, 64, NULL, &activity);
	assert_int_equal(activity.state, ACTIVITY_NONE);
	assert_string_equal(activity_print(&activity, text), "(none)");
}

static void test_equal(void **state)
{
	struct activity_record a = record_of(ACTIVITY_RECORD_SET, 1, 2, 3, 1);
	struct activity_record b = record_of(ACTIVITY_RECORD_SET, 1, 2, 4, 1);
	struct activity a1 = decode_record(&a, -64, 64, 64), a2 = decode_record(&a, -72, 72, 72);
	struct activity b1 = decode_record(&b, -64, 64, 64);

	assert_true(activity_equal(&a1, &a2));
	assert_int_equal(activity_hash(&a1), activity_hash(&a2));
	assert_false(activity_equal(&a1, &b1));
	assert_int_not_equal(activity_hash(&a1), activity_hash(&b1));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),	      cmocka_unit_test(test_parse_errors),
		cmocka_unit_test(test_place),	      cmocka_unit_test(test_window_of_any_place),
		cmocka_unit_test(test_decode_values), cmocka_unit_test(test_escaped_string_fits),
		cmocka_unit_test(test_decode_record), cmocka_unit_test(test_no_layout),
		cmocka_unit_test(test_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
