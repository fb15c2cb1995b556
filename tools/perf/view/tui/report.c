// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/progress.h"
#include "view/tui/report_private.h"

#define PANEL_ROWS  5
#define PANEL_LEAST 14 /* least height of a screen with a panel */

static void title(const struct tui_view *view, GString *out)
{
	g_string_append(out, report_view_of((struct tui_view *)view)->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct report_view *v = report_view_of((struct tui_view *)view);
	const struct explorer_status *s = &v->status;

	if (explorer_pages(v->answer)->nr > 1 || v->rows.page->parts->len > 1)
		g_string_append_printf(out, "%s  ", v->rows.page->title);
	if (v->shared->live) {
		report_live_status(v, out);
		return;
	}
	if (report_is_compared(v)) {
		report_side_status(v, out);
		return;
	}
	if (s->shown != s->all)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT " of ", s->shown);
	g_string_append_printf(out, "%" G_GUINT64_FORMAT " samples", s->all);
	if (s->activity >= 0)
		g_string_append_printf(out, "  %.0f%% activity", s->activity);
	if (s->type >= 0)
		g_string_append_printf(out, "  %.0f%% type", s->type);
}

static void free_view(struct tui_view *view)
{
	report_view_free(report_view_of(view));
}

static void draw(struct tui_view *view, struct screen *screen, u32 top, u32 bottom)
{
	struct report_view *v = report_view_of(view);
	bool panel = v->q.tree && bottom - top >= PANEL_LEAST;

	rows_view_draw(view, screen, top, bottom - (panel ? PANEL_ROWS : 0));
	if (panel)
		report_draw_panel(v, screen, bottom - PANEL_ROWS, bottom);
}

/* The last line shows lost samples and missing data until a key is pressed. */
static void shown(struct tui_view *view, struct tui *tui)
{
	const struct report_view *v = report_view_of(view);
	struct notes notes;

	if (report_is_compared(v)) {
		report_side_remark(v, tui);
		return;
	}
	notes_init(&notes);
	pages_remark(explorer_pages(v->answer), &notes);
	for (u32 i = 0; i < notes.list->len && !tui_depth(tui); i++) {
		const struct note *note = notes_at(&notes, i);

		if (note->kind != NOTE_REMARK && note->kind != NOTE_WARNING)
			continue;
		tui_warn(tui, "%s", note->words ?: note->text);
		break;
	}
	notes_release(&notes);
}

static void zoom_key(struct tui_view *view, struct tui *tui, u32 key)
{
	static const char *const dso[] = { "dso", NULL };
	static const char *const thread[] = { "tid", "pid", "comm", NULL };
	static const char *const socket[] = { "socket", NULL };
	struct report_view *v = report_view_of(view);
	bool done = report_zoom(v, key == 'd' ? dso : key == 't' ? thread : socket);

	if (!done)
		tui_say(tui, "this row has no such value: press o for sort keys, such as "
			     "tid, dso, socket");
}

static void zoom_kernel(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct term term = { .field = fields_find("dso", FIELD_NORMAL, NULL),
			     .part = g_strdup("[kernel"),
			     .text = g_strdup("kernel") };

	report_push_term(v, &term);
}

static void activities(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct explorer_question q;

	if (v->q.tree) {
		tui_say(tui, "this view shows the activities already");
		return;
	}
	if (!report_is_compared(v))
		report_want_panel(v->shared->explorer);
	explorer_question_copy(&q, &v->q);
	explorer_question_set_sort(&q, NULL);
	q.tree = true;
	q.hierarchy = false;
	report_push(v, &q, "activities");
}

static void next_event(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct pages *pages = explorer_pages(v->answer);
	struct page *page;

	if (pages->nr < 2) {
		tui_say(tui, "there is one event");
		return;
	}
	v->at = (v->at + (key == KEY_TAB ? 1 : pages->nr - 1)) % pages->nr;
	page = pages->ops->open(pages, v->at);
	if (!page)
		return;
	rows_view_replace(&v->rows, page);
	v->rows.sorted = explorer_sorted_column(v->answer, page);
	v->status = explorer_status(v->answer, v->at);
	v->has_panel = false;
}

static void leave(struct tui_view *view, struct tui *tui, u32 key)
{
	char *answer;

	if (tui_depth(tui)) {
		tui_pop(tui);
		return;
	}
	answer = tui_ask(tui, "Leave? (y: yes)", "");
	if (answer && (*answer == 'y' || *answer == 'Y' || !*answer))
		tui_quit(tui);
	g_free(answer);
}

/* Of a comparison's row they are asked in its newest recording. */
static void code(struct tui_view *view, struct tui *tui, u32 key)
{
	if (!report_on_newest(report_view_of(view), key, report_code))
		report_code(view, tui, key);
}

static void types(struct tui_view *view, struct tui *tui, u32 key)
{
	if (!report_on_newest(report_view_of(view), key, report_types))
		report_types(view, tui, key);
}

static void why(struct tui_view *view, struct tui *tui, u32 key)
{
	if (!report_on_newest(report_view_of(view), key, report_why))
		report_why(view, tui, key);
}

/* "span checkout": the name. */
static const char *span_of(const struct term *term)
{
	return g_str_has_prefix(term->text, "span ") ? term->text + strlen("span ") : term->text;
}

/* What the requests of the row's span waited for. */
static void why_slow(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	const struct tui_report_requests *requests = v->shared->requests;
	struct tui_critical_options options;
	g_autoptr(GError) error = NULL;
	struct term term;

	if (!requests) {
		tui_say(tui, "not available: this view has no requests");
		return;
	}
	if (!report_term(v, "span", &term)) {
		tui_say(tui, "this row has no span: press A for activities, or o for the key span");
		return;
	}
	tui_busy(tui, "Following requests", 0, 0);
	if (requests->open(requests->arg, span_of(&term), &options, &error))
		tui_push(tui, tui_critical_new(&options));
	else
		tui_warn(tui, "%s", error->message);
	term_release(&term);
}

static const struct tui_key report_file_keys[] = {
	{ 'w', 0, NULL,
	  "why slow: what the requests of this row's span waited for (record --off-cpu)",
	  why_slow },
	{ 0 },
};

static const struct tui_key report_keys[] = {
	{ 'a', 0, "code", "the instructions of this row's function", code },
	{ 'T', 0, "types", "the data types that this row's samples touched", types },
	{ 'A', 0, "activities", "spans below the spans around them", activities },
	{ 'W', 0, NULL, "why this data type: how it is known, step by step", why },
	{ 'z', 0, NULL, "zoom into this row's span with what is below it, else its first key",
	  report_zoom_row },
	{ 'd', 0, NULL, "zoom into this row's dso", zoom_key },
	{ 't', 0, NULL, "zoom into this row's thread", zoom_key },
	{ 'S', 0, NULL, "zoom into this row's processor socket", zoom_key },
	{ 'k', 0, NULL, "zoom into the kernel", zoom_kernel },
	{ KEY_TAB, 0, NULL, "the next event, the one before", next_event },
	{ KEY_BACK_TAB, 0, NULL, NULL, next_event },
	{ KEY_ESC, 0, NULL, "back to the view before; asks before it leaves from the first one",
	  leave },
	{ 0 },
};

static const struct tui_key *const keys[] = { report_keys, report_file_keys, report_look_keys,
					      rows_view_keys, NULL };

static const struct tui_view_ops ops = {
	.name = "report",
	.keys = keys,
	.title = title,
	.status = status,
	.draw = draw,
	.shown = shown,
	.free = free_view,
};

static const struct tui_key *const live_keys[] = { report_live_keys, report_keys, report_look_keys,
						   rows_view_keys, NULL };

static const struct tui_view_ops live_ops = {
	.name = "top",
	.keys = live_keys,
	.title = title,
	.status = status,
	.draw = draw,
	.refresh = report_live_refresh,
	.free = free_view,
};

static const struct tui_key *const compared_keys[] = { report_side_keys, report_keys,
						       report_look_keys, rows_view_keys, NULL };

static const struct tui_view_ops compared_ops = {
	.name = "diff",
	.keys = compared_keys,
	.title = title,
	.status = status,
	.draw = draw,
	.shown = shown,
	.free = free_view,
};

static const struct rows_view_ops rows_ops = { .enter = report_menu };
static const struct rows_view_ops compared_rows_ops = { .enter = report_menu,
							.ink = report_side_ink };

static bool show_progress(void *arg, const char *what, u64 done, u64 total)
{
	return tui_busy(arg, what, done, total);
}

static const char *name_of_all(const struct tui_report_options *o, bool tree)
{
	return tree ? "activities" : o->live ? "now" : "all samples";
}

bool tui_report_run(struct screen *screen, const struct tui_report_options *o, char **next,
		    GError **error)
{
	const struct progress_watch none = { 0 };
	struct report_shared shared = { .explorer = o->explorer,
					.code = &o->code,
					.code_pages = o->code_pages,
					.tui = tui_new(screen),
					.ops = o->live ? &live_ops : &ops,
					.rows_ops = &rows_ops,
					.live = o->live,
					.requests = o->requests };
	const struct progress_watch watch = { show_progress, shared.tui };
	struct explorer_question q;
	struct report_view *v;

	shared.parts = report_parts_new(&shared);
	if (shared.parts) {
		shared.ops = &compared_ops;
		shared.rows_ops = &compared_rows_ops;
	}
	explorer_question_init(&q, explorer_options(o->explorer));
	q.tree |= o->tree;
	if (q.tree)
		report_want_panel(o->explorer);
	/* With live samples, each step is short: show no progress. */
	explorer_set_watch(o->explorer, o->live ? &none : &watch);
	v = report_view_new(&shared, &q, g_strdup(o->title ?: name_of_all(o, q.tree)), 0, error);
	if (v) {
		if (o->live)
			tui_set_clock(shared.tui, &o->live->clock);
		tui_push(shared.tui, &v->rows.view);
		tui_run(shared.tui);
	}
	tui_free(shared.tui);
	g_free(shared.parts);
	explorer_set_watch(o->explorer, &none);
	*next = shared.next;
	return v;
}
