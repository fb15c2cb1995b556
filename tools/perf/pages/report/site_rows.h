/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions with samples, each with its source line and the data that it accesses. */
#ifndef PAGES_SITE_ROWS_H
#define PAGES_SITE_ROWS_H

#include "hist/cross.h"
#include "insn/insn.h"
#include "pages/base/rows.h"

struct site_rows_arg; /* the input of the rows; freed together with the rows */

/* @decoder NULL: rows without the text of instructions. */
struct rows *site_rows_new(const struct cross *cross, struct insn_decoder *decoder,
			   struct site_rows_arg **arg);
void site_rows_arg_free(void *arg);

#endif
