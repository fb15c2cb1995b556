// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads values of attributes (DWARF 5, 7.5.5): numbers, addresses, strings, blocks, references. The same attribute has
 * different forms, which depend on the compiler, the version and the value. Examples:
 *
 *	attribute	form			bytes			value
 *	DW_AT_name	DW_FORM_string		6b 65 79 00		"key"
 *			DW_FORM_strp		18 00 00 00		the string at 18 in .debug_str
 *			DW_FORM_strx1		08			entry 8 of .debug_str_offsets: its offset
 *	DW_AT_low_pc	DW_FORM_addr		60 11 00 ... 00		1160
 *			DW_FORM_addrx		02			entry 2 of .debug_addr
 *	DW_AT_high_pc	DW_FORM_data8		27 00 ... 00		27: a size, because the form is no address
 *	DW_AT_type	DW_FORM_ref4		5c 00 00 00		the entry at 5c of the unit
 *			DW_FORM_ref_addr	5c 00 00 00		the entry at 5c of .debug_info
 *			DW_FORM_ref_sig8	8 bytes			the type with that signature, in a type unit
 *	DW_AT_external	DW_FORM_flag_present	none			1
 *	DW_AT_decl_file	DW_FORM_implicit_const	none			a number in the abbreviation
 *
 * A getter returns false if the form has another class than it asks for. So a caller may ask for both classes of an
 * attribute, as ranges.c does for DW_AT_high_pc.
 *
 * References to other units and files (DW_FORM_ref_addr, DW_FORM_GNU_ref_alt) are left to libdw: they are rare, and
 * libdw knows all units.
 */
#include <string.h>

#include "base/text.h"
#include "dwarf/package.h"
#include "dwarf/raw_private.h"

/*
 * The position of a value; NULL: the entry has no such attribute. out: its form, and the value of
 * DW_FORM_implicit_const. With DW_FORM_indirect, the form is stored in front of the value.
 */
static const u8 *value_at(const struct raw_unit *unit, const struct raw_die *die,
			  enum raw_slot slot, u64 *form, s64 *implicit)
{
	const struct raw_attr *attr;
	const u8 *at;

	if (!raw_has(die, slot))
		return NULL;
	attr = &die->attrs[die->abbrev->form[slot]];
	at = raw_value(die, slot);
	*form = attr->form;
	*implicit = attr->implicit;
	if (*form == DW_FORM_indirect && !raw_uleb(&at, unit->end, form))
		return NULL;
	return at;
}

/*
 * DW_FORM_data1 to data8 have no sign: an upper bound of -1 is ff, ffff or ffffffff here. Only DW_FORM_sdata and
 * DW_FORM_implicit_const can give a negative number, as a large u64. DW_FORM_data16 is not read.
 */
bool raw_uint(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	      u64 *value)
{
	u64 form;
	s64 number;
	const u8 *at = value_at(unit, die, slot, &form, &number);

	if (!at)
		return false;
	switch (form) {
	case DW_FORM_implicit_const:
		*value = (u64)number;
		return true;
	case DW_FORM_flag_present:
		*value = 1;
		return true;
	case DW_FORM_flag:
	case DW_FORM_data1:
		return raw_fixed(&at, unit->end, 1, value);
	case DW_FORM_data2:
		return raw_fixed(&at, unit->end, 2, value);
	case DW_FORM_data4:
		return raw_fixed(&at, unit->end, 4, value);
	case DW_FORM_data8:
		return raw_fixed(&at, unit->end, 8, value);
	case DW_FORM_sec_offset:
		return raw_fixed(&at, unit->end, unit->offset_size, value);
	case DW_FORM_udata:
	case DW_FORM_loclistx:
		return raw_uleb(&at, unit->end, value);
	case DW_FORM_sdata:
		if (!raw_sleb(&at, unit->end, &number))
			return false;
		*value = (u64)number;
		return true;
	default:
		return false;
	}
}

bool raw_flag(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot)
{
	u64 value;

	return raw_uint(unit, die, slot, &value) && value != 0;
}

/* Linkers do not relocate split units, so the addresses of a split unit are in the skeleton's file. */
bool raw_indexed_address(const struct raw_unit *unit, u64 index, u64 *value)
{
	const struct raw_bytes *bytes = &unit->skeleton->addr;
	u64 offset;
	const u8 *at;

	if (__builtin_mul_overflow(index, unit->address_size, &offset) ||
	    __builtin_add_overflow(offset, unit->addr_base, &offset) || offset >= bytes->size)
		return false;
	at = bytes->data + offset;
	return raw_fixed(&at, bytes->data + bytes->size, unit->address_size, value);
}

bool raw_address(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
		 u64 *value)
{
	u64 form, index;
	s64 implicit;
	const u8 *at = value_at(unit, die, slot, &form, &implicit);

	if (!at)
		return false;
	switch (form) {
	case DW_FORM_addr:
		return raw_fixed(&at, unit->end, unit->address_size, value);
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		return raw_uleb(&at, unit->end, &index) && raw_indexed_address(unit, index, value);
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		return raw_fixed(&at, unit->end,
				 form == DW_FORM_addrx4 ? 4 : (u32)(form - DW_FORM_addrx1 + 1),
				 &index) &&
		       raw_indexed_address(unit, index, value);
	default:
		return false;
	}
}

/*
 * A string in a section. It must end inside the section. Usually the section's last byte is 0, so no search is needed.
 */
static const char *string_in(const struct raw_bytes *bytes, u64 offset)
{
	if (offset >= bytes->size || (bytes->data[bytes->size - 1] &&
				      !memchr(bytes->data + offset, 0, bytes->size - offset)))
		return NULL;
	return (const char *)bytes->data + offset;
}

static const char *indexed_string(const struct raw_unit *unit, u64 index)
{
	const struct raw_bytes *bytes = &unit->file->str_offsets;
	u64 offset;
	const u8 *at;

	if (__builtin_mul_overflow(index, unit->offset_size, &offset) ||
	    __builtin_add_overflow(offset, unit->str_offsets_base, &offset) ||
	    offset >= bytes->size)
		return NULL;
	at = bytes->data + offset;
	if (!raw_fixed(&at, bytes->data + bytes->size, unit->offset_size, &offset))
		return NULL;
	return string_in(&unit->file->str, offset);
}

/* The attribute in libdw's form. Only for slots whose value may be in another file or unit. */
static bool find_attribute(const struct raw_unit *unit, const struct raw_die *die,
			   enum raw_slot slot, Dwarf_Attribute *attr)
{
	static const unsigned int names[NR_RAW_SLOTS] = {
		[RAW_NAME] = DW_AT_name,
		[RAW_LINKAGE_NAME] = DW_AT_linkage_name,
		[RAW_TYPE] = DW_AT_type,
		[RAW_GO_ELEM] = DW_AT_go_elem,
		[RAW_SPECIFICATION] = DW_AT_specification,
		[RAW_ORIGIN] = DW_AT_abstract_origin,
		[RAW_SIGNATURE] = DW_AT_signature,
	};
	Dwarf_Die full = raw_to_die(unit, die->at);

	if (names[slot] && dwarf_attr(&full, names[slot], attr))
		return true;
	if (slot == RAW_ORIGIN)
		return dwarf_attr(&full, DW_AT_call_origin, attr);
	return slot == RAW_LINKAGE_NAME && dwarf_attr(&full, DW_AT_MIPS_linkage_name, attr);
}

/* Strings in other files: read by libdw. */
static const char *string_by_libdw(const struct raw_unit *unit, const struct raw_die *die,
				   enum raw_slot slot)
{
	pthread_mutex_t *lock = unit->file->lock;
	const char *text = NULL;
	Dwarf_Attribute attr;

	libdw_lock(lock);
	if (find_attribute(unit, die, slot, &attr))
		text = dwarf_formstring(&attr);
	libdw_unlock(lock);
	return text;
}

/* Entries in other files and units: found by libdw. */
static bool entry_by_libdw(const struct raw_unit *unit, const struct raw_die *die,
			   enum raw_slot slot, Dwarf_Die *out)
{
	pthread_mutex_t *lock = unit->file->lock;
	Dwarf_Attribute attr;
	bool found;

	libdw_lock(lock);
	found = find_attribute(unit, die, slot, &attr) && dwarf_formref_die(&attr, out);
	libdw_unlock(lock);
	return found;
}

static const char *stated_string(const struct raw_unit *unit, const struct raw_die *die,
				 enum raw_slot slot)
{
	u64 form, offset;
	s64 implicit;
	const u8 *at = value_at(unit, die, slot, &form, &implicit);

	if (!at)
		return NULL;
	switch (form) {
	case DW_FORM_string:
		return (const char *)at;
	case DW_FORM_strp:
		if (!raw_fixed(&at, unit->end, unit->offset_size, &offset))
			return NULL;
		return string_in(&unit->file->str, offset);
	case DW_FORM_line_strp:
		if (!raw_fixed(&at, unit->end, unit->offset_size, &offset))
			return NULL;
		return string_in(&unit->file->line_str, offset);
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
		return raw_uleb(&at, unit->end, &offset) ? indexed_string(unit, offset) : NULL;
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return raw_fixed(&at, unit->end,
				 form == DW_FORM_strx4 ? 4 : (u32)(form - DW_FORM_strx1 + 1),
				 &offset)
			       ? indexed_string(unit, offset)
			       : NULL;
	default:
		return string_by_libdw(unit, die, slot);
	}
}

/* Names are shown to users; linkage names are only looked up. */
const char *raw_string(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot)
{
	const char *text = stated_string(unit, die, slot);
	g_autofree char *shown = NULL;

	if (!text || slot != RAW_NAME || text_is_shown(text))
		return text;
	shown = text_shown(text);
	return g_intern_string(shown);
}

bool raw_block(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	       struct cursor *block)
{
	u64 form, size = 0;
	s64 implicit;
	const u8 *at = value_at(unit, die, slot, &form, &implicit);
	bool read;

	if (!at)
		return false;
	switch (form) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
		read = raw_uleb(&at, unit->end, &size);
		break;
	case DW_FORM_block1:
		read = raw_fixed(&at, unit->end, 1, &size);
		break;
	case DW_FORM_block2:
		read = raw_fixed(&at, unit->end, 2, &size);
		break;
	case DW_FORM_block4:
		read = raw_fixed(&at, unit->end, 4, &size);
		break;
	default:
		read = false;
		break;
	}
	if (!read || size > (u64)(unit->end - at))
		return false;
	*block = cursor_of(at, size);
	return true;
}

bool raw_ref(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	     Dwarf_Die *out)
{
	u64 form, offset;
	u8 size;
	s64 implicit;
	const u8 *at = value_at(unit, die, slot, &form, &implicit);

	if (!at)
		return false;
	if (form == DW_FORM_ref4) {
		at = raw_entry_at(unit, at);
		*out = raw_to_die(unit, at);
		return at != NULL;
	}
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref8:
		size = raw_form_size(form, unit->version, unit->address_size, unit->offset_size);
		if (!raw_fixed(&at, unit->end, size, &offset))
			return false;
		break;
	case DW_FORM_ref_udata:
		if (!raw_uleb(&at, unit->end, &offset))
			return false;
		break;
	case DW_FORM_ref_sig8:
		if (unit->file->package)
			return raw_fixed(&at, unit->end, 8, &offset) &&
			       package_type(unit->file->package, offset, out);
		/* fallthrough */
	default:
		return entry_by_libdw(unit, die, slot, out);
	}
	if (offset < (u64)(unit->first - unit->start) || offset >= (u64)(unit->end - unit->start))
		return false;
	*out = raw_to_die(unit, unit->start + offset);
	return true;
}

/*
 * DWARF 5: DW_FORM_rnglistx is an index into a table of offsets at the base; the offsets are relative to the base, too.
 * DW_FORM_sec_offset is an offset in the section. Before DWARF 5 the lists of a split unit are in the skeleton's
 * .debug_ranges, and its offsets are relative to the skeleton's DW_AT_GNU_ranges_base. The skeleton's own offset is not.
 */
bool raw_range_list(const struct raw_unit *unit, const struct raw_die *die, u64 *offset,
		    const struct raw_file **file)
{
	const struct raw_bytes *section;
	u64 form, place;
	s64 implicit;
	const u8 *at = value_at(unit, die, RAW_RANGES, &form, &implicit);

	*file = unit->version < 5 ? unit->skeleton : unit->file;
	if (!at)
		return false;
	if (form != DW_FORM_rnglistx) {
		if (!raw_uint(unit, die, RAW_RANGES, offset))
			return false;
		if (unit->split)
			*offset += unit->ranges_base;
		return true;
	}
	section = &(*file)->rnglists;
	if (!raw_uleb(&at, unit->end, &place) ||
	    __builtin_mul_overflow(place, unit->offset_size, &place) ||
	    __builtin_add_overflow(place, unit->rnglists_base, &place) || place >= section->size)
		return false;
	at = section->data + place;
	if (!raw_fixed(&at, section->data + section->size, unit->offset_size, offset))
		return false;
	*offset += unit->rnglists_base;
	return true;
}
