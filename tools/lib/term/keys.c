// SPDX-License-Identifier: GPL-2.0-or-later
#include "term/keys.h"

#include <string.h>

static const struct {
	u32 key;
	const char *name;
} names[] = {
	{ KEY_UP, "Up" },
	{ KEY_DOWN, "Down" },
	{ KEY_LEFT, "Left" },
	{ KEY_RIGHT, "Right" },
	{ KEY_PAGE_UP, "PgUp" },
	{ KEY_PAGE_DOWN, "PgDn" },
	{ KEY_HOME, "Home" },
	{ KEY_END, "End" },
	{ KEY_INSERT, "Insert" },
	{ KEY_DELETE, "Delete" },
	{ KEY_BACKSPACE, "Backspace" },
	{ KEY_BACK_TAB, "Shift-Tab" },
	{ KEY_UNKNOWN, "unknown" },
	{ KEY_TAB, "Tab" },
	{ KEY_ENTER, "Enter" },
	{ KEY_ESC, "ESC" },
	{ ' ', "Space" },
};

void key_append_name(u32 key, GString *out)
{
	for (u32 i = 0; i < G_N_ELEMENTS(names); i++) {
		if (names[i].key != key)
			continue;
		g_string_append(out, names[i].name);
		return;
	}
	if (key >= KEY_F1 && key <= KEY_F12)
		g_string_append_printf(out, "F%u", key - KEY_F1 + 1);
	else if (key < ' ')
		g_string_append_printf(out, "^%c", (char)(key + '@'));
	else
		g_string_append_unichar(out, key);
}

u32 key_find(const char *name)
{
	for (u32 i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].key;
	if (name[0] == 'F' && g_ascii_isdigit(name[1])) {
		guint64 number = g_ascii_strtoull(name + 1, NULL, 10);

		return number >= 1 && number <= 12 ? KEY_F1 + (u32)number - 1 : 0;
	}
	if (name[0] == '^' && g_ascii_isupper(name[1]) && !name[2])
		return (u32)name[1] & 0x1f;
	return g_utf8_validate(name, -1, NULL) && g_utf8_strlen(name, -1) == 1
		       ? g_utf8_get_char(name)
		       : 0;
}

/* ESC [ NUMBER ~ */
static u32 numbered_key(u32 number)
{
	static const u32 keys[] = {
		[1] = KEY_HOME,	   [2] = KEY_INSERT,	[3] = KEY_DELETE, [4] = KEY_END,
		[5] = KEY_PAGE_UP, [6] = KEY_PAGE_DOWN, [7] = KEY_HOME,	  [8] = KEY_END,
	};
	/* F1 is 11; 16, 22 and 27 are no keys. */
	static const u8 functions[] = { 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24 };

	if (number && number < G_N_ELEMENTS(keys))
		return keys[number];
	for (u32 i = 0; i < G_N_ELEMENTS(functions); i++)
		if (functions[i] == number)
			return KEY_F1 + i;
	return KEY_UNKNOWN;
}

/* ESC [ ... LETTER and ESC O LETTER */
static u32 lettered_key(u8 letter)
{
	switch (letter) {
	case 'A':
		return KEY_UP;
	case 'B':
		return KEY_DOWN;
	case 'C':
		return KEY_RIGHT;
	case 'D':
		return KEY_LEFT;
	case 'F':
		return KEY_END;
	case 'H':
		return KEY_HOME;
	case 'M':
		return KEY_ENTER; /* of the number block */
	case 'P':
	case 'Q':
	case 'R':
	case 'S':
		return KEY_F1 + letter - 'P';
	case 'Z':
		return KEY_BACK_TAB;
	default:
		return KEY_UNKNOWN;
	}
}

/*
 * Control sequence of ECMA-48: ESC [ PARAMETERS FINAL. Parameters are bytes from 0x20 to 0x3f. A modifier (";5" for
 * Ctrl) is ignored, so Ctrl-Up is decoded as Up.
 */
static u32 decode_csi(const u8 *bytes, u32 size, bool over, u32 *key)
{
	u32 at = 2, number = 0;

	*key = KEY_UNKNOWN;
	if (size > 2 && bytes[2] == '[') { /* the Linux console: ESC [ [ A is F1 */
		if (size < 4)
			return over ? size : 0;
		if (bytes[3] >= 'A' && bytes[3] <= 'E')
			*key = KEY_F1 + bytes[3] - 'A';
		return 4;
	}
	while (at < size && g_ascii_isdigit(bytes[at]) && number < 1000)
		number = number * 10 + bytes[at++] - '0';
	while (at < size && at < KEY_SEQUENCE_MAX && bytes[at] >= 0x20 && bytes[at] < 0x40)
		at++;
	if (at == size && at < KEY_SEQUENCE_MAX)
		return over ? size : 0;
	if (at >= size || bytes[at] < 0x40 || bytes[at] > 0x7e)
		return at; /* an incomplete sequence: the next byte starts another key */
	*key = bytes[at] == '~' ? numbered_key(number) : lettered_key(bytes[at]);
	return at + 1;
}

static u32 decode_escape(const u8 *bytes, u32 size, bool over, u32 *key)
{
	*key = KEY_ESC;
	if (size == 1)
		return over ? 1 : 0;
	if (bytes[1] == KEY_ESC)
		return 1;
	if (bytes[1] == '[' && size == 2)
		return over ? 1 : 0;
	if (bytes[1] == '[')
		return decode_csi(bytes, size, over, key);
	if (bytes[1] == 'O' && size == 2)
		return over ? 1 : 0;
	if (bytes[1] == 'O') {
		*key = lettered_key(bytes[2]);
		return 3;
	}
	*key = KEY_UNKNOWN; /* Alt with another key */
	return 2;
}

u32 keys_decode(const u8 *bytes, u32 size, bool over, u32 *key)
{
	gunichar c;

	if (!size)
		return 0;
	if (bytes[0] == KEY_ESC)
		return decode_escape(bytes, size, over, key);
	if (bytes[0] < 0x80) {
		*key = bytes[0] == 0x7f || bytes[0] == 8 ? KEY_BACKSPACE
		       : bytes[0] == '\n'		 ? KEY_ENTER
		       : bytes[0]			 ? bytes[0]
							 : KEY_UNKNOWN;
		return 1;
	}
	c = g_utf8_get_char_validated((const char *)bytes, (gssize)size);
	if (c == (gunichar)-2 && !over)
		return 0;
	if (c == (gunichar)-1 || c == (gunichar)-2) {
		*key = KEY_UNKNOWN;
		return 1;
	}
	*key = c;
	return (u32)g_unichar_to_utf8(c, NULL);
}
