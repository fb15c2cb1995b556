// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/tui.h"

#include <string.h>

#include "base/text.h"
#include "view/tui/private.h"

static void help(struct tui_view *view, struct tui *tui, u32 key);

static void up(struct tui_view *view, struct tui *tui, u32 key)
{
	tui_pop(tui);
}

static void quit(struct tui_view *view, struct tui *tui, u32 key)
{
	tui_quit(tui);
}

static void repaint(struct tui_view *view, struct tui *tui, u32 key)
{
	screen_repaint(tui->screen);
}

/* Keys of all views. They come after the view's own. */
static const struct tui_key frame_keys[] = {
	{ KEY_ESC, 0, "back", "back to the view before; leaves from the first one", up },
	{ 'q', 0, NULL, "leave", quit },
	{ KEY_CTRL('C'), 0, NULL, NULL, quit },
	{ '?', 0, "all keys", "this list", help },
	{ 'h', 0, NULL, NULL, help },
	{ KEY_F1, 0, NULL, NULL, help },
	{ KEY_CTRL('L'), 0, NULL, "redraw the screen", repaint },
	{ 0 },
};

static void view_free(void *p)
{
	struct tui_view *view = p;

	view->ops->free(view);
}

struct tui *tui_new(struct screen *screen)
{
	struct tui *t = g_new0(struct tui, 1);

	t->screen = screen;
	t->keys = frame_keys;
	t->views = g_ptr_array_new();
	t->message = g_string_new(NULL);
	return t;
}

void tui_set_clock(struct tui *t, const struct tui_clock *clock)
{
	t->clock = clock;
}

/* Frees views from the top, newest first: a view may use data of those below it. */
static void drop_to(struct tui *t, u32 nr)
{
	while (t->views->len > nr)
		view_free(g_ptr_array_remove_index(t->views, t->views->len - 1));
}

void tui_free(struct tui *t)
{
	if (!t)
		return;
	drop_to(t, 0);
	g_ptr_array_unref(t->views);
	g_string_free(t->message, TRUE);
	g_free(t);
}

void tui_push(struct tui *t, struct tui_view *view)
{
	g_ptr_array_add(t->views, view);
	t->fresh = true;
}

void tui_pop(struct tui *t)
{
	t->nr_pops++;
}

void tui_quit(struct tui *t)
{
	t->quits = true;
}

u32 tui_depth(const struct tui *t)
{
	return t->views->len ? t->views->len - 1 : 0;
}

struct screen *tui_screen(struct tui *t)
{
	return t->screen;
}

static bool has_key(const struct tui_key *k, u32 key)
{
	return k->last ? key >= k->key && key <= k->last : key == k->key;
}

const struct tui_key *tui_find_key(const struct tui_view *view, u32 key)
{
	for (u32 i = 0; view->ops->keys[i]; i++)
		for (const struct tui_key *k = view->ops->keys[i]; k->act; k++)
			if (has_key(k, key))
				return k;
	for (const struct tui_key *k = frame_keys; k->act; k++)
		if (has_key(k, key))
			return k;
	return NULL;
}

/* Shows a hint about what is not obvious, once there is a view. */
static void say_hello(struct tui *t)
{
	struct tui_view *view = tui_top_view(t);

	if (!t->fresh)
		return;
	t->fresh = false;
	if (view->ops->shown)
		view->ops->shown(view, t);
}

static void take_key(struct tui *t, u32 key)
{
	struct tui_view *view = tui_top_view(t);
	const struct tui_key *k = tui_find_key(view, key);

	g_string_truncate(t->message, 0);
	if (k)
		k->act(view, t, key);
	else if (key != KEY_UNKNOWN)
		tui_say(t, "this key does nothing here: ? lists those that do");
}

void tui_run(struct tui *t)
{
	while (t->views->len && !t->quits) {
		struct screen_input in;

		say_hello(t);
		in = tui_input(t, NULL, NULL);
		if (in.kind != INPUT_KEY)
			break;
		take_key(t, in.key);
		if (!t->nr_pops)
			continue;
		drop_to(t, t->views->len - MIN(t->views->len, t->nr_pops));
		t->nr_pops = 0;
	}
}

#define HELP_NAMES 17 /* columns of key names, before their description */

/* Appends @words in lines of at most @columns. Further lines are below the first. */
static void append_wrapped(GString *out, const char *words, u32 columns)
{
	g_auto(GStrv) lines = text_wrapped(words, columns, UINT32_MAX);

	for (u32 i = 0; lines[i]; i++)
		g_string_append_printf(out, "%*s%s\n", i ? HELP_NAMES + 2 : 0, "", lines[i]);
}

/*
 * Help: a line per action, with all its keys: "Up, PgUp   what it does". A key that an earlier table has is left out.
 */
static void append_keys(GString *out, const struct tui_view *view, const struct tui_key *keys,
			u32 columns)
{
	for (const struct tui_key *k = keys; k->act;) {
		g_autoptr(GString) name = g_string_new(NULL);
		const char *words = k->help;

		do {
			const struct tui_key *first = tui_find_key(view, k->key);

			if (first && first != k)
				continue;
			g_string_append(name, name->len ? ", " : "");
			key_append_name(k->key, name);
			if (k->last) {
				g_string_append_c(name, '-');
				key_append_name(k->last, name);
			}
		} while ((++k)->act && !k->help);
		if (!name->len)
			continue;
		g_string_append_printf(out, "%-*s  ", HELP_NAMES, name->str);
		append_wrapped(out, words, columns);
	}
}

/* All keys of the view on top. */
static void help(struct tui_view *view, struct tui *t, u32 key)
{
	g_autoptr(GString) text = g_string_new(NULL);
	u32 columns = screen_columns(t->screen), edge = 4 + HELP_NAMES + 2;

	columns -= MIN(columns, edge);
	for (u32 i = 0; view->ops->keys[i]; i++)
		append_keys(text, view, view->ops->keys[i], columns);
	append_keys(text, view, frame_keys, columns);
	tui_read(t, "Keys", text->str, true);
}
