/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * String interning: equal strings get the same 32-bit id, so hot code compares and hashes numbers. Id 0 is the empty
 * string. Ids are assigned in order of first use. Ids and texts are valid until intern_free().
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/types.h"

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *in);

/* The id of @text. A new text is copied. NULL counts as "". */
u32 intern_id(struct intern *in, const char *text);

/* The text of an @id that intern_id() returned. */
const char *intern_text(const struct intern *in, u32 id);

#endif
