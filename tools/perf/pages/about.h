/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is a row about? What a view needs to open the next page from it: the code of an instruction, the
 * fields of a type, who touches a field. A page that can tell has page.about().
 */
#ifndef PAGES_ABOUT_H
#define PAGES_ABOUT_H

#include "base/types.h"

struct dso;
struct symbol;
struct type;

struct about {
	/* An instruction: NULL: it is about none. */
	struct dso *dso;
	const struct symbol *symbol; /* NULL: no function is known there */
	u64 vaddr;
	u64 target; /* where it jumps or calls to; 0: nowhere that is known */
	bool calls; /* it is a call */
	/* Data: NULL: it is about none. */
	const struct type *type;
	u64 offset, size; /* a field's bytes; @size 0: the whole type */
	/* A value of the key that the page's rows are grouped by. */
	bool has_key;
	u64 key;
};

#endif
