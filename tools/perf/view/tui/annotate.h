/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browsers of annotated types and code: from a type to its fields, to the instructions that touch
 * one, to their code, to how the type is known; each opens the next one from the row under its
 * cursor, and ESC comes back.
 *
 *	types	a list of types with shares	Enter -> layout
 *	layout	a type as it lies in memory	Enter -> field
 *	field	the instructions that touch it	Enter -> code, there
 *	users	who touches it, by a key	Enter -> layout, of those samples alone
 *	code	a function's instructions	Enter -> where a jump or a call goes
 *	why	how a type is known, by steps	Enter -> code, there
 *	advice	other layouts of a type		Enter -> field
 *
 * All answers come from an annotator (pages/code/annotator.h).
 */
#ifndef VIEW_TUI_ANNOTATE_H
#define VIEW_TUI_ANNOTATE_H

#include "pages/code/annotator.h"
#include "view/tui/tui.h"
#include "view/view.h"

/*
 * The initial look of code and values; keys change it for all views that were opened from one another.
 */
struct tui_annotate_look {
	enum view_values values;
	bool no_source, raw_bytes, no_types;
	bool sampled;	 /* with a column of the samples that name each instruction */
	const char *key; /* key of A (who touches it); NULL: "span" */
};

struct tui_annotate;

/* @annotator is its own from here on. */
struct tui_annotate *tui_annotate_new(struct annotator *annotator,
				      const struct tui_annotate_look *look);
void tui_annotate_free(struct tui_annotate *a);
/* The path names the samples: "span cancel"; NULL: all. */
void tui_annotate_name(struct tui_annotate *a, const char *whose);

/*
 * Each pushes a view, which owns @a. If there is nothing to show, the last line says why, @a is freed, and false is
 * returned.
 *
 * @type: a type's name as in rows ("struct order"), NULL: all. @field: in the form of --field ("id_next", "+0x8"),
 * NULL: the whole type.
 */
bool tui_open_types(struct tui *tui, struct tui_annotate *a);
bool tui_open_layout(struct tui *tui, struct tui_annotate *a, const char *type);
bool tui_open_field(struct tui *tui, struct tui_annotate *a, const char *type, const char *field);
bool tui_open_users(struct tui *tui, struct tui_annotate *a, const char *type, const char *field);
/* @symbol NULL: the function with the most samples. @vaddr 0: its hottest instruction. */
bool tui_open_code(struct tui *tui, struct tui_annotate *a, struct dso *dso,
		   const struct symbol *symbol, u64 vaddr);
/* For the instructions that touch it, starting with the hottest one. */
bool tui_open_why_of_data(struct tui *tui, struct tui_annotate *a, const char *type,
			  const char *field);

#endif
