/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen of cells with a keyboard. What is drawn stands in a grid in memory; screen_show() brings
 * it to the terminal, which gets what has changed. Text from outside is safe: a control character,
 * an escape sequence or a byte that is no UTF-8 becomes a cell that names it, never a byte sent.
 *
 * Two kinds: the terminal (terminal.h), and one in memory (memory.h) for tests, which has a size
 * and keys of its own.
 *
 * A row of cells is written with a pen, which goes from left to right:
 *
 *	struct pen pen = pen_at(screen, row, 0);
 *
 *	pen_text(&pen, INK_HOT, " 18.01%");
 *	pen_move(&pen, 10);			blanks up to column 10
 *	pen_text(&pen, INK_PLAIN, "cancel");
 *	pen_end(&pen);				blanks up to the right edge
 */
#ifndef TERM_SCREEN_H
#define TERM_SCREEN_H

#include <glib.h>

#include "base/types.h"
#include "term/ink.h"

#define GLYPH_MARKS 2 /* combining characters that one cell can have; more are left out */

/* One cell. A wide character has two: itself, and one of width 0 right of it. */
struct glyph {
	u32 base;
	u32 marks[GLYPH_MARKS];
	u8 width;
	u8 ink;	      /* enum ink */
	bool reverse; /* the row that the cursor is on */
};

enum screen_input_kind {
	INPUT_NONE, /* nothing came in time */
	INPUT_KEY,
	INPUT_REDRAW, /* the size is another one, or others have written on the terminal */
	INPUT_END,    /* no key will come any more: the terminal has been closed */
};

struct screen_input {
	enum screen_input_kind kind;
	u32 key; /* a character, or a KEY_... of keys.h */
};

struct screen;

/* Restores the terminal. NULL is fine. */
void screen_free(struct screen *screen);

u32 screen_rows(const struct screen *screen);
u32 screen_columns(const struct screen *screen);

/* Blanks everywhere. */
void screen_clear(struct screen *screen);

/* Shows what was drawn. */
void screen_show(struct screen *screen);

/* Draws all anew with the next screen_show(), whatever the terminal shows: ^L. */
void screen_repaint(struct screen *screen);

/* The next input; @timeout_ms < 0: waits for it. */
struct screen_input screen_wait(struct screen *screen, int timeout_ms);

/*
 * Whether ^C has been pressed, without waiting: work that takes long asks now and then. Other keys
 * are kept for screen_wait().
 */
bool screen_interrupted(struct screen *screen);

/* Makes a row, or cells of it, look as the one that the cursor is on. */
void screen_reverse(struct screen *screen, u32 row, u32 from, u32 to);

/* NULL where there is no such cell. */
const struct glyph *screen_glyph(const struct screen *screen, u32 row, u32 column);

/* Where the next text goes. Columns left of @from and from @to on are not written. */
struct pen {
	struct screen *screen;
	u32 row;
	s32 at;
	u32 from, to;
};

/* Behind @column and up to the right edge. */
struct pen pen_at(struct screen *screen, u32 row, u32 column);
/* The same between two columns. */
struct pen pen_between(struct screen *screen, u32 row, u32 from, u32 to);

void pen_text(struct pen *pen, enum ink ink, const char *text);
/* @text of @size bytes. */
void pen_bytes(struct pen *pen, enum ink ink, const char *text, size_t size);
void pen_printf(struct pen *pen, enum ink ink, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* A character @nr times. */
void pen_repeat(struct pen *pen, enum ink ink, u32 c, u32 nr);
/* Blanks up to @column, if that is ahead. */
void pen_move(struct pen *pen, u32 column);
/* @text in exactly @columns: cut in the middle where it is longer ("std::ve...lloc()"). */
void pen_fit(struct pen *pen, enum ink ink, const char *text, u32 columns, bool right);
void pen_end(struct pen *pen);

#endif
