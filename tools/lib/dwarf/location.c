// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locations of a variable: location lists of DWARF 2 to 5, including those of split units before DWARF 5, and single
 * expressions, which are valid in the whole scope. A location may consist of pieces.
 *
 * Example: a function with a parameter that changes, one that does not, and a counter. gcc -O2 makes of it:
 *
 *	int find(struct node *n, int key)	for (; n && n->key != key; n = n->next) steps++; ...
 *
 *	<2> "n"		DW_AT_location 10 (DW_FORM_sec_offset)
 *	<2> "key"	DW_AT_location 54 (DW_FORM_exprloc): DW_OP_reg4 (rsi)
 *	<2> "steps"	DW_AT_location 1f (DW_FORM_sec_offset)
 *
 *	.debug_loclists
 *	10	04 00 13 01 55		DW_LLE_offset_pair 0 13, 1 byte: DW_OP_reg5 (rdi)
 *	15	04 16 27 01 55		DW_LLE_offset_pair 16 27, 1 byte: DW_OP_reg5
 *	1a	00			DW_LLE_end_of_list
 *	1f	04 00 09 02 30 9f	DW_LLE_offset_pair 0 9, 2 bytes: DW_OP_lit0, DW_OP_stack_value
 *	25	04 09 20 01 50		DW_LLE_offset_pair 9 20, 1 byte: DW_OP_reg0 (rax)
 *	2a	00
 *
 *	n	[0, 13)		LOCATION_REG rdi
 *	n	[16, 27)	LOCATION_REG rdi
 *	key	[0, 27)		LOCATION_REG rsi, home: it is there in the whole scope
 *	steps	[0, 9)		LOCATION_CONST 0
 *	steps	[9, 20)		LOCATION_REG rax
 *
 * In [13, 16) there is no location of n: absent means that the debug information does not tell it.
 *
 * The frame base. DW_OP_fbreg -32 is relative to the function's DW_AT_frame_base, which is a location itself (DWARF 5,
 * section 3.3.5). The result depends on the compiler:
 *
 *	gcc	DW_OP_call_frame_cfa	in memory at CFA-32: LOCATION_MEM_CFA -32, framed
 *	clang	DW_OP_reg6 (rbp)	in memory at rbp-32: LOCATION_MEM_REG rbp -32, framed
 *
 * Limits: DW_OP_bit_piece ends the reading of an expression. A frame base of another form gives no location. Malformed
 * lists keep the locations before the error.
 */
#include "dwarf/internal.h"

struct location_reading {
	const struct raw_unit *unit;
	const struct location_scope *scope;
	u32 variable;
	bool home;
	GArray *locations;
};

/* Empty ranges contain no instruction. The limit is for malformed lists. */
static void append(GArray *locations, const struct location *location)
{
	if (location->low < location->high && locations->len < MAX_ENTRIES)
		g_array_append_val(locations, *location);
}

/* If the frame base is register + n, converts a kind relative to the frame base into one relative to the register. */
static u8 kind_at_register(u8 kind)
{
	switch (kind) {
	case LOCATION_MEM_CFA:
		return LOCATION_MEM_REG;
	case LOCATION_CFA_PLUS:
		return LOCATION_REG_PLUS;
	case LOCATION_DEREF_CFA:
		return LOCATION_DEREF_REG;
	case LOCATION_MEM_DEREF_CFA:
		return LOCATION_MEM_DEREF_REG;
	default:
		return LOCATION_NONE;
	}
}

/*
 * Converts a location relative to the frame base: replaces the frame base by its own location. A frame base in a
 * register (LOCATION_REG) means: the frame base is the register's value. False: the result has no form in
 * enum location_kind.
 */
static bool join(struct location *location, const struct location *base)
{
	switch (base->kind) {
	case LOCATION_MEM_REG:
	case LOCATION_REG:
		location->kind = kind_at_register(location->kind);
		location->reg = base->reg;
		break;
	case LOCATION_MEM_CFA:
		break;
	default:
		location->kind = LOCATION_NONE;
		break;
	}
	location->offset = (s64)((u64)location->offset + (u64)base->offset);
	location->framed = true;
	return location->kind != LOCATION_NONE;
}

/* Appends a location relative to the frame base, once for each location of the frame base in its range. */
static void append_framed(const struct location_scope *scope, const struct location *location,
			  GArray *locations)
{
	for (u32 i = 0; scope->frame_base && i < scope->frame_base->len; i++) {
		const struct location *base = &g_array_index(scope->frame_base, struct location, i);
		struct location joined = *location;

		joined.low = MAX(location->low, base->low);
		joined.high = MIN(location->high, base->high);
		if (join(&joined, base))
			append(locations, &joined);
	}
}

/*
 * Reads the expression for [low, high): one location, or one for each piece. A structure in two registers, of which the
 * second is not known:
 *
 *	DW_OP_reg3, DW_OP_piece 8, DW_OP_piece 8	bytes 0-7: rbx; bytes 8-15: optimized out, no location
 */
static void read_expression(const struct location_reading *r, struct cursor bytes, u64 low,
			    u64 high)
{
	u32 piece_offset = 0;

	while (cursor_left(&bytes)) {
		struct location location = {
			.low = low, .high = high, .variable = r->variable, .home = r->home
		};
		bool framed;

		if (!expr_read(r->unit, &bytes, &location, &framed))
			return;
		if (cursor_left(&bytes)) {
			u64 size;

			if (cursor_u8(&bytes) != DW_OP_piece ||
			    !raw_uleb(&bytes.pos, bytes.end, &size) || size > UINT32_MAX / 2 ||
			    piece_offset > UINT32_MAX / 2)
				return;
			location.piece_offset = piece_offset;
			location.piece_size = (u32)size;
			piece_offset += location.piece_size;
		}
		if (framed)
			append_framed(r->scope, &location, r->locations);
		else if (location.kind != LOCATION_NONE)
			append(r->locations, &location);
	}
}

/* A single expression is valid in the whole scope. */
static void read_everywhere(const struct location_reading *r, struct cursor bytes)
{
	for (u32 i = 0; i < r->scope->ranges->len; i++) {
		const struct range *range = &g_array_index(r->scope->ranges, struct range, i);

		read_expression(r, bytes, range->low, range->high);
	}
}

/* DWARF 4, section 2.6.2: before each expression a pair of addresses, relative to a base. */
static void read_old_list(const struct location_reading *r, struct cursor list)
{
	u8 size = r->unit->address_size;
	u64 base = r->unit->low_pc, low, high, select = size == 8 ? ~0ULL : 0xffffffffULL;

	for (u32 seen = 0; seen < MAX_ENTRIES; seen++) {
		const void *bytes;
		u16 length;

		if (!raw_fixed(&list.pos, list.end, size, &low) ||
		    !raw_fixed(&list.pos, list.end, size, &high) || (!low && !high))
			return;
		if (low == select) {
			base = high;
			continue;
		}
		length = cursor_u16(&list);
		bytes = cursor_bytes(&list, length);
		if (!bytes)
			return;
		read_expression(r, cursor_of(bytes, length), low + base, high + base);
	}
}

struct list_entry {
	bool end, has_range, everywhere;
	u64 low, high;
};

static bool list_uleb(struct cursor *list, u64 *value)
{
	return raw_uleb(&list->pos, list->end, value);
}

/* Reads an index into .debug_addr and gets the address. */
static bool list_address(const struct location_reading *r, struct cursor *list, u64 *value)
{
	u64 index;

	return list_uleb(list, &index) && raw_indexed_address(r->unit, index, value);
}

/*
 * DWARF 5, section 7.7.3. False: malformed, or the list's bytes end. An entry may set the base, or state a range for
 * the expression after it, or that the expression is valid where no other one is (here: everywhere). gcc's view pairs
 * number several places of the source at one address; they are not needed.
 */
static bool read_entry(const struct location_reading *r, struct cursor *list, u64 *base,
		       struct list_entry *entry)
{
	u8 size = r->unit->address_size;
	u64 length;

	*entry = (struct list_entry){ 0 };
	switch (cursor_u8(list)) {
	case DW_LLE_end_of_list:
		entry->end = true;
		return true;
	case DW_LLE_base_addressx:
		return list_address(r, list, base);
	case DW_LLE_base_address:
		return raw_fixed(&list->pos, list->end, size, base);
	case DW_LLE_startx_endx:
		entry->has_range = true;
		return list_address(r, list, &entry->low) && list_address(r, list, &entry->high);
	case DW_LLE_startx_length:
		entry->has_range = true;
		if (!list_address(r, list, &entry->low) || !list_uleb(list, &length))
			return false;
		entry->high = entry->low + length;
		return true;
	case DW_LLE_offset_pair:
		entry->has_range = true;
		if (!list_uleb(list, &entry->low) || !list_uleb(list, &entry->high))
			return false;
		entry->low += *base;
		entry->high += *base;
		return true;
	case DW_LLE_default_location:
		entry->everywhere = true;
		return true;
	case DW_LLE_start_end:
		entry->has_range = true;
		return raw_fixed(&list->pos, list->end, size, &entry->low) &&
		       raw_fixed(&list->pos, list->end, size, &entry->high);
	case DW_LLE_start_length:
		entry->has_range = true;
		if (!raw_fixed(&list->pos, list->end, size, &entry->low) ||
		    !list_uleb(list, &length))
			return false;
		entry->high = entry->low + length;
		return true;
	case DW_LLE_GNU_view_pair:
		return list_uleb(list, &length) && list_uleb(list, &length);
	default:
		return false;
	}
}

static void read_list(const struct location_reading *r, struct cursor list)
{
	u64 base = r->unit->low_pc;

	for (u32 seen = 0; seen < MAX_ENTRIES; seen++) {
		struct list_entry entry;
		const void *bytes;
		u64 length;

		if (!read_entry(r, &list, &base, &entry) || list.failed || entry.end)
			return;
		if (!entry.has_range && !entry.everywhere)
			continue;
		if (!list_uleb(&list, &length))
			return;
		bytes = cursor_bytes(&list, length);
		if (!bytes)
			return;
		if (entry.everywhere)
			read_everywhere(r, cursor_of(bytes, length));
		else
			read_expression(r, cursor_of(bytes, length), entry.low, entry.high);
	}
}

/*
 * The format that gcc and clang write into .debug_loc.dwo with DWARF 4. Its kinds are: 0 the end, 1 a base, 2 two
 * indexes into .debug_addr, 3 an index and a length, 4 two offsets from the base.
 *
 * gcc writes the length of a range that both ends one byte before a label as .LVL2-1-.LVL1-1, which is two too small. So
 * the length of a range of one byte is -1.
 */
static void read_split_list(const struct location_reading *r, struct cursor list)
{
	u64 base = r->unit->low_pc, low, high, length;

	for (u32 seen = 0; seen < MAX_ENTRIES; seen++) {
		const void *bytes;
		bool known;

		switch (cursor_u8(&list)) {
		case 1:
			if (!list_address(r, &list, &base))
				return;
			continue;
		case 2:
			known = list_address(r, &list, &low) && list_address(r, &list, &high);
			break;
		case 3:
			known = list_address(r, &list, &low);
			high = low + (u64)(s32)cursor_u32(&list);
			break;
		case 4:
			low = base + cursor_u32(&list);
			high = base + cursor_u32(&list);
			known = true;
			break;
		default:
			return;
		}
		length = cursor_u16(&list);
		bytes = cursor_bytes(&list, length);
		if (!known || !bytes)
			return;
		if (low <= high)
			read_expression(r, cursor_of(bytes, length), low, high);
	}
}

static bool list_at(const struct raw_bytes *section, u64 offset, struct cursor *list)
{
	if (offset >= section->size)
		return false;
	*list = cursor_of(section->data + offset, section->size - offset);
	return true;
}

/* DW_FORM_loclistx: an index into a table at the base. The table has offsets from the base. */
static bool indexed_list(const struct raw_unit *unit, u64 index, u64 *offset)
{
	const struct raw_bytes *section = &unit->file->loclists;
	const u8 *at;
	u64 place;

	if (__builtin_mul_overflow(index, unit->offset_size, &place) ||
	    __builtin_add_overflow(place, unit->loclists_base, &place) || place >= section->size)
		return false;
	at = section->data + place;
	if (!raw_fixed(&at, section->data + section->size, unit->offset_size, offset))
		return false;
	*offset += unit->loclists_base;
	return true;
}

void locations_read(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
		    const struct location_scope *scope, u32 variable, GArray *locations)
{
	struct location_reading r = {
		.unit = unit, .scope = scope, .variable = variable, .locations = locations
	};
	struct cursor bytes;
	u64 offset;

	if (raw_block(unit, die, slot, &bytes)) {
		r.home = true;
		read_everywhere(&r, bytes);
		return;
	}
	if (!raw_uint(unit, die, slot, &offset))
		return;
	if (raw_form(die, slot) == DW_FORM_loclistx && !indexed_list(unit, offset, &offset))
		return;
	if (unit->version >= 5) {
		if (list_at(&unit->file->loclists, offset, &bytes))
			read_list(&r, bytes);
	} else if (list_at(&unit->file->loc, offset, &bytes)) {
		if (unit->split)
			read_split_list(&r, bytes);
		else
			read_old_list(&r, bytes);
	}
}
