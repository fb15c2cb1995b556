/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a hist, in order, as rows. */
#ifndef PAGES_HIST_ROWS_H
#define PAGES_HIST_ROWS_H

#include "hist/chain.h"
#include "hist/tree.h"
#include "pages/base/rows.h"

struct hist_rows_options {
	const struct hist *hist;
	const struct hist_tree *tree;
	const struct stacks *stacks; /* NULL: no call trees */
	const struct chain_options *chain;
	const struct columns *columns;
	const GPtrArray *evsels; /* const struct evsel *: whose columns are shown */
	const struct lexicon *lexicon;
	u32 nr_members;
	const u64 *totals;	   /* per event of the group: the base of percentages */
	const u64 *latency_totals; /* the same for shares of latency */
	u64 chain_whole;	   /* the base of percentages of branches, whatever totals is */
	u64 chain_total;	   /* the period that thresholds of branches refer to */
	bool children;
	bool hierarchy;
	double least;  /* percent */
	bool by_share; /* siblings are sorted by what @least is a percentage of, the largest first */
};

/* @options is copied; the objects in it belong to the caller and must outlive the rows. */
/*
 * The key for @field of a row, or of the entry above a call chain; false: it has none, or in a hierarchy not on its
 * level. For code, also keys that follow from the symbol.
 */
bool hist_rows_key(const struct rows *rows, struct row row, const struct field *field, u64 *key);

/* The function of the row; false: none. */
bool hist_rows_symbol(const struct rows *rows, struct row row, struct dso **dso,
		      const struct symbol **symbol);

struct rows *hist_rows_new(const struct hist_rows_options *options);

/* Changes the options; the totals that they point to may have changed, too. */
void hist_rows_look(struct rows *rows, u64 chain_total, double least);

#endif
