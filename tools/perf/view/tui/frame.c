// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws title, view and last line, and waits for keys. */
#include <stdarg.h>
#include <string.h>

#include "base/percent.h"
#include "base/text.h"
#include "view/tui/private.h"

struct tui_view *tui_top_view(const struct tui *t)
{
	return t->views->len ? g_ptr_array_index(t->views, t->views->len - 1) : NULL;
}

static void set_message(struct tui *t, enum ink ink, const char *format, va_list args)
{
	g_string_vprintf(t->message, format, args);
	t->message_ink = ink;
}

void tui_say(struct tui *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_message(t, INK_MESSAGE, format, args);
	va_end(args);
}

void tui_warn(struct tui *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_message(t, INK_WARNING, format, args);
	va_end(args);
}

/* What fits of the path into @columns, with an ellipsis before it: from a word on, or the end of a long word. */
static const char *path_end(const char *path, u32 columns)
{
	const char *from = path + strspn(path, " "), *next;
	u32 rest = text_columns(from, strlen(from));

	while ((next = strchr(from, ' '))) {
		rest -= text_columns(from, (size_t)(next - from));
		if (rest < columns)
			return next;
		from = next + 1;
		rest--;
	}
	for (; *from && rest >= columns; from = next) {
		next = g_utf8_next_char(from);
		rest -= text_columns(from, (size_t)(next - from));
	}
	return from;
}

/* The path of views, newest last. If it is too wide, its start is cut off. */
static void draw_title(struct tui *t)
{
	struct tui_view *view = tui_top_view(t);
	u32 columns = screen_columns(t->screen), needs, width;
	g_autoptr(GString) path = g_string_new(NULL), status = g_string_new(NULL);
	struct pen pen = pen_at(t->screen, 0, 0);

	for (u32 i = 0; i < t->views->len; i++) {
		struct tui_view *v = g_ptr_array_index(t->views, i);

		g_string_append(path, i ? " › " : " ");
		v->ops->title(v, path);
	}
	text_make_shown(path, 0);
	if (view->ops->status)
		view->ops->status(view, status);
	text_make_shown(status, 0);
	width = text_columns(status->str, status->len);
	needs = text_columns(path->str, path->len);
	if (width + 12 > columns || (needs + width + 3 > columns && columns < needs + 12))
		width = 0; /* the present position is more important */
	columns -= MIN(columns, width ? width + 2 : 0);
	if (needs > columns)
		pen_text(&pen, INK_TITLE, "…");
	pen_text(&pen, INK_TITLE, needs > columns ? path_end(path->str, columns) : path->str);
	if (width) {
		pen = pen_at(t->screen, 0, screen_columns(t->screen) - width - 1);
		pen_text(&pen, INK_HEADING, status->str);
	}
}

static bool fits(const struct pen *pen, const GString *key, const char *brief, bool last)
{
	u32 needs = text_columns(key->str, key->len) + (u32)strlen(brief) + (pen->at > 1 ? 3 : 1);

	/* Keep room for "? all keys", which is always shown. */
	return (u32)pen->at + needs + (last ? 0 : 12) <= pen->to;
}

static void draw_brief(struct pen *pen, const struct tui_key *k)
{
	g_autoptr(GString) name = g_string_new(NULL);

	if (!k->brief)
		return;
	key_append_name(k->key, name);
	if (k->last) {
		g_string_append_c(name, '-');
		key_append_name(k->last, name);
	}
	if (!fits(pen, name, k->brief, k->key == '?'))
		return;
	pen_text(pen, INK_PLAIN, pen->at > 1 ? "  " : "");
	pen_text(pen, INK_NAME, name->str);
	pen_printf(pen, INK_PLAIN, " %s", k->brief);
}

void tui_draw_words(struct screen *screen, u32 top, enum ink ink, char *const *lines)
{
	for (u32 i = 0; lines[i]; i++) {
		struct pen pen = pen_at(screen, top + i, 0);

		pen_printf(&pen, ink, " %s", lines[i]);
		pen_end(&pen);
	}
}

#define MESSAGE_ROWS 3 /* a long message covers the view's last rows, until the next key */

static void draw_message(struct tui *t)
{
	u32 rows = screen_rows(t->screen), columns = screen_columns(t->screen);
	g_auto(GStrv) lines = text_wrapped(t->message->str, columns - MIN(columns, 2),
					   CLAMP(rows, 1, MESSAGE_ROWS));

	tui_draw_words(t->screen, rows - MIN(rows, g_strv_length(lines)), t->message_ink, lines);
}

static void draw_last_line(struct tui *t)
{
	struct tui_view *view = tui_top_view(t);
	u32 row = screen_rows(t->screen) - 1;
	struct pen pen = pen_at(t->screen, row, 0);

	pen_text(&pen, INK_PLAIN, " ");
	if (t->message->len) {
		draw_message(t);
		return;
	}
	for (u32 i = 0; view->ops->keys[i]; i++)
		for (const struct tui_key *k = view->ops->keys[i]; k->act; k++)
			draw_brief(&pen, k);
	for (const struct tui_key *k = t->keys; k->act; k++)
		if (k->key != KEY_ESC || t->views->len > 1)
			draw_brief(&pen, k);
}

/* Draws the topmost view with title and last line. */
static void tui_draw(struct tui *t)
{
	struct tui_view *view = tui_top_view(t);
	u32 rows = screen_rows(t->screen);

	screen_clear(t->screen);
	if (!view || !rows)
		return;
	if (rows > 2)
		view->ops->draw(view, t->screen, 1, rows - 1);
	if (rows > 1)
		draw_title(t);
	draw_last_line(t);
}

#define TICK_MS 250

static void refresh_all(struct tui *t)
{
	for (u32 i = 0; i < t->views->len; i++) {
		struct tui_view *view = g_ptr_array_index(t->views, i);

		if (view->ops->refresh)
			view->ops->refresh(view, t);
	}
}

/* Waits for the next input. INPUT_NONE: another event needs a redraw. */
static struct screen_input wait_for_input(struct tui *t, bool asks)
{
	const struct tui_clock *c = t->clock;
	struct screen_input in;

	if (!c)
		return screen_wait(t->screen, -1);
	for (;;) {
		c->wait(c->arg, true);
		in = screen_wait(t->screen, TICK_MS);
		c->wait(c->arg, false);
		if (c->ended(c->arg))
			return (struct screen_input){ INPUT_END };
		if (!asks && c->due(c->arg)) {
			refresh_all(t);
			return in;
		}
		if (in.kind != INPUT_NONE)
			return in;
	}
}

struct screen_input tui_input(struct tui *t, tui_overlay_fn *overlay, void *arg)
{
	struct screen_input in;

	do {
		tui_draw(t);
		if (overlay)
			overlay(t, arg);
		screen_show(t->screen);
		in = wait_for_input(t, overlay);
	} while (in.kind == INPUT_REDRAW || in.kind == INPUT_NONE);
	if (in.kind == INPUT_END)
		t->quits = true;
	return in;
}

bool tui_busy(struct tui *t, const char *what, u64 done, u64 total)
{
	struct pen pen;

	/* Keep the last drawing above it: a view may be just drawing itself. */
	if (screen_rows(t->screen)) {
		pen = pen_at(t->screen, screen_rows(t->screen) - 1, 0);
		pen_printf(&pen, INK_MESSAGE, " %s", what);
		if (total)
			pen_printf(&pen, INK_MESSAGE, " %3.0f%%", percent_of(done, total));
		pen_text(&pen, INK_PLAIN, "   ^C: stop");
		pen_end(&pen);
	}
	screen_show(t->screen);
	return !screen_interrupted(t->screen);
}
