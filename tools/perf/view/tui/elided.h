/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of one column that are too wide for it, cut so that different names stay different:
 *
 *	level_find (inlined)	leve…ned)
 *	level_get (inlined)	level_ge…	the first form was taken
 *
 * A name keeps its form, so a row looks the same wherever it is on the screen.
 */
#ifndef VIEW_TUI_ELIDED_H
#define VIEW_TUI_ELIDED_H

#include <glib.h>

#include "base/types.h"

struct elided;

/* @columns: the width of the column, at least 1. */
struct elided *elided_new(u32 columns);
void elided_free(struct elided *e);

u32 elided_columns(const struct elided *e);

/*
 * @text, which is UTF-8 and wider than the column, cut to its width. Valid until the next call. If all forms that could
 * tell it apart are taken, it has the form of another text.
 */
const char *elided_text(struct elided *e, const char *text);

#endif
