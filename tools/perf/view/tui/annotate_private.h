/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the browsers of annotate.h share: what they ask, how it looks, and how one opens another. */
#ifndef VIEW_TUI_ANNOTATE_PRIVATE_H
#define VIEW_TUI_ANNOTATE_PRIVATE_H

#include "pages/about.h"
#include "view/tui/annotate.h"
#include "view/tui/rows_view.h"

/*
 * Pushes a view about @about; NULL: about what a->pattern and a->field ask for. @owns: the view frees
 * @a. False, with the reason in the last line, where there is nothing to show.
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
	OPEN_WHY_OF_DATA, /* of the instructions that touch a type or field, the hottest first */
	OPEN_NR,
};

struct tui_annotate {
	annotate_open_fn *const *open; /* by annotate_what: one view opens another by it */
	struct annotator *annotator;
	struct tui_annotate_look look;
	char *key;	       /* look.key */
	char *pattern, *field; /* that it was opened with; pages refer to them */
	/* Of code. */
	bool source, types, arrows, simple, full_addresses, line_numbers, jump_counts;
	u32 offset_level; /* which instructions have their offset: 0 to CODE_OFFSET_LEVELS - 1 */
};

/* The first member of each view here. */
struct annotate_view {
	struct rows_view rows;
	struct tui_annotate *a;
	bool owns; /* a is freed with it */
	struct pages *pages;
};

static inline struct annotate_view *annotate_view_of(struct tui_view *view)
{
	return container_of(container_of(view, struct rows_view, view), struct annotate_view, rows);
}

/* Frees what it has; to be called last. */
void annotate_view_release(struct annotate_view *v);

/* Of another annotator, which becomes its own, with the look of @a. */
struct tui_annotate *annotate_beside(const struct tui_annotate *a, struct annotator *annotator);

/* What the row under the cursor is about; false: nothing. */
bool annotate_view_about(const struct annotate_view *v, struct about *out);

/* A menu of what can be asked about the row under the cursor: key m. */
void annotate_menu(struct tui_view *view, struct tui *tui, u32 key);
/* The same for what @about says. */
void annotate_menu_of(struct annotate_view *v, struct tui *tui, const struct about *about);

/* Keys that all of these views have: W why, A by whom, m. */
extern const struct tui_key annotate_keys[];

annotate_open_fn annotate_open_types, annotate_open_layout, annotate_open_field,
	annotate_open_users, annotate_open_code, annotate_open_why, annotate_open_why_of_data;

static inline bool annotate_open(struct tui *tui, struct tui_annotate *a, enum annotate_what what,
				 const struct about *about)
{
	return a->open[what](tui, a, false, about);
}

/*
 * What @about says is touched, else what @a->field says. Pages of the annotator are of the type of @about
 * until annotator_look()->type is NULL again.
 */
struct touch_pages_options annotate_touch(struct tui_annotate *a, enum touches_by by,
					  const struct about *about);

/* Says why there are no touches; false. */
bool annotate_say_nothing(struct tui *tui, const struct tui_annotate *a, const struct about *about,
			  const GError *error);

/*
 * From now on @tui says how far reading is, as it does for other views of the same session. ^C leaves
 * it, and the question then fails with an error.
 */
void annotate_will_read(struct tui *tui, struct tui_annotate *a);

/* Another form of values: percent, period, samples; what shares are of. */
void annotate_next_values(struct tui_annotate *a, struct tui *tui);

/* A value of @part in @columns columns, coloured; blank where it is nothing and @blank. */
void annotate_draw_value(const struct tui_annotate *a, struct rows *rows, struct row row,
			 u32 column, u32 part, u32 columns, bool blank, struct pen *pen);
u32 annotate_value_width(const struct tui_annotate *a);
const char *annotate_value_title(const struct tui_annotate *a);

/* The number of a page's fact; 0: it has none. */
u64 annotate_fact(const struct page *page, const char *name);

#endif
