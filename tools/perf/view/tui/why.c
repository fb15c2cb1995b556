// SPDX-License-Identifier: GPL-2.0-or-later
/* Shows how the data type of an instruction's access is known: the steps, as instructions. */
#include <string.h>

#include "base/text.h"
#include "pages/code/why_pages.h"
#include "view/tui/annotate_private.h"

struct why_view {
	struct annotate_view annotate;
	u32 at; /* number of the page; each page is for one instruction */
};

static struct why_view *of(struct tui_view *view)
{
	return container_of(annotate_view_of(view), struct why_view, annotate);
}

static void title(const struct tui_view *view, GString *out)
{
	const struct annotate_view *v = annotate_view_of((struct tui_view *)view);

	annotate_view_title(v, out);
	g_string_append_printf(out, "why %s", v->rows.page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct why_view *v = of((struct tui_view *)view);
	const struct notes *notes = &v->annotate.rows.page->notes;
	u64 samples = annotate_fact(v->annotate.rows.page, "samples");

	g_string_append(out, notes_find(notes, "instruction")->words);
	if (samples)
		g_string_append_printf(out, "  %" G_GUINT64_FORMAT " sample%s", (guint64)samples,
				       text_plural(samples));
	if (v->annotate.pages->nr > 1)
		g_string_append_printf(out, "  %u of %u", v->at + 1, v->annotate.pages->nr);
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (annotate_view_about(v, &about) && about.symbol)
		annotate_open(tui, v->a, OPEN_CODE, &about);
	else
		tui_say(tui, "this step is not an instruction");
}

static void other_instruction(struct tui_view *view, struct tui *tui, u32 key)
{
	struct why_view *v = of(view);
	const struct pages *pages = v->annotate.pages;
	bool forward = key == KEY_TAB || key == '>';

	if (pages->nr < 2) {
		tui_say(tui, "no other instruction was asked about");
		return;
	}
	v->at = (v->at + (forward ? 1 : pages->nr - 1)) % pages->nr;
	rows_view_replace(&v->annotate.rows, pages->ops->open(v->annotate.pages, v->at));
	rows_view_go(&v->annotate.rows, 0);
}

static void view_free(struct tui_view *view)
{
	struct why_view *v = of(view);

	annotate_view_release(&v->annotate);
	g_free(v);
}

#define INSN_WIDTH  30	/* on a narrow screen, half of it */
#define LINE_ROOM   110 /* a screen with this width has source lines */
#define INSN_ROOM   60	/* ... and with this one, instructions */
#define WHOLE_ROWS  4	/* rows below the list for the full text of the present step */
#define WHOLE_LEAST 12	/* least height of a screen with these rows */

/* Widths on a screen. */
struct why_room {
	u32 insn;
	bool line;
};

static struct why_room room_of(const struct screen *screen)
{
	u32 columns = screen_columns(screen);

	return (struct why_room){ .insn = columns >= LINE_ROOM	 ? INSN_WIDTH
					  : columns >= INSN_ROOM ? INSN_WIDTH - 6
								 : 0,
				  .line = columns >= LINE_ROOM };
}

static void draw_titles(struct rows_view *view, struct pen *pen)
{
	struct why_room room = room_of(pen->screen);

	pen_fit(pen, INK_HEADING, "Address", 10, true);
	pen_text(pen, INK_PLAIN, room.insn ? "  " : "");
	pen_fit(pen, INK_HEADING, "Instruction", room.insn, false);
	pen_text(pen, INK_HEADING,
		 room.line ? "  Source line           What is known then" : "  What is known then");
}

static void draw_line(struct rows_view *view, struct row row, struct pen *pen)
{
	g_autofree char *file = g_strdup(rows_view_text(view, row, WHY_FILE, 0));
	const char *slash = strrchr(file, '/'), *line = rows_view_text(view, row, WHY_LINE, 0);
	g_autofree char *text = g_strdup_printf("%s:%s", slash ? slash + 1 : file, line);

	pen_text(pen, INK_PLAIN, "  ");
	pen_fit(pen, INK_SOURCE, *file ? text : "", 20, false);
}

/* The step's text is most important. The other columns get only what they need. */
static void draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	struct why_room room = room_of(pen->screen);
	u32 from = pen->from;

	pen_fit(pen, INK_FAINT, rows_view_text(view, shown->row, WHY_ADDRESS, 0), 10, true);
	pen_text(pen, INK_PLAIN, room.insn ? "  " : "");
	pen_fit(pen, INK_PLAIN, rows_view_text(view, shown->row, WHY_INSTRUCTION, 0), room.insn,
		false);
	if (room.line)
		draw_line(view, shown->row, pen);
	pen_text(pen, INK_PLAIN, "  ");
	pen->from = (u32)pen->at;
	pen->at -= (s32)view->left * 8; /* scrolled with Left and Right */
	pen_last(pen, INK_NAME, rows_view_text(view, shown->row, WHY_STEP, 0));
	pen->from = from;
}

static void draw(struct tui_view *view, struct screen *screen, u32 top, u32 bottom)
{
	struct annotate_view *v = annotate_view_of(view);
	bool whole = bottom - top >= WHOLE_LEAST;
	u32 end = bottom - (whole ? WHOLE_ROWS : 0), columns = screen_columns(screen);
	g_auto(GStrv) lines = NULL;
	struct row row;
	struct pen pen;

	rows_view_draw(view, screen, top, end);
	row = rows_view_row(&v->rows);
	if (!whole || row.kind != ROW_ENTRY)
		return;
	pen = pen_at(screen, end, 0);
	pen_repeat(&pen, INK_FAINT, 0x2500, 2);
	pen_printf(&pen, INK_TITLE, " %s ", rows_view_text(&v->rows, row, WHY_INSTRUCTION, 0));
	pen_repeat(&pen, INK_FAINT, 0x2500, columns);
	lines = text_wrapped(rows_view_text(&v->rows, row, WHY_STEP, 0), columns - MIN(columns, 2),
			     WHOLE_ROWS - 1);
	tui_draw_words(screen, end + 1, INK_NAME, lines);
}

static const struct tui_key why_keys[] = {
	{ KEY_ENTER, 0, "the code, there", "the code, at the instruction of this step", enter },
	{ '>', 0, "next instruction", "the next instruction that touches the same data",
	  other_instruction },
	{ KEY_TAB, 0, NULL, NULL, other_instruction },
	{ '<', 0, NULL, "the one before", other_instruction },
	{ KEY_BACK_TAB, 0, NULL, NULL, other_instruction },
	{ 0 },
};

static const struct tui_key *const keys[] = { why_keys, rows_view_keys, annotate_back_keys, NULL };
static const struct rows_view_ops rows_ops = { .draw_row = draw_row, .draw_titles = draw_titles };
static const struct tui_view_ops ops = { "why", keys, title, status, draw, NULL, view_free };

static bool open_pages(struct tui *tui, struct tui_annotate *a, bool owns, struct pages *pages)
{
	struct why_view *v = g_new0(struct why_view, 1);

	v->annotate = (struct annotate_view){ .a = a, .owns = owns, .first = owns, .pages = pages };
	rows_view_init(&v->annotate.rows, &ops, &rows_ops, pages->ops->open(pages, 0));
	tui_push(tui, &v->annotate.rows.view);
	return true;
}

bool annotate_open_why(struct tui *tui, struct tui_annotate *a, bool owns,
		       const struct about *about)
{
	return open_pages(tui, a, owns, annotator_why(a->annotator, about->dso, about->vaddr));
}

bool annotate_open_why_of_data(struct tui *tui, struct tui_annotate *a, bool owns,
			       const struct about *about)
{
	struct touch_pages_options touch;
	g_autoptr(GError) error = NULL;
	struct pages *pages;

	annotate_will_read(tui, a);
	if (!annotator_read(a->annotator, true, NULL, &error))
		return annotate_say_nothing(tui, a, about, error);
	touch = annotate_touch(a, TOUCHES_BY_CODE, about);
	pages = annotator_why_of(a->annotator, &touch, &error);
	annotator_look(a->annotator)->type = NULL;
	if (pages && pages->nr)
		return open_pages(tui, a, owns, pages);
	pages_free(pages);
	return annotate_say_nothing(tui, a, about, error);
}
