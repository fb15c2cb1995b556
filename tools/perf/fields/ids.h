/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interns ids of activities: equal ids, and names that stand for them, get equal numbers. The numbers are keys of rows.
 * A recording may hold millions of ids, so their number can be bounded. Every id is counted, in some 40 bytes, up to a
 * limit. With ids_keep_heaviest() the ids with the most weight keep numbers of their own, and all others become
 * ID_OTHERS.
 */
#ifndef FIELDS_IDS_H
#define FIELDS_IDS_H

#include <glib.h>

#include "base/types.h"

enum id_kind {
	ID_HEX,	  /* a trace id, a span id */
	ID_PAIR,  /* trace id and span id */
	ID_SPAN,  /* the same, of which the span id is printed */
	ID_TEXT,  /* a name, a label, a value that is no id */
	ID_STATE, /* one byte, enum activity_state: why there is none */
	ID_REST,  /* no bytes: ID_OTHERS */
};

#define ID_OTHERS 0
#define ID_MAX	  255 /* bytes; what is longer is cut */

struct ids;

/* @limited: no more than can be counted in about 100 MB; else all of them. */
struct ids *ids_new(bool limited);
void ids_free(struct ids *ids);

/* The number of these bytes. */
u32 ids_get(struct ids *ids, enum id_kind kind, const void *bytes, u32 size);

/* Adds to what one weighs. */
void ids_weigh(struct ids *ids, u32 id, u64 weight);

/* The number to show these bytes by, whatever they weigh; ID_OTHERS only beyond the limit. */
u32 ids_name(struct ids *ids, enum id_kind kind, const void *bytes, u32 size);

/*
 * From now on only the @nr heaviest ids are told apart; states always are. Numbers given before
 * are over, and weights start at zero.
 */
void ids_keep_heaviest(struct ids *ids, u32 nr);

/* Distinct ids seen, states left out; @beyond: there were more than can be counted. */
u32 ids_nr(const struct ids *ids, bool *beyond);

/* < 0: a stands before b: ids, names, states, others, each by their bytes. */
int ids_order(const struct ids *ids, u32 a, u32 b);

enum id_kind ids_kind(const struct ids *ids, u32 id);
const u8 *ids_bytes(const struct ids *ids, u32 id, u32 *size);

void ids_print(const struct ids *ids, u32 id, GString *out);
/* The same; of an ID_SPAN both ids. */
void ids_print_whole(const struct ids *ids, u32 id, GString *out);

#endif
