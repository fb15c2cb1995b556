/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf annotate on a terminal: the browsers of view/tui/annotate.h. */
#ifndef CMD_ANNOTATE_TUI_H
#define CMD_ANNOTATE_TUI_H

#include "base/error.h"
#include "view/tui/annotate.h"

struct annotate_tui_options {
	struct tui_annotate_look look;
	bool by_type;		/* types, else code */
	bool one_type;		/* begin with it, not with the list */
	const char *field, *by; /* as --field and --by */
};

/*
 * True if browsers can be used: this build has them, and standard input and output are a terminal.
 */
bool annotate_tui_can(void);

/*
 * Runs the browsers until the user leaves. @annotator has read what the first view needs; this function frees it.
 * *@empty: there was nothing to show. False with @error if there is no terminal.
 */
bool annotate_tui(const struct annotate_tui_options *options, struct annotator *annotator,
		  bool *empty, GError **error);

/* The same for two recordings side by side (view/tui/beside.h). Both annotators are freed. */
bool annotate_tui_beside(const struct annotate_tui_options *options, struct annotator *before,
			 struct annotator *now, bool *empty, GError **error);

#endif
