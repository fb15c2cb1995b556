/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows of a hist: by the columns of the order, then by ties. */
#ifndef HIST_ORDER_H
#define HIST_ORDER_H

#include "hist/tree.h"

struct hist_order;

/* For the nodes of one tree, which must not change while the order exists. */
struct hist_order *hist_order_new(const struct hist_tree_options *options,
				  const struct hist_node *nodes, u32 nr);
void hist_order_free(struct hist_order *order);

/*
 * Sorts @list, numbers of nodes with one parent. For long lists it reports to the options' progress, with
 * hist_order_steps() steps. If the progress is stopped, the order of @list is undefined.
 */
void hist_order_sort(const struct hist_order *order, u32 *list, u32 nr);
u64 hist_order_steps(u32 nr);

#endif
