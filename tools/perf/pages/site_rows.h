/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that samples fell on, each with its source line and the data that it accesses. */
#ifndef PAGES_SITE_ROWS_H
#define PAGES_SITE_ROWS_H

#include "pages/cross_pages.h"

struct site_rows_arg; /* what the rows are made of, to be freed when they are */

struct rows *site_rows_new(const struct cross *cross, const struct cross_pages_options *options,
			   struct site_rows_arg **arg);
void site_rows_arg_free(void *arg);

#endif
