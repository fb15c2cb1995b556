// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sections of a file, and a unit's header (DWARF 5, 7.5.1) and the bases of its tables. Example of a header:
 *
 *	0	c9 00 00 00	length of the rest; ffffffff: 64-bit DWARF, the length follows in 8 bytes
 *	4	05 00		version
 *	6	01		kind of unit: DW_UT_compile
 *	7	08		size of an address
 *	8	00 00 00 00	offset of the table in .debug_abbrev
 *	c	01 ...		the unit's entry: raw_unit.first
 *
 * Before version 5 there is no kind, and the size of an address is last. Skeletons and type units have more fields in
 * front of the unit's entry; libdw tells where that entry is.
 *
 * Bases: a form with an index needs the position of the unit's part in another section. The unit's entry states it:
 *
 *	DW_AT_str_offsets_base	8	DW_FORM_strx1 3 is the string whose offset is at 8 + 3 * 4 in .debug_str_offsets
 *	DW_AT_addr_base		8	DW_FORM_addrx 2 is the address at 8 + 2 * 8 in .debug_addr
 *
 * A split unit usually has no such attributes. The tables in its own file begin directly after the header of their
 * section. Its addresses are in the skeleton's file, at the skeleton's base.
 */
#include <string.h>

#include "dwarf/raw_private.h"
#include "dwarf/sections.h"

/*
 * Sections may be called ".debug_info", ".zdebug_info" (GNU's old compression) or ".debug_info.dwo". If a file has two
 * sections of a name, the first is taken.
 */
static void take_section(const char *name, Elf_Scn *scn, void *arg)
{
	struct raw_file *file = arg;
	struct {
		const char *name;
		struct raw_bytes *bytes;
	} wanted[] = {
		{ "info", &file->info },
		{ "types", &file->types },
		{ "abbrev", &file->abbrev },
		{ "str", &file->str },
		{ "line_str", &file->line_str },
		{ "loc", &file->loc },
		{ "loclists", &file->loclists },
		{ "addr", &file->addr },
		{ "ranges", &file->ranges },
		{ "rnglists", &file->rnglists },
		{ "str_offsets", &file->str_offsets },
	};
	g_autofree char *bare = NULL;
	Elf_Data *data;

	if (g_str_has_prefix(name, ".debug_"))
		bare = g_strdup(name + strlen(".debug_"));
	else if (g_str_has_prefix(name, ".zdebug_"))
		bare = g_strdup(name + strlen(".zdebug_"));
	else
		return;
	if (g_str_has_suffix(bare, ".dwo"))
		bare[strlen(bare) - strlen(".dwo")] = '\0';
	for (u32 i = 0; i < G_N_ELEMENTS(wanted); i++) {
		if (strcmp(bare, wanted[i].name) != 0 || wanted[i].bytes->data)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf && data->d_size) {
			wanted[i].bytes->data = data->d_buf;
			wanted[i].bytes->size = data->d_size;
		}
	}
}

/* libdw decompressed and relocated its sections when it opened the file. */
struct raw_file *raw_file_new(Dwarf *dwarf)
{
	struct raw_file *file = g_new0(struct raw_file, 1);

	file->dwarf = dwarf;
	file->tables = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)raw_abbrevs_free);
	sections_each(dwarf_getelf(dwarf), take_section, file);
	return file;
}

void raw_file_free(struct raw_file *file)
{
	if (!file)
		return;
	g_hash_table_unref(file->tables);
	g_free(file->reading.attrs);
	g_free(file->reading.dense);
	g_free(file);
}

/* The end of the section that contains @at; NULL: no section contains it. */
static const u8 *section_end(const struct raw_file *file, const u8 *at)
{
	const struct raw_bytes *sections[] = { &file->info, &file->types };

	for (u32 i = 0; i < G_N_ELEMENTS(sections); i++) {
		const u8 *data = sections[i]->data;

		if (data && at >= data && at < data + sections[i]->size)
			return data + sections[i]->size;
	}
	return NULL;
}

/*
 * Reads the header before the unit's entry: DWARF 5, 7.5.1. A length that goes beyond the section is cut to it. False:
 * malformed, an unknown version, or no address size of 4 or 8.
 */
static bool read_header(struct raw_unit *unit, u64 header_size, u64 *abbrev_offset)
{
	const u8 *at = unit->start, *end = unit->start + header_size;
	const u8 *limit = section_end(unit->file, unit->start);
	u64 length, version, type = DW_UT_compile, address_size;

	if (!limit || header_size > (u64)(limit - unit->start) || header_size < 11 ||
	    !raw_fixed(&at, end, 4, &length))
		return false;
	unit->offset_size = 4;
	if (length == 0xffffffff) {
		unit->offset_size = 8;
		if (!raw_fixed(&at, end, 8, &length))
			return false;
	}
	if (length < header_size - (u64)(at - unit->start) || length > INT64_MAX)
		return false;
	unit->end = length < (u64)(limit - at) ? at + length : limit;
	if (!raw_fixed(&at, end, 2, &version) || version < 2 || version > 5)
		return false;
	unit->version = (u8)version;
	if (version == 5 &&
	    (!raw_fixed(&at, end, 1, &type) || !raw_fixed(&at, end, 1, &address_size)))
		return false;
	if (!raw_fixed(&at, end, unit->offset_size, abbrev_offset))
		return false;
	if (version < 5 && !raw_fixed(&at, end, 1, &address_size))
		return false;
	unit->address_size = (u8)address_size;
	return address_size == 4 || address_size == 8;
}

/*
 * Sets the bases of the unit's tables. Default: after the header of their section (DWARF 5, 7.26 to 7.29). Before
 * version 5, .debug_addr and .debug_str_offsets have no header.
 */
static void read_bases(struct raw_unit *unit, const struct raw_unit *skeleton)
{
	bool large = unit->offset_size == 8;
	struct raw_die entry;
	u64 value;

	if (unit->version >= 5) {
		unit->addr_base = large ? 16 : 8;
		unit->str_offsets_base = large ? 16 : 8;
	}
	unit->loclists_base = large ? 20 : 12;
	unit->rnglists_base = large ? 20 : 12;
	if (!raw_read(unit, unit->first, &entry))
		return;
	if (raw_uint(unit, &entry, RAW_LANGUAGE, &value))
		unit->language = (u16)value;
	raw_uint(unit, &entry, RAW_ADDR_BASE, &unit->addr_base);
	raw_uint(unit, &entry, RAW_STR_OFFSETS_BASE, &unit->str_offsets_base);
	raw_uint(unit, &entry, RAW_LOCLISTS_BASE, &unit->loclists_base);
	raw_uint(unit, &entry, RAW_RNGLISTS_BASE, &unit->rnglists_base);
	raw_uint(unit, &entry, RAW_RANGES_BASE, &unit->ranges_base);
	if (skeleton) {
		/* The addresses and, before DWARF 5, the ranges are in the skeleton's file. */
		unit->addr_base = skeleton->addr_base;
		unit->ranges_base = skeleton->ranges_base;
		unit->low_pc = skeleton->low_pc;
	} else {
		raw_address(unit, &entry, RAW_LOW_PC, &unit->low_pc);
	}
}

bool raw_unit_init(struct raw_unit *unit, struct raw_file *file, Dwarf_Die *die,
		   const struct raw_unit *skeleton)
{
	u64 header = dwarf_cuoffset(die), abbrev_offset;

	*unit = (struct raw_unit){
		.file = file,
		.skeleton = skeleton ? skeleton->file : file,
		.die = *die,
		.split = skeleton != NULL,
	};
	if (header > 64 || !die->addr)
		return false;
	unit->first = die->addr;
	unit->start = unit->first - header;
	if (!read_header(unit, header, &abbrev_offset))
		return false;
	unit->abbrevs = raw_abbrevs_read(unit, abbrev_offset);
	if (!unit->abbrevs)
		return false;
	read_bases(unit, skeleton);
	return true;
}
