// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is different where the report's browser shows a comparison. Its rows are of several recordings. Types and code are
 * of one; so they are asked of the row in one recording, which is a view of the report with the row's keys as zooms.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "pages/compared.h"
#include "fields/identity.h"
#include "view/tui/beside.h"
#include "view/tui/report_private.h"

struct report_shared *report_parts_new(const struct report_shared *shared)
{
	u32 nr = explorer_nr_parts(shared->explorer);
	struct report_shared *parts = nr ? g_new0(struct report_shared, nr) : NULL;

	for (u32 i = 0; i < nr; i++) {
		parts[i] = *shared;
		parts[i].explorer = explorer_part(shared->explorer, i);
		parts[i].is_part = true;
	}
	return parts;
}

static u32 nr_sides(const struct report_view *v)
{
	const struct explorer *e = v->shared->explorer;

	return compared_side(e, explorer_nr_parts(e) - 1) + 1;
}

/* "before", "after"; of more than two sides the number that the titles of columns have. With --split all are in one file. */
static char *name_of_side(const struct report_view *v, u32 side)
{
	if (nr_sides(v) == 1)
		return g_strdup("of both sides");
	if (nr_sides(v) > 2)
		return g_strdup_printf("in /%u", side);
	return g_strdup(side ? "after" : "before");
}

/* The view's question with all keys of the row under the cursor. */
static void ask_row(struct report_view *v, struct explorer_question *q)
{
	g_autoptr(GPtrArray) names = explorer_keys(v->answer);
	struct term term;

	explorer_question_copy(q, &v->q);
	g_clear_pointer(&q->first, g_free);
	for (u32 i = 0; i < names->len; i++) {
		if (!report_term(v, names->pdata[i], &term))
			continue;
		if (explorer_question_has(q, &term))
			term_release(&term);
		else
			explorer_question_add(q, &term);
	}
}

/* The row in a recording, not pushed; NULL: it has no samples there, or @error. */
static struct report_view *view_of_part(struct report_view *v, u32 part, GError **error)
{
	const char *path = compared_path(v->shared->explorer, part);
	struct explorer_question q;
	struct report_view *made;

	ask_row(v, &q);
	made = report_view_new(&v->shared->parts[part], &q, g_path_get_basename(path), v->at,
			       error);
	if (!made || visible_nr(made->rows.visible))
		return made;
	report_view_free(made);
	return NULL;
}

static struct report_view *view_of_side(struct report_view *v, u32 side, GError **error)
{
	const struct explorer *e = v->shared->explorer;
	struct report_view *made = NULL;

	for (u32 i = 0; i < explorer_nr_parts(e) && !made && !*error; i++)
		if (compared_side(e, i) == side)
			made = view_of_part(v, i, error);
	return made;
}

static void act_on(struct report_view *made, u32 key, report_act_fn *act)
{
	if (!act) {
		tui_push(made->shared->tui, &made->rows.view);
		return;
	}
	act(&made->rows.view, made->shared->tui, key);
	report_view_free(made);
}

void report_on_side(struct report_view *v, u32 side, u32 key, report_act_fn *act)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *name = name_of_side(v, side);
	struct report_view *made = view_of_side(v, side, &error);

	if (made)
		act_on(made, key, act);
	else if (error)
		tui_warn(v->shared->tui, "%s", error->message);
	else
		tui_say(v->shared->tui, "this row has no samples %s", name);
}

bool report_on_newest(struct report_view *v, u32 key, report_act_fn *act)
{
	g_autoptr(GError) error = NULL;
	struct report_view *made = NULL;

	if (!report_is_compared(v))
		return false;
	for (u32 side = nr_sides(v); side-- && !made && !error;)
		made = view_of_side(v, side, &error);
	if (made)
		act_on(made, key, act);
	else
		tui_warn(v->shared->tui, "%s", error ? error->message : "no sample is left");
	return true;
}

/* The first recording of a side; of a split, all sides have one. */
static u32 first_part(const struct report_view *v, u32 side)
{
	u32 part = 0;

	while (compared_side(v->shared->explorer, part) != side)
		part++;
	return part;
}

/* Keys of the row that are about who did it, not about its code or data. */
static void ask_whole_row(struct report_view *v, struct explorer_question *q)
{
	static const char *const others[] = { "symbol", "dso",	   "srcline", "srcfile",
					      "type",	"typeoff", "typecln", NULL };
	g_autoptr(GPtrArray) names = explorer_keys(v->answer);
	struct term term;

	explorer_question_copy(q, &v->q);
	for (u32 i = 0; i < names->len; i++) {
		if (g_strv_contains(others, names->pdata[i]) ||
		    !report_term(v, names->pdata[i], &term))
			continue;
		if (explorer_question_has(q, &term))
			term_release(&term);
		else
			explorer_question_add(q, &term);
	}
}

static struct tui_annotate *annotate_part(const struct report_view *v, u32 part,
					  const struct explorer_question *q)
{
	const struct explorer_options *o = explorer_options(v->shared->parts[part].explorer);
	struct annotate_pages_options look = { 0 };

	if (v->shared->code_pages)
		look = *v->shared->code_pages;
	look.before = o->pages.session->skid != SKID_SAMPLED;
	look.cache_line_size = o->lexicon->cache_line_size;
	return tui_annotate_new(annotator_new(&(struct annotator_options){
					.session = o->session,
					.lexicon = o->lexicon,
					.only = q->terms,
					.skip_empty = true,
					.look = look,
				}),
				v->shared->code);
}

/* "checkout" of "[.] checkout.isra.0" */
static char *function_of(const struct term *symbol)
{
	g_autofree char *name = identity_function(symbol->text);

	return g_strdup(*name == '[' && strlen(name) > 4 ? name + 4 : name);
}

/* What is shown of the row: its type, else its function, else the types that it touches. */
static char *subject_of(struct report_view *v, bool *types)
{
	struct report_touched t;
	struct term symbol;
	char *name = NULL;

	*types = report_find_touched(v, &t);
	if (*types) {
		name = g_strdup(t.type);
	} else if (report_term(v, "symbol", &symbol)) {
		name = function_of(&symbol);
		term_release(&symbol);
	} else {
		*types = true;
	}
	report_touched_clear(&t);
	return name;
}

/* The row's function, or its type, on both sides beside each other. */
static void show_beside(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct tui_beside beside = { 0 };
	struct explorer_question q;
	g_autofree char *name = NULL;

	if (nr_sides(v) < 2) {
		tui_say(tui, "both sides are of the same recordings: zoom, or see this row's menu");
		return;
	}
	beside.name = name = subject_of(v, &beside.types);
	ask_whole_row(v, &q);
	beside.before = annotate_part(v, 0, &q);
	beside.now = annotate_part(v, first_part(v, nr_sides(v) - 1), &q);
	explorer_question_release(&q);
	tui_open_beside(tui, &beside);
}

const struct tui_key report_side_keys[] = {
	{ 'b', 0, "both", "code or fields of this row, before and after side by side",
	  show_beside },
	{ 0 },
};

static void add_beside_action(struct report_view *v, GArray *actions)
{
	bool types;
	g_autofree char *name = subject_of(v, &types);

	if (nr_sides(v) > 1)
		report_add_action(actions,
				  g_strdup_printf("%s%s, before and after side by side",
						  !name	  ? "Types that its samples touched"
						  : types ? "Fields of "
							  : "Code of ",
						  name ?: ""),
				  "b", show_beside, NULL, NULL);
}

void report_add_side_actions(struct report_view *v, GArray *actions)
{
	struct report_touched t;
	struct term symbol;
	bool has_type = report_find_touched(v, &t), has_symbol = report_term(v, "symbol", &symbol);

	add_beside_action(v, actions);

	/* The newest side has the keys of the report's browser. */
	for (u32 side = nr_sides(v); side--;) {
		g_autofree char *when = name_of_side(v, side);
		bool newest = side + 1 == nr_sides(v);

		if (has_type)
			report_add_side_action(actions,
					       g_strdup_printf("Fields of %s, %s", t.type, when),
					       newest ? "T" : NULL, report_types, side);
		else
			report_add_side_action(actions,
					       g_strdup_printf("Types that its samples touched, %s",
							       when),
					       newest ? "T" : NULL, report_types, side);
		if (has_symbol)
			report_add_side_action(actions,
					       g_strdup_printf("Code of %s, %s", symbol.text, when),
					       newest ? "a" : NULL, report_code, side);
		report_add_side_action(actions, g_strdup_printf("Report of this row, %s", when),
				       NULL, NULL, side);
	}
	if (has_symbol)
		term_release(&symbol);
	report_touched_clear(&t);
}

void report_side_status(const struct report_view *v, GString *out)
{
	const struct explorer_status *s = &v->status;

	g_string_append_printf(out, "%u certain of %u row%s  %" PRIu64 " → %" PRIu64 " samples",
			       s->certain, s->nr, text_plural(s->nr), s->old, s->all);
}

void report_side_remark(const struct report_view *v, struct tui *tui)
{
	const struct pages *pages = explorer_pages(v->answer);
	const struct note *certain = notes_find(&v->rows.page->notes, "certain");

	if (tui_depth(tui))
		return;
	for (u32 i = 0; i < pages->notes.list->len; i++) {
		const struct note *note = notes_at(&pages->notes, i);

		if (note->kind != NOTE_WARNING)
			continue;
		tui_warn(tui, "%s", note->text);
		return;
	}
	if (certain && certain->text)
		tui_say(tui, "%s", certain->text);
}

/* A certain growth is hot. */
enum ink report_side_ink(struct rows_view *view, const struct visible_row *row, u32 column)
{
	const struct rows *rows = view->page->rows;
	struct cell cell;

	rows->ops->cell(rows, row->row, column, 0, &cell);
	return cell.number == TONE_MORE ? INK_HOT : cell.number == TONE_LESS ? INK_WARM : INK_PLAIN;
}
