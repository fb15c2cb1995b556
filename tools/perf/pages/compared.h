/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries of a comparison's browser: the explorer of a comparison (explorer.h). Its parts are explorers of the compared
 * recordings, which stay open. A query goes to each of them, and their profiles become a comparison (compare/compare.h):
 *
 *	question ──> explorer of old.data ──profile──┐
 *	         ──> explorer of new.data ──profile──┴> comparison ──judge──> pages/compare
 *
 * A zoom is a key of one row. In another recording, this key has another number and perhaps another name, so its term says
 * what it is the same as (term.same).
 */
#ifndef PAGES_COMPARED_H
#define PAGES_COMPARED_H

#include "compare/compare.h"
#include "pages/compare/compare_pages.h"
#include "pages/explorer.h"

struct compared_options {
	/* Without keys, and without @split: it is found by split_key. */
	struct compare_options compare;
	const char *split_key; /* NULL: the sides are recordings */
	const char *sort;      /* keys of the first question */
	struct compare_view look;
	bool fair; /* say what is not the same on both sides */
};

/* The objects in @options must outlive the explorer. */
struct explorer *compared_new(const struct compared_options *options);

/*
 * Adds an explorer of @recording, which the new explorer owns; the recordings of the old side first.
 */
void compared_add(struct explorer *e, u32 side, struct explorer *part,
		  const struct compare_recording *recording);

/* The side of a part, and its path. */
u32 compared_side(const struct explorer *e, u32 part);
const char *compared_path(const struct explorer *e, u32 part);

#endif
