/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How did the stacks end that were unwound? A page, and the same as remarks. */
#ifndef PAGES_END_PAGE_H
#define PAGES_END_PAGE_H

#include "pages/page.h"

struct chain_ends;

/* A line per end with its number and share; of cut stacks lines below that, by what they needed. */
struct page *end_page_new(const struct chain_ends *ends);

/* A remark per end; none without stacks. */
void notes_add_ends(struct notes *notes, const struct chain_ends *ends);

#endif
