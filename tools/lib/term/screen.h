/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen of cells, with a keyboard. Drawing changes a grid in memory. screen_show() sends the changed cells to the
 * terminal. Untrusted text is safe: control characters, escape sequences and bytes that are not UTF-8 become visible
 * cells and are never sent.
 *
 * There are two kinds of screens: the terminal (terminal.h), and a screen in memory for tests (memory.h).
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

#define GLYPH_MARKS 2 /* maximum of combining characters in a cell; more are dropped */

/* One cell. A wide character has two cells: the second one, on the right, has width 0. */
struct glyph {
	u32 base;
	u32 marks[GLYPH_MARKS];
	u8 width;
	u8 ink;	      /* enum ink */
	bool reverse; /* the row that the cursor is on */
};

enum screen_input_kind {
	INPUT_NONE, /* timeout */
	INPUT_KEY,
	INPUT_REDRAW, /* the size has changed, or other programs have used the terminal */
	INPUT_END,    /* the terminal has been closed: there will be no more keys */
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

/* Fills the screen with blanks. */
void screen_clear(struct screen *screen);

/* Sends the changes to the terminal. */
void screen_show(struct screen *screen);

/* The next screen_show() redraws everything. For the key ^L. */
void screen_repaint(struct screen *screen);

/* The next input; @timeout_ms < 0: no timeout. */
struct screen_input screen_wait(struct screen *screen, int timeout_ms);

/*
 * Has ^C been pressed? Does not wait. Long work calls this from time to time. Other keys are kept for screen_wait().
 */
bool screen_interrupted(struct screen *screen);

/* Marks the cells [@from, @to) of a row like the cursor's row. */
void screen_reverse(struct screen *screen, u32 row, u32 from, u32 to);

/* A cell; NULL: it is outside of the screen. */
const struct glyph *screen_glyph(const struct screen *screen, u32 row, u32 column);

/* The position of the next text. Only columns in [@from, @to) are written. */
struct pen {
	struct screen *screen;
	u32 row;
	s32 at;
	u32 from, to;
};

/* A pen that may write from @column to the right edge. The last cell of the last row is never written. */
struct pen pen_at(struct screen *screen, u32 row, u32 column);
/* A pen that may write the columns [@from, @to). */
struct pen pen_between(struct screen *screen, u32 row, u32 from, u32 to);

void pen_text(struct pen *pen, enum ink ink, const char *text);
/* @text of @size bytes. */
void pen_bytes(struct pen *pen, enum ink ink, const char *text, size_t size);
/* The last text of a line: if it is cut at the edge, its last character is an ellipsis. */
void pen_last(struct pen *pen, enum ink ink, const char *text);
void pen_printf(struct pen *pen, enum ink ink, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Writes the character @c @nr times. */
void pen_repeat(struct pen *pen, enum ink ink, u32 c, u32 nr);
/* Writes blanks up to @column. No effect if the pen is there or beyond. */
void pen_move(struct pen *pen, u32 column);
/* @text in exactly @columns. A longer text is shortened in the middle ("std::ve...lloc()"). */
void pen_fit(struct pen *pen, enum ink ink, const char *text, u32 columns, bool right);
void pen_end(struct pen *pen);

#endif
