// SPDX-License-Identifier: GPL-2.0-or-later
/* A view of the report. It shows an answer of the explorer, and asks again if the question changes. */
#include "view/tui/report_private.h"

/* The page @at of the answer to @q, or its last page. NULL with @error: there is none, or the user stopped it. */
static struct page *ask(struct report_shared *shared, const struct explorer_question *q, u32 at,
			struct explorer_answer **answer, GError **error)
{
	struct explorer_answer *a = *answer = explorer_ask(shared->explorer, q, error);
	struct pages *pages = a ? explorer_pages(a) : NULL;
	struct page *page = NULL;

	if (a && !pages->nr)
		error_set(error, PERF_ERROR_ABSENT, "there are no samples");
	else if (a && !(page = pages->ops->open(pages, MIN(at, pages->nr - 1))))
		error_set(error, PERF_ERROR_STOPPED, "stopped");
	if (!page)
		explorer_answer_free(a);
	return page;
}

struct report_view *report_view_new(struct report_shared *shared, struct explorer_question *q,
				    char *name, u32 at, GError **error)
{
	struct explorer_answer *a;
	struct page *page = ask(shared, q, at, &a, error);
	struct report_view *v;

	if (!page) {
		explorer_question_release(q);
		g_free(name);
		return NULL;
	}
	v = g_new0(struct report_view, 1);
	v->shared = shared;
	v->q = *q;
	v->answer = a;
	v->at = MIN(at, explorer_pages(a)->nr - 1);
	v->title = name;
	v->status = explorer_status(a, v->at);
	v->panel = g_string_new(NULL);
	rows_view_init(&v->rows, shared->ops, shared->rows_ops, page);
	v->rows.sorted = explorer_sorted_column(a, page);
	v->rows.can_sort = true;
	v->rows.no_bars = shared->parts; /* they have a column of their own */
	if (q->tree)
		rows_view_unfold(&v->rows);
	return v;
}

void report_push(struct report_view *from, struct explorer_question *q, const char *name)
{
	g_autoptr(GError) error = NULL;
	struct report_view *v = report_view_new(from->shared, q, g_strdup(name), from->at, &error);

	if (!v) {
		tui_warn(from->shared->tui, "%s", error->message);
		return;
	}
	v->rows.no_titles = from->rows.no_titles;
	tui_push(from->shared->tui, &v->rows.view);
	if (!visible_nr(v->rows.visible))
		tui_warn(from->shared->tui, "no sample is left: ESC comes back");
}

void report_push_term(struct report_view *from, struct term *term)
{
	g_autofree char *name = g_strdup(term->text);
	struct explorer_question q;

	if (explorer_question_has(&from->q, term)) {
		tui_say(from->shared->tui, "this view has only samples of %s", name);
		term_release(term);
		return;
	}
	explorer_question_copy(&q, &from->q);
	explorer_question_add(&q, term);
	report_push(from, &q, name);
}

bool report_follow(struct report_view *v, struct explorer_question *q, GError **error)
{
	struct explorer_answer *a;
	struct page *page = ask(v->shared, q, v->at, &a, error);

	if (!page) {
		explorer_question_release(q);
		return false;
	}
	rows_view_replace(&v->rows, page);
	explorer_answer_free(v->answer);
	explorer_question_release(&v->q);
	v->answer = a;
	v->q = *q;
	v->at = MIN(v->at, explorer_pages(a)->nr - 1);
	v->rows.sorted = explorer_sorted_column(a, page);
	v->status = explorer_status(a, v->at);
	v->has_panel = false;
	return true;
}

bool report_ask_again(struct report_view *v, struct explorer_question *q)
{
	g_autoptr(GError) error = NULL;
	bool ok = report_follow(v, q, &error);

	if (!ok)
		tui_warn(v->shared->tui, "%s", error->message);
	return ok;
}

bool report_term(struct report_view *v, const char *field, struct term *out)
{
	return explorer_term_of(v->answer, v->rows.page, rows_view_entry(&v->rows), field, out);
}

bool report_zoom(struct report_view *v, const char *const *fields)
{
	struct term term;

	for (u32 i = 0; fields[i]; i++) {
		if (!report_term(v, fields[i], &term))
			continue;
		report_push_term(v, &term);
		return true;
	}
	return false;
}

void report_add_action(GArray *actions, char *text, const char *hint, report_act_fn *act,
		       const char *field, const char *sort)
{
	const struct report_action action = { text,  hint, hint ? (u32)*hint : 0, act, -1,
					      field, sort };

	g_array_append_val(actions, action);
}

void report_add_side_action(GArray *actions, char *text, const char *hint, report_act_fn *act,
			    u32 side)
{
	const struct report_action action = { text, hint, hint ? (u32)*hint : 0, act, (s32)side };

	g_array_append_val(actions, action);
}

void report_view_free(struct report_view *v)
{
	rows_view_release(&v->rows);
	explorer_answer_free(v->answer);
	explorer_question_release(&v->q);
	g_string_free(v->panel, TRUE);
	g_free(v->title);
	g_free(v);
}
