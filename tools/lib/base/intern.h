/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equal strings become equal 32-bit ids, so that hot structures compare and hash
 * numbers. Id 0 is the empty string; ids are given in order of first use and stay valid,
 * as do the texts, until intern_free().
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/types.h"

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *in);

/* The id of @text, which is copied when new. NULL counts as empty. */
u32 intern_id(struct intern *in, const char *text);

/* The text of an @id that intern_id() gave. */
const char *intern_text(const struct intern *in, u32 id);

#endif
