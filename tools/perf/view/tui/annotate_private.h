/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the browsers of annotate.h: their queries, their look, and how one opens another. */
#ifndef VIEW_TUI_ANNOTATE_PRIVATE_H
#define VIEW_TUI_ANNOTATE_PRIVATE_H

#include "pages/base/about.h"
#include "view/tui/annotate.h"
#include "view/tui/rows_view.h"

/*
 * Pushes a view about @about; NULL: about a->pattern and a->field. @owns: the view frees @a. False, with the reason
 * in the last line, if there is nothing to show.
 */
typedef bool annotate_open_fn(struct tui *tui, struct tui_annotate *a, bool owns,
			      const struct about *about);

enum annotate_what {
	OPEN_TYPES,
	OPEN_LAYOUT,
	OPEN_FIELD,
	OPEN_USERS,
	OPEN_CODE,
	OPEN_WHY,
	OPEN_WHY_OF_DATA, /* the instructions that touch a type or field, the hottest first */
	OPEN_ADVICE,	  /* other layouts of a type */
	OPEN_NR,
};

struct tui_annotate {
	annotate_open_fn *const
		*open; /* by annotate_what: functions with which one view opens another */
	struct annotator *annotator;
	struct tui_annotate_look look;
	char *key;	       /* look.key */
	char *whose;	       /* name of the samples, for the path: "span cancel"; NULL: all */
	char *pattern, *field; /* that it was opened with; pages refer to them */
	/* Of code. */
	bool source, types, arrows, simple, full_addresses, line_numbers, jump_counts, sampled;
	u32 offset_level; /* level of instructions with offsets: 0 to CODE_OFFSET_LEVELS - 1 */
};

/* The first member of each view in these files. */
struct annotate_view {
	struct rows_view rows;
	struct tui_annotate *a;
	bool owns;  /* a is freed with it */
	bool first; /* it was opened with a: its name in the path begins with a->whose */
	struct pages *pages;
};

static inline struct annotate_view *annotate_view_of(struct tui_view *view)
{
	return container_of(container_of(view, struct rows_view, view), struct annotate_view, rows);
}

/* Frees its parts; call it last. */
void annotate_view_release(struct annotate_view *v);

/* A view of another annotator, which it owns, with the look of @a. */
struct tui_annotate *annotate_beside(const struct tui_annotate *a, struct annotator *annotator);

/* Appends "span cancel › ", if the view is the first one of these samples. */
void annotate_view_title(const struct annotate_view *v, GString *out);

/* For struct tui_view_ops: where samples land, as it was measured, when the first view of these samples is shown. */
void annotate_view_shown(struct tui_view *view, struct tui *tui);

/* The subject of the row under the cursor; false: none. */
bool annotate_view_about(const struct annotate_view *v, struct about *out);

/* The menu of actions for what @about says. */
void annotate_menu_of(struct annotate_view *v, struct tui *tui, const struct about *about);

/* Keys of all these views but why: W why, A by whom, m. */
extern const struct tui_key annotate_keys[];
/* Keys of all these views: q goes back, as in upstream perf. */
extern const struct tui_key annotate_back_keys[];

annotate_open_fn annotate_open_types, annotate_open_layout, annotate_open_field,
	annotate_open_users, annotate_open_code, annotate_open_why, annotate_open_why_of_data,
	annotate_open_advice;

static inline bool annotate_open(struct tui *tui, struct tui_annotate *a, enum annotate_what what,
				 const struct about *about)
{
	return a->open[what](tui, a, false, about);
}

/*
 * The touched type or field: that of @about, else @a->field. The annotator's pages are limited to the type of @about
 * until annotator_look()->type is NULL again.
 */
struct touch_pages_options annotate_touch(struct tui_annotate *a, enum touches_by by,
					  const struct about *about);

/* Shows why there are no touches; returns false. */
bool annotate_say_nothing(struct tui *tui, const struct tui_annotate *a, const struct about *about,
			  const GError *error);

/*
 * From now on, @tui shows the progress of reading, also for other views of the same session. ^C stops the reading,
 * and the query fails with an error.
 */
void annotate_will_read(struct tui *tui, struct tui_annotate *a);

/* Changes the form of values (percent, period, samples) and the base of shares. */
void annotate_next_values(struct tui_annotate *a, struct tui *tui);

/* Draws a value of @part in @columns columns, coloured; blank if it is 0 and @blank. */
void annotate_draw_value(const struct tui_annotate *a, struct rows *rows, struct row row,
			 u32 column, u32 part, u32 columns, bool blank, struct pen *pen);
u32 annotate_value_width(const struct tui_annotate *a);
const char *annotate_value_title(const struct tui_annotate *a);

/* The number of a page's fact; 0: none. */
u64 annotate_fact(const struct page *page, const char *name);

#endif
