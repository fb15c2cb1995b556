/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which key was pressed? Bytes from a terminal to keys: characters of UTF-8, sequences of arrows and
 * function keys as xterm, rxvt, screen, tmux and the Linux console send them, and a lone ESC, which
 * is one when nothing follows it for a moment.
 */
#ifndef TERM_KEYS_H
#define TERM_KEYS_H

#include <glib.h>

#include "base/types.h"

/* Control characters are keys as they are: KEY_CTRL('C') is 3. */
#define KEY_CTRL(letter) ((letter)&0x1f)
#define KEY_TAB		 9
#define KEY_ENTER	 13
#define KEY_ESC		 27

enum key_code {
	KEY_FIRST = 0x200000, /* above all characters */
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_INSERT,
	KEY_DELETE,
	KEY_BACKSPACE,
	KEY_BACK_TAB,
	KEY_F1,
	KEY_F12 = KEY_F1 + 11,
	KEY_UNKNOWN, /* a sequence that no table has: is to be ignored */
};

#define KEY_SEQUENCE_MAX 32 /* bytes; what is longer is no key */

/*
 * The key that the @size bytes at @bytes begin with: how many bytes it is, and @key. 0: it may be one
 * when more comes. With @over nothing more does: ESC is a key then, and 0 is returned for no bytes
 * alone.
 */
u32 keys_decode(const u8 *bytes, u32 size, bool over, u32 *key);

/* "Up", "F1", "^C", "a", "Enter": as people call it. */
void key_append_name(u32 key, GString *out);

/* The key of that name, for tests: what key_append_name() appends. 0: none. */
u32 key_find(const char *name);

#endif
