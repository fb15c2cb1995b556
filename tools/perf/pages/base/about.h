/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subject of a row, with which a view opens the next page: the code of an instruction, the fields of a type, who
 * touches a field. Pages that know it have page.about().
 */
#ifndef PAGES_ABOUT_H
#define PAGES_ABOUT_H

#include "base/types.h"

struct dso;
struct symbol;
struct type;

struct about {
	/* An instruction; NULL: the row has none. */
	struct dso *dso;
	const struct symbol *symbol; /* NULL: no function is known there */
	u64 vaddr;
	u64 target; /* target of its jump or call; 0: none, or unknown */
	bool calls; /* it is a call */
	/* Data: NULL: it is about none. */
	const struct type *type;
	u64 offset, size; /* a field's bytes; @size 0: the whole type */
	/* A value of the key by which the page's rows are grouped. */
	bool has_key;
	u64 key;
};

#endif
