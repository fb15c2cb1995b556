/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the unwound stacks ended: as a page, and as remarks. */
#ifndef PAGES_END_PAGE_H
#define PAGES_END_PAGE_H

#include "pages/base/page.h"

struct chain_ends;

/*
 * One line per reason, with number and share; below it, for truncated stacks, lines by the size that they needed.
 */
struct page *end_page_new(const struct chain_ends *ends);

/* One remark per reason; none without stacks. */
void notes_add_ends(struct notes *notes, const struct chain_ends *ends);

#endif
