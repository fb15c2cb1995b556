/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of `perf annotate --baseline`: functions, or types, of two recordings side by side. A row is an instruction or a member
 * of one of them, or of both. The rows of both sides are those of annotate_pages.h.
 */
#ifndef PAGES_BESIDE_PAGES_H
#define PAGES_BESIDE_PAGES_H

#include "pages/base/about.h"
#include "pages/code/annotate_pages.h"

/* Columns of both kinds: values of both sides, then these. */
enum {
	BESIDE_SHARE_BEFORE,
	BESIDE_SAMPLES_BEFORE,
	BESIDE_SHARE,
	BESIDE_SAMPLES,
	BESIDE_CHANGE, /* "new", "gone", "changed", "moved"; none: it is as it was */
	BESIDE_NR,
};
enum {
	BESIDE_ADDRESS_BEFORE = BESIDE_NR,
	BESIDE_INSTRUCTION_BEFORE,
	BESIDE_ADDRESS,
	BESIDE_INSTRUCTION,
	BESIDE_FILE, /* as it is now; of a row that is gone, as it was */
	BESIDE_LINE,
	BESIDE_SOURCE,
	BESIDE_CODE_NR,
};
enum {
	BESIDE_OFFSET_BEFORE = BESIDE_NR,
	BESIDE_SIZE_BEFORE,
	BESIDE_OFFSET,
	BESIDE_SIZE,
	BESIDE_TYPE,
	BESIDE_MEMBER,
	BESIDE_TYPE_NR,
};

/*
 * @now, and what @before has beside: functions by their names (fields/identity.h), types and members by theirs. Those that only
 * @before has come last. Takes over both.
 */
struct pages *beside_code_pages_new(struct pages *before, struct pages *now);
struct pages *beside_type_pages_new(struct pages *before, struct pages *now);

/* Of such pages: what page @i is about, the function without what a compiler adds to its name, or the type. To be freed. */
char *beside_pages_name(const struct pages *pages, u32 i);

/* The subject of a row of such a page: as it is now, or, *@before, as it was. False: the row has none. */
bool beside_page_about(const struct page *page, struct row row, bool *before, struct about *out);

#endif
