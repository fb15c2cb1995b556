/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fast printing of numbers, for output of a million lines. The results are those of printf(), but no format string is
 * parsed. A width is a minimum, as in printf().
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <glib.h>

#include "base/types.h"

void digits_dec(GString *out, u64 value, u32 width);	/* "%*lu" */
void digits_signed(GString *out, s64 value, u32 width); /* "%*ld" */
void digits_left(GString *out, s64 value, u32 width);	/* "%-*ld" */
void digits_zeros(GString *out, u64 value, u32 width);	/* "%0*lu" */
void digits_hex(GString *out, u64 value, u32 width);	/* "%*lx" */

/* "%#.16lx" */
void digits_address(GString *out, u64 value);

void digits_fixed(GString *out, double value, u32 decimals); /* "%.*f", of at most two decimals */

/* "%*s": the width is in bytes, as in printf(). */
void digits_text(GString *out, const char *text, u32 width);

#endif
