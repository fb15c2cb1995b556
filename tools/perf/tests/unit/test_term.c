// SPDX-License-Identifier: GPL-2.0-or-later
/* Cells, and keys from bytes. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "term/keys.h"
#include "term/memory.h"
#include "term/restore.h"

static void assert_screen(struct screen *s, const char *expect)
{
	g_autoptr(GString) out = g_string_new(NULL);

	screen_show(s);
	memory_screen_print(s, out);
	assert_string_equal(out->str, expect);
}

static void text_is_clipped_at_both_ends_of_a_pen(void **state)
{
	struct screen *s = memory_screen_new(3, 8);
	struct pen pen = pen_at(s, 0, 0);

	pen_text(&pen, INK_PLAIN, "0123456789");
	pen = pen_between(s, 1, 2, 6);
	pen.at = 0;
	pen_text(&pen, INK_PLAIN, "0123456789");
	pen = pen_at(s, 7, 0); /* there is no such row */
	pen_text(&pen, INK_PLAIN, "gone");
	assert_screen(s, "01234567\n  2345\n\n");
	screen_free(s);
}

static void a_wide_character_has_two_columns_or_none(void **state)
{
	struct screen *s = memory_screen_new(4, 5);
	struct pen pen = pen_at(s, 0, 0);

	pen_text(&pen, INK_PLAIN, "日本語");
	assert_int_equal(pen.at, 6);
	assert_int_equal(screen_glyph(s, 0, 0)->width, 2);
	assert_int_equal(screen_glyph(s, 0, 1)->width, 0);
	/* The third does not fit in the fifth column. */
	assert_int_equal(screen_glyph(s, 0, 4)->base, ' ');
	pen = pen_between(s, 1, 1, 5);
	pen.at = 0; /* its left half is cut away */
	pen_text(&pen, INK_PLAIN, "日x");
	pen = pen_at(s, 2, 0);
	pen_text(&pen, INK_PLAIN, "日本");
	pen = pen_at(s, 2, 1); /* overwrites a half of each */
	pen_text(&pen, INK_PLAIN, "ab");
	pen = pen_at(s, 3, 0);
	pen_text(&pen, INK_PLAIN, "e\xcc\x81x"); /* e with an acute accent of its own */
	assert_int_equal(pen.at, 2);
	assert_screen(s, "日本\n  x\n ab\ne\xcc\x81x\n");
	screen_free(s);
}

static void no_control_character_becomes_a_cell(void **state)
{
	static const char *const bad[] = { "\033[2J",
					   "a\rb",
					   ("\xc2\x9b"
					    "31m"),
					   "\xe2\x80\xae",
					   "\xff\xfe",
					   "\xe2\x80\xa8",
					   "a\tb",
					   "\x7f",
					   "\xe2\x80\x8d" };

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct screen *s = memory_screen_new(1, 40);
		struct pen pen = pen_at(s, 0, 0);

		pen_text(&pen, INK_PLAIN, bad[i]);
		for (u32 c = 0; c < 40; c++) {
			const struct glyph *g = screen_glyph(s, 0, c);

			assert_true(g->base >= ' ' && g->base < 0x7f);
			assert_int_equal(g->marks[0], 0);
		}
		screen_free(s);
	}
}

static void long_text_is_cut_in_the_middle(void **state)
{
	struct screen *s = memory_screen_new(5, 30);
	static const struct {
		const char *text;
		u32 columns;
		bool right;
	} cells[] = {
		{ "std::vector<int>::push_back", 12, false },
		{ "12", 5, true },
		{ "日本語日本語", 7, false },
		{ "abc", 1, false },
		{ "abc", 0, false },
	};

	for (u32 i = 0; i < G_N_ELEMENTS(cells); i++) {
		struct pen pen = pen_at(s, i, 0);

		pen_fit(&pen, INK_PLAIN, cells[i].text, cells[i].columns, cells[i].right);
		assert_int_equal(pen.at, cells[i].columns);
		pen_text(&pen, INK_PLAIN, "|");
	}
	assert_screen(s, "std::…h_back|\n   12|\n日…本語|\n…|\n|\n");
	screen_free(s);
}

/* What the bytes are as keys, when nothing follows them. */
static char *keys_of(const char *bytes)
{
	GString *out = g_string_new(NULL);
	u32 size = (u32)strlen(bytes), at = 0;

	while (at < size) {
		u32 key = 0, used = keys_decode((const u8 *)bytes + at, size - at, true, &key);

		assert_true(used > 0 && used <= size - at);
		at += used;
		g_string_append(out, out->len ? " " : "");
		key_append_name(key, out);
	}
	return g_string_free(out, FALSE);
}

static void keys_come_from_the_sequences_of_terminals(void **state)
{
	static const struct {
		const char *bytes, *keys;
	} table[] = {
		{ "aé日", "a é 日" },
		{ "\033[A\033OB\033[1;5C", "Up Down Right" },
		{ "\033[5~\033[6~ \033[H\033[4~", "PgUp PgDn Space Home End" },
		{ "\033OP\033[11~\033[[A\033[24~", "F1 F1 F1 F12" },
		{ "\033", "ESC" },
		{ "\033\033[A", "ESC Up" },
		{ "\t\033[Z\r\n\x7f", "Tab Shift-Tab Enter Enter Backspace" },
		{ "\x03\x1a", "^C ^Z" },
		{ "\033x\033[<0;10;5Mx", "unknown Enter x" },
		{ "\033[200~", "unknown" },
		{ "\033[1", "unknown" },
		{ "\xff\xc3", "unknown unknown" },
		{ "\033[1\003", "unknown ^C" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		g_autofree char *keys = keys_of(table[i].bytes);

		assert_string_equal(keys, table[i].keys);
	}
}

static void a_sequence_waits_for_its_end(void **state)
{
	static const char *const whole[] = { "\033[1;5A", "\033OA", "日", "\033[[B", "\033[5~" };

	for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
		u32 size = (u32)strlen(whole[i]), key;

		for (u32 part = 1; part < size; part++)
			assert_int_equal(keys_decode((const u8 *)whole[i], part, false, &key), 0);
		assert_int_equal(keys_decode((const u8 *)whole[i], size, false, &key), size);
	}
}

/* Whatever comes: each call takes bytes, until there are none. */
static void any_bytes_are_keys(void **state)
{
	u8 bytes[64];

	srand(1);
	for (u32 round = 0; round < 100000; round++) {
		u32 at = 0, key;

		for (u32 i = 0; i < sizeof(bytes); i++)
			bytes[i] = rand() % 3 ? (u8) "\033[O;0~A<"[rand() % 8] : (u8)rand();
		while (at < sizeof(bytes)) {
			u32 used = keys_decode(bytes + at, (u32)sizeof(bytes) - at, true, &key);

			assert_true(used > 0 && used <= sizeof(bytes) - at);
			at += used;
		}
	}
}

static void names_of_keys_are_found_again(void **state)
{
	static const u32 keys[] = { KEY_UP, KEY_BACK_TAB,  KEY_F1, KEY_F12, KEY_ENTER, 'a',
				    '^',    KEY_CTRL('C'), ' ',	   0xe9,    'F' };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autoptr(GString) name = g_string_new(NULL);

		key_append_name(keys[i], name);
		assert_int_equal(key_find(name->str), keys[i]);
	}
	assert_int_equal(key_find("nonsense"), 0);
	assert_int_equal(key_find("F99"), 0);
}

/* Each wake is told once, and none before it came. */
static void wakes_are_told_once(void **state)
{
	const struct termios before = { 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct wakes w;

	assert_true(restore_begin(null, &before) >= 0);
	w = restore_wakes();
	assert_false(w.resized || w.continued);
	raise(SIGWINCH);
	w = restore_wakes();
	assert_true(w.resized && !w.continued);
	raise(SIGCONT);
	w = restore_wakes();
	assert_true(w.continued && !w.resized);
	w = restore_wakes();
	assert_false(w.resized || w.continued);
	restore_end();
	close(null);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_both_ends_of_a_pen),
		cmocka_unit_test(a_wide_character_has_two_columns_or_none),
		cmocka_unit_test(no_control_character_becomes_a_cell),
		cmocka_unit_test(long_text_is_cut_in_the_middle),
		cmocka_unit_test(keys_come_from_the_sequences_of_terminals),
		cmocka_unit_test(a_sequence_waits_for_its_end),
		cmocka_unit_test(any_bytes_are_keys),
		cmocka_unit_test(names_of_keys_are_found_again),
		cmocka_unit_test(wakes_are_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
