// SPDX-License-Identifier: GPL-2.0-or-later
/* Prompt in the last line, menu, and box of text. */
#include <string.h>

#include "base/text.h"
#include "view/tui/private.h"

#define MAX_TEXT 1024 /* limit of an answer in bytes */

struct prompt {
	const char *words;
	GString *text;
};

static void draw_prompt(struct tui *t, void *arg)
{
	const struct prompt *p = arg;
	struct pen pen = pen_at(t->screen, screen_rows(t->screen) - 1, 0);
	u32 at;

	pen_printf(&pen, INK_MESSAGE, " %s ", p->words);
	pen_text(&pen, INK_PLAIN, p->text->str);
	at = (u32)pen.at;
	pen_end(&pen);
	screen_reverse(t->screen, pen.row, at, at + 1); /* the cursor */
}

/* Edits the answer. False: the key does not edit. */
static bool edit(GString *text, u32 key)
{
	if (key == KEY_BACKSPACE || key == KEY_DELETE) {
		if (text->len)
			g_string_truncate(
				text, (gsize)(g_utf8_prev_char(text->str + text->len) - text->str));
	} else if (key == KEY_CTRL('U')) {
		g_string_truncate(text, 0);
	} else if (key >= ' ' && key < KEY_FIRST && text->len < MAX_TEXT) {
		g_string_append_unichar(text, key);
	} else {
		return false;
	}
	return true;
}

char *tui_ask(struct tui *t, const char *words, const char *text)
{
	struct prompt p = { words, g_string_new(text) };

	for (;;) {
		struct screen_input in = tui_input(t, draw_prompt, &p);

		if (in.kind == INPUT_KEY && in.key == KEY_ENTER)
			return g_string_free(p.text, FALSE);
		if (in.kind != INPUT_KEY || in.key == KEY_ESC || in.key == KEY_CTRL('C'))
			break;
		edit(p.text, in.key);
	}
	g_string_free(p.text, TRUE);
	return NULL;
}

/* A box in the middle of the screen, and the part of its lines that it shows. */
struct box {
	const char *title;
	u32 nr;				/* number of lines in it */
	u32 width;			/* width of the widest line */
	u32 from;			/* first line shown */
	u32 row, column, rows, columns; /* inside of the border, as last drawn */
};

static void draw_edge(struct screen *s, u32 row, const struct box *b, u32 left, u32 right)
{
	struct pen pen = pen_between(s, row, b->column - 1, b->column + b->columns + 1);

	pen_repeat(&pen, INK_ARROW, left, 1);
	pen_repeat(&pen, INK_ARROW, 0x2500, b->columns);
	pen_repeat(&pen, INK_ARROW, right, 1);
}

/* Places the box, draws its border and clears its inside. */
static void draw_box(struct tui *t, struct box *b)
{
	u32 rows = screen_rows(t->screen), columns = screen_columns(t->screen);
	u32 title = text_columns(b->title, strlen(b->title)) + 4;
	struct pen pen;

	b->columns = MIN(MAX(b->width, title) + 2, columns > 2 ? columns - 2 : 0);
	b->rows = MIN(b->nr, rows > 4 ? rows - 4 : 1);
	b->column = 1 + (columns - MIN(columns, b->columns + 2)) / 2;
	b->row = rows > b->rows + 2 ? 1 + (rows - b->rows - 2) / 2 : 0;
	b->from = MIN(b->from, b->nr - b->rows);
	if (b->row)
		draw_edge(t->screen, b->row - 1, b, 0x250c, 0x2510);
	for (u32 i = 0; i < b->rows; i++) {
		pen = pen_between(t->screen, b->row + i, b->column - 1, b->column + b->columns + 1);
		pen_repeat(&pen, INK_ARROW, 0x2502, 1);
		pen_move(&pen, b->column + b->columns);
		pen_repeat(&pen, INK_ARROW, 0x2502, 1);
	}
	draw_edge(t->screen, b->row + b->rows, b, 0x2514, 0x2518);
	if (b->row) {
		pen = pen_between(t->screen, b->row - 1, b->column + 1, b->column + b->columns);
		pen_printf(&pen, INK_TITLE, " %s ", b->title);
	}
	if (b->nr > b->rows && b->columns > 12) {
		pen = pen_between(t->screen, b->row + b->rows, b->column + b->columns - 12,
				  b->column + b->columns);
		pen_printf(&pen, INK_FAINT, " %u of %u ", b->from + b->rows, b->nr);
	}
}

static struct pen box_line(struct tui *t, const struct box *b, u32 line)
{
	return pen_between(t->screen, b->row + line, b->column + 1, b->column + b->columns - 1);
}

struct menu {
	struct box box;
	const struct tui_choice *choices;
	u32 at;
};

static void draw_menu(struct tui *t, void *arg)
{
	struct menu *m = arg;
	struct box *b = &m->box;

	draw_box(t, b);
	if (m->at < b->from || m->at >= b->from + b->rows) {
		b->from = m->at < b->from ? m->at : m->at - b->rows + 1;
		draw_box(t, b);
	}
	for (u32 i = 0; i < b->rows; i++) {
		const struct tui_choice *c = &m->choices[b->from + i];
		struct pen pen = box_line(t, b, i);
		u32 hint = c->hint ? text_columns(c->hint, strlen(c->hint)) : 0;
		u32 width = b->columns - MIN(b->columns, 2);

		pen_fit(&pen, INK_PLAIN, c->text, width - MIN(width, hint ? hint + 1 : 0), false);
		if (hint) {
			pen_move(&pen, pen.to - MIN(pen.to, hint));
			pen_text(&pen, INK_NAME, c->hint);
		}
		if (b->from + i == m->at)
			screen_reverse(t->screen, b->row + i, b->column, b->column + b->columns);
	}
}

/* The next entry that @key selects: by its key, else by its first letter in upper or lower case. */
static s32 named_choice(const struct menu *m, u32 key)
{
	for (u32 i = 0; i < m->box.nr; i++)
		if (m->choices[i].key == key)
			return (s32)i;
	for (u32 i = 1; i <= m->box.nr && key < KEY_FIRST; i++) {
		u32 k = (m->at + i) % m->box.nr;

		if (g_unichar_tolower(g_utf8_get_char(m->choices[k].text)) ==
		    g_unichar_tolower(key))
			return (s32)k;
	}
	return -1;
}

/* The new position after a key that moves by lines or pages. */
static u32 moved(u32 at, u32 key, u32 nr, u32 page)
{
	switch (key) {
	case KEY_UP:
		return at ? at - 1 : nr - 1;
	case KEY_DOWN:
		return at + 1 < nr ? at + 1 : 0;
	case KEY_PAGE_UP:
		return at - MIN(at, page);
	case KEY_PAGE_DOWN:
	case ' ':
		return MIN(at + page, nr - 1);
	case KEY_HOME:
		return 0;
	case KEY_END:
		return nr - 1;
	default:
		return at;
	}
}

s32 tui_choose(struct tui *t, const char *title, const struct tui_choice *choices, u32 nr, u32 at)
{
	struct menu m = { { .title = title, .nr = nr }, choices, MIN(at, nr - MIN(nr, 1)) };

	for (u32 i = 0; i < nr; i++) {
		u32 width = text_columns(choices[i].text, strlen(choices[i].text));

		if (choices[i].hint)
			width += 3 + text_columns(choices[i].hint, strlen(choices[i].hint));
		m.box.width = MAX(m.box.width, width);
	}
	while (nr) {
		struct screen_input in = tui_input(t, draw_menu, &m);
		s32 named;

		if (in.kind != INPUT_KEY || in.key == KEY_ESC || in.key == 'q' ||
		    in.key == KEY_LEFT || in.key == KEY_CTRL('C'))
			return -1;
		if (in.key == KEY_ENTER || in.key == KEY_RIGHT)
			return (s32)m.at;
		named = in.key == ' ' ? -1 : named_choice(&m, in.key);
		if (named >= 0 && m.choices[named].key == in.key)
			return named;
		m.at = named >= 0 ? (u32)named : moved(m.at, in.key, nr, MAX(m.box.rows, 1));
	}
	return -1;
}

struct text_box {
	struct box box;
	char **lines;
	bool names;
};

/* Length of the name in a line "T    what it does". */
static size_t name_length(const char *line)
{
	const char *gap = strstr(line, "  ");

	return gap && gap > line ? (size_t)(gap - line) : 0;
}

static void draw_reading(struct tui *t, void *arg)
{
	struct text_box *r = arg;

	draw_box(t, &r->box);
	for (u32 i = 0; i < r->box.rows; i++) {
		const char *line = r->lines[r->box.from + i];
		size_t name = r->names ? name_length(line) : 0;
		struct pen pen = box_line(t, &r->box, i);

		pen_bytes(&pen, INK_NAME, line, name);
		pen_text(&pen, INK_PLAIN, line + name);
	}
}

void tui_read(struct tui *t, const char *title, const char *text, bool names)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct text_box r = { { .title = title, .nr = g_strv_length(lines) }, lines, names };

	if (r.box.nr && !*lines[r.box.nr - 1])
		r.box.nr--;
	for (u32 i = 0; i < r.box.nr; i++)
		r.box.width = MAX(r.box.width, text_columns(lines[i], strlen(lines[i])));
	while (r.box.nr) {
		struct screen_input in = tui_input(t, draw_reading, &r);
		u32 last = r.box.nr - MIN(r.box.nr, r.box.rows);

		if (in.kind != INPUT_KEY || in.key == KEY_ESC || in.key == 'q' ||
		    in.key == KEY_ENTER || in.key == KEY_CTRL('C') || in.key == 'h' ||
		    in.key == '?')
			return;
		if (in.key == KEY_UP && !r.box.from)
			continue;
		if (in.key == KEY_DOWN && r.box.from >= last)
			continue;
		r.box.from = MIN(moved(r.box.from, in.key, r.box.nr, MAX(r.box.rows, 1)), last);
	}
}
