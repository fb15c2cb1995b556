/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the kinds of screens: the grid, and the operations that each kind implements. */
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

/* The struct of each kind has it as its first member. */
struct screen {
	const struct screen_ops *ops;
	u32 rows, columns;
	struct glyph *glyphs; /* rows * columns */
};

/* Limit for rows and columns, against terminals that report nonsense. */
#define SCREEN_MAX 1000

/* Sets the grid's size and clears it. */
void screen_resize(struct screen *screen, u32 rows, u32 columns);
/* Frees the grid. */
void screen_release(struct screen *screen);

/*
 * Appends the cell as UTF-8. @ascii: appends a similar ASCII character, such as "|" for a line; '?' if there is none.
 */
void glyph_append(const struct glyph *glyph, bool ascii, GString *out);

#endif
