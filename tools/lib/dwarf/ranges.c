// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The address ranges of an entry: DWARF 5, sections 2.17 and 7.25, and .debug_ranges in older versions. Example: gcc
 * inlines a call and moves its code behind the rest of the function:
 *
 *	<1> DW_TAG_subprogram "hot"		DW_AT_low_pc 0, DW_AT_high_pc 32 (a size): [0, 32)
 *	<2>   DW_TAG_inlined_subroutine "slow"	DW_AT_ranges c
 *
 *	.debug_rnglists
 *	c	05 18 00 00 00 00 00 00 00	DW_RLE_base_address 18
 *	15	04 00 00			DW_RLE_offset_pair 0 0: [18, 18), empty
 *	18	04 13 19			DW_RLE_offset_pair 13 19: [2b, 31)
 *	1b	00				DW_RLE_end_of_list
 *
 * Empty ranges are dropped: they contain no instruction. Without a base address in the list, the base is DW_AT_low_pc
 * of the unit. .debug_ranges has pairs of addresses instead: (0, 0) ends a list, and (ffffffffffffffff, A) makes A the
 * base. Malformed input: the ranges before the error are kept.
 */
#include "dwarf/internal.h"

#define MAX_RANGES (1 << 16)

static void append(GArray *ranges, u64 low, u64 high)
{
	struct range range = { low, high };

	if (low < high && ranges->len < MAX_RANGES)
		g_array_append_val(ranges, range);
}

static void read_old_list(const struct raw_unit *unit, struct cursor list, GArray *ranges)
{
	u8 size = unit->address_size;
	u64 base = unit->low_pc, low, high, select = size == 8 ? ~0ULL : 0xffffffffULL;

	while (raw_fixed(&list.pos, list.end, size, &low) &&
	       raw_fixed(&list.pos, list.end, size, &high) && (low || high) &&
	       ranges->len < MAX_RANGES) {
		if (low == select)
			base = high;
		else
			append(ranges, low + base, high + base);
	}
}

static bool indexed(const struct raw_unit *unit, struct cursor *list, u64 *value)
{
	u64 index;

	return raw_uleb(&list->pos, list->end, &index) && raw_indexed_address(unit, index, value);
}

static bool plain(const struct raw_unit *unit, struct cursor *list, u64 *value)
{
	return raw_fixed(&list->pos, list->end, unit->address_size, value);
}

static bool uleb(struct cursor *list, u64 *value)
{
	return raw_uleb(&list->pos, list->end, value);
}

/* Reads one entry. False: the list ends, or the entry is malformed. */
static bool read_entry(const struct raw_unit *unit, struct cursor *list, u64 *base, GArray *ranges)
{
	u64 low, high;

	switch (cursor_u8(list)) {
	case DW_RLE_base_addressx:
		return indexed(unit, list, base);
	case DW_RLE_base_address:
		return plain(unit, list, base);
	case DW_RLE_startx_endx:
		if (!indexed(unit, list, &low) || !indexed(unit, list, &high))
			return false;
		break;
	case DW_RLE_startx_length:
		if (!indexed(unit, list, &low) || !uleb(list, &high))
			return false;
		high += low;
		break;
	case DW_RLE_offset_pair:
		if (!uleb(list, &low) || !uleb(list, &high))
			return false;
		low += *base;
		high += *base;
		break;
	case DW_RLE_start_end:
		if (!plain(unit, list, &low) || !plain(unit, list, &high))
			return false;
		break;
	case DW_RLE_start_length:
		if (!plain(unit, list, &low) || !uleb(list, &high))
			return false;
		high += low;
		break;
	default:
		return false;
	}
	append(ranges, low, high);
	return true;
}

static void read_list(const struct raw_unit *unit, struct cursor list, GArray *ranges)
{
	u64 base = unit->low_pc;

	while (read_entry(unit, &list, &base, ranges) && !list.failed && ranges->len < MAX_RANGES)
		;
}

/*
 * DW_AT_high_pc is asked for first: a unit with DW_AT_ranges often has DW_AT_low_pc 0 as well, as the base for its
 * lists. DW_AT_high_pc is a size if it is a constant (DWARF 4 and later), and the end if it is an address.
 */
void raw_ranges(const struct raw_unit *unit, const struct raw_die *die, GArray *ranges)
{
	const struct raw_bytes *section;
	const struct raw_file *file;
	struct range range;
	u64 offset;

	if (raw_has(die, RAW_HIGH_PC) && raw_address(unit, die, RAW_LOW_PC, &range.low)) {
		if (raw_uint(unit, die, RAW_HIGH_PC, &range.high))
			append(ranges, range.low, range.low + range.high);
		else if (raw_address(unit, die, RAW_HIGH_PC, &range.high))
			append(ranges, range.low, range.high);
	} else if (raw_range_list(unit, die, &offset, &file)) {
		section = unit->version < 5 ? &file->ranges : &file->rnglists;
		if (offset >= section->size)
			return;
		if (unit->version < 5)
			read_old_list(unit,
				      cursor_of(section->data + offset, section->size - offset),
				      ranges);
		else
			read_list(unit, cursor_of(section->data + offset, section->size - offset),
				  ranges);
	}
}
