// SPDX-License-Identifier: GPL-2.0-or-later
/* Shows other layouts of a type: a page for each proposal, its effect in the status line, and below what it saves and may break. */
#include <string.h>

#include "base/text.h"
#include "pages/code/advice_pages.h"
#include "view/tui/annotate_private.h"

#define WORDS_ROWS 6u  /* rows below the list */
#define LEAST_ROWS 16u /* least height of a screen with them */

struct advice_view {
	struct annotate_view annotate;
	u32 at; /* number of the page */
};

static struct advice_view *of(struct tui_view *view)
{
	return container_of(annotate_view_of(view), struct advice_view, annotate);
}

static const struct notes *notes_of(const struct tui_view *view)
{
	return &annotate_view_of((struct tui_view *)view)->rows.page->notes;
}

static void title(const struct tui_view *view, GString *out)
{
	annotate_view_title(annotate_view_of((struct tui_view *)view), out);
	g_string_append_printf(out, "layouts of %s", notes_find(notes_of(view), "type")->words);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct advice_view *v = of((struct tui_view *)view);
	const struct note *proposal = notes_find(notes_of(view), "proposal");

	g_string_append(out, proposal ? proposal->words : "no proposal");
	if (v->annotate.pages->nr > 1)
		g_string_append_printf(out, "  %u of %u", v->at + 1, v->annotate.pages->nr);
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (annotate_view_about(v, &about))
		annotate_open(tui, v->a, OPEN_FIELD, &about);
	else
		tui_say(tui, "no member is in these bytes");
}

static void other_proposal(struct tui_view *view, struct tui *tui, u32 key)
{
	struct advice_view *v = of(view);
	struct pages *pages = v->annotate.pages;
	bool forward = key == KEY_TAB || key == '>';

	if (pages->nr < 2) {
		tui_say(tui, "there is no other proposal");
		return;
	}
	v->at = (v->at + (forward ? 1 : pages->nr - 1)) % pages->nr;
	rows_view_replace(&v->annotate.rows, pages->ops->open(pages, v->at));
	rows_view_go(&v->annotate.rows, 0);
}

static void view_free(struct tui_view *view)
{
	struct advice_view *v = of(view);

	annotate_view_release(&v->annotate);
	g_free(v);
}

static const struct {
	u32 column;
	const char *title;
	u32 width;
} numbers[] = {
	{ ADVICE_SHARE, "Percent", 8 }, { ADVICE_OFFSET, "Offset", 8 }, { ADVICE_WAS, "Was", 7 },
	{ ADVICE_SIZE, "Size", 7 },	{ ADVICE_LINE, "Line", 6 },
};

static void draw_titles(struct rows_view *view, struct pen *pen)
{
	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++)
		pen_fit(pen, INK_HEADING, numbers[i].title, numbers[i].width, true);
	pen_text(pen, INK_HEADING, "  Declaration");
}

static void draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	g_autofree char *mark = g_strdup(rows_view_text(view, shown->row, ADVICE_MARK, 0));
	bool moved = !strcmp(mark, "moved"), there = !*mark || moved;

	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++)
		pen_fit(pen, i == 2 && !moved ? INK_FAINT : INK_PLAIN,
			rows_view_text(view, shown->row, numbers[i].column, 0), numbers[i].width,
			true);
	pen_text(pen, INK_PLAIN, "  ");
	pen_text(pen,
		 moved	 ? INK_NAME
		 : there ? INK_PLAIN
			 : INK_FAINT,
		 rows_view_text(view, shown->row, ADVICE_DECLARATION, 0));
	if (!there) {
		pen_text(pen, INK_PLAIN, " ");
		pen_last(pen, INK_FAINT, mark);
	}
}

/* All that the page says of the proposal, as far as there is room. */
static char *words_of(const struct notes *notes)
{
	GString *all = g_string_new(NULL);

	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		if (note->text &&
		    (!note->name || !strcmp(note->name, "uses") ||
		     !strcmp(note->name, "size_then") || !strcmp(note->name, "nothing")))
			g_string_append_printf(all, "%s%s", all->len ? ". " : "", note->text);
	}
	return g_string_free(all, FALSE);
}

static void draw(struct tui_view *view, struct screen *screen, u32 top, u32 bottom)
{
	bool room = bottom - top >= LEAST_ROWS;
	u32 end = bottom - (room ? WORDS_ROWS : 0), columns = screen_columns(screen);
	g_autofree char *words = words_of(notes_of(view));
	g_auto(GStrv) lines = NULL;
	struct pen pen;

	rows_view_draw(view, screen, top, end);
	if (!room)
		return;
	pen = pen_at(screen, end, 0);
	pen_repeat(&pen, INK_FAINT, 0x2500, columns);
	lines = text_wrapped(words, columns - MIN(columns, 2), WORDS_ROWS - 1);
	tui_draw_words(screen, end + 1, INK_NAME, lines);
}

static const struct tui_key advice_keys[] = {
	{ KEY_ENTER, 0, "code", "the instructions that touch this member", enter },
	{ '>', 0, "next proposal", "the next proposal, the one before", other_proposal },
	{ KEY_TAB, 0, NULL, NULL, other_proposal },
	{ '<', 0, NULL, NULL, other_proposal },
	{ KEY_BACK_TAB, 0, NULL, NULL, other_proposal },
	{ 0 },
};

static const struct tui_key *const keys[] = { advice_keys, rows_view_keys, annotate_back_keys,
					      NULL };
static const struct rows_view_ops rows_ops = { .draw_row = draw_row, .draw_titles = draw_titles };
static const struct tui_view_ops ops = { "advice", keys, title, status, draw, NULL, view_free };

bool annotate_open_advice(struct tui *tui, struct tui_annotate *a, bool owns,
			  const struct about *about)
{
	g_autoptr(GError) error = NULL;
	struct advice_view *v;
	struct pages *pages;

	annotate_will_read(tui, a);
	annotator_look(a->annotator)->type = annotator_type(a->annotator, about->type);
	pages = annotator_advice(a->annotator, &error);
	annotator_look(a->annotator)->type = NULL;
	if (!pages || !pages->nr) {
		pages_free(pages);
		return annotate_say_nothing(tui, a, about, error);
	}
	v = g_new0(struct advice_view, 1);
	v->annotate = (struct annotate_view){ .a = a, .owns = owns, .first = owns, .pages = pages };
	rows_view_init(&v->annotate.rows, &ops, &rows_ops, pages->ops->open(pages, 0));
	tui_push(tui, &v->annotate.rows.view);
	return true;
}
