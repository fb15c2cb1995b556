/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_STDIO_TYPE_STAT_H
#define VIEW_STDIO_TYPE_STAT_H

#include <stdio.h>

#include "annotate/type.h"

/* --type-stat: how many samples have a type, and why the others have none. */
void type_stat_print(const struct type_stat *stat, FILE *out);

#endif
