/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes text as base64 of its gzip form. It takes a tenth of the space, and no part of it can be markup, whatever the
 * text is.
 */
#ifndef VIEW_HTML_PACK_H
#define VIEW_HTML_PACK_H

#include <stdio.h>

/*
 * Returns a stream. Text written to it goes to @out in packed form. All of it is in @out after fclose(), whose result
 * tells whether that succeeded. NULL: out of memory.
 */
FILE *pack_open(FILE *out);

#endif
