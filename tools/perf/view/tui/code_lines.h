/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a function on the screen: its instructions, and the source lines, each before its first instruction.
 * Lines are numbered from 0; so are instructions, as in the provider's rows.
 */
#ifndef VIEW_TUI_CODE_LINES_H
#define VIEW_TUI_CODE_LINES_H

#include "pages/base/page.h"
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
	bool *sources;	/* ... true if another source line starts there */
	struct jumps *jumps;
	GArray *hot; /* u32: instructions with samples, hottest first */
};

/* @page belongs to the caller and must outlive it. */
struct code_lines *code_lines_new(const struct page *page);
void code_lines_free(struct code_lines *lines);

/* A page of rows for the screen, one per line; @source: with source lines. */
struct page *code_lines_page(const struct code_lines *lines, bool source);

/* The contents of a row of such a page. */
struct code_line code_lines_at(const struct page *page, struct row row);
/* The line of an instruction. */
u32 code_lines_find(const struct page *page, u32 insn);

/* The provider's row for an instruction. */
struct row code_lines_row(const struct code_lines *lines, u32 insn);
/* The instruction at an address of the function, or the one that contains it. */
u32 code_lines_insn(const struct code_lines *lines, u64 vaddr);
/* Writes a cell's text to @out, which is cleared first. Returns its number, or 0 if it has none. */
void code_lines_text(const struct code_lines *lines, u32 insn, u32 column, GString *out);
u64 code_lines_number(const struct code_lines *lines, u32 insn, u32 column);

#endif
