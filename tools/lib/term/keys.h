/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the bytes that a terminal sends into keys: UTF-8 characters, and escape sequences for arrows and function
 * keys of xterm, rxvt, screen, tmux and the Linux console. An ESC that nothing follows for some time is the key Esc.
 */
#ifndef TERM_KEYS_H
#define TERM_KEYS_H

#include <glib.h>

#include "base/types.h"

/* A control character is its own key: KEY_CTRL('C') is 3. */
#define KEY_CTRL(letter) ((letter)&0x1f)
#define KEY_TAB		 9
#define KEY_ENTER	 13
#define KEY_ESC		 27

enum key_code {
	KEY_FIRST = 0x200000, /* greater than all characters */
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
	KEY_UNKNOWN, /* an unknown sequence: ignore it */
};

#define KEY_SEQUENCE_MAX 32 /* bytes; a longer sequence is no key */

/*
 * Decodes the first key of the @size bytes at @bytes. out: @key. Returns the number of bytes that the key has. 0: the
 * sequence is incomplete. @over: no more bytes will come, so ESC is a key, and the result is 0 only if @size is 0.
 */
u32 keys_decode(const u8 *bytes, u32 size, bool over, u32 *key);

/* Appends the key's name: "Up", "F1", "^C", "a", "Enter". */
void key_append_name(u32 key, GString *out);

/* For tests: the key that key_append_name() calls @name. 0: none. */
u32 key_find(const char *name);

#endif
