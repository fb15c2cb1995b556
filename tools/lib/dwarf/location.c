// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Location expressions of variables, as far as they say plainly where the value is: in a
 * register, in memory at a register, the frame or an address, at a place of the thread's
 * storage, or in pieces of those. Everything else (values computed, implicit pointers,
 * values at entry) is LOCATION_NONE, which hides nothing and promises nothing.
 */
#include "dwarf/internal.h"

static bool is_breg(u8 atom)
{
	return atom >= DW_OP_breg0 && atom <= DW_OP_breg31;
}

/* The register of a reg or breg operation, or -1. */
static s64 op_register(const Dwarf_Op *op, bool *based, s64 *offset)
{
	*offset = 0;
	*based = is_breg(op->atom) || op->atom == DW_OP_bregx;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return op->atom - DW_OP_reg0;
	if (op->atom == DW_OP_regx)
		return op->number < 128 ? (s64)op->number : -1;
	if (is_breg(op->atom)) {
		*offset = (s64)op->number;
		return op->atom - DW_OP_breg0;
	}
	if (op->atom == DW_OP_bregx) {
		*offset = (s64)op->number2;
		return op->number < 128 ? (s64)op->number : -1;
	}
	return -1;
}

/* A constant on the stack: literal, constN, or indexed in .debug_addr by split units. */
static bool op_constant(Dwarf_Attribute *attr, const Dwarf_Op *op, u64 *value)
{
	Dwarf_Attribute indexed;
	Dwarf_Addr address;
	Dwarf_Word word;

	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		*value = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (dwarf_getlocation_attr(attr, op, &indexed) != 0 ||
		    dwarf_formaddr(&indexed, &address) != 0)
			return false;
		*value = address;
		return true;
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(attr, op, &indexed) != 0)
			return false;
		if (dwarf_formudata(&indexed, &word) == 0)
			*value = word;
		else if (dwarf_formaddr(&indexed, &address) == 0)
			*value = address;
		else
			return false;
		return true;
	default:
		if (op->atom < DW_OP_lit0 || op->atom > DW_OP_lit31)
			return false;
		*value = op->atom - DW_OP_lit0;
		return true;
	}
}

static bool is_address(u8 atom)
{
	return atom == DW_OP_addr || atom == DW_OP_addrx || atom == DW_OP_GNU_addr_index;
}

static bool is_piece(u8 atom)
{
	return atom == DW_OP_piece || atom == DW_OP_bit_piece;
}

/* The operations after a constant say what it is: an address, a place in TLS, the value. */
static void read_constant(const Dwarf_Op *ops, size_t nr, u64 value, struct location *out)
{
	u8 last = ops[nr - 1].atom;

	if (nr >= 2 && ops[1].atom == DW_OP_plus_uconst) {
		value += ops[1].number;
		nr--;
	}
	out->offset = (s64)value;
	if (nr == 1 && is_address(ops[0].atom))
		out->kind = LOCATION_MEM;
	else if (nr == 2 && (last == DW_OP_form_tls_address || last == DW_OP_GNU_push_tls_address))
		out->kind = LOCATION_TLS;
	else if (nr == 2 && last == DW_OP_stack_value)
		out->kind = LOCATION_CONST;
}

/*
 * One simple location from @ops; returns how many operations it took, up to a piece's mark
 * or the end. @out->kind LOCATION_NONE where they say more than the kinds can.
 */
static size_t read_simple(Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
			  struct location *out, bool *framed)
{
	size_t used = 0, rest;
	bool based;
	u64 value;
	s64 reg;

	out->kind = LOCATION_NONE;
	*framed = false;
	while (used < nr && !is_piece(ops[used].atom))
		used++;
	if (used == 0)
		return 0;
	reg = op_register(&ops[0], &based, &out->offset);
	rest = used - 1;
	if (reg >= 0) {
		out->reg = (u8)reg;
		if (rest == 0)
			out->kind = based ? LOCATION_MEM_REG : LOCATION_REG;
		else if (rest == 1 && based && ops[1].atom == DW_OP_stack_value)
			out->kind = LOCATION_REG_PLUS;
	} else if (ops[0].atom == DW_OP_fbreg && rest == 0) {
		out->kind = LOCATION_MEM_CFA;
		out->offset = (s64)ops[0].number;
		*framed = true;
	} else if (ops[0].atom == DW_OP_call_frame_cfa && rest == 0) {
		out->kind = LOCATION_MEM_CFA;
	} else if (op_constant(attr, &ops[0], &value)) {
		read_constant(ops, used, value, out);
	}
	return used;
}

static void append(GArray *locations, const struct location *location)
{
	if (location->low < location->high && locations->len < MAX_ENTRIES)
		g_array_append_val(locations, *location);
}

/* A location relative to the frame base: joined with what the frame base is, when. */
static void append_framed(const struct location_scope *scope, const struct location *location,
			  GArray *locations)
{
	if (!scope->frame_base)
		return;
	for (u32 i = 0; i < scope->frame_base->len; i++) {
		const struct location *base = &g_array_index(scope->frame_base, struct location, i);
		struct location joined = *location;

		joined.low = MAX(location->low, base->low);
		joined.high = MIN(location->high, base->high);
		joined.kind = LOCATION_MEM_REG;
		joined.reg = base->reg;
		joined.framed = true;
		if (base->kind == LOCATION_MEM_REG)
			joined.offset = (s64)((u64)location->offset + (u64)base->offset);
		else if (base->kind == LOCATION_MEM_CFA)
			joined.kind = LOCATION_MEM_CFA;
		else if (base->kind != LOCATION_REG)
			continue;
		append(locations, &joined);
	}
}

/* What @ops say for [low, high). */
static void read_expression(Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
			    const struct location_scope *scope, struct location *row,
			    GArray *locations)
{
	u32 piece_offset = 0;

	while (nr) {
		struct location location = *row;
		bool framed;
		size_t used = read_simple(attr, ops, nr, &location, &framed);

		ops += used;
		nr -= used;
		if (nr) {
			if (ops[0].atom != DW_OP_piece || ops[0].number > UINT32_MAX / 2 ||
			    piece_offset > UINT32_MAX / 2)
				return;
			location.piece_offset = piece_offset;
			location.piece_size = (u32)ops[0].number;
			piece_offset += location.piece_size;
			ops++;
			nr--;
		}
		if (framed)
			append_framed(scope, &location, locations);
		else if (location.kind != LOCATION_NONE)
			append(locations, &location);
	}
}

void locations_read(Dwarf_Attribute *attr, const struct location_scope *scope, u32 variable,
		    GArray *locations)
{
	Dwarf_Addr base = 0, low, high;
	Dwarf_Op *ops;
	ptrdiff_t at = 0;
	size_t nr;
	u32 seen = 0;

	while ((at = dwarf_getlocations(attr, at, &base, &low, &high, &ops, &nr)) > 0 &&
	       seen++ < MAX_ENTRIES) {
		struct location row = { .low = low, .high = high, .variable = variable };

		if (low != 0 || high != (Dwarf_Addr)-1) {
			read_expression(attr, ops, nr, scope, &row, locations);
			continue;
		}
		/* No list: the one expression holds wherever the scope is. */
		for (u32 i = 0; i < scope->ranges->len; i++) {
			const struct range *r = &g_array_index(scope->ranges, struct range, i);

			row.low = r->low;
			row.high = r->high;
			read_expression(attr, ops, nr, scope, &row, locations);
		}
		return;
	}
}
