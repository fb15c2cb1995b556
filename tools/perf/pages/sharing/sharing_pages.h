/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf c2c report: cache lines that threads share, a page for each event that has seen some; and what events of hardware state about
 * them.
 */
#ifndef PAGES_SHARING_PAGES_H
#define PAGES_SHARING_PAGES_H

#include "pages/base/page.h"
#include "pages/sharing/hitm_pages.h"
#include "sharing/sharing.h"

/* Pages of what hardware states, before the others. */
struct sharing_hitm {
	const struct hitm *hitm; /* finished, borrowed; NULL: no such pages */
	enum hitm_node_info nodes;
	bool counts_only; /* only the first of them, and no other page */
	bool wanted;	  /* the user asked for them: it is said if there are none */
};

/*
 * Borrows @events, struct sharing *, which are finished. @machine: for programs, every row has all its cells; else what a row has in
 * common with the one above is left out.
 */
struct pages *sharing_pages_new(const GPtrArray *events, const struct sharing_hitm *hitm,
				bool machine);

/* What a page and a row of it are about. Those of hardware are others: hitm_page_kind(). */
const struct sharing *sharing_pages_of(const struct page *page);
const struct sharing_row *sharing_pages_row(const struct page *page, struct row row);

#endif
