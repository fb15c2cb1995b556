/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The width of the terminal that shows the output. */
#ifndef CLI_WIDTH_H
#define CLI_WIDTH_H

#include "base/types.h"

/*
 * In columns: $COLUMNS, else the width of the terminal of stdout, stderr or stdin (stdout may be a pipe to a pager),
 * else @usual.
 */
u32 terminal_columns(u32 usual);

#endif
