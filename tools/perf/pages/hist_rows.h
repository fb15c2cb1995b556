/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a hist, in order, as rows. */
#ifndef PAGES_HIST_ROWS_H
#define PAGES_HIST_ROWS_H

#include "hist/chain.h"
#include "hist/tree.h"
#include "pages/rows.h"

struct hist_rows_options {
	const struct hist *hist;
	const struct hist_tree *tree;
	const struct stacks *stacks; /* NULL: no call trees */
	const struct chain_options *chain;
	const struct columns *columns;
	const GPtrArray *evsels; /* const struct evsel *: whose columns are shown */
	const struct lexicon *lexicon;
	u32 nr_members;
	const u64 *totals;	   /* per event of the group: what percentages are of */
	const u64 *latency_totals; /* the same for shares of latency */
	u64 chain_whole;	   /* what percentages of branches are of, whatever totals is */
	u64 chain_total;	   /* period that thresholds of branches are a share of */
	bool children;
	bool hierarchy;
	double least;  /* percent */
	bool by_share; /* siblings stand by what @least is a percentage of, the greatest first */
};

/* @options' own things are copied, what they point to stays the caller's and outlives the rows. */
/*
 * The key of a row, or of the entry that a call chain is below, for @field; false: its keys have none,
 * or in a hierarchy not on its level. Of code also those that follow from the symbol.
 */
bool hist_rows_key(const struct rows *rows, struct row row, const struct field *field, u64 *key);

/* The function that the row is about; false: none. */
bool hist_rows_symbol(const struct rows *rows, struct row row, struct dso **dso,
		      const struct symbol **symbol);

struct rows *hist_rows_new(const struct hist_rows_options *options);

/* From now on; what the options' totals point to may have changed, too. */
void hist_rows_look(struct rows *rows, u64 chain_total, double least);

#endif
