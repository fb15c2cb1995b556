/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a comparison says in words. */
#ifndef PAGES_COMPARE_WORDS_H
#define PAGES_COMPARE_WORDS_H

#include "pages/compare/compare_pages.h"

/* "more", "less", "new", "gone"; of a difference within noise "", or "noise" for a machine. */
const char *compare_verdict_word(const struct compare_row *row, u32 side, bool machine);

/* "+0x18" of the text of a member. */
void compare_append_offset(const char *text, GString *out);

/* The heading of an event's page. */
void compare_add_notes(struct notes *notes, const struct comparison *c,
		       const struct compare_event *event, const struct compare_view *view);

#endif
