/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several answers as one: the pages of a command, then those of others that belong to it. */
#ifndef PAGES_JOINED_PAGES_H
#define PAGES_JOINED_PAGES_H

#include "pages/page.h"

/*
 * Takes over all of @parts (struct pages *), the first of which says what the command is, and has what stands
 * above and below. Pages of the others say their own kind.
 */
struct pages *joined_pages_new(struct pages *const *parts, u32 nr);

#endif
