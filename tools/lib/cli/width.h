/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How wide is the terminal that output is for? */
#ifndef CLI_WIDTH_H
#define CLI_WIDTH_H

#include "base/types.h"

/*
 * In columns: $COLUMNS, else what the terminal behind stdout, stderr or stdin says (stdout may be a pager's pipe), else
 * @usual.
 */
u32 terminal_columns(u32 usual);

#endif
