// SPDX-License-Identifier: GPL-2.0-or-later
/* The values that a node of a tree shows. */
#include "hist/tree.h"

double hist_node_weight(const struct hist_node *node, enum field_value value, u32 member)
{
	const struct hist_sum *sum = &node->self[member];

	return sum->samples ? (double)sum->weight[value - VALUE_WEIGHT1] / (double)sum->samples : 0;
}

u64 hist_node_value(const struct hist_node *node, enum field_value value, u32 member)
{
	const struct hist_sum *sum = &node->self[member];

	switch (value) {
	case VALUE_OVERHEAD_CHILDREN:
		return node->children ? node->children[member].period : sum->period;
	case VALUE_LATENCY:
		return sum->latency;
	case VALUE_LATENCY_CHILDREN:
		return node->children ? node->children[member].latency : sum->latency;
	case VALUE_OVERHEAD_SYS:
		return sum->by_mode[HIST_SYS];
	case VALUE_OVERHEAD_US:
		return sum->by_mode[HIST_US];
	case VALUE_OVERHEAD_GUEST_SYS:
		return sum->by_mode[HIST_GUEST_SYS];
	case VALUE_OVERHEAD_GUEST_US:
		return sum->by_mode[HIST_GUEST_US];
	case VALUE_SAMPLES:
		return sum->samples;
	case VALUE_WEIGHT1:
	case VALUE_WEIGHT2:
	case VALUE_WEIGHT3:
		return (u64)(hist_node_weight(node, value, member) * 1000);
	default:
		return sum->period;
	}
}
