// SPDX-License-Identifier: GPL-2.0-or-later
/* How the data type of an instruction's access is known: the steps, as instructions. */
#include <string.h>

#include "pages/why_pages.h"
#include "view/tui/annotate_private.h"

static void title(const struct tui_view *view, GString *out)
{
	const struct annotate_view *v = annotate_view_of((struct tui_view *)view);

	g_string_append_printf(out, "why %s", v->rows.page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct annotate_view *v = annotate_view_of((struct tui_view *)view);

	g_string_append(out, notes_find(&v->rows.page->notes, "instruction")->words);
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (annotate_view_about(v, &about) && about.symbol)
		annotate_open(tui, v->a, OPEN_CODE, &about);
	else
		tui_say(tui, "this step is no instruction");
}

static void view_free(struct tui_view *view)
{
	struct annotate_view *v = annotate_view_of(view);

	annotate_view_release(v);
	g_free(v);
}

#define INSN_WIDTH 30  /* columns; half of it on a narrow screen */
#define LINE_ROOM  110 /* screens of so many columns have source lines */

static void draw_titles(struct rows_view *view, struct pen *pen)
{
	bool wide = screen_columns(pen->screen) >= LINE_ROOM;

	pen_fit(pen, INK_HEADING, "Address", 10, true);
	pen_text(pen, INK_PLAIN, "  ");
	pen_fit(pen, INK_HEADING, "Instruction", wide ? INSN_WIDTH : INSN_WIDTH - 6, false);
	pen_text(pen, INK_HEADING,
		 wide ? "  Source line           What is known then" : "  What is known then");
}

static void draw_line(struct rows_view *view, struct row row, struct pen *pen)
{
	g_autofree char *file = g_strdup(rows_view_text(view, row, WHY_FILE, 0));
	const char *slash = strrchr(file, '/'), *line = rows_view_text(view, row, WHY_LINE, 0);
	g_autofree char *text = g_strdup_printf("%s:%s", slash ? slash + 1 : file, line);

	pen_text(pen, INK_PLAIN, "  ");
	pen_fit(pen, INK_SOURCE, *file ? text : "", 20, false);
}

/* The steps are what is read: the rest gets what it needs. */
static void draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	bool wide = screen_columns(pen->screen) >= LINE_ROOM;
	u32 from = pen->from;

	pen_fit(pen, INK_FAINT, rows_view_text(view, shown->row, WHY_ADDRESS, 0), 10, true);
	pen_text(pen, INK_PLAIN, "  ");
	pen_fit(pen, INK_PLAIN, rows_view_text(view, shown->row, WHY_INSTRUCTION, 0),
		wide ? INSN_WIDTH : INSN_WIDTH - 6, false);
	if (wide)
		draw_line(view, shown->row, pen);
	pen_text(pen, INK_PLAIN, "  ");
	pen->from = (u32)pen->at;
	pen->at -= (s32)view->left * 8; /* scrolled with Left and Right */
	pen_text(pen, INK_NAME, rows_view_text(view, shown->row, WHY_STEP, 0));
	pen->from = from;
}

static const struct tui_key why_keys[] = {
	{ KEY_ENTER, 0, "the code, there", "the code, at the instruction of this step", enter },
	{ 0 },
};

static const struct tui_key *const keys[] = { why_keys, rows_view_keys, NULL };
static const struct rows_view_ops rows_ops = { .draw_row = draw_row, .draw_titles = draw_titles };
static const struct tui_view_ops ops = {
	"why", keys, title, status, rows_view_draw, NULL, view_free
};

bool annotate_open_why(struct tui *tui, struct tui_annotate *a, bool owns,
		       const struct about *about)
{
	struct annotate_view *v = g_new0(struct annotate_view, 1);

	v->a = a;
	v->owns = owns;
	v->pages = annotator_why(a->annotator, about->dso, about->vaddr);
	rows_view_init(&v->rows, &ops, &rows_ops, v->pages->ops->open(v->pages, 0));
	tui_push(tui, &v->rows.view);
	return true;
}
