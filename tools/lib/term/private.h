/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of screens share: the grid, and what a kind does with it. */
#ifndef TERM_PRIVATE_H
#define TERM_PRIVATE_H

#include "term/screen.h"

struct screen_ops {
	void (*show)(struct screen *screen);
	void (*repaint)(struct screen *screen); /* may be NULL */
	struct screen_input (*wait)(struct screen *screen, int timeout_ms);
	bool (*interrupted)(struct screen *screen);
	void (*free)(struct screen *screen);
};

/* A kind has it as its first member. */
struct screen {
	const struct screen_ops *ops;
	u32 rows, columns;
	struct glyph *glyphs; /* rows * columns */
};

/* No screen is larger, whatever a terminal says of itself. */
#define SCREEN_MAX 1000

/* An empty grid of that size, or another one: what was drawn is gone. */
void screen_resize(struct screen *screen, u32 rows, u32 columns);
/* Frees the grid. */
void screen_release(struct screen *screen);

/*
 * Appends the cell as text: UTF-8, or with @ascii what stands for it there: "|" for a line, '?'
 * for what has nothing.
 */
void glyph_append(const struct glyph *glyph, bool ascii, GString *out);

#endif
