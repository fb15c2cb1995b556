/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of two rows of a hist stands before the other? By the order of the columns, then by ties. */
#ifndef HIST_ORDER_H
#define HIST_ORDER_H

#include "hist/tree.h"

struct hist_order;

/* For nodes of one tree, which stays as it is as long as the order. */
struct hist_order *hist_order_new(const struct hist_tree_options *options,
				  const struct hist_node *nodes, u32 nr);
void hist_order_free(struct hist_order *order);

/*
 * Sorts @list, numbers of nodes with one parent. Of many it tells the options' progress, whose steps
 * hist_order_steps() says; where that is stopped they stand in no order.
 */
void hist_order_sort(const struct hist_order *order, u32 *list, u32 nr);
u64 hist_order_steps(u32 nr);

#endif
