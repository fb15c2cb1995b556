/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several answers as one: the pages of a command, then those of others that belong to it. */
#ifndef PAGES_JOINED_PAGES_H
#define PAGES_JOINED_PAGES_H

#include "pages/page.h"

struct joined_part {
	struct pages *pages;
	u32 max; /* pages that are shown, the first ones */
};

/*
 * Takes over the pages of all @parts, the first of which says what the command is, and has what stands
 * above and below. Pages of the others say their own kind.
 */
struct pages *joined_pages_new(const struct joined_part *parts, u32 nr);

#endif
