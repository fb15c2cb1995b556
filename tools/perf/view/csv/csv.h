/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages as comma-separated values (RFC 4180): Documentation/formats/rows.md. */
#ifndef VIEW_CSV_CSV_H
#define VIEW_CSV_CSV_H

#include "view/view.h"

bool csv_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		     GError **error);

extern const struct view_stream csv_stream;

#endif
