// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Maps each 8-byte lane of a vector to the source and the lane that it was copied from. Compilers merge two stores of
 * pointers into one store of 16 bytes. The types of both pointers must be kept:
 *
 *	h->first = n->next;		movq   (%rsi),%xmm0	lanes { 1.0, zero }
 *	h->last = m->prev;		movhps 8(%rdx),%xmm0	lanes { 0.0, 1.0 }
 *					movups %xmm0,(%rdi)
 *
 * "1.0" is lane 0 of operand 1 (operand 0 is the destination). After the movhps lane 0 of xmm0 is n->next
 * and lane 1 is m->prev, so the store writes a `struct node *` at h + 0 and another one at h + 8.
 *
 * Most of these instructions do the same in each 16-byte part of a wider vector (set_pairs()).
 */
#include <string.h>

#include "insn/x86-decode.h"
#include "insn/x86-row.h"

/* In each 16-byte part, sets lane 0 to @low and lane 1 to @high of the same part. */
static void set_pairs(struct insn *out, u32 nr, u8 low, u8 high)
{
	for (u32 i = 0; i < nr; i++) {
		u8 lane = i & 1 ? high : low;

		out->lanes[i] = lane < INSN_LANE_ZERO ? (u8)(lane + (i & ~1u)) : lane;
	}
}

/* pshufd moves 4-byte parts. An 8-byte lane is kept only if its two halves stay together and in order. */
static u8 pair_of(u8 immediate, u32 pair, u8 source)
{
	u8 two = immediate >> (4 * pair) & 15;

	return two == 4	   ? INSN_LANE(source, 0)
	       : two == 14 ? INSN_LANE(source, 1)
			   : INSN_LANE_UNKNOWN;
}

static void set_lanes_by_constant(struct insn *out, u8 pattern, u8 n, u32 nr, u8 a, u8 b)
{
	switch (pattern) {
	case LANES_SHUFFLE_4:
		set_pairs(out, nr, pair_of(n, 0, b), pair_of(n, 1, b));
		break;
	case LANES_SHUFFLE_8:
		for (u32 i = 0; i < nr; i++)
			out->lanes[i] = INSN_LANE(i & 1 ? b : a, (i & ~1u) + (n >> i & 1));
		break;
	case LANES_ALIGN:
		if (n == 8)
			set_pairs(out, nr, INSN_LANE(b, 1), INSN_LANE(a, 0));
		break;
	case LANES_SHIFT_RIGHT:
		if (n == 8)
			set_pairs(out, nr, INSN_LANE(b, 1), INSN_LANE_ZERO);
		break;
	case LANES_SHIFT_LEFT:
		if (n == 8)
			set_pairs(out, nr, INSN_LANE_ZERO, INSN_LANE(b, 0));
		break;
	case LANES_PERMUTE:
		for (u32 i = 0; i < nr; i++)
			out->lanes[i] = INSN_LANE(b, (i & ~3u) + (n >> (2 * (i & 3)) & 3));
		break;
	case LANES_BLEND_4:
		for (u32 i = 0; i < nr; i++) {
			u8 two = n >> (2 * i) & 3;

			if (two == 0 || two == 3)
				out->lanes[i] = INSN_LANE(two ? b : a, i);
		}
		break;
	case LANES_BLEND_8:
		for (u32 i = 0; i < nr; i++)
			out->lanes[i] = INSN_LANE(n >> i & 1 ? b : a, i);
		break;
	case LANES_PERMUTE_16:
		for (u32 i = 0; i < nr; i++) {
			u8 half = n >> (i & 2 ? 4 : 0) & 15;

			out->lanes[i] =
				half & 8 ? INSN_LANE_ZERO
					 : INSN_LANE(half & 2 ? b : a, (half & 1) * 2 + (i & 1));
		}
		break;
	default:
		break;
	}
}

/* Inserts and extracts of 8 or 16 bytes. */
static void set_lanes_by_place(struct insn *out, u8 pattern, u8 n, u32 nr, u8 a, u8 b)
{
	u32 at;

	switch (pattern) {
	case LANES_INSERT_8:
	case LANES_INSERT_16:
		for (u32 i = 0; i < nr; i++)
			out->lanes[i] = INSN_LANE(a, i);
		if (pattern == LANES_INSERT_8) {
			out->lanes[n & 1] = INSN_LANE(b, 0);
			break;
		}
		at = 2 * (n & (nr / 2 - 1));
		out->lanes[at] = INSN_LANE(b, 0);
		out->lanes[at + 1] = INSN_LANE(b, 1);
		break;
	case LANES_EXTRACT_8:
		out->lanes[0] = INSN_LANE(b, n & 1);
		break;
	default:
		at = 2 * (n & (out->operands[b].width / 16 - 1u));
		set_pairs(out, nr, INSN_LANE(b, at), INSN_LANE(b, at + 1));
		break;
	}
}

void insn_x86_lanes(u8 pattern, u8 immediate, struct insn *out)
{
	u32 last = out->nr_operands - 1, nr = out->operands[0].width / 8;
	u8 a, b;

	if (out->operands[last].kind == INSN_IMM)
		last--;
	b = (u8)last;
	a = last > 1 ? 1 : 0;
	out->op = INSN_LANES;
	memset(out->lanes, INSN_LANE_UNKNOWN, sizeof(out->lanes));
	switch (pattern) {
	case LANES_LOW:
		set_pairs(out, nr, INSN_LANE(b, 0), INSN_LANE(a, 1));
		break;
	case LANES_HIGH:
		set_pairs(out, nr, INSN_LANE(a, 0), INSN_LANE(b, 0));
		break;
	case LANES_HIGH_LOW:
		set_pairs(out, nr, INSN_LANE(b, 1), INSN_LANE(a, 1));
		break;
	case LANES_UNPACK_HIGH:
		set_pairs(out, nr, INSN_LANE(a, 1), INSN_LANE(b, 1));
		break;
	case LANES_DUP:
		set_pairs(out, nr, INSN_LANE(b, 0), INSN_LANE(b, 0));
		break;
	case LANES_ZERO_HIGH:
		set_pairs(out, nr, INSN_LANE(b, 0), INSN_LANE_ZERO);
		break;
	case LANES_STORE_HIGH:
		out->lanes[0] = INSN_LANE(b, 1);
		break;
	case LANES_MERGE_LOW4:
		set_pairs(out, nr, INSN_LANE_UNKNOWN, INSN_LANE(a, 1));
		break;
	case LANES_SPREAD_8:
		memset(out->lanes, INSN_LANE(b, 0), nr);
		break;
	case LANES_SPREAD_16:
		for (u32 i = 0; i < nr; i++)
			out->lanes[i] = INSN_LANE(b, i & 1);
		break;
	case LANES_INSERT_8:
	case LANES_INSERT_16:
	case LANES_EXTRACT_8:
	case LANES_EXTRACT_16:
		set_lanes_by_place(out, pattern, immediate, nr, a, b);
		break;
	default:
		set_lanes_by_constant(out, pattern, immediate, nr, a, b);
		break;
	}
}
