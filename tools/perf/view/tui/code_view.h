/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the code browser. */
#ifndef VIEW_TUI_CODE_VIEW_H
#define VIEW_TUI_CODE_VIEW_H

#include "view/tui/annotate_private.h"
#include "view/tui/code_lines.h"

#define CODE_OFFSET_LEVELS 3 /* jumps' targets; calls, too; all */

struct code_view {
	struct annotate_view annotate;
	struct annotate_function function;
	u32 at;		   /* which of the pages */
	struct page *page; /* the provider's */
	struct code_lines *lines;
	u32 hot_at;	   /* where Tab is among the hot ones */
	GArray *came_from; /* u64: positions of jumps that were followed */
	char *wanted;	   /* that was searched for last */
	bool backwards;
	GString *text;
};

static inline struct code_view *code_view_of(const struct tui_view *view)
{
	return container_of(annotate_view_of((struct tui_view *)view), struct code_view, annotate);
}

/* True if the address is in the function. */
static inline bool code_view_has(const struct code_view *v, u64 vaddr)
{
	return vaddr >= v->function.symbol->start && vaddr < v->function.symbol->end;
}

void code_draw_titles(struct rows_view *view, struct pen *pen);
void code_draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen);

/* Appends a line's text, for drawing and for search. */
void code_append_insn(struct code_view *v, u32 insn, const struct about *about, GString *out);
void code_append_type(struct code_view *v, u32 insn, GString *out);

/* Cuts @text to @columns. */
void code_fit(GString *text, u32 columns);

extern const struct tui_key code_keys[];

/*
 * The pages of all functions, or only of @wanted if it has no samples; *@at is its index. NULL with @error if samples
 * cannot be read.
 */
struct pages *code_pages_with(struct tui_annotate *a, const struct annotate_function *wanted,
			      u32 *at, GError **error);

/*
 * Changes to page @at. If its code is not available, shows the reason, changes nothing, and returns false.
 */
bool code_load(struct code_view *v, struct tui *tui, struct pages *pages, u32 at);

/* Shows another page of v->pages. False, with the reason shown, if its code is not available. */
bool code_show(struct code_view *v, struct tui *tui, u32 at);
/* Rebuilds the list, with or without source lines, with the cursor at @insn. */
void code_relist(struct code_view *v, u32 insn);
void code_go(struct code_view *v, u32 insn);
void code_go_hottest(struct code_view *v);

#endif
