// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other people's layouts, byte by byte as their specifications state them, and the frame that
 * carries what a BPF program read of them; then what processes state of themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "activity/decoders.h"
#include "activity/identity.h"
#include "activity/process.h"

#define IDS                                                                                        \
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,  \
		0x16, 0x17
#define IDS_TEXT "000102030405060708090a0b0c0d0e0f:1011121314151617"

static const char *const key_names[] = { "datadog.local_root_span_id", "route", "user" };

static void put_entry(GByteArray *to, u8 publisher, u8 format, u8 state, u8 cut, const void *bytes,
		      u16 size)
{
	struct activity_entry entry = { publisher, format, state, cut, size, 0 };
	static const u8 zeros[8];

	g_byte_array_append(to, (const u8 *)&entry, sizeof(entry));
	g_byte_array_append(to, bytes, size);
	g_byte_array_append(to, zeros, (8 - size % 8) % 8);
}

static GByteArray *section_of(const GByteArray *entries, const void *window, u32 window_size)
{
	struct activity_frame frame = { (u16)(sizeof(frame) + entries->len), ACTIVITY_FRAME_VERSION,
					1, 0 };
	GByteArray *section = g_byte_array_new();

	g_byte_array_append(section, (const u8 *)&frame, sizeof(frame));
	g_byte_array_append(section, entries->data, entries->len);
	g_byte_array_append(section, window, window_size);
	return section;
}

static const struct activity_layout *appended(enum activity_format format)
{
	static struct activity_layout layout;

	layout = (struct activity_layout){ .format = format,
					   .symbol = "",
					   .size = 8,
					   .where = ACTIVITY_APPENDED,
					   .publisher = 3,
					   .framed = true };
	return &layout;
}

struct answer {
	struct activity activity;
	char text[ACTIVITY_TEXT_MAX];
	GByteArray *section; /* the labels' bytes */
};

/* What @size bytes say that a program read for a publisher of @format. */
static void decode_entry(enum activity_format format, const void *bytes, u16 size, u8 cut,
			 const struct activity_process *process, struct answer *answer)
{
	GByteArray *entries = g_byte_array_new();

	put_entry(entries, 3, (u8)format, ACTIVITY_OK, cut, bytes, size);
	answer->section = section_of(entries, NULL, 0);
	activity_decode(appended(format), answer->section->data, answer->section->len,
			answer->section->len, process, &answer->activity);
	activity_print(&answer->activity, answer->text);
	g_byte_array_unref(entries);
}

static void check_text(enum activity_format format, const void *bytes, u16 size,
		       const char *expected)
{
	struct answer answer;

	decode_entry(format, bytes, size, 0, NULL, &answer);
	assert_string_equal(answer.text, expected);
	g_byte_array_unref(answer.section);
}

static void check_label(const struct activity *a, const char *key, const char *expected)
{
	const char *value = NULL;
	size_t size = 0;

	assert_int_equal(activity_label(a, key, &value, &size), expected != NULL);
	if (expected) {
		assert_int_equal(size, strlen(expected));
		assert_memory_equal(value, expected, size);
	}
}

/* clang-format off */
static const u8 otep[] = { IDS, 1, 0x01, 42, 0,
			   0, 16, '2', '0', '2', '1', '2', '2', '2', '3', '2', '4', '2', '5', '2', 'F', '2', '7',
			   2, 3, 'b', 'o', 'b',
			   1, 4, '/', 'p', 'a', 'y',
			   2, 3, 'a', 'n', 'n',
			   200, 4, 'l', 'o', 's', 't' };
static const u8 root[] = { 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x2f, 0x27 };
/* clang-format on */

static void test_otep(void **state)
{
	struct activity_process process = { .keys = { key_names, ARRAY_SIZE(key_names) } };
	struct answer answer;

	G_STATIC_ASSERT(sizeof(otep) == 28 + 18 + 5 + 6 + 5 + 6);
	decode_entry(ACTIVITY_OTEP, otep, sizeof(otep), 0, &process, &answer);
	assert_string_equal(answer.text, IDS_TEXT);
	assert_int_equal(answer.activity.has,
			 ACTIVITY_HAS_IDS | ACTIVITY_HAS_FLAGS | ACTIVITY_HAS_ROOT);
	assert_int_equal(answer.activity.flags, 1);
	assert_memory_equal(answer.activity.root_span, root, sizeof(root));
	check_label(&answer.activity, "route", "/pay");
	check_label(&answer.activity, "user", "ann"); /* the last one counts */
	check_label(&answer.activity, "other", NULL);
	g_byte_array_unref(answer.section);
}

static void test_otep_states(void **state)
{
	u8 bytes[28] = { IDS, 1 }, zero[28] = { 0 };

	check_text(ACTIVITY_OTEP, bytes, 28, IDS_TEXT);
	check_text(ACTIVITY_OTEP, bytes, 27, "(truncated)");
	for (u32 valid = 0; valid < 256; valid++) {
		bytes[24] = (u8)valid;
		check_text(ACTIVITY_OTEP, bytes, 28, valid == 1 ? IDS_TEXT : "(being updated)");
	}
	check_text(ACTIVITY_OTEP, zero, 28, "(none)"); /* detached */
	zero[24] = 1;
	check_text(ACTIVITY_OTEP, zero, 28, "(none)");
}

/* Attributes that say they are longer than what is there: those that are whole count. */
static void test_otep_cut(void **state)
{
	struct activity_process process = { .keys = { key_names, ARRAY_SIZE(key_names) } };
	struct answer answer;

	decode_entry(ACTIVITY_OTEP, otep, sizeof(otep) - 8, 1, &process, &answer);
	assert_string_equal(answer.text, IDS_TEXT);
	assert_true(answer.activity.labels.cut);
	check_label(&answer.activity, "route", "/pay");
	check_label(&answer.activity, "user", "bob");
	g_byte_array_unref(answer.section);
}

/* No ids, but attributes: they are what there is to tell it by. */
static void test_otep_attributes_alone(void **state)
{
	struct activity_process process = { .keys = { key_names, ARRAY_SIZE(key_names) } };
	u8 bytes[34] = { [24] = 1, [26] = 6, [28] = 1, 4, '/', 'p', 'a', 'y' };
	struct answer answer;

	decode_entry(ACTIVITY_OTEP, bytes, sizeof(bytes), 0, &process, &answer);
	assert_string_equal(answer.text, "route=/pay");
	g_byte_array_unref(answer.section);
}

static void test_elastic(void **state)
{
	u8 bytes[40] = { 1, 0, 1, 1, 1, IDS };
	struct answer answer;

	memcpy(bytes + 29, root, sizeof(root));
	decode_entry(ACTIVITY_ELASTIC, bytes, 37, 0, NULL, &answer);
	assert_string_equal(answer.text, IDS_TEXT);
	assert_memory_equal(answer.activity.root_span, root, sizeof(root));
	g_byte_array_unref(answer.section);
	bytes[0] = 2; /* later minor versions append */
	check_text(ACTIVITY_ELASTIC, bytes, 40, IDS_TEXT);
	check_text(ACTIVITY_ELASTIC, bytes, 36, "(truncated)");
	bytes[3] = 0;
	check_text(ACTIVITY_ELASTIC, bytes, 37, "(none)");
	bytes[2] = 0;
	check_text(ACTIVITY_ELASTIC, bytes, 37, "(being updated)");
	bytes[0] = 0;
	check_text(ACTIVITY_ELASTIC, bytes, 37, "(unreadable)");
}

static void test_labels(void **state)
{
	static const u8 labels[] = "\5\4route/pay\4\3userann\4\3userbob";
	struct answer answer;

	decode_entry(ACTIVITY_LABELS, labels, sizeof(labels) - 1, 0, NULL, &answer);
	assert_string_equal(answer.text, "route=/pay user=ann");
	check_label(&answer.activity, "user", "ann"); /* the first one counts */
	g_byte_array_unref(answer.section);
	check_text(ACTIVITY_LABELS, labels, 0, "(none)");
	/* The order of a set means nothing. */
	check_text(ACTIVITY_LABELS, "\4\3userann\5\4route/pay", 20, "route=/pay user=ann");
}

/* @text: what is there is shown, and that it is not all; @cut: which labels are not whole. */
static void check_cut(const u8 *bytes, u16 size, u16 missing, const char *text, const char *cut)
{
	GByteArray *entries = g_byte_array_new();
	struct activity_entry entry = {
		3, ACTIVITY_LABELS, ACTIVITY_OK, (u8)(1 + missing), size, 0
	};
	GString *keys = g_string_new("");
	struct activity activity;
	char found[ACTIVITY_TEXT_MAX];
	GByteArray *section;

	put_entry(entries, 3, ACTIVITY_LABELS, ACTIVITY_OK, 1, bytes, size);
	memcpy(entries->data, &entry, sizeof(entry));
	section = section_of(entries, NULL, 0);
	activity_decode(appended(ACTIVITY_LABELS), section->data, section->len, section->len, NULL,
			&activity);
	assert_int_equal(activity.state, ACTIVITY_TRUNCATED);
	assert_string_equal(activity_print(&activity, found), text);
	activity_cut_labels(&activity, keys);
	assert_string_equal(keys->str, cut);
	check_label(&activity, "user", "ann");
	g_string_free(keys, TRUE);
	g_byte_array_unref(section);
	g_byte_array_unref(entries);
}

static void test_cut_labels(void **state)
{
	static const u8 whole[] = "\5\4route/pay\4\3userann";
	static const u8 value[] = "\5\x84route/pay\4\3userann";
	static const u8 key[] = "\x85\4route/pay\4\3userann";
	static const u8 keys[] = "\x82\1ab1\x82\1ab2\4\3userann";
	struct answer answer;

	check_cut(whole, sizeof(whole) - 1, 0, "route=/pay user=ann ..", "..");
	check_cut(whole, sizeof(whole) - 1, 3, "route=/pay user=ann +3", "+3");
	check_cut(value, sizeof(value) - 1, 0, "route=/pay.. user=ann", "route=..");
	check_cut(key, sizeof(key) - 1, 2, "route..=/pay user=ann +2", "route.., +2");
	/* Keys of which only the beginning is known may be two. */
	check_cut(keys, sizeof(keys) - 1, 0, "ab..=1 ab..=2 user=ann", "ab.., ab..");
	decode_entry(ACTIVITY_LABELS, value, sizeof(value) - 1, 1, NULL, &answer);
	check_label(&answer.activity, "route", "/pay");
	assert_true(activity_label_is_cut(&answer.activity, "route"));
	assert_false(activity_label_is_cut(&answer.activity, "user"));
	assert_false(activity_label_is_cut(&answer.activity, "other"));
	g_byte_array_unref(answer.section);
	decode_entry(ACTIVITY_LABELS, key, sizeof(key) - 1, 1, NULL, &answer);
	check_label(&answer.activity, "route", NULL); /* nobody knows whether it is that key */
	g_byte_array_unref(answer.section);
}

static void test_node(void **state)
{
	struct activity_process process = { .keys = { key_names, ARRAY_SIZE(key_names) } };
	u8 bytes[28] = { IDS, 1, 1 }, zero[28] = { 0 };
	struct answer answer;

	decode_entry(ACTIVITY_NODE, otep, sizeof(otep), 0, &process, &answer);
	assert_string_equal(answer.text, IDS_TEXT);
	assert_memory_equal(answer.activity.root_span, root, sizeof(root));
	check_label(&answer.activity, "route", "/pay");
	g_byte_array_unref(answer.section);
	check_text(ACTIVITY_NODE, bytes, 28, IDS_TEXT);
	check_text(ACTIVITY_NODE, bytes, 27, "(truncated)");
	bytes[24] = 0; /* the span has ended */
	check_text(ACTIVITY_NODE, bytes, 28, "(none)");
	check_text(ACTIVITY_NODE, zero, 28, "(none)");
	/* What no record can be is none. */
	bytes[24] = 2;
	check_text(ACTIVITY_NODE, bytes, 28, "(unreadable)");
	bytes[24] = 1;
	bytes[27] = 3;
	check_text(ACTIVITY_NODE, bytes, 28, "(unreadable)");
	bytes[27] = 0;
	memset(bytes + 16, 0, 8);
	check_text(ACTIVITY_NODE, bytes, 28, "(unreadable)");
}

/* struct trace_entry's flags: an NMI within an interrupt within a softirq. */
static void test_context_of_tracepoint(void **state)
{
	static const struct {
		u8 flags;
		enum cpu_context context;
	} rows[] = {
		{ 0x00, CPU_IN_TASK },	  { 0x01, CPU_IN_TASK },    { 0x10, CPU_IN_SOFTIRQ },
		{ 0x18, CPU_IN_HARDIRQ }, { 0x08, CPU_IN_HARDIRQ }, { 0x58, CPU_IN_NMI },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 raw[] = { 0xff, 0xff, rows[i].flags, 0xff };

		assert_int_equal(cpu_context_of_tracepoint(raw, sizeof(raw)), rows[i].context);
		assert_int_equal(cpu_context_of_tracepoint(raw, 2), CPU_IN_UNKNOWN);
	}
	assert_int_equal(cpu_context_of_tracepoint(NULL, 0), CPU_IN_UNKNOWN);
}

/* What the event hit stands in the frame, whatever else is there. */
static void test_cpu_context(void **state)
{
	static const char *const names[] = { "unknown", "task", "softirq", "hardirq", "nmi" };
	GByteArray *entries = g_byte_array_new(), *section = section_of(entries, NULL, 0);
	struct activity activity;

	for (u32 i = 0; i < 256; i++) {
		enum cpu_context context;

		section->data[4] = (u8)i;
		context = activity_cpu_context(section->data, section->len, section->len);
		assert_int_equal(context, i < CPU_NR_CONTEXTS ? i : CPU_IN_UNKNOWN);
		assert_int_equal(cpu_context_interrupts(context), i > 1 && i < CPU_NR_CONTEXTS);
		assert_string_equal(cpu_context_name(context), names[context]);
	}
	section->data[4] = CPU_IN_NMI;
	assert_int_equal(activity_cpu_context(section->data, 8, 0), CPU_IN_NMI);
	assert_int_equal(activity_cpu_context((const u8[8]){ 0 }, 8, 0), CPU_IN_UNKNOWN);
	assert_int_equal(activity_cpu_context(section->data, section->len, 7), CPU_IN_UNKNOWN);
	assert_int_equal(activity_cpu_context(section->data, 7, 7), CPU_IN_UNKNOWN);
	assert_int_equal(activity_cpu_context(NULL, 0, 0), CPU_IN_UNKNOWN);
	section->data[2] = 0; /* not its version: a window */
	assert_int_equal(activity_cpu_context(section->data, section->len, section->len),
			 CPU_IN_UNKNOWN);
	activity_decode(NULL, NULL, 0, 0, NULL, &activity);
	activity_interrupt(&activity); /* there was none to interrupt */
	assert_int_equal(activity.state, ACTIVITY_NONE);
	g_byte_array_unref(section);
	g_byte_array_unref(entries);
}

/* Sets that differ behind what can be shown are different activities. */
static void test_long_labels(void **state)
{
	char labels[2][2 + 1 + 100];
	struct answer answer[2];

	for (u32 i = 0; i < 2; i++) {
		memset(labels[i], 'x', sizeof(labels[i]));
		labels[i][0] = 1;
		labels[i][1] = 100;
		labels[i][102] = (char)('0' + i);
		decode_entry(ACTIVITY_LABELS, labels[i], sizeof(labels[i]), 0, NULL, &answer[i]);
		assert_int_equal(answer[i].activity.state, ACTIVITY_OK);
		assert_int_equal(strlen(answer[i].text), ACTIVITY_VALUE_MAX);
	}
	assert_false(activity_equal(&answer[0].activity, &answer[1].activity));
	g_byte_array_unref(answer[0].section);
	g_byte_array_unref(answer[1].section);
}

static void test_obi(void **state)
{
	static const u8 ids[] = { IDS }, zero[24];

	check_text(ACTIVITY_OBI, ids, 24, IDS_TEXT);
	check_text(ACTIVITY_OBI, zero, 24, "(none)");
	check_text(ACTIVITY_OBI, ids, 23, "(truncated)");
}

/* The frame: other publishers' entries are passed over, states are passed on. */
static void test_frame(void **state)
{
	static const u8 bytes[28] = { IDS, 1 }, window[64];
	struct activity_layout layout = *appended(ACTIVITY_OTEP);
	GByteArray *entries = g_byte_array_new(), *section;
	struct activity a;

	put_entry(entries, 1, ACTIVITY_OTEP, ACTIVITY_UNREADABLE, 0, NULL, 0);
	put_entry(entries, 3, ACTIVITY_LABELS, ACTIVITY_OK, 0, bytes, 5);
	put_entry(entries, 3, ACTIVITY_OTEP, ACTIVITY_OK, 0, bytes, 28);
	put_entry(entries, 4, ACTIVITY_OTEP, ACTIVITY_UPDATING, 0, NULL, 0);
	put_entry(entries, 5, ACTIVITY_OTEP, 99, 0, NULL, 0);
	section = section_of(entries, window, sizeof(window));
	for (u32 publisher = 0; publisher < 7; publisher++) {
		static const enum activity_state expected[] = {
			ACTIVITY_NOT_YET,  ACTIVITY_UNREADABLE, ACTIVITY_NOT_YET, ACTIVITY_OK,
			ACTIVITY_UPDATING, ACTIVITY_UNREADABLE, ACTIVITY_NOT_YET
		};

		layout.publisher = (u8)publisher;
		activity_decode(&layout, section->data, section->len, section->len, NULL, &a);
		assert_int_equal(a.state, expected[publisher]);
	}
	/* Any cut through the front is no frame, and nothing is read beyond it. */
	layout.publisher = 3;
	for (u32 size = 1; size < section->len - sizeof(window); size++) {
		g_autofree u8 *part = g_memdup2(section->data, size);

		activity_decode(&layout, part, size, size, NULL, &a);
		assert_int_equal(a.state, ACTIVITY_UNREADABLE);
	}
	section->data[2]++; /* a version to come */
	activity_decode(&layout, section->data, section->len, section->len, NULL, &a);
	assert_int_equal(a.state, ACTIVITY_UNREADABLE);
	g_byte_array_unref(entries);
	g_byte_array_unref(section);
}

/* An entry that was read at another place of the publisher is none of the layout's. */
static void test_marks(void **state)
{
	static const u8 bytes[28] = { IDS, 1 };
	static const struct {
		u16 entry, layout;
		enum activity_state state;
	} cases[] = {
		{ 0, 0, ACTIVITY_OK }, { 7, 7, ACTIVITY_OK },	   { 0, 7, ACTIVITY_OK },
		{ 7, 0, ACTIVITY_OK }, { 7, 8, ACTIVITY_NOT_YET },
	};
	u64 window[8] = { [6] = 0x7f0012345678 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct activity_layout layout = *appended(ACTIVITY_OTEP);
		GByteArray *entries = g_byte_array_new(), *section;
		struct activity a;

		layout.publisher = 3;
		layout.mark = cases[i].layout;
		put_entry(entries, 3, ACTIVITY_OTEP, ACTIVITY_OK, 0, bytes, sizeof(bytes));
		memcpy(entries->data + 6, &cases[i].entry, sizeof(cases[i].entry));
		section = section_of(entries, window, sizeof(window));
		activity_decode(&layout, section->data, section->len, section->len, NULL, &a);
		assert_int_equal(a.state, cases[i].state);
		/* Where the variable is in the window, that tells whether it is set. */
		layout.tpoff = -16;
		activity_decode(&layout, section->data, section->len, section->len, NULL, &a);
		assert_int_equal(a.state,
				 cases[i].state == ACTIVITY_OK ? ACTIVITY_OK : ACTIVITY_INEXACT);
		g_byte_array_unref(entries);
		g_byte_array_unref(section);
	}
}

/* A variable in the window, with a frame in front. */
static void test_framed_window(void **state)
{
	struct activity_layout layout = {
		.format = ACTIVITY_U64, .symbol = "", .tpoff = -16, .size = 8, .framed = true
	};
	u64 window[4] = { 1, 2, 3, 4 };
	GByteArray *entries = g_byte_array_new(), *section;
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;

	put_entry(entries, 9, ACTIVITY_OTEP, ACTIVITY_OK, 0, window, 28);
	section = section_of(entries, window, sizeof(window));
	activity_decode(&layout, section->data, section->len, section->len, NULL, &a);
	assert_string_equal(activity_print(&a, text), "3");
	layout.tpoff = -40; /* in the frame */
	activity_decode(&layout, section->data, section->len, section->len, NULL, &a);
	assert_int_equal(a.state, ACTIVITY_NOT_YET);
	layout.framed = false; /* by a kernel that reads so far and no further */
	activity_decode(&layout, (const u8 *)window, sizeof(window), sizeof(window), NULL, &a);
	assert_int_equal(a.state, ACTIVITY_TRUNCATED);
	g_byte_array_unref(entries);
	g_byte_array_unref(section);
}

/* Only the window is there: of a pointer it can be said whether it is set. */
static void test_inexact(void **state)
{
	struct activity_layout layout = { .format = ACTIVITY_OTEP, .symbol = "", .size = 8 };
	u64 window[8] = { [6] = 0x7f0012345678 };
	struct activity a;

	layout.tpoff = -16;
	activity_decode(&layout, (const u8 *)window, 64, 64, NULL, &a);
	assert_int_equal(a.state, ACTIVITY_INEXACT);
	layout.tpoff = -8;
	activity_decode(&layout, (const u8 *)window, 64, 64, NULL, &a);
	assert_int_equal(a.state, ACTIVITY_NONE);
}

/* Of several publishers the first that has something to say. */
static void test_preference(void **state)
{
	struct activity_layout layouts[2] = {
		{ .format = ACTIVITY_U64, .symbol = "", .tpoff = -8, .size = 8 },
		{ .format = ACTIVITY_HEX, .symbol = "", .tpoff = -16, .size = 8 },
	};
	u64 window[8] = { [6] = 1, [7] = 2 };
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;

	activity_decode_first(layouts, 2, (const u8 *)window, 64, 64, NULL, &a);
	assert_string_equal(activity_print(&a, text), "2");
	layouts[0].format = ACTIVITY_HEX;
	window[7] = 0;
	activity_decode_first(layouts, 2, (const u8 *)window, 64, 64, NULL, &a);
	assert_string_equal(activity_print(&a, text), "0100000000000000");
	activity_decode_first(layouts, 1, (const u8 *)window, 64, 64, NULL, &a);
	assert_int_equal(a.state, ACTIVITY_NONE);
	assert_true(activity_rank(ACTIVITY_OTEP) < activity_rank(ACTIVITY_RECORD));
	assert_true(activity_rank(ACTIVITY_RECORD) < activity_rank(ACTIVITY_ELASTIC));
	assert_true(activity_rank(ACTIVITY_ELASTIC) < activity_rank(ACTIVITY_LABELS));
	assert_true(activity_rank(ACTIVITY_LABELS) < activity_rank(ACTIVITY_U64));
}

/* The same ids are the same activity, by whichever layout and with whatever else is known. */
static void test_identity(void **state)
{
	u8 elastic[37] = { 1, 0, 1, 1, 1, IDS };
	struct answer a, b;

	decode_entry(ACTIVITY_OTEP, otep, sizeof(otep), 0, NULL, &a);
	decode_entry(ACTIVITY_ELASTIC, elastic, 37, 0, NULL, &b);
	assert_true(activity_equal(&a.activity, &b.activity));
	assert_int_equal(activity_hash(&a.activity), activity_hash(&b.activity));
	assert_int_equal(activity_compare(&a.activity, &b.activity), 0);
	b.activity.span_id[7]++;
	assert_false(activity_equal(&a.activity, &b.activity));
	assert_true(activity_compare(&a.activity, &b.activity) < 0);
	g_byte_array_unref(a.section);
	g_byte_array_unref(b.section);
}

static void test_elastic_process(void **state)
{
	static const char bytes[] = "\1\0\4\0\0\0shop\4\0\0\0test\7\0\0\0/socket";
	struct activity_process *p =
		activity_process_new(ACTIVITY_PROCESS_ELASTIC, bytes, sizeof(bytes) - 1);

	assert_non_null(p);
	assert_string_equal(p->service, "shop");
	assert_string_equal(p->environment, "test");
	assert_null(p->version);
	activity_process_free(p);
	for (size_t size = 0; size < 18; size++)
		assert_null(activity_process_new(ACTIVITY_PROCESS_ELASTIC, bytes, size));
}

static void test_otel_process(void **state)
{
	/* resource { service.name: "shop", a.count: 7 }, attributes { key map: ["k0", "k1"] } */
	static const char context[] = "\x0a\x2b"
				      "\x0a\x16\x0a\x0cservice.name\x12\x06\x0a\x04shop"
				      "\x0a\x11\x0a\x0b"
				      "a.count.xyz"
				      "\x12\x02\x18\x07"
				      "\x12\x2d\x0a\x1dthreadlocal.attribute_key_map"
				      "\x12\x0c\x2a\x0a"
				      "\x0a\x03\x0a\x01k"
				      "\x0a\x03\x0a\x01l";
	struct activity_process *p;

	if (!activity_process_supported(ACTIVITY_PROCESS_OTEL))
		skip();
	p = activity_process_new(ACTIVITY_PROCESS_OTEL, context, sizeof(context) - 1);
	assert_non_null(p);
	assert_string_equal(p->service, "shop");
	assert_int_equal(p->nr_attributes, 2);
	assert_string_equal(p->attributes[1].value, "7");
	assert_int_equal(p->keys.nr, 2);
	assert_string_equal(p->keys.names[1], "l");
	activity_process_free(p);
	/* A draft's payload: the resource alone. */
	p = activity_process_new(ACTIVITY_PROCESS_OTEL, context + 2, 0x2b);
	assert_non_null(p);
	assert_string_equal(p->service, "shop");
	activity_process_free(p);
	assert_null(activity_process_new(ACTIVITY_PROCESS_OTEL, "\xff\xff\xff", 3));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_otep),
		cmocka_unit_test(test_otep_states),
		cmocka_unit_test(test_otep_cut),
		cmocka_unit_test(test_otep_attributes_alone),
		cmocka_unit_test(test_elastic),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_cut_labels),
		cmocka_unit_test(test_node),
		cmocka_unit_test(test_context_of_tracepoint),
		cmocka_unit_test(test_cpu_context),
		cmocka_unit_test(test_long_labels),
		cmocka_unit_test(test_obi),
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_framed_window),
		cmocka_unit_test(test_inexact),
		cmocka_unit_test(test_preference),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_elastic_process),
		cmocka_unit_test(test_otel_process),
		cmocka_unit_test(test_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
