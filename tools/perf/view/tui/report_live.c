// SPDX-License-Identifier: GPL-2.0-or-later
/* The report with live samples: a status line, and keys that clear and freeze. */
#include "view/tui/report_private.h"

void report_live_status(const struct report_view *v, GString *out)
{
	const struct tui_report_live *live = v->shared->live;

	live->status(live->arg, out);
}

/* A view that is not on top is redrawn only when the user returns to it. So its rows are made again, too. */
void report_live_refresh(struct tui_view *view, struct tui *tui)
{
	struct report_view *v = report_view_of(view);
	bool stays_at_top = !v->rows.cursor;
	struct explorer_question q;

	explorer_question_copy(&q, &v->q);
	report_follow(v, &q, NULL);
	if (stays_at_top)
		rows_view_go(&v->rows, 0);
}

static void toggle(struct tui_view *view, struct tui *tui, u32 key)
{
	const struct tui_report_live *live = report_view_of(view)->shared->live;

	tui_say(tui, "%s", live->toggle(live->arg, key));
}

static void show_waits(struct tui_view *view, struct tui *tui, u32 key)
{
	const struct tui_report_live *live = report_view_of(view)->shared->live;
	g_autoptr(GString) text = g_string_new(NULL);

	live->waits(live->arg, text);
	tui_read(tui, "Longest waits", text->str, false);
}

static void no_file(struct tui_view *view, struct tui *tui, u32 key)
{
	tui_say(tui, "not available: this view has no file");
}

const struct tui_key report_live_keys[] = {
	{ 'f', 0, "freeze", "take no more samples, or take them again", toggle },
	{ 'z', 0, "zero", "zero history before each update, or let it fade", toggle },
	{ 'w', 0, "waits", "the longest waits, who has what they wait for, and deadlocks",
	  show_waits },
	{ 's', 0, NULL, "not available: this view has no file", no_file },
	{ 0 },
};
