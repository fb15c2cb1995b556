// SPDX-License-Identifier: GPL-2.0-or-later
/* The menu for a row of the report: its types, its code, or a part of the samples. */
#include <string.h>

#include "view/tui/report_private.h"

/* Fields for zooming, in the order of the menu. */
static const char *const zooms[] = {
	"span", "activity", "trace_id", "type",	   "typeoff",	 "symbol",    "dso",
	"comm", "pid",	    "tid",	"state",   "syscall",	 "wchan",     "file",
	"conn", "waker",    "lock",	"owner",   "owner_span", "tls_state", "service",
	"host", "cpu",	    "socket",	"srcline", "context",
};

static const char *hint_of(const char *field)
{
	return !strcmp(field, "dso") ? "d" : !strcmp(field, "tid") ? "t" : NULL;
}

/* "file -": the thread waits for no file. */
static bool says_nothing(const struct term *term)
{
	return g_str_has_suffix(term->text, " -");
}

static void add_zooms(struct report_view *v, GArray *actions)
{
	struct term term;

	if (v->q.tree &&
	    explorer_path_of(v->answer, v->rows.page, rows_view_entry(&v->rows), &term)) {
		report_add_action(actions,
				  g_strdup_printf("Only %s and what is below it", term.text), "z",
				  NULL, "", NULL);
		term_release(&term);
	}
	for (u32 i = 0; i < G_N_ELEMENTS(zooms); i++) {
		if ((v->q.tree && i < 2) || !report_term(v, zooms[i], &term))
			continue;
		if (!says_nothing(&term))
			report_add_action(actions, g_strdup_printf("Only %s", term.text),
					  hint_of(zooms[i]), NULL, zooms[i], NULL);
		term_release(&term);
	}
}

/* Adds other keys for the same samples: who accesses this type, and where in the code. */
static void add_others(struct report_view *v, GArray *actions)
{
	static const struct {
		const char *field, *words, *sort;
		bool waits; /* only if the samples are of waits */
	} others[] = {
		{ "symbol", "Who needs %s: spans and threads", "span,tid", false },
		{ "span", "All that %s does: types and functions", "type,sym", false },
		{ "span", "Waits of %s: states and system calls", "state,syscall", true },
		{ "comm", "Waits of %s: states and system calls", "state,syscall", true },
		{ "state", "What %s waits for: locks, files, connections", "syscall,file,conn",
		  true },
		{ "file", "Who waits for %s: threads", "comm,tid,syscall", true },
	};
	bool waits = report_has_waits(v);
	struct term term;

	for (u32 i = 0; i < G_N_ELEMENTS(others); i++) {
		if ((others[i].waits && !waits) || !report_term(v, others[i].field, &term))
			continue;
		if (*term.text != '(' && !says_nothing(&term))
			report_add_action(actions, g_strdup_printf(others[i].words, term.text),
					  NULL, NULL, others[i].field, others[i].sort);
		term_release(&term);
	}
}

static void zoom(struct report_view *v, const struct report_action *action)
{
	struct explorer_question q;
	struct term term;
	g_autofree char *name = NULL;
	bool known = *action->field ? report_term(v, action->field, &term)
				    : explorer_path_of(v->answer, v->rows.page,
						       rows_view_entry(&v->rows), &term);

	if (!known)
		return;
	if (!action->sort) {
		report_push_term(v, &term);
		return;
	}
	name = g_strdup_printf("%s by %s", term.text, action->sort);
	explorer_question_copy(&q, &v->q);
	explorer_question_add(&q, &term);
	explorer_question_set_sort(&q, action->sort);
	q.tree = false;
	report_push(v, &q, name);
}

static void do_action(struct report_view *v, struct tui *tui, const struct report_action *action)
{
	if (action->side >= 0)
		report_on_side(v, (u32)action->side, action->key, action->act);
	else if (action->act)
		action->act(&v->rows.view, tui, action->key);
	else
		zoom(v, action);
}

static void action_clear(void *p)
{
	g_free(((struct report_action *)p)->text);
}

void report_zoom_row(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct report_action));

	g_array_set_clear_func(actions, action_clear);
	add_zooms(v, actions);
	if (actions->len)
		zoom(v, &g_array_index(actions, struct report_action, 0));
	else
		tui_say(tui, "nothing to zoom into");
}

/* "cancel · struct order +0x8 · handle_cancel" */
static char *row_title(struct report_view *v)
{
	struct rows *rows = v->rows.page->rows;
	struct row row = rows_view_entry(&v->rows);
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column c;
		const char *cell;

		rows->ops->column(rows, i, &c);
		if (c.value || (rows->nr_levels > 1 && c.level != row.level))
			continue;
		cell = rows_view_text(&v->rows, row, i, 0);
		if (*cell)
			g_string_append_printf(text, "%s%s", text->len ? " · " : "", cell);
	}
	return g_string_free(text, FALSE);
}

void report_menu(struct rows_view *rows, struct tui *tui)
{
	struct report_view *v = report_view_of(&rows->view);
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct report_action));
	g_autofree struct tui_choice *choices = NULL;
	g_autofree char *name = row_title(v);
	s32 chosen;

	g_array_set_clear_func(actions, action_clear);
	if (report_is_compared(v)) {
		report_add_side_actions(v, actions);
	} else {
		report_add_data_actions(v, actions);
		add_others(v, actions);
	}
	add_zooms(v, actions);
	choices = g_new0(struct tui_choice, actions->len + 1);
	for (u32 i = 0; i < actions->len; i++) {
		const struct report_action *a = &g_array_index(actions, struct report_action, i);

		choices[i] = (struct tui_choice){ a->text, a->hint, a->key };
	}
	chosen = tui_choose(tui, name, choices, actions->len, 0);
	if (chosen < 0)
		return;
	do_action(v, tui, &g_array_index(actions, struct report_action, chosen));
}
