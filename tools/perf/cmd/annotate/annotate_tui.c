// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/annotate/annotate_tui.h"

#include <unistd.h>

#include "term/terminal.h"
#include "view/tui/beside.h"

bool annotate_tui_can(void)
{
	return terminal_is_built() && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* Opens the first view, as the command line says. */
static bool open_first(const struct annotate_tui_options *o, struct tui *tui,
		       struct tui_annotate *a)
{
	if (!o->by_type)
		return tui_open_code(tui, a, NULL, NULL, 0);
	if (o->by)
		return tui_open_users(tui, a, NULL, o->field);
	if (o->field)
		return tui_open_field(tui, a, NULL, o->field);
	return o->one_type ? tui_open_layout(tui, a, NULL) : tui_open_types(tui, a);
}

bool annotate_tui(const struct annotate_tui_options *o, struct annotator *annotator, bool *empty,
		  GError **error)
{
	struct tui_annotate_look look = o->look;
	struct screen *screen = terminal_open(error);
	struct tui *tui;

	if (!screen) {
		annotator_free(annotator);
		return false;
	}
	look.key = o->by;
	tui = tui_new(screen);
	*empty = !open_first(o, tui, tui_annotate_new(annotator, &look));
	if (!*empty)
		tui_run(tui);
	tui_free(tui);
	screen_free(screen);
	return true;
}

bool annotate_tui_beside(const struct annotate_tui_options *o, struct annotator *before,
			 struct annotator *now, bool *empty, GError **error)
{
	struct screen *screen = terminal_open(error);
	struct tui_beside beside = { .types = o->by_type };
	struct tui *tui;

	if (!screen) {
		annotator_free(before);
		annotator_free(now);
		return false;
	}
	tui = tui_new(screen);
	beside.before = tui_annotate_new(before, &o->look);
	beside.now = tui_annotate_new(now, &o->look);
	*empty = !tui_open_beside(tui, &beside);
	if (!*empty)
		tui_run(tui);
	tui_free(tui);
	screen_free(screen);
	return true;
}
