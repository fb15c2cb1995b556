/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a function on the screen: its instructions, and before the first one of each source line
 * the line's text. Lines are numbered from 0; so are instructions, as the provider's rows.
 */
#ifndef VIEW_TUI_CODE_LINES_H
#define VIEW_TUI_CODE_LINES_H

#include "pages/page.h"
#include "view/tui/jumps.h"

struct code_line {
	u32 insn;
	bool source; /* the source line above it */
};

struct code_lines {
	const struct page *page; /* the provider's */
	u64 start;		 /* of the function */
	u32 nr_insns;
	u64 *addresses; /* by instruction */
	bool *sources;	/* ... whether another line of source begins there */
	struct jumps *jumps;
	GArray *hot; /* u32: instructions with samples, hottest first */
};

/* @page stays the caller's and outlives it. */
struct code_lines *code_lines_new(const struct page *page);
void code_lines_free(struct code_lines *lines);

/* A page of rows for the screen, one per line; with @source lines or without. */
struct page *code_lines_page(const struct code_lines *lines, bool source);

/* What stands in the row of such a page. */
struct code_line code_lines_at(const struct page *page, struct row row);
/* The line of an instruction. */
u32 code_lines_find(const struct page *page, u32 insn);

/* The provider's row of an instruction. */
struct row code_lines_row(const struct code_lines *lines, u32 insn);
/* The instruction at an address of the function, or the one that the address is in. */
u32 code_lines_insn(const struct code_lines *lines, u64 vaddr);
/* A cell's text into @out, which is emptied before; the number of one that has a number, else 0. */
void code_lines_text(const struct code_lines *lines, u32 insn, u32 column, GString *out);
u64 code_lines_number(const struct code_lines *lines, u32 insn, u32 column);

#endif
