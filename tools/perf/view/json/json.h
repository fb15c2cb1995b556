/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages as one JSON document: Documentation/formats/rows.md. */
#ifndef VIEW_JSON_JSON_H
#define VIEW_JSON_JSON_H

#include "base/json_out.h"
#include "view/view.h"

bool json_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error);

#endif
