/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the raw reader: raw.c walks entries, raw_values.c reads attributes, raw_abbrevs.c tells where
 * attributes are, raw_unit.c where a unit begins.
 */
#ifndef DWARF_RAW_PRIVATE_H
#define DWARF_RAW_PRIVATE_H

#include "dwarf/raw.h"

/* Go's own attributes (cmd/internal/dwarf in Go's sources). */
#define DW_AT_go_elem		0x2902
#define DW_AT_go_runtime_type	0x2904
#define DW_AT_go_closure_offset 0x2907

static inline bool raw_skip_bytes(const u8 **at, const u8 *end, u64 size)
{
	if ((u64)(end - *at) < size)
		return false;
	*at += size;
	return true;
}

/* The entry that a 4-byte reference at @at refers to, in the same unit. */
static inline const u8 *raw_entry_at(const struct raw_unit *unit, const u8 *at)
{
	u64 offset;

	if (!raw_fixed(&at, unit->end, 4, &offset) || offset < (u64)(unit->first - unit->start) ||
	    offset >= (u64)(unit->end - unit->start))
		return NULL;
	return unit->start + offset;
}

/* Size in bytes of a value of @form. RAW_VARIABLE: it varies. RAW_NO_FORM: there is no such form. */
#define RAW_NO_FORM 0xfe
u8 raw_form_size(u64 form, u8 version, u8 address_size, u8 offset_size);

/* Moves *@at behind a value of @form. False: the unit ends before that. */
bool raw_skip_form(const struct raw_unit *unit, u64 form, const u8 **at);

/*
 * The table at @offset of .debug_abbrev, with the version, address size and offset size of @unit; NULL: there is none.
 */
const struct raw_abbrevs *raw_abbrevs_read(const struct raw_unit *unit, u64 offset);
void raw_abbrevs_free(struct raw_abbrevs *table);

#endif
