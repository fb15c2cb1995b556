/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf annotate --baseline: code or types of two recordings side by side. */
#ifndef CMD_ANNOTATE_BESIDE_H
#define CMD_ANNOTATE_BESIDE_H

#include "pages/code/annotator.h"
#include "view/view.h"

struct annotate_beside {
	bool types; /* otherwise code */
	const struct view *view;
	const struct view_options *look;
};

/* Prints the page of each function, or type, with samples in one of both. *@nr: their number. */
bool annotate_beside_print(const struct annotate_beside *options, struct annotator *before,
			   struct annotator *now, u32 *nr, GError **error);

#endif
