// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The panel below the activities: the main types, symbols and threads of the row under the cursor. Waits access no memory:
 * instead of types, their states.
 */
#include <string.h>

#include "base/text.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "perfdata/wall.h"
#include "session/session.h"
#include "view/tui/report_private.h"

#define TOP 4 /* rows of each kind */

struct panel_part {
	const char *keys, *words;
};

static const struct panel_part types[] = { { "type", "types" },
					   { "sym", "symbols" },
					   { "comm,tid", "threads" } };
static const struct panel_part states[] = { { "state,syscall", "states" },
					    { "sym", "symbols" },
					    { "comm,tid", "threads" } };

#define NR_PARTS G_N_ELEMENTS(types)

bool report_has_waits(const struct report_view *v)
{
	const GPtrArray *events = v->rows.page->parts;

	return events->len && wall_is_stretch(events->pdata[0]);
}

static const struct panel_part *parts_of(const struct report_view *v)
{
	return report_has_waits(v) ? states : types;
}

void report_want_panel(struct explorer *explorer)
{
	struct session *session = explorer_options(explorer)->session;
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	for (u32 i = 0; i < evsels->len; i++) {
		if (wall_is_stretch(((const struct evsel *)evsels->pdata[i])->name)) {
			explorer_want(explorer, "state");
			explorer_want(explorer, "syscall");
		} else {
			explorer_want(explorer, "type");
		}
	}
}

/* "struct order 93%\tstruct level 4%" */
static void append_top(struct report_view *v, const struct explorer_question *row, const char *keys,
		       GString *out)
{
	struct explorer_question q;
	struct explorer_answer *a;
	struct page *page = NULL;
	struct row rows[TOP];
	g_autoptr(GString) text = g_string_new(NULL);
	u32 nr = 0, key;

	explorer_question_copy(&q, row);
	explorer_question_set_sort(&q, keys);
	q.tree = false;
	q.relative = true;
	q.no_children = true;
	q.least = 0;
	a = explorer_ask(v->shared->explorer, &q, NULL);
	explorer_question_release(&q);
	if (a && v->at < explorer_pages(a)->nr)
		page = explorer_pages(a)->ops->open(explorer_pages(a), v->at);
	if (page)
		nr = page->rows->ops->window(page->rows, (struct row){ ROW_NONE }, 0, rows, TOP);
	for (u32 i = 0; i < nr; i++) {
		struct cell cell;

		g_string_append(out, i ? "\t" : "");
		for (key = 0; key < page->rows->nr_columns; key++) {
			struct rows_column c;

			page->rows->ops->column(page->rows, key, &c);
			if (c.value)
				continue;
			g_string_truncate(text, 0);
			page->rows->ops->text(page->rows, rows[i], key, 0, text);
			if (strcmp(g_strstrip(text->str), "-") != 0) /* no system call */
				g_string_append_printf(out, "%s ", text->str);
		}
		page->rows->ops->cell(page->rows, rows[i], 0, 0, &cell);
		g_string_append_printf(out, "%.0f%%", cell.real);
	}
	page_free(page);
	explorer_answer_free(a);
}

static void make_panel(struct report_view *v)
{
	struct explorer_question q;
	struct term term;

	g_string_truncate(v->panel, 0);
	if (!explorer_path_of(v->answer, v->rows.page, rows_view_entry(&v->rows), &term))
		return;
	explorer_question_copy(&q, &v->q);
	explorer_question_add(&q, &term);
	g_string_append_printf(v->panel, "%s\n", term.text);
	for (u32 i = 0; i < NR_PARTS; i++) {
		append_top(v, &q, parts_of(v)[i].keys, v->panel);
		g_string_append_c(v->panel, '\n');
	}
	explorer_question_release(&q);
}

/* Draws those of @items, which tabs separate, that fit. */
static void draw_items(struct pen *pen, const char *line)
{
	g_auto(GStrv) items = g_strsplit(line, "\t", -1);

	for (u32 i = 0; items[i]; i++) {
		u32 room = pen->to - MIN(pen->to, (u32)pen->at), gap = i ? 3 : 0;
		u32 needs = gap + text_columns(items[i], strlen(items[i]));

		if (i && needs + (items[i + 1] ? 2 : 0) > room) {
			pen_text(pen, INK_PLAIN, " …");
			return;
		}
		pen_repeat(pen, INK_PLAIN, ' ', gap);
		pen_fit(pen, INK_PLAIN, items[i], MIN(needs, room) - MIN(gap, room), false);
	}
}

void report_draw_panel(struct report_view *v, struct screen *screen, u32 top, u32 bottom)
{
	struct row row = rows_view_entry(&v->rows);
	u64 key = row.kind == ROW_NONE ? 0 : v->rows.page->rows->ops->key(v->rows.page->rows, row);
	g_auto(GStrv) lines = NULL;
	struct pen pen = pen_at(screen, top, 0);

	if (!v->has_panel || v->panel_key != key)
		make_panel(v);
	v->has_panel = true;
	v->panel_key = key;
	lines = g_strsplit(v->panel->str, "\n", -1);
	pen_repeat(&pen, INK_FAINT, 0x2500, 2);
	if (lines[0])
		pen_printf(&pen, INK_TITLE, " %s ", lines[0]);
	pen_repeat(&pen, INK_FAINT, 0x2500, screen_columns(screen));
	for (u32 i = 0; i < NR_PARTS && lines[0] && lines[i + 1] && top + 1 + i < bottom; i++) {
		pen = pen_at(screen, top + 1 + i, 2);
		pen_fit(&pen, INK_NAME, parts_of(v)[i].words, 9, false);
		draw_items(&pen, lines[i + 1]);
	}
}
