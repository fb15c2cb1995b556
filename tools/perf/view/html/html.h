/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages as one file for browsers, which asks nothing of any network: the JSON that --format=json prints, and a
 * program that draws it.
 */
#ifndef VIEW_HTML_HTML_H
#define VIEW_HTML_HTML_H

#include "view/view.h"

bool html_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error);

#endif
