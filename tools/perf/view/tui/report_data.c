// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the browsers of annotate.h for a row of the report: types, fields and code. They get the samples that match the
 * view's zooms and the row's keys.
 */
#include <string.h>

#include "dso/dso.h"
#include "pages/base/about.h"
#include "view/tui/annotate.h"
#include "view/tui/report_private.h"

void report_touched_clear(struct report_touched *t)
{
	g_clear_pointer(&t->type, g_free);
	g_clear_pointer(&t->field, g_free);
}

/* Finds the offset after a type's name: " +0x8 (id_next)", " +0 (id)". NULL: there is none. */
static const char *offset_in(const char *text)
{
	const char *plus = g_strrstr(text, " +0");

	return plus && strchr("x ", plus[3]) ? plus : NULL;
}

/* Text in parentheses tells why there is no type. */
bool report_find_touched(struct report_view *v, struct report_touched *t)
{
	struct term term;
	const char *plus;

	*t = (struct report_touched){ 0 };
	if (!report_term(v, "typeoff", &term) && !report_term(v, "type", &term))
		return false;
	plus = offset_in(term.text);
	if (*term.text != '(') {
		t->type = plus ? g_strndup(term.text, (gsize)(plus - term.text))
			       : g_strdup(term.text);
		t->field = plus ? g_strndup(plus + 1, strcspn(plus + 1, " ")) : NULL;
	}
	term_release(&term);
	return t->type;
}

/* Keys about the accessed data, not about who accessed it. A view of data has the accesses by all. */
static bool is_of_data(const char *key)
{
	return g_str_has_prefix(key, "type");
}

/* Takes @term over, and names it for the path, unless the path has it. */
static void add_term(struct explorer_question *q, struct term *term, GString *whose)
{
	if (explorer_question_has(q, term)) {
		term_release(term);
		return;
	}
	g_string_append_printf(whose, "%s%s", whose->len ? ", " : "", term->text);
	explorer_question_add(q, term);
}

/*
 * Makes an annotator for the row's samples. @whole: for all samples of the view that match the row's activity and
 * thread. Otherwise they must match the row's code, too.
 */
static struct tui_annotate *annotate_row(struct report_view *v, bool whole)
{
	g_autoptr(GString) whose = g_string_new(NULL);
	struct tui_annotate *a;
	static const char *const code[] = { "symbol", "dso", "srcline", "srcfile", "sym", NULL };
	const struct explorer_options *o = explorer_options(v->shared->explorer);
	g_autoptr(GPtrArray) names = explorer_keys(v->answer);
	struct annotate_pages_options look = { 0 };
	struct explorer_question q;
	struct term term;
	struct annotator *annotator;

	explorer_question_copy(&q, &v->q);
	if (v->q.tree &&
	    explorer_path_of(v->answer, v->rows.page, rows_view_entry(&v->rows), &term))
		add_term(&q, &term, whose);
	for (u32 i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];

		if (is_of_data(name) || (whole && g_strv_contains(code, name)))
			continue;
		if (fields_find(name, FIELD_NORMAL | FIELD_MEMORY, NULL) &&
		    report_term(v, name, &term))
			add_term(&q, &term, whose);
	}
	if (v->shared->code_pages)
		look = *v->shared->code_pages;
	if (v->rows.page->parts->len)
		look.event = v->rows.page->parts->pdata[0];
	look.before = o->pages.session->skid != SKID_SAMPLED;
	look.cache_line_size = o->lexicon->cache_line_size;
	annotator = annotator_new(&(struct annotator_options){
		.session = o->session,
		.lexicon = o->lexicon,
		.only = q.terms,
		.skip_empty = true,
		.look = look,
	});
	explorer_question_release(&q);
	a = tui_annotate_new(annotator, v->shared->code);
	tui_annotate_name(a, whose->len ? whose->str : NULL);
	return a;
}

void report_types(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct report_touched t;

	if (report_find_touched(v, &t))
		tui_open_layout(tui, annotate_row(v, true), t.type);
	else
		tui_open_types(tui, annotate_row(v, v->q.tree));
	report_touched_clear(&t);
}

/* Opens the list of instructions that access the row's field; without a field, the row's function. */
static void open_field(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct report_touched t;

	if (report_find_touched(v, &t))
		tui_open_field(tui, annotate_row(v, true), t.type, t.field);
	report_touched_clear(&t);
}

static void open_users(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct report_touched t;

	if (report_find_touched(v, &t))
		tui_open_users(tui, annotate_row(v, true), t.type, t.field);
	report_touched_clear(&t);
}

static bool about_row(const struct report_view *v, struct about *out)
{
	const struct page *page = v->rows.page;
	struct row row = rows_view_entry(&v->rows);

	return row.kind == ROW_ENTRY && page->about && page->about(page, row, out);
}

void report_code(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct about about;
	struct report_touched t = { 0 };

	if (about_row(v, &about))
		tui_open_code(tui, annotate_row(v, true), about.dso, about.symbol, 0);
	else if (report_find_touched(v, &t))
		tui_open_field(tui, annotate_row(v, true), t.type, t.field);
	else
		tui_open_code(tui, annotate_row(v, true), NULL, NULL, 0);
	report_touched_clear(&t);
}

/* Shows how the data type is known, for the instructions of the row, hottest first. */
void report_why(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct report_touched t;

	if (!report_find_touched(v, &t)) {
		tui_say(tui, "this row has no data type: press o for sort keys, such as type "
			     "and typeoff");
		return;
	}
	tui_open_why_of_data(tui, annotate_row(v, false), t.type, t.field);
	report_touched_clear(&t);
}

void report_add_data_actions(struct report_view *v, GArray *actions)
{
	struct about about;
	struct report_touched t;

	if (report_find_touched(v, &t)) {
		const char *at = t.field ?: "";

		report_add_action(actions, g_strdup_printf("Fields of %s", t.type), "T",
				  report_types, "", NULL);
		report_add_action(actions, g_strdup_printf("Code that touches %s %s", t.type, at),
				  "c", open_field, "", NULL);
		report_add_action(actions, g_strdup_printf("Who touches %s %s", t.type, at), "w",
				  open_users, "", NULL);
		report_add_action(actions, g_strdup_printf("Why %s: the derivation", t.type), "W",
				  report_why, "", NULL);
	} else {
		report_add_action(actions, g_strdup("Types that its samples touched"), "T",
				  report_types, "", NULL);
	}
	if (about_row(v, &about))
		report_add_action(actions,
				  g_strdup_printf("Code of %s",
						  dso_symbol_name(about.dso, about.symbol)),
				  "a", report_code, "", NULL);
	report_touched_clear(&t);
}
