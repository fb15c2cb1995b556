/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages as one HTML file for browsers: the JSON that --format=json prints, and a script that shows it. The file needs
 * no network.
 */
#ifndef VIEW_HTML_HTML_H
#define VIEW_HTML_HTML_H

#include "view/view.h"

bool html_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error);

#endif
