// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/cursor.h"
#include "base/edits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/text.h"
#include "cli/colour.h"

static void assert_clean(const char *text, size_t max, const char *expected)
{
	g_autofree char *clean = text_clean(text, strlen(text), max);

	assert_string_equal(clean, expected);
}

static void texts_are_made_fit_for_a_terminal(void **state)
{
	assert_clean("GET /f\u00fcr/\u65e5", 100, "GET /f\u00fcr/\u65e5");
	assert_clean("a\033[31m\a\n\t\177", 100, "a\\x1b[31m\\x07\\x0a\\x09\\x7f");
	assert_clean("\xc2\x9b"
		     "31m",
		     100, "\\u009b31m"); /* the same sequence in one character */
	assert_clean("\u202etxt\u2028\u200b", 100, "\\u202etxt\\u2028\\u200b");
	assert_clean("\U0001f469\u200d\U0001f680", 100, "\U0001f469\u200d\U0001f680");
	assert_clean("a\xff", 100, "a\\xff");
	assert_clean("\xe6\x97", 100, "\\xe6\\x97");
	assert_clean("\xe6\x97\x41", 100, "\\xe6\\x97A");
	assert_clean("ab\033", 5, "ab");
	assert_clean("ab\033", 6, "ab\\x1b");
	assert_clean("abc\u65e5", 5, "abc");
	assert_clean("abc\u65e5", 6, "abc\u65e5");
	assert_clean("abc\u65e5", 0, "");
}

static void assert_shown(const char *text, const char *expected)
{
	g_autofree char *shown = text_shown(text);
	g_autoptr(GString) made = g_string_new("x");

	assert_string_equal(shown, expected);
	assert_int_equal(text_is_shown(text), !strcmp(text, expected));
	g_string_append(made, text);
	text_make_shown(made, 1);
	assert_string_equal(made->str + 1, expected);
}

static void texts_are_shown_with_escapes(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);

	assert_shown("", "");
	assert_shown("S::run(int) \\x1b [.] `'\"", "S::run(int) \\x1b [.] `'\"");
	assert_shown("f\u00fcr \u65e5 \U0001f469\u200d\U0001f680",
		     "f\u00fcr \u65e5 \U0001f469\u200d\U0001f680");
	assert_shown("a\033]0;title\a", "a\\x1b]0;title\\x07");
	assert_shown("a\r\nb\177", "a\\x0d\\x0ab\\x7f");
	assert_shown("\u202eevil\u2069\ufeff", "\\u202eevil\\u2069\\ufeff");
	assert_shown("\xc0\x80\xed\xa0\x80\xf5", "\\xc0\\x80\\xed\\xa0\\x80\\xf5");
	/* A character that is cut waits for its rest where there may be one. */
	assert_int_equal(text_append_shown(out, "a\xe6\x97", 3, true), 1);
	assert_string_equal(out->str, "a");
	assert_int_equal(text_append_shown(out, "\xe6\x97", 2, false), 2);
	assert_string_equal(out->str, "a\\xe6\\x97");
	g_string_truncate(out, 0);
	assert_int_equal(text_append_shown(out, "a\0b", 3, false), 3);
	assert_string_equal(out->str, "a\\x00b");
}

static void texts_have_columns(void **state)
{
	static const char text[] = "e\u0301\u65e5x";

	assert_int_equal(text_columns(text, strlen(text)), 4);
	assert_int_equal(text_columns("\xff\xfe", 2), 2);
	assert_int_equal(text_fit(text, strlen(text), 1), 3);
	assert_int_equal(text_fit(text, strlen(text), 2), 3);
	assert_int_equal(text_fit(text, strlen(text), 3), 6);
	assert_int_equal(text_fit(text, strlen(text), 9), strlen(text));
	assert_int_equal(text_fit("\xff\xfe", 2, 1), 1);
}

static void assert_cut(const char *text, u32 columns, u32 start, const char *expect)
{
	g_autoptr(GString) out = g_string_new(NULL);

	text_append_cut(out, text, columns, start);
	assert_string_equal(out->str, expect);
}

static void texts_are_cut_in_the_middle(void **state)
{
	assert_cut("level_get (inlined)", 9, 4, "leve…ned)");
	assert_cut("level_get (inlined)", 9, 8, "level_ge…");
	assert_cut("level_get (inlined)", 9, 0, "…inlined)");
	assert_cut("abc", 1, 0, "…");
	/* A wide character that does not fit is left out. */
	assert_cut("a日本語b", 5, 2, "a…語b");
}

static void assert_wrapped(const char *text, u32 columns, u32 max, const char *expect)
{
	g_auto(GStrv) lines = text_wrapped(text, columns, max);
	g_autofree char *got = g_strjoinv("|", lines);

	assert_string_equal(got, expect);
}

static void texts_are_wrapped_at_blanks(void **state)
{
	assert_wrapped("", 10, 3, "");
	assert_wrapped("one two three", 13, 3, "one two three");
	assert_wrapped("one two three", 12, 3, "one two|three");
	assert_wrapped("one two  three", 7, 3, "one two|three");
	assert_wrapped("incomprehensible one", 5, 3, "incomprehensible|one");
	assert_wrapped("one two three four", 8, 2, "one two|three …");
	assert_wrapped("one two three four", 8, 1, "one …");
	assert_wrapped("one two", 0, 9, "one|two");
}

static void a_cursor_reads_what_is_there(void **state)
{
	static const u8 bytes[] = { 1, 2, 0, 3, 0, 0, 0, 'a', 'b', 0, 9 };
	struct cursor c = cursor_of(bytes, sizeof(bytes));

	assert_int_equal(cursor_u8(&c), 1);
	assert_int_equal(cursor_u16(&c), 2);
	assert_int_equal(cursor_u32(&c), 3);
	assert_string_equal(cursor_string(&c), "ab");
	assert_int_equal(cursor_left(&c), 1);
	assert_false(c.failed);
}

static void a_cursor_fails_once_and_for_good(void **state)
{
	static const u8 bytes[] = { 1, 2, 3 };
	struct cursor c = cursor_of(bytes, sizeof(bytes));

	assert_int_equal(cursor_u32(&c), 0);
	assert_true(c.failed);
	assert_int_equal(cursor_u8(&c), 0); /* though a byte is there */
	c = cursor_of(bytes, sizeof(bytes));
	assert_null(cursor_bytes(&c, UINT64_MAX));
	c = cursor_of(bytes, sizeof(bytes));
	assert_null(cursor_string(&c)); /* no NUL before the end */
	assert_true(c.failed);
}

static void equal_texts_have_one_id(void **state)
{
	struct intern *in = intern_new();
	char text[] = "abc";
	u32 abc = intern_id(in, text);

	text[0] = 'x'; /* it was copied */
	assert_int_equal(intern_id(in, "abc"), abc);
	assert_int_not_equal(intern_id(in, "xbc"), abc);
	assert_string_equal(intern_text(in, abc), "abc");
	assert_int_equal(intern_id(in, ""), 0);
	assert_int_equal(intern_id(in, NULL), 0);
	intern_free(in);
}

static void edits_are_counted(void **state)
{
	assert_int_equal(edits_between("", ""), 0);
	assert_int_equal(edits_between("record", "record"), 0);
	assert_int_equal(edits_between("", "abc"), 3);
	assert_int_equal(edits_between("abc", ""), 3);
	assert_int_equal(edits_between("recrod", "record"), 1); /* swapped */
	assert_int_equal(edits_between("reprt", "report"), 1);
	assert_int_equal(edits_between("kitten", "sitting"), 3);
}

static void errors_say_where_and_why(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_false(error_set_errno(&error, ENOENT, "%s: open", "perf.data"));
	assert_string_equal(error->message, "perf.data: open: No such file or directory");
	assert_true(g_error_matches(error, PERF_ERROR, PERF_ERROR_SYSTEM));
	assert_false(error_set(NULL, PERF_ERROR_FORMAT, "nobody wants to know"));
}

static void files_are_read_up_to_a_bound(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL, *text = NULL;
	size_t size;
	int fd = g_file_open_tmp("perf-base-XXXXXX", &path, NULL);

	assert_int_equal(write(fd, "a\0b", 3), 3);
	close(fd);
	text = file_read(path, 3, &size, &error);
	assert_non_null(text);
	assert_int_equal(size, 3);
	assert_memory_equal(text, "a\0b", 4);
	assert_null(file_read(path, 2, NULL, &error));
	assert_true(g_error_matches(error, PERF_ERROR, PERF_ERROR_FORMAT));
	unlink(path);
	g_clear_error(&error);
	assert_null(file_read(path, 3, NULL, &error));
	assert_non_null(strstr(error->message, path));
	assert_null(file_read("/dev/zero", 1 << 20, NULL, NULL));
}

static void colours_of_shares_are_upstreams(void **state)
{
	enum colour_when when;

	assert_string_equal(colour_of_percent(5.0), COLOUR_RED);
	assert_string_equal(colour_of_percent(4.99), COLOUR_GREEN);
	assert_string_equal(colour_of_percent(0.51), COLOUR_GREEN);
	assert_string_equal(colour_of_percent(0.5), "");
	assert_true(colour_when_parse("never", &when) && when == COLOUR_NEVER);
	assert_true(colour_wanted(COLOUR_ALWAYS, false));
	assert_false(colour_wanted(COLOUR_NEVER, true));
	assert_false(colour_when_parse("sometimes", &when));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cursor_reads_what_is_there),
		cmocka_unit_test(a_cursor_fails_once_and_for_good),
		cmocka_unit_test(equal_texts_have_one_id),
		cmocka_unit_test(edits_are_counted),
		cmocka_unit_test(errors_say_where_and_why),
		cmocka_unit_test(texts_are_made_fit_for_a_terminal),
		cmocka_unit_test(texts_are_shown_with_escapes),
		cmocka_unit_test(texts_have_columns),
		cmocka_unit_test(texts_are_cut_in_the_middle),
		cmocka_unit_test(texts_are_wrapped_at_blanks),
		cmocka_unit_test(files_are_read_up_to_a_bound),
		cmocka_unit_test(colours_of_shares_are_upstreams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
