/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which values members have, as far as samples tell: registers have what an instruction has just loaded or stored, and constants stand in
 * the code (place->has_value). Members whose values would fit in fewer bytes are named; nobody knows the values that were not sampled, so
 * no layout is proposed.
 *
 *	mov 0x14(%rdx),%eax	sampled behind it 41 times, with 0 to 9 in eax: struct node's member at 0x14 could be of 1 byte
 */
#ifndef ADVISE_VALUES_H
#define ADVISE_VALUES_H

#include "advise/parts.h"
#include "fields/fields.h"

struct advise_values;

/* Borrows @lexicon, whose types' names are taken. */
struct advise_values *advise_values_new(struct lexicon *lexicon);
void advise_values_free(struct advise_values *values);
void advise_values_take(struct advise_values *values, const struct place *place);

/*
 * char *, a sentence for each member of @parts' type that would need fewer bytes for the values of at least @fewest samples. Empty if
 * @values is NULL.
 */
GPtrArray *advise_narrower(const struct advise_values *values, const struct advise_parts *parts,
			   u64 fewest);

#endif
