/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a hist in order of display: a tree of nodes with one level, or with --hierarchy one level per level of
 * the columns. Siblings are sorted by the columns' order.
 */
#ifndef HIST_TREE_H
#define HIST_TREE_H

#include "fields/columns.h"
#include "hist/hist.h"

struct progress;

struct hist_node {
	const struct hist_entry
		*entry; /* one of the entries that it sums up: its keys up to the level count */
	const struct hist_sum *self;	 /* one per event of the group */
	const struct hist_sum *children; /* NULL without --children */
	u32 level;
	u32 parent;  /* 0: none */
	u32 first;   /* child, 0: none */
	u32 next;    /* sibling, 0: none */
	u32 nr;	     /* children */
	u32 below;   /* they are order[below] on */
	u32 others;  /* number of nodes that it replaces; 0: it is an ordinary node */
	bool shared; /* replaces nodes with common samples: children is NULL, and unknown */
	bool folded; /* what it stands for is hist_tree_options.fold_key's */
	bool leaf;   /* in an activity tree: an entry of the span above, not a span */
};

struct hist_tree {
	struct hist_node *nodes; /* 0 is the root: no entry, sums NULL */
	u32 nr;
	u32 *order;		    /* nodes; siblings are adjacent, in order of display */
	struct hist_sum *sums;	    /* of inner nodes */
	struct hist_entry *entries; /* of nodes that sum up several, in an activity tree */
	u64 *keys;		    /* of these */
	struct hist_sum *rest;	    /* of the nodes that are not kept */
	struct hist_sum *folded;    /* of the entries that are folded */
};

struct hist_tree_options {
	const struct columns *columns;
	const struct lexicon *lexicon;
	u32 nr_members;
	u32 top;	 /* nodes of the first level that are kept; 0: all */
	u32 sort_member; /* event of the group to sort by first: --group-sort-idx */
	/* With @folds, entries whose key in group @fold_key is not @keep are one node, on the first level. */
	bool folds;
	u32 fold_key;
	u64 keep;
	bool hierarchy;
	bool caller_order; /* of chains: which of two equal functions stands first */
	bool has_chains;
	struct progress *progress; /* that sorting is told to; NULL: nobody asks */
};

struct hist_tree *hist_tree_new(const struct hist *hist, const struct hist_tree_options *options);
/*
 * --activity-tree: a node per path of spans (fields/paths.h), whose self is what fell into the span
 * itself, and whose children is the total with all spans below. Where columns have further
 * keys, the entries of a span are nodes below its own. Levels count the spans around.
 */
struct hist_tree *hist_tree_new_paths(const struct hist *hist,
				      const struct hist_tree_options *options,
				      struct lexicon *lexicon);
void hist_tree_free(struct hist_tree *tree);

/* A value of a node for one event of the group; percentages are of it. */
u64 hist_node_value(const struct hist_node *node, enum field_value value, u32 member);

/* The same for VALUE_WEIGHT1 to 3, which are averages over the samples. */
double hist_node_weight(const struct hist_node *node, enum field_value value, u32 member);

#endif
