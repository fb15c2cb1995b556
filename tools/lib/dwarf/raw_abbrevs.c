// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads tables of abbreviations (DWARF 5, 7.5.3). An abbreviation tells which attributes its entries have, at which
 * position, and which of them are stored. Units with the same table share the result.
 *
 * Example: the members of `struct node { struct node *next; int key; };`. gcc writes the name "next" into .debug_str,
 * and "key" into the entry, because it is short. So the two members have different abbreviations:
 *
 *	.debug_abbrev			"next"					"key"
 *	code, tag, children		03 0d 00				04 0d 00
 *	DW_AT_name			03 0e	DW_FORM_strp			03 08	DW_FORM_string
 *	DW_AT_decl_file, line, column	3a 0b 3b 0b 39 0b			the same
 *	DW_AT_type			49 13	DW_FORM_ref4			the same
 *	DW_AT_data_member_location	38 0b	DW_FORM_data1			the same
 *					00 00					00 00
 *
 *	.debug_info, "next":	03  18 00 00 00  01 01 1c  56 00 00 00  00
 *	.debug_info, "key":	04  6b 65 79 00  01 01 26  5c 00 00 00  08
 *
 * All forms of "next" have a fixed size. The position of each value is computed here, once:
 *
 *	code 3: fixed, size 12, nr_lead 6, lead 12, type 7 + 1
 *		form[RAW_NAME] = 0, form[RAW_TYPE] = 4, form[RAW_MEMBER_LOCATION] = 5, all others RAW_ABSENT
 *		attrs[4] = { DW_FORM_ref4, at 7 }, attrs[5] = { DW_FORM_data1, at 11 }
 *
 * The name of "key" has a variable size. Its lead is empty, and raw_read() finds the positions in each entry.
 *
 * Limits: of an abbreviation with more than 255 attributes, the later ones are skipped, never stored. A table that ends
 * too early keeps the abbreviations before its end. An entry with an unknown form cannot be skipped; it ends the walk.
 */
#include <string.h>

#include "dwarf/raw_private.h"

#define DENSE_CODES 4096
#define MAX_ATTRS   (1 << 20) /* limit for one table of abbreviations */
#define MAX_FORM    0x30      /* forms of the standard; GNU's are handled separately */

/* By number of a standard attribute: its slot plus 1. 0: such attributes are skipped. */
static const u8 slots[] = {
	[DW_AT_sibling] = RAW_SIBLING + 1,
	[DW_AT_name] = RAW_NAME + 1,
	[DW_AT_linkage_name] = RAW_LINKAGE_NAME + 1,
	[DW_AT_low_pc] = RAW_LOW_PC + 1,
	[DW_AT_high_pc] = RAW_HIGH_PC + 1,
	[DW_AT_ranges] = RAW_RANGES + 1,
	[DW_AT_location] = RAW_LOCATION + 1,
	[DW_AT_type] = RAW_TYPE + 1,
	[DW_AT_declaration] = RAW_DECLARATION + 1,
	[DW_AT_specification] = RAW_SPECIFICATION + 1,
	[DW_AT_abstract_origin] = RAW_ORIGIN + 1,
	[DW_AT_call_origin] = RAW_ORIGIN + 1,
	[DW_AT_frame_base] = RAW_FRAME_BASE + 1,
	[DW_AT_const_value] = RAW_CONST_VALUE + 1,
	[DW_AT_byte_size] = RAW_BYTE_SIZE + 1,
	[DW_AT_bit_size] = RAW_BIT_SIZE + 1,
	[DW_AT_bit_offset] = RAW_BIT_OFFSET + 1,
	[DW_AT_data_bit_offset] = RAW_DATA_BIT_OFFSET + 1,
	[DW_AT_data_member_location] = RAW_MEMBER_LOCATION + 1,
	[DW_AT_external] = RAW_EXTERNAL + 1,
	[DW_AT_artificial] = RAW_ARTIFICIAL + 1,
	[DW_AT_signature] = RAW_SIGNATURE + 1,
	[DW_AT_call_return_pc] = RAW_CALL_RETURN_PC + 1,
	[DW_AT_count] = RAW_COUNT + 1,
	[DW_AT_upper_bound] = RAW_UPPER_BOUND + 1,
	[DW_AT_encoding] = RAW_ENCODING + 1,
	[DW_AT_defaulted] = RAW_DEFAULTED + 1,
	[DW_AT_deleted] = RAW_DELETED + 1,
	[DW_AT_calling_convention] = RAW_CALLING_CONVENTION + 1,
	[DW_AT_decl_line] = RAW_DECL_LINE + 1,
	[DW_AT_decl_file] = RAW_DECL_FILE + 1,
	[DW_AT_call_line] = RAW_CALL_LINE + 1,
	[DW_AT_call_file] = RAW_CALL_FILE + 1,
	[DW_AT_language] = RAW_LANGUAGE + 1,
	[DW_AT_addr_base] = RAW_ADDR_BASE + 1,
	[DW_AT_str_offsets_base] = RAW_STR_OFFSETS_BASE + 1,
	[DW_AT_loclists_base] = RAW_LOCLISTS_BASE + 1,
	[DW_AT_rnglists_base] = RAW_RNGLISTS_BASE + 1,
	[DW_AT_virtuality] = RAW_VIRTUALITY + 1,
	[DW_AT_containing_type] = RAW_CONTAINING_TYPE + 1,
	[DW_AT_noreturn] = RAW_NORETURN + 1,
	[DW_AT_variable_parameter] = RAW_VARIABLE_PARAMETER + 1,
	[DW_AT_vtable_elem_location] = RAW_VTABLE_SLOT + 1,
};

static u8 slot_of(u64 name)
{
	if (name < G_N_ELEMENTS(slots))
		return slots[name] ? slots[name] - 1 : NR_RAW_SLOTS;
	switch (name) {
	case DW_AT_MIPS_linkage_name:
		return RAW_LINKAGE_NAME;
	case DW_AT_GNU_vector:
		return RAW_VECTOR;
	case DW_AT_GNU_deleted:
		return RAW_DELETED;
	case DW_AT_GNU_addr_base:
		return RAW_ADDR_BASE;
	case DW_AT_GNU_ranges_base:
		return RAW_RANGES_BASE;
	case DW_AT_go_elem:
		return RAW_GO_ELEM;
	case DW_AT_go_runtime_type:
		return RAW_GO_RUNTIME_TYPE;
	case DW_AT_go_closure_offset:
		return RAW_GO_CLOSURE_OFFSET;
	default:
		return NR_RAW_SLOTS;
	}
}

u8 raw_form_size(u64 form, u8 version, u8 address_size, u8 offset_size)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return address_size;
	case DW_FORM_ref_addr:
		return version < 3 ? address_size : offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return offset_size;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
	case DW_FORM_string:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_exprloc:
	case DW_FORM_indirect:
		return RAW_VARIABLE;
	default:
		return RAW_NO_FORM;
	}
}

bool raw_skip_form(const struct raw_unit *unit, u64 form, const u8 **at)
{
	u8 size = raw_form_size(form, unit->version, unit->address_size, unit->offset_size);
	const u8 *zero;
	u64 value;

	if (size == RAW_NO_FORM)
		return false;
	if (size != RAW_VARIABLE)
		return raw_skip_bytes(at, unit->end, size);
	switch (form) {
	case DW_FORM_string:
		zero = memchr(*at, 0, (size_t)(unit->end - *at));
		*at = zero ? zero + 1 : unit->end;
		return zero != NULL;
	case DW_FORM_block1:
		return raw_fixed(at, unit->end, 1, &value) && raw_skip_bytes(at, unit->end, value);
	case DW_FORM_block2:
		return raw_fixed(at, unit->end, 2, &value) && raw_skip_bytes(at, unit->end, value);
	case DW_FORM_block4:
		return raw_fixed(at, unit->end, 4, &value) && raw_skip_bytes(at, unit->end, value);
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return raw_uleb(at, unit->end, &value) && raw_skip_bytes(at, unit->end, value);
	case DW_FORM_indirect:
		return raw_uleb(at, unit->end, &value) && value != DW_FORM_indirect &&
		       value != DW_FORM_implicit_const && raw_skip_form(unit, value, at);
	default:
		return raw_uleb(at, unit->end, &value);
	}
}

/* The array may move while a table is read. So an abbreviation has the index of its first attribute, not a pointer. */
static void add_attr(struct raw_abbrevs *table, const struct raw_attr *attr)
{
	if (table->nr_attrs == table->attrs_room) {
		table->attrs_room = MAX(2 * table->attrs_room, 256);
		table->attrs = g_renew(struct raw_attr, table->attrs, table->attrs_room);
	}
	table->attrs[table->nr_attrs++] = *attr;
}

/*
 * Reads one abbreviation, after its code. False: the table's bytes end. @sizes: by form, as raw_form_size() gives them.
 *
 * abbrev->fixed is true as long as all attributes so far have a fixed size; the lead grows until the first other one.
 * After that, @size no longer grows, and raw_attr.at is not used.
 */
static bool parse_abbrev(const u8 **at, const u8 *end, struct raw_abbrevs *table, const u8 *sizes,
			 struct raw_abbrev *abbrev)
{
	u64 tag, children, name, form, size = 0;

	if (!raw_uleb(at, end, &tag) || !raw_fixed(at, end, 1, &children))
		return false;
	abbrev->tag = tag <= UINT16_MAX ? (u16)tag : 0;
	abbrev->children = children;
	abbrev->fixed = true;
	abbrev->first = table->nr_attrs;
	memset(abbrev->form, RAW_ABSENT, sizeof(abbrev->form));
	for (;;) {
		struct raw_attr attr = { 0 };
		u8 bytes;

		if (!raw_uleb(at, end, &name) || !raw_uleb(at, end, &form))
			return false;
		if (form == DW_FORM_implicit_const && !raw_sleb(at, end, &attr.implicit))
			return false;
		if (!name && !form)
			break;
		if (table->nr_attrs >= MAX_ATTRS)
			return false;
		bytes = form < MAX_FORM ? sizes[form] : RAW_VARIABLE;
		attr.form = form <= UINT16_MAX ? (u16)form : 0;
		attr.size = bytes == RAW_NO_FORM ? RAW_VARIABLE : bytes;
		attr.slot = slot_of(name);
		attr.at = (u16)size;
		if (abbrev->nr >= RAW_ABSENT)
			attr.slot = NR_RAW_SLOTS;
		if (attr.slot != NR_RAW_SLOTS)
			abbrev->form[attr.slot] = (u8)abbrev->nr;
		if (abbrev->fixed && attr.slot == RAW_SIBLING && form == DW_FORM_ref4)
			abbrev->sibling = (u16)(size + 1);
		if (abbrev->fixed && attr.slot == RAW_TYPE && form == DW_FORM_ref4)
			abbrev->type = (u16)(size + 1);
		if (bytes == RAW_VARIABLE || bytes == RAW_NO_FORM || size > INT16_MAX)
			abbrev->fixed = false;
		else
			size += bytes;
		add_attr(table, &attr);
		abbrev->nr++;
		if (abbrev->fixed) {
			abbrev->nr_lead = abbrev->nr;
			abbrev->lead = (u16)size;
		}
	}
	abbrev->size = (u16)size;
	return true;
}

void raw_abbrevs_free(struct raw_abbrevs *table)
{
	g_free(table->attrs);
	g_free(table->dense);
	if (table->large)
		g_hash_table_unref(table->large);
	g_free(table);
}

/*
 * Compilers number codes from 1 on without gaps, so an array is enough for nearly all tables. Codes that are missing in
 * the array get tag 0.
 */
static void add_abbrev(struct raw_abbrevs *table, u64 code, const struct raw_abbrev *abbrev)
{
	if (code < DENSE_CODES) {
		if (code >= table->dense_room) {
			table->dense_room = MAX(2 * (u32)code, 64);
			table->dense = g_renew(struct raw_abbrev, table->dense, table->dense_room);
		}
		while (table->nr_dense <= code)
			table->dense[table->nr_dense++].tag = 0;
		table->dense[code] = *abbrev;
		return;
	}
	if (!table->large)
		table->large = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_hash_table_insert(table->large, GSIZE_TO_POINTER(code),
			    g_memdup2(abbrev, sizeof(*abbrev)));
}

const struct raw_abbrevs *raw_abbrevs_read(const struct raw_unit *unit, u64 offset)
{
	const struct raw_bytes *bytes = &unit->file->abbrev;
	/*
	 * Sizes of forms depend on the kind of unit, so it is part of the key: different kinds of units may share a
	 * table.
	 */
	u64 key = offset << 16 | (u64)unit->version << 8 | unit->address_size << 4 |
		  unit->offset_size;
	struct raw_abbrevs *table = g_hash_table_lookup(unit->file->tables, GSIZE_TO_POINTER(key));
	struct raw_abbrevs *reading = &unit->file->reading;
	const u8 *at, *end;
	u8 sizes[MAX_FORM];
	u64 code;

	if (table)
		return table;
	if (offset >= bytes->size)
		return NULL;
	reading->nr_attrs = reading->nr_dense = 0;
	at = bytes->data + offset;
	end = bytes->data + bytes->size;
	for (u32 form = 0; form < MAX_FORM; form++)
		sizes[form] =
			raw_form_size(form, unit->version, unit->address_size, unit->offset_size);
	while (raw_uleb(&at, end, &code) && code) {
		struct raw_abbrev abbrev = { 0 };

		if (!parse_abbrev(&at, end, reading, sizes, &abbrev))
			break;
		add_abbrev(reading, code, &abbrev);
	}
	table = g_new0(struct raw_abbrevs, 1);
	table->nr_attrs = reading->nr_attrs;
	table->nr_dense = reading->nr_dense;
	table->attrs = g_memdup2(reading->attrs, table->nr_attrs * sizeof(*table->attrs));
	table->dense = g_memdup2(reading->dense, table->nr_dense * sizeof(*table->dense));
	table->large = g_steal_pointer(&reading->large);
	g_hash_table_insert(unit->file->tables, GSIZE_TO_POINTER(key), table);
	return table;
}
