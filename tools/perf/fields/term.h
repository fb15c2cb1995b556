/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A condition on one key: the samples (or rows) of span "cancel", of one thread, or whose symbol contains "lock". Several
 * terms are a GArray of struct term, which owns their texts; all of them must match. NULL stands for no terms.
 */
#ifndef FIELDS_TERM_H
#define FIELDS_TERM_H

#include "fields/fields.h"

struct term {
	const struct field *field;
	u64 key;
	char *part;  /* the key's text contains it (casefolded); NULL: the key is @key */
	char *exact; /* the key reads this, see term_of_text(); NULL: as above */
	char *same; /* the key is the same thing in another recording (identity.h); NULL: as above */
	bool below; /* field_activity_path: this path of spans, and all below it */
	char *text; /* what it is called: "span cancel"; may be NULL */
};

/* The text of @field's key contains @text. */
struct term term_of_part(const struct field *field, const char *text);
/*
 * @field's key reads @text, without blanks around it. "main" is also the text "[.] main", and "order" the type "struct order".
 */
struct term term_of_text(const struct field *field, const char *text);
/* Is the condition about the text of the key, so that asking once per key pays? */
static inline bool term_is_of_text(const struct term *t)
{
	return t->part || t->exact || t->same;
}
void term_release(struct term *term);

bool term_matches(const struct term *term, struct lexicon *lexicon, u64 key);
/* The same condition, whatever it is called. */
bool term_equal(const struct term *a, const struct term *b);

GArray *terms_new(void);
/* NULL becomes an empty array. */
GArray *terms_copy(const GArray *terms);
/* Takes over the texts of @term. */
void terms_add(GArray *terms, const struct term *term);
const struct term *terms_at(const GArray *terms, u32 i);
u32 terms_nr(const GArray *terms);

#endif
