/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The different values of a column, and each value as its number among them ("code"): what RLE_DICTIONARY stores.
 *
 *	"sh" "cc1" "sh" "sh"	values "cc1" "sh", codes 1 0 1 1
 *
 * Texts are in order, so that the least code of a page is that of its least text. Other values are in the order of their
 * first use: ids of spans and stacks that come one after the other have codes that rise then.
 */
#ifndef PARQUET_DICTIONARY_H
#define PARQUET_DICTIONARY_H

#include "columnar/rowset.h"

struct dictionary {
	u32 nr;	    /* different values */
	u32 *first; /* of each: the position of a value that is it */
	u32 *codes; /* of each value */
	/* For finding values again. */
	u32 *slots, nr_slots;
	GArray *of_text; /* u32 by text id: the code + 1; 0 between two columns */
	u32 most;
};

void dictionary_init(struct dictionary *d);
void dictionary_release(struct dictionary *d);

/* Texts: always. */
void dictionary_fill_texts(struct dictionary *d, const u32 *texts, u32 nr, const struct intern *in);

/* @nr values of @size bytes: 4, 8 or 16. False: more than half of them are different. */
bool dictionary_fill(struct dictionary *d, const void *values, u32 size, u32 nr);

#endif
