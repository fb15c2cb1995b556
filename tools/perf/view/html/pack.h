/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text as base64 of its gzip form. So it takes a tenth of the room, and whatever the text holds, no part of
 * it can be markup.
 */
#ifndef VIEW_HTML_PACK_H
#define VIEW_HTML_PACK_H

#include <stdio.h>

/*
 * What is written to the result reaches @out packed, all of it by fclose(), whose result says whether
 * it did. NULL where there is no memory for it.
 */
FILE *pack_open(FILE *out);

#endif
