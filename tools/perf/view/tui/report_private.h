/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the report's browser. */
#ifndef VIEW_TUI_REPORT_PRIVATE_H
#define VIEW_TUI_REPORT_PRIVATE_H

#include "view/tui/report.h"
#include "view/tui/rows_view.h"

/* The common state of all views of one run. */
struct report_shared {
	struct explorer *explorer;
	struct tui *tui;
	const struct tui_view_ops *ops; /* of each of them */
	const struct rows_view_ops *rows_ops;
	const struct tui_report_live *live;	    /* NULL: nothing changes */
	const struct tui_report_requests *requests; /* NULL: no paths */
	const struct tui_annotate_look *code;
	const struct annotate_pages_options *code_pages; /* NULL: the defaults */
	char *next;					 /* file to show after this run */
	/* Of a comparison: the same for each of its recordings (explorer_part()); NULL: it is none. */
	struct report_shared *parts;
	bool is_part; /* it is one of them */
};

struct report_view {
	struct rows_view rows;
	struct report_shared *shared;
	struct explorer_question q;
	struct explorer_answer *answer;
	u32 at; /* which of the answer's pages */
	char *title;
	struct explorer_status status;
	/* For activities: the contents of the panel, for the row with this key. */
	GString *panel;
	u64 panel_key;
	bool has_panel;
};

static inline struct report_view *report_view_of(struct tui_view *view)
{
	return container_of(container_of(view, struct rows_view, view), struct report_view, rows);
}

/* A view of the answer to @q. Takes over @q and @title; NULL with @error. */
struct report_view *report_view_new(struct report_shared *shared, struct explorer_question *q,
				    char *title, u32 at, GError **error);

/* Pushes it. If there is no answer, the last line says why. */
void report_push(struct report_view *from, struct explorer_question *q, const char *title);
/* The same with only the samples of @term, which it takes over. If there are no others already, the last line says so. */
void report_push_term(struct report_view *from, struct term *term);

/* The same view under a question that was changed; false: it stays as it was, and the last line says
 * why. */
bool report_ask_again(struct report_view *v, struct explorer_question *q);

/* The same without a message: @error is set instead, unless it is NULL. */
bool report_follow(struct report_view *v, struct explorer_question *q, GError **error);

/* The entry under the cursor as a term of @field; false: it has no such value. */
bool report_term(struct report_view *v, const char *field, struct term *out);

/* Zooms into the first of @fields, NULL-terminated, for which the row has a value. */
bool report_zoom(struct report_view *v, const char *const *fields);

/* Actions for the row: a menu, and keys for them. */
void report_menu(struct rows_view *rows, struct tui *tui);
void report_zoom_row(struct tui_view *view, struct tui *tui, u32 key);
void report_types(struct tui_view *view, struct tui *tui, u32 key);
void report_code(struct tui_view *view, struct tui *tui, u32 key);
void report_why(struct tui_view *view, struct tui *tui, u32 key);

/* An entry of the menu: acts as a key, or zooms. */
typedef void report_act_fn(struct tui_view *view, struct tui *tui, u32 key);
struct report_action {
	char *text;
	const char *hint;
	u32 key;
	report_act_fn *act; /* NULL: zooms */
	s32 side; /* of a comparison: @act is for the row in this side, NULL: shows it; -1: for the row itself */
	const char *field; /* field to zoom by; "": the span and its child spans */
	const char *sort;  /* keys to group by there; NULL: the same */
};

/* @text is taken over. */
void report_add_action(GArray *actions, char *text, const char *hint, report_act_fn *act,
		       const char *field, const char *sort);
/* The same for the row in a side of a comparison. */
void report_add_side_action(GArray *actions, char *text, const char *hint, report_act_fn *act,
			    u32 side);
/* Queries about the row's types and code. */
void report_add_data_actions(struct report_view *v, GArray *actions);

/* The row's data: "struct order +0x8 (id_next)" is a type and a field. */
struct report_touched {
	char *type;  /* "struct order" */
	char *field; /* "+0x8"; NULL: the row names no field */
};

/* False: the row names no type. */
bool report_find_touched(struct report_view *v, struct report_touched *t);
void report_touched_clear(struct report_touched *t);

/* Comparisons (report_sides.c). */
static inline bool report_is_compared(const struct report_view *v)
{
	return v->shared->parts;
}

/*
 * The row in the first recording of @side that has samples of it: @act there, or NULL: shows its rows in that recording. If
 * none has any, the last line says so.
 */
void report_on_side(struct report_view *v, u32 side, u32 key, report_act_fn *act);
/* Is the view one of a comparison? Then @act is for the row in the newest side that has it. */
bool report_on_newest(struct report_view *v, u32 key, report_act_fn *act);
extern const struct tui_key report_side_keys[];
/* Queries about the row in each of the sides. */
void report_add_side_actions(struct report_view *v, GArray *actions);
void report_side_status(const struct report_view *v, GString *out);
/* What is not the same on both sides, or that nothing is certain, until a key is pressed. */
void report_side_remark(const struct report_view *v, struct tui *tui);
enum ink report_side_ink(struct rows_view *view, const struct visible_row *row, u32 column);
/* The parts of a comparison's browser, or NULL. To be freed. */
struct report_shared *report_parts_new(const struct report_shared *shared);

/* Frees a view that was not pushed. */
void report_view_free(struct report_view *v);

/* Differences for running recordings (report_live.c). */
extern const struct tui_key report_live_keys[];
void report_live_status(const struct report_view *v, GString *out);
void report_live_refresh(struct tui_view *view, struct tui *tui);

/* Keys that change what is shown. */
extern const struct tui_key report_look_keys[];

/* Are the rows of waits (record --wall, --off-cpu)? */
bool report_has_waits(const struct report_view *v);

/* Keys that the panel below needs, so that it does not read the samples again. */
void report_want_panel(struct explorer *explorer);
/* The panel below the activities: types or states, symbols and threads of the row under the cursor. */
void report_draw_panel(struct report_view *v, struct screen *screen, u32 top, u32 bottom);

#endif
