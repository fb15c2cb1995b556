/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joins several answers: the pages of a command, followed by those of others. */
#ifndef PAGES_JOINED_PAGES_H
#define PAGES_JOINED_PAGES_H

#include "pages/base/page.h"

struct joined_part {
	struct pages *pages;
	u32 max; /* the first pages, which are shown */
};

/*
 * Takes over the pages of all @parts. The first part has the command's name, and the notes above and below. Pages of
 * the others state their own kind.
 */
struct pages *joined_pages_new(const struct joined_part *parts, u32 nr);

#endif
