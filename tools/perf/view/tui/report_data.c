// SPDX-License-Identifier: GPL-2.0-or-later
/* From a row of the report to types, fields and code. */
#include <string.h>

#include "view/tui/report_private.h"

/* What the row's samples have in common, as further terms. */
static void add_row(struct report_view *v, struct explorer_question *q)
{
	g_autoptr(GPtrArray) names = explorer_keys(v->answer);
	struct explorer_term term;

	if (v->q.tree &&
	    explorer_path_of(v->answer, v->rows.page, rows_view_entry(&v->rows), &term))
		explorer_question_add(q, &term);
	for (u32 i = 0; i < names->len; i++)
		if (report_term(v, names->pdata[i], &term))
			explorer_question_add(q, &term);
}

static void push_keys(struct report_view *v, const char *sort, const char *name)
{
	struct explorer_question q;

	explorer_question_copy(&q, &v->q);
	add_row(v, &q);
	q.tree = false;
	explorer_question_set_sort(&q, sort);
	report_push(v, &q, name);
}

void report_types(struct tui_view *view, struct tui *tui, u32 key)
{
	push_keys(report_view_of(view), "type", "types");
}

void report_code(struct tui_view *view, struct tui *tui, u32 key)
{
	push_keys(report_view_of(view), "sym,srcline", "lines");
}

void report_add_data_actions(struct report_view *v, GArray *actions)
{
	report_add_action(actions, g_strdup("Types that its samples touched"), "T", report_types,
			  "", NULL);
}
