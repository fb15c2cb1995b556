// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The index of a package is a hash table of ids. A slot has the row number of a unit in two tables: the offset and the
 * size of the unit's part of each section.
 *
 *     version, nr_columns, nr_units, nr_slots
 *     u64 id[nr_slots]; u32 row[nr_slots]            row 0: the slot is empty
 *     u32 section[nr_columns]
 *     u32 offset[nr_units][nr_columns]; u32 size[nr_units][nr_columns]
 *
 * Example: a package of two units, version 5. The numbers are hexadecimal. The ids are those of the skeletons:
 *
 *	05 00 00 00 05 00 00 00 02 00 00 00 04 00 00 00		version 5, 5 columns, 2 units, 4 slots
 *	id	0, 8ac52398ccfebf5d, e36769a9d5c8cbfe, 0
 *	row	0, 1, 2, 0
 *	section	1, 3, 5, 6, 8		DW_SECT_INFO, ABBREV, LOCLISTS, STR_OFFSETS, RNGLISTS
 *	offset	0, 0, 0, 0, 0		row 1
 *		105, d2, 105, 44, 26	row 2
 *	size	105, d2, 105, 44, 26	row 1
 *		105, d2, 105, 44, 26	row 2
 *
 * Look-up of e36769a9d5c8cbfe: the first slot is id & 3 = 2. It has the id, so the unit's .debug_info.dwo is at [105,
 * 20a) of the package's. If the slot has another id, the next one is (slot + step) & 3 with step = (id >> 32 & 3) | 1
 * (DWARF 5, section 7.3.5.3). The step is odd, so all slots are visited before one is visited again.
 *
 * The unit then gets an ELF file in memory, with its parts as sections. libdw opens this file like a .dwo file. Strings
 * are shared by all units of a package, so they are not copied: package_complete() adds them to the raw_file.
 *
 * Limits: 64-bit little-endian files. A row with a part outside its section counts as missing. Macros, and line tables
 * of split units, are left out.
 */
#include <dwarf.h>
#include <gelf.h>
#include <glib.h>
#include <string.h>

#include "dwarf/package.h"
#include "dwarf/sections.h"

enum part {
	PART_INFO,
	PART_TYPES,
	PART_ABBREV,
	PART_LOC,
	PART_STR_OFFSETS,
	PART_RNGLISTS,
	PART_LINE, /* not used, but libdw rejects a file of types without it */
	NR_PARTS
};

#define NO_PART NR_PARTS

/* Meaning of a column's number, by version of the index. Line tables and macros are not needed. */
static const u8 columns_gnu[] = { NO_PART, PART_INFO, PART_TYPES,      PART_ABBREV,
				  NO_PART, PART_LOC,  PART_STR_OFFSETS };
static const u8 columns_5[] = { NO_PART,  PART_INFO,	    NO_PART, PART_ABBREV,  NO_PART,
				PART_LOC, PART_STR_OFFSETS, NO_PART, PART_RNGLISTS };

struct index {
	u32 version, nr_columns, nr_units, nr_slots;
	const u8 *ids, *rows, *sections, *offsets, *sizes; /* NULL: no index */
};

/* A unit from the package, as a file of its own. */
struct package_member {
	u64 id;
	u8 *bytes;
	Elf *elf;
	Dwarf *dwarf;
};

struct package {
	struct raw_bytes parts[NR_PARTS], str, line_str;
	bool loclists; /* locations have DWARF 5's format */
	struct index units, types;
	GPtrArray *members;   /* struct package_member * */
	GHashTable *by_dwarf; /* by the Dwarf * of the member */
	/* id -> struct package_member *, for units and for types; NULL: not available */
	GHashTable *of[2];
};

static u32 word(const u8 *at)
{
	u32 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static u64 wide(const u8 *at)
{
	u64 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* In version 5 the version has two bytes, and two bytes of padding follow. */
static bool read_index(const struct raw_bytes *bytes, struct index *index)
{
	struct cursor c = cursor_of(bytes->data, bytes->size);
	u64 cells;

	*index = (struct index){ .version = cursor_u32(&c),
				 .nr_columns = cursor_u32(&c),
				 .nr_units = cursor_u32(&c),
				 .nr_slots = cursor_u32(&c) };
	index->version &= 0xffff;
	if (c.failed || (index->version != 2 && index->version != 5) || index->nr_columns > 16)
		return false;
	cells = (u64)index->nr_units * index->nr_columns * 4;
	index->ids = cursor_bytes(&c, (u64)index->nr_slots * 8);
	index->rows = cursor_bytes(&c, (u64)index->nr_slots * 4);
	index->sections = cursor_bytes(&c, (u64)index->nr_columns * 4);
	index->offsets = cursor_bytes(&c, cells);
	index->sizes = cursor_bytes(&c, cells);
	/* The number of slots is a power of two. */
	return !c.failed && index->nr_slots && !(index->nr_slots & (index->nr_slots - 1));
}

/* The bytes stay libelf's: the ELF file outlives the package. */
static void take(struct raw_bytes *bytes, Elf_Scn *scn)
{
	Elf_Data *data = bytes->data ? NULL : elf_rawdata(scn, NULL);

	if (data && data->d_buf && data->d_size)
		*bytes = (struct raw_bytes){ data->d_buf, data->d_size };
}

struct opening {
	struct package *package;
	struct raw_bytes indexes[2]; /* index of units, index of types */
};

static void take_section(const char *name, Elf_Scn *scn, void *arg)
{
	struct opening *o = arg;
	struct package *package = o->package;
	const struct {
		const char *name;
		struct raw_bytes *bytes;
	} wanted[] = {
		{ ".debug_info.dwo", &package->parts[PART_INFO] },
		{ ".debug_types.dwo", &package->parts[PART_TYPES] },
		{ ".debug_abbrev.dwo", &package->parts[PART_ABBREV] },
		{ ".debug_loc.dwo", &package->parts[PART_LOC] },
		{ ".debug_loclists.dwo", &package->parts[PART_LOC] },
		{ ".debug_str_offsets.dwo", &package->parts[PART_STR_OFFSETS] },
		{ ".debug_rnglists.dwo", &package->parts[PART_RNGLISTS] },
		{ ".debug_str.dwo", &package->str },
		{ ".debug_line_str.dwo", &package->line_str },
		{ ".debug_cu_index", &o->indexes[0] },
		{ ".debug_tu_index", &o->indexes[1] },
	};

	for (u32 i = 0; i < G_N_ELEMENTS(wanted); i++)
		if (!strcmp(name, wanted[i].name))
			take(wanted[i].bytes, scn);
	if (!strcmp(name, ".debug_loclists.dwo"))
		package->loclists = true;
}

static void member_free(struct package_member *member)
{
	dwarf_end(member->dwarf);
	elf_end(member->elf);
	g_free(member->bytes);
	g_free(member);
}

void package_free(struct package *package)
{
	if (!package)
		return;
	g_hash_table_unref(package->of[0]);
	g_hash_table_unref(package->of[1]);
	g_hash_table_unref(package->by_dwarf);
	g_ptr_array_unref(package->members);
	g_free(package);
}

struct package *package_new(Elf *elf)
{
	struct opening o = { 0 };
	struct package *package;

	if (!elf)
		return NULL;
	o.package = package = g_new0(struct package, 1);
	package->members = g_ptr_array_new_with_free_func((GDestroyNotify)member_free);
	package->by_dwarf = g_hash_table_new(NULL, NULL);
	for (u32 i = 0; i < 2; i++)
		package->of[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	sections_each(elf, take_section, &o);
	if (!read_index(&o.indexes[0], &package->units))
		package->units = (struct index){ 0 };
	if (!read_index(&o.indexes[1], &package->types))
		package->types = (struct index){ 0 };
	if (package->units.ids)
		return package;
	package_free(package);
	return NULL;
}

/* The row of @id, counted from 0. False: @id is not in the index. */
static bool find_row(const struct index *index, u64 id, u32 *row)
{
	u64 mask = (u64)index->nr_slots - 1, at = id & mask, step = ((id >> 32) & mask) | 1;

	for (u32 seen = 0; seen < index->nr_slots; seen++, at = (at + step) & mask) {
		u32 number = word(index->rows + at * 4);

		if (!number)
			return false;
		if (wide(index->ids + at * 8) != id)
			continue;
		*row = number - 1;
		return number <= index->nr_units;
	}
	return false;
}

/* The row's part of each section. False: a part is outside its section. */
static bool find_parts(const struct package *package, const struct index *index, u32 row,
		       struct raw_bytes parts[NR_PARTS])
{
	const u8 *numbers = index->version == 5 ? columns_5 : columns_gnu;
	u32 known = index->version == 5 ? G_N_ELEMENTS(columns_5) : G_N_ELEMENTS(columns_gnu);

	memset(parts, 0, NR_PARTS * sizeof(*parts));
	parts[PART_LINE] = (struct raw_bytes){ (const u8 *)"", 1 };
	for (u32 i = 0; i < index->nr_columns; i++) {
		u64 cell = ((u64)row * index->nr_columns + i) * 4;
		u64 offset = word(index->offsets + cell), size = word(index->sizes + cell);
		u32 number = word(index->sections + (u64)i * 4);
		u8 part = number < known ? numbers[number] : NO_PART;

		if (part == NO_PART || !size)
			continue;
		if (offset > package->parts[part].size || size > package->parts[part].size - offset)
			return false;
		parts[part] = (struct raw_bytes){ package->parts[part].data + offset, size };
	}
	return true;
}

/*
 * Section headers of the parts, and of the table of their names, for contents that begin at @at. Returns the end of all
 * contents.
 */
static size_t make_headers(const struct package *package, const struct raw_bytes parts[NR_PARTS],
			   Elf64_Shdr headers[NR_PARTS + 2], GString *text, size_t at)
{
	static const char *const names[NR_PARTS] = {
		[PART_INFO] = ".debug_info.dwo",
		[PART_TYPES] = ".debug_types.dwo",
		[PART_ABBREV] = ".debug_abbrev.dwo",
		[PART_LOC] = ".debug_loc.dwo",
		[PART_STR_OFFSETS] = ".debug_str_offsets.dwo",
		[PART_RNGLISTS] = ".debug_rnglists.dwo",
		[PART_LINE] = ".debug_line.dwo",
	};
	Elf64_Shdr *table = &headers[NR_PARTS + 1];

	g_string_append_c(text, '\0'); /* the name of no section */
	for (u32 i = 0; i < NR_PARTS; i++) {
		Elf64_Shdr *s = &headers[i + 1];

		s->sh_name = (Elf64_Word)text->len;
		g_string_append(text, i == PART_LOC && package->loclists ? ".debug_loclists.dwo"
									 : names[i]);
		g_string_append_c(text, '\0');
		s->sh_type = parts[i].size ? SHT_PROGBITS : SHT_NULL;
		s->sh_addralign = 1;
		s->sh_offset = at;
		s->sh_size = parts[i].size;
		at += parts[i].size;
	}
	table->sh_name = (Elf64_Word)text->len;
	g_string_append(text, ".shstrtab");
	g_string_append_c(text, '\0');
	table->sh_type = SHT_STRTAB;
	table->sh_addralign = 1;
	table->sh_offset = at;
	table->sh_size = text->len;
	return at + text->len;
}

/* Builds an ELF file from the parts: header, section headers, contents, section names. Newly allocated. */
static u8 *make_file(const struct package *package, const struct raw_bytes parts[NR_PARTS],
		     size_t *size)
{
	Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					   ELFDATA2LSB, EV_CURRENT },
			      .e_type = ET_REL,
			      .e_machine = EM_X86_64,
			      .e_version = EV_CURRENT,
			      .e_shoff = sizeof(header),
			      .e_ehsize = sizeof(header),
			      .e_shentsize = sizeof(Elf64_Shdr),
			      .e_shnum = NR_PARTS + 2,
			      .e_shstrndx = NR_PARTS + 1 };
	Elf64_Shdr sections[NR_PARTS + 2] = { 0 };
	g_autoptr(GString) text = g_string_new(NULL);
	u8 *bytes;

	*size = make_headers(package, parts, sections, text, sizeof(header) + sizeof(sections));
	bytes = g_malloc(*size);
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), sections, sizeof(sections));
	for (u32 i = 0; i < NR_PARTS; i++)
		if (parts[i].size)
			memcpy(bytes + sections[i + 1].sh_offset, parts[i].data, parts[i].size);
	memcpy(bytes + *size - text->len, text->str, text->len);
	return bytes;
}

/* Makes the file of a unit and opens it. NULL: the index does not have @id, or libdw rejects the file. */
static struct package_member *take_out(struct package *package, const struct index *index, u64 id)
{
	struct raw_bytes parts[NR_PARTS];
	struct package_member *member;
	size_t size;
	u32 row;

	if (!index->ids || !find_row(index, id, &row) || !find_parts(package, index, row, parts))
		return NULL;
	member = g_new0(struct package_member, 1);
	member->id = id;
	member->bytes = make_file(package, parts, &size);
	member->elf = elf_memory((char *)member->bytes, size);
	member->dwarf = member->elf ? dwarf_begin_elf(member->elf, DWARF_C_READ, NULL) : NULL;
	if (!member->dwarf) {
		member_free(member);
		return NULL;
	}
	g_ptr_array_add(package->members, member);
	g_hash_table_add(package->by_dwarf, member->dwarf);
	return member;
}

static struct package_member *find_member(struct package *package, bool type, u64 id)
{
	void *known;
	struct package_member *member;

	if (g_hash_table_lookup_extended(package->of[type], &id, NULL, &known))
		return known;
	member = take_out(package, type ? &package->types : &package->units, id);
	g_hash_table_insert(package->of[type], g_memdup2(&id, sizeof(id)), member);
	return member;
}

bool package_unit(struct package *package, u64 id, Dwarf_Die *unit)
{
	struct package_member *member = package ? find_member(package, false, id) : NULL;
	Dwarf_CU *cu = NULL;
	u8 type;

	return member && dwarf_get_units(member->dwarf, NULL, &cu, NULL, &type, unit, NULL) == 0 &&
	       type == DW_UT_split_compile;
}

bool package_type(struct package *package, u64 signature, Dwarf_Die *type)
{
	struct package_member *member = package ? find_member(package, true, signature) : NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	u64 own, offset;
	Dwarf_Off next;
	size_t header;
	u8 kind;

	if (!member)
		return false;
	/* Before DWARF 5, types have a section of their own, in which libdw does not search units. */
	if (dwarf_next_unit(member->dwarf, 0, &next, &header, NULL, NULL, NULL, NULL, &own,
			    &offset) == 0 &&
	    own == signature)
		return dwarf_offdie_types(member->dwarf, offset, type) != NULL;
	return dwarf_get_units(member->dwarf, NULL, &cu, NULL, &kind, &unit, type) == 0 &&
	       (kind == DW_UT_type || kind == DW_UT_split_type) && type->addr;
}

void package_complete(struct package *package, struct raw_file *file)
{
	if (!package || !g_hash_table_contains(package->by_dwarf, file->dwarf))
		return;
	file->package = package;
	file->str = package->str;
	file->line_str = package->line_str;
}
