/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call tree of one entry of a hist, for display with the options of -g: which call chains led to its samples.
 * Branches are sorted, and branches below the threshold are removed.
 *
 * A node is a sequence of frames without a fork, and without samples that end inside it. Node 0 is the root and has
 * no frames.
 */
#ifndef HIST_CHAIN_H
#define HIST_CHAIN_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "hist/hist.h"

enum chain_mode {
	CHAIN_NONE,
	CHAIN_GRAPH,   /* percent of the whole */
	CHAIN_FRACTAL, /* percent of the branch */
	CHAIN_FLAT,    /* one chain after the other */
	CHAIN_FOLDED,  /* one line per chain */
};

enum chain_key { CHAIN_BY_FUNCTION, CHAIN_BY_ADDRESS, CHAIN_BY_SRCLINE };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_options {
	enum chain_mode mode;
	double threshold; /* percent */
	u32 print_limit;  /* entries with a tree; 0 = all */
	bool caller;	  /* outermost frame first */
	bool order_given;
	enum chain_key key;
	enum chain_value value;
};

/* Upstream's defaults: graph,0.5,callee,function,percent. */
void chain_options_init(struct chain_options *options);

/* Parses the words of -g ("fractal,0.5,callee"), in any order, as upstream does. */
bool chain_options_parse(struct chain_options *options, const char *text, GError **error);

struct chain_node {
	const struct stack_frame **frames;
	u32 nr_frames;
	u32 parent;
	u32 first;		       /* child, 0 = none; in order of display */
	u32 next;		       /* sibling, 0 = none */
	u64 self_period, self_samples; /* of chains that end here */
	u64 period, samples;	       /* with those below */
};

struct chain {
	struct chain_node *nodes;
	u32 nr;
	const struct stack_frame **frames;
};

/*
 * The call tree of @entry; for a group, of its leader only, as in upstream. @total is the period that the threshold
 * of CHAIN_GRAPH, FLAT and FOLDED is a percentage of. With CHAIN_FLAT and FOLDED, the children of node 0 are whole
 * chains.
 */
struct chain *chain_new(const struct hist *hist, const struct stacks *stacks,
			const struct hist_entry *entry, const struct chain_options *options,
			u64 total);
void chain_free(struct chain *chain);

/* True if chain_new() with the same arguments would have a node below the root. Builds no tree. */
bool chain_has_any(const struct hist *hist, const struct stacks *stacks,
		   const struct hist_entry *entry, const struct chain_options *options, u64 total);

#endif
