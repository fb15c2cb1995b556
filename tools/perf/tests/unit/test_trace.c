// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of a tracepoint's record, by format texts as a file carries them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <linux/perf_event.h>

#include "forged.h"
#include "perfdata/event.h"
#include "resolve/resolve.h"
#include "resolve/trace.h"
#include "session/session.h"

#define EVENT_ID 77

static const char format[] =
	"name: job\n"
	"ID: 77\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char who[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int state;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long long size;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\n"
	"print fmt: \"who=%s state=%s ==> %s\", REC->who, __print_symbolic(REC->state, { 0, "
	"\"run\" }, { 1, \"sleep\" }), __get_str(path)\n";

/* An event whose text is the string at an address of the kernel, as trace_bprint's are. */
static const char string_format[] =
	"name: note\n"
	"ID: 77\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\n"
	"\tfield:const char * text;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\n"
	"print fmt: \"%s\", REC->text\n";

struct record {
	u16 type;
	u16 pad;
	s32 pid;
	char who[8];
	s32 state;
	u32 pad2;
	u64 size;
	u32 path; /* offset, and size << 16 */
	char data[12];
} __attribute__((packed));

static void put(GByteArray *out, const void *bytes, size_t size)
{
	g_byte_array_append(out, bytes, (u32)size);
}

static void put_text(GByteArray *out, const char *text)
{
	put(out, text, strlen(text) + 1);
}

/* As trace.dat 0.6 has it: magic, version, headers, ftrace's own events, one event, symbols, strings. */
static GBytes *blob(const char *event, const char *strings)
{
	static const u8 head[] = "\x17\x08\x44tracing", sizes[] = { 0, 8, 0, 0x10, 0, 0 };
	u64 none = 0, size = strlen(event);
	u32 nr = 0, one = 1, strings_size = (u32)strlen(strings);
	GByteArray *out = g_byte_array_new();

	put(out, head, 10);
	put_text(out, "0.6");
	put(out, sizes, sizeof(sizes));
	put_text(out, "header_page");
	put(out, &none, sizeof(none));
	put_text(out, "header_event");
	put(out, &none, sizeof(none));
	put(out, &nr, sizeof(nr));
	put(out, &one, sizeof(one));
	put_text(out, "work");
	put(out, &one, sizeof(one));
	put(out, &size, sizeof(size));
	put(out, event, size);
	put(out, &nr, sizeof(nr));
	put(out, &strings_size, sizeof(strings_size));
	put(out, strings, strings_size);
	return g_byte_array_free_to_bytes(out);
}

struct scene {
	struct trace_formats *formats;
	struct evsel evsel;
	struct record record;
	struct sample sample;
};

static int enter(void **state)
{
	struct scene *s = g_new0(struct scene, 1);
	g_autoptr(GBytes) bytes = blob(format, "");

	s->formats = trace_formats_new(bytes, NULL);
	s->evsel.attr.type = PERF_TYPE_TRACEPOINT;
	s->evsel.attr.config = EVENT_ID;
	s->record = (struct record){
		.type = EVENT_ID,
		.pid = 12,
		.who = "a b",
		.state = 1,
		.size = 4096,
		.path = 36 | 5 << 16,
		.data = "/tmp",
	};
	s->sample.raw = (const u8 *)&s->record;
	s->sample.raw_size = sizeof(s->record);
	*state = s;
	return s->formats ? 0 : -1;
}

static int leave(void **state)
{
	struct scene *s = *state;

	trace_formats_free(s->formats);
	g_free(s);
	return 0;
}

static char *print(struct scene *s, const char *field, bool raw)
{
	GString *out = g_string_new(NULL);
	bool found = trace_field_print(s->formats, &s->evsel, &s->sample, field, raw, out);

	if (!found) {
		assert_int_equal(out->len, 0);
		g_string_assign(out, "(none)");
	}
	return g_string_free(out, FALSE);
}

static void assert_prints(struct scene *s, const char *field, bool raw, const char *expected)
{
	g_autofree char *text = print(s, field, raw);

	assert_string_equal(text, expected);
}

static void a_field_reads_as_in_the_text(void **state)
{
	assert_prints(*state, "state", false, "sleep");
	assert_prints(*state, "state", true, "1");
}

static void what_the_text_does_not_name_reads_bare(void **state)
{
	assert_prints(*state, "common_pid", false, "12");
}

static void texts_are_whole(void **state)
{
	assert_prints(*state, "who", false, "a b");
	assert_prints(*state, "path", false, "/tmp");
	assert_prints(*state, "path", true, "/tmp");
}

static void a_part_of_a_name_is_no_name(void **state)
{
	assert_prints(*state, "stat", false, "(none)");
}

static void bytes_are_those_pointed_to(void **state)
{
	struct scene *s = *state;
	const void *bytes;
	u32 size;

	assert_true(trace_field_bytes(s->formats, &s->evsel, &s->sample, "path", &bytes, &size));
	assert_int_equal(size, 5);
	assert_memory_equal(bytes, "/tmp", 5);
	assert_true(trace_field_bytes(s->formats, &s->evsel, &s->sample, "state", &bytes, &size));
	assert_ptr_equal(bytes, &s->record.state);
	assert_int_equal(size, 4);
}

static void widths_have_room_for_hex(void **state)
{
	struct scene *s = *state;
	u32 width;

	assert_true(trace_has_field(s->formats, &s->evsel, "size", &width));
	assert_int_equal(width, 18);
	assert_true(trace_has_field(s->formats, &s->evsel, "who", &width));
	assert_int_equal(width, 8);
	assert_true(trace_has_field(s->formats, &s->evsel, "common_pid", NULL));
	assert_false(trace_has_field(s->formats, &s->evsel, "nobody", &width));
}

/* Of a record that is cut, or that points past its end, nothing is read. */
static void what_lies_outside_is_not_there(void **state)
{
	struct scene *s = *state;
	const void *bytes;
	u32 size;

	s->record.path = 36 | 100 << 16;
	assert_false(trace_field_bytes(s->formats, &s->evsel, &s->sample, "path", &bytes, &size));
	assert_prints(s, "path", false, "(none)");
	s->record.path = 36 | 5 << 16;
	s->sample.raw_size = 30;
	assert_false(trace_field_bytes(s->formats, &s->evsel, &s->sample, "size", &bytes, &size));
	assert_prints(s, "size", true, "(none)");
	s->sample.raw = NULL;
	s->sample.raw_size = 0;
	assert_prints(s, "state", false, "(none)");
}

static void other_events_have_no_such_field(void **state)
{
	struct scene *s = *state;

	s->evsel.attr.config = EVENT_ID + 1;
	assert_false(trace_has_field(s->formats, &s->evsel, "state", NULL));
	assert_prints(s, "state", false, "(none)");
	s->evsel.attr.config = EVENT_ID;
	s->evsel.attr.type = PERF_TYPE_SOFTWARE;
	assert_prints(s, "state", false, "(none)");
}

/* The text of a sample whose string is at @address, where the file's table of strings is @strings. */
static char *string_at(const char *strings, u64 address)
{
	struct evsel evsel = { .attr = { .type = PERF_TYPE_TRACEPOINT, .config = EVENT_ID } };
	struct record record = { .type = EVENT_ID, .size = address };
	struct sample sample = { .raw = (const u8 *)&record, .raw_size = sizeof(record) };
	g_autoptr(GBytes) bytes = blob(string_format, strings);
	struct trace_formats *formats = trace_formats_new(bytes, NULL);
	GString *out = g_string_new(NULL);

	assert_non_null(formats);
	assert_true(trace_print(formats, &evsel, &sample, out));
	trace_formats_free(formats);
	return g_string_free(out, false);
}

static void assert_string_at(const char *strings, u64 address, const char *expected)
{
	g_autofree char *text = string_at(strings, address);

	assert_string_equal(text, expected);
}

static void strings_of_the_kernel_print(void **state)
{
	assert_string_at("0x1000 : \"one\"\n0x2000 : \"two\"\n", 0x2000, "two");
	assert_string_at("0x1000 : \"one\"\n0x2000 : \"two\"", 0x2000, "two");
}

/* A line without a text has none: neither that of the next line, nor what is in memory behind the last one. */
static void a_line_without_a_string_has_none(void **state)
{
	static const char *const cut[] = { "0x1000",	"0x1000:", ":0x1000",
					   "::0x1000:", ":",	   "0x1000 " };

	for (u32 i = 0; i < ARRAY_SIZE(cut); i++) {
		g_autofree char *first = g_strdup_printf("%s\n0x2000 : \"two\"\n", cut[i]);
		g_autofree char *last = g_strdup_printf("0x2000 : \"two\"\n%s", cut[i]);

		assert_string_at(first, 0x1000, "1000");
		assert_string_at(first, 0x2000, "two");
		assert_string_at(last, 0x1000, "1000");
		assert_string_at(last, 0x2000, "two");
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

static bool pass_by(const struct place *place, u32 filtered, void *arg, GError **error)
{
	return true;
}

/* What an address of a record is printed as: the function, and how far behind its start. */
static void kernel_addresses_with_and_without_a_symbol(void **state)
{
	static const char symbols[] = "ffffffff81000000 T _text\n"
				      "ffffffff81001000 T schedule\n"
				      "ffffffff81002000 T _etext\n";
	char *path =
		forged_file("event cpu-clock\n"
			    "mmap2 pid=-1 tid=0 start=0xffffffff81000000 len=0x2000 "
			    "pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text misc=kernel\n"
			    "sample pid=7 ip=0xffffffff81001010 misc=kernel\n");
	g_autofree char *kallsyms = g_strdup_printf("%s.kallsyms", path);
	struct session *session;
	struct resolver *r;
	u64 start = 7;

	assert_true(g_file_set_contents(kallsyms, symbols, -1, NULL));
	session = session_open(&(struct session_options){ .input = path, .dso.kallsyms = kallsyms },
			       NULL);
	assert_non_null(session);
	assert_true(session_each_sample(session, 0, pass_by, NULL, NULL));
	r = session_resolver(session);
	assert_string_equal(resolver_kernel_function(r, 0xffffffff81001010, 1, &start), "schedule");
	assert_int_equal(start, 0xffffffff81001000);
	start = 7;
	assert_null(resolver_kernel_function(r, 0xffffffffc0001010, 1, &start));
	assert_null(resolver_kernel_function(r, 0x401000, 1, &start));
	assert_int_equal(start, 7);
	session_close(session);
	unlink(kallsyms);
	unlink(path);
	g_free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_field_reads_as_in_the_text),
		cmocka_unit_test(kernel_addresses_with_and_without_a_symbol),
		TEST(what_the_text_does_not_name_reads_bare),
		TEST(texts_are_whole),
		TEST(a_part_of_a_name_is_no_name),
		TEST(bytes_are_those_pointed_to),
		TEST(widths_have_room_for_hex),
		TEST(what_lies_outside_is_not_there),
		TEST(other_events_have_no_such_field),
		TEST(strings_of_the_kernel_print),
		TEST(a_line_without_a_string_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
