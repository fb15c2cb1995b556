/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of the terminal views: a stack of views, one screen, one loop of keys.
 *
 *	 all samples › span cancel › struct order      1202 samples		path; the view's status
 *	 Overhead▼ Type            Field					the view draws these...
 *	▸  18.01%  struct order    +0x8  id_next
 *	 Enter what can be done  a code  ? all keys				keys, message or prompt
 *
 * A new view is
 *
 *  1. a struct with a struct tui_view as its first member, and a const struct tui_view_ops;
 *  2. one or more tables of struct tui_key: each key with its words and its function. The last line,
 *     the help (h, ?, F1) and what a key does come from these tables and from nowhere else;
 *  3. a function X_view_new() that returns it, to be given to tui_push().
 *
 * Most views are rows under a cursor: these build on rows_view.h and write only what differs. A
 * view gets pages and rows (pages/base/page.h), draws those it shows, and asks a provider for further
 * ones; it holds no fact of its own. What a key starts may ask (tui_ask(), tui_choose()), show a
 * text (tui_read()) or push a view; the frame draws again when it returns.
 *
 * Tests give keys and compare screens: tests/screens/.
 */
#ifndef VIEW_TUI_H
#define VIEW_TUI_H

#include <glib.h>

#include "base/types.h"
#include "term/keys.h"
#include "term/screen.h"

struct tui;
struct tui_view;

struct tui_key {
	u32 key;
	u32 last;	   /* last key of a range; 0: one key */
	const char *brief; /* for the last line: "types"; NULL: only in the help */
	const char *help;  /* NULL: same as the entry above */
	void (*act)(struct tui_view *view, struct tui *tui, u32 key);
};

struct tui_view_ops {
	const char *name; /* of the kind of view: "report" */
	/*
	 * Tables of keys, each ending with an act of NULL; the first match counts. Ends with NULL.
	 */
	const struct tui_key *const *keys;
	/* Its name in the path: "span cancel". */
	void (*title)(const struct tui_view *view, GString *out);
	/* Text right of the path: "1202 samples"; may be NULL. */
	void (*status)(const struct tui_view *view, GString *out);
	/* Draws rows @top to @bottom (exclusive), which are blank. */
	void (*draw)(struct tui_view *view, struct screen *screen, u32 top, u32 bottom);
	/* It is on top (again): shows a hint in the last line; may be NULL. */
	void (*shown)(struct tui_view *view, struct tui *tui);
	void (*free)(struct tui_view *view);
	/* Its data may have changed (struct tui_clock); may be NULL. */
	void (*refresh)(struct tui_view *view, struct tui *tui);
};

struct tui_view {
	const struct tui_view_ops *ops;
};

/* @screen belongs to the caller and must outlive it. */
struct tui *tui_new(struct screen *screen);
/* With all views. */
void tui_free(struct tui *tui);

/* For changing data. All functions are called on the thread of tui_run(). */
struct tui_clock {
	/*
	 * Called before and after waiting for a key: meanwhile other threads may change the data.
	 */
	void (*wait)(void *arg, bool begins);
	/* Called several times a second while no dialog is open; true: refresh the views. */
	bool (*due)(void *arg);
	/* Called in the same way, also during dialogs; true: tui_run() ends. */
	bool (*ended)(void *arg);
	void *arg;
};

/* Call it before tui_run(); @clock must outlive the frame. */
void tui_set_clock(struct tui *tui, const struct tui_clock *clock);

/* Runs until the user leaves. */
void tui_run(struct tui *tui);

/* Pushes @view; the frame owns it. */
void tui_push(struct tui *tui, struct tui_view *view);
/*
 * Leaves the topmost view after the present function has returned; leaving the last view ends tui_run().
 */
void tui_pop(struct tui *tui);
void tui_quit(struct tui *tui);

/* Views below the one on top. */
u32 tui_depth(const struct tui *tui);
struct screen *tui_screen(struct tui *tui);

/* Shows a message in the last line, or last lines, until the next key. */
void tui_say(struct tui *tui, const char *format, ...) G_GNUC_PRINTF(2, 3);
void tui_warn(struct tui *tui, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Asks for a line of text, initially @text; NULL: ESC. To be freed. */
char *tui_ask(struct tui *tui, const char *prompt, const char *text);

struct tui_choice {
	const char *text;
	const char *hint; /* the key for it in the view, shown right; may be NULL */
	u32 key;	  /* selects it, besides the first letter; 0: none */
};
/* Asks for one of @nr, with the cursor initially on @at; -1: none. */
s32 tui_choose(struct tui *tui, const char *title, const struct tui_choice *choices, u32 nr,
	       u32 at);

/* Lines to be read, in a box; @ink of names before two blanks or more, if @names. */
void tui_read(struct tui *tui, const char *title, const char *text, bool names);

/* Draws @lines (NULL-terminated, see text_wrapped()) from row @top on, each after a blank. */
void tui_draw_words(struct screen *screen, u32 top, enum ink ink, char *const *lines);

/* Shows the progress of some work; false: the user has stopped it (^C). */
bool tui_busy(struct tui *tui, const char *what, u64 done, u64 total);

/* The entry of a view's tables for @key, or NULL. */
const struct tui_key *tui_find_key(const struct tui_view *view, u32 key);

#endif
