/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other layouts of types (advise/advice.h): a page for each proposal, the best first, with a row for each member by its new offset. A
 * type without a proposal has a page without rows, whose notes say why.
 */
#ifndef PAGES_ADVICE_PAGES_H
#define PAGES_ADVICE_PAGES_H

#include "advise/advice.h"
#include "pages/code/annotate_pages.h"

enum {
	ADVICE_OFFSET, /* absent: the member is not in the type any more */
	ADVICE_WAS,
	ADVICE_SIZE,
	ADVICE_LINE,
	ADVICE_SHARE,
	ADVICE_DECLARATION,
	ADVICE_MARK, /* "moved", "apart" (in another structure), "hole", "padding" */
	ADVICE_NR_COLUMNS,
};

/* What samples with data addresses or registers tell besides. */
struct advice_evidence {
	const GPtrArray *
		sharing; /* struct sharing * of events, whose names tell of which; empty: there are no data addresses */
	const struct advise_values *values; /* NULL: there are none */
};

/* All arguments must outlive the pages. */
struct pages *advice_pages_new(struct type_profiles *profiles,
			       const struct annotate_pages_options *options, struct typeflow *types,
			       const struct advice_evidence *evidence);

/* What page @i is about; @at: its proposal, or -1. */
const struct advice_list *advice_pages_list(const struct pages *pages, u32 i, s32 *at);

#endif
