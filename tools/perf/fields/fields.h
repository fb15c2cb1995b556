/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can a row be grouped by, and how does it read? The vocabulary of -s and -F: one
 * const table row per key with its name, column title, help, needs, and the functions
 * that take a key from a place, order two keys and print one.
 *
 * A key is 64 bits: a number itself, or the id of a text or of code that the lexicon
 * interned, so that grouping compares tuples of numbers. Values (overhead, period,
 * sample counts) are rows here too, without a key function: hist/ holds their sums.
 * Sources of names, titles and prefix rules: perf-report(1) of Linux 6.1 and 7.x.
 */
#ifndef FIELDS_FIELDS_H
#define FIELDS_FIELDS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "resolve/place.h"

struct intern;
struct session;

/* What keys refer to, and the options that change how they read. */
struct lexicon {
	struct session *session;
	struct intern *texts;
	bool verbose; /* -v: addresses with symbols, long dso names */
	bool full_source_path;
	bool ns;	  /* times with nine decimals */
	u64 time_quantum; /* ns that the time key rounds down to */
	u32 cacheline_size;
	struct lexicon_private *own;
};

struct lexicon *lexicon_new(struct session *session);
void lexicon_free(struct lexicon *lexicon);

enum field_family {
	FIELD_NORMAL, /* any sample */
	FIELD_BRANCH, /* samples with a branch stack, one row per branch */
	FIELD_MEMORY, /* samples with a data source or address */
	FIELD_VALUE,  /* sums of a group: overhead, period, sample, weight1 ... */
};

/* What a FIELD_VALUE row shows of a group. */
enum field_value {
	VALUE_NONE,
	VALUE_OVERHEAD,
	VALUE_OVERHEAD_SYS,
	VALUE_OVERHEAD_US,
	VALUE_OVERHEAD_GUEST_SYS,
	VALUE_OVERHEAD_GUEST_US,
	VALUE_OVERHEAD_CHILDREN,
	VALUE_SAMPLES,
	VALUE_PERIOD,
	VALUE_WEIGHT1,
	VALUE_WEIGHT2,
	VALUE_WEIGHT3,
};

struct field {
	const char *name;
	const char *header; /* column title */
	const char *help;
	enum field_family family;
	enum field_value value;
	u32 needs;	/* enum place_need */
	u8 width;	/* least width of the column, the title's counted apart */
	bool right;	/* numbers, aligned to the right */
	bool per_frame; /* --children: read again for each frame of the call chain */

	u64 (*key)(struct lexicon *lexicon, const struct place *place);
	/* <0, 0, >0; NULL orders by the number, small first. */
	int (*order)(const struct lexicon *lexicon, u64 a, u64 b);
	void (*print)(const struct lexicon *lexicon, u64 key, GString *out);
};

/* All rows, in upstream's order, ours last. */
const struct field *fields_all(u32 *nr);

/*
 * The field that @name names: exactly, by a prefix (upstream's rule), or by upstream's
 * other spellings; the first of the table wins. NULL with an error that lists the keys, nearest first.
 */
const struct field *fields_find(const char *name, u32 families, GError **error);

#endif
