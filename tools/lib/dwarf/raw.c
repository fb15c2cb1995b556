// SPDX-License-Identifier: GPL-2.0-or-later
#include <gelf.h>

#include "base/text.h"
#include "dwarf/package.h"
#include "dwarf/raw.h"

#define DENSE_CODES 4096
#define MAX_ATTRS   (1 << 20) /* of one table of abbreviations */
#define MAX_FORM    0x30      /* the standard ones; GNU's are looked at one by one */
#define UNKNOWN	    0xfe

/* Standard attributes by number: slot plus 1. */
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
	[DW_AT_calling_convention] = RAW_CALLING_CONVENTION + 1,
	[DW_AT_decl_line] = RAW_DECL_LINE + 1,
	[DW_AT_language] = RAW_LANGUAGE + 1,
	[DW_AT_addr_base] = RAW_ADDR_BASE + 1,
	[DW_AT_str_offsets_base] = RAW_STR_OFFSETS_BASE + 1,
	[DW_AT_loclists_base] = RAW_LOCLISTS_BASE + 1,
	[DW_AT_rnglists_base] = RAW_RNGLISTS_BASE + 1,
	[DW_AT_virtuality] = RAW_VIRTUALITY + 1,
	[DW_AT_containing_type] = RAW_CONTAINING_TYPE + 1,
	[DW_AT_noreturn] = RAW_NORETURN + 1,
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
	case DW_AT_GNU_addr_base:
		return RAW_ADDR_BASE;
	case DW_AT_GNU_ranges_base:
		return RAW_RANGES_BASE;
	default:
		return NR_RAW_SLOTS;
	}
}

/* Bytes that a value of @form takes in a unit; RAW_VARIABLE, or UNKNOWN for no form at all. */
static u8 form_size(u64 form, u8 version, u8 address_size, u8 offset_size)
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
		return UNKNOWN;
	}
}

static bool skip_bytes(const u8 **at, const u8 *end, u64 size)
{
	if ((u64)(end - *at) < size)
		return false;
	*at += size;
	return true;
}

/* Behind a value of @form; false where the unit ends before. */
static bool skip_form(const struct raw_unit *unit, u64 form, const u8 **at)
{
	u8 size = form_size(form, unit->version, unit->address_size, unit->offset_size);
	const u8 *zero;
	u64 value;

	if (size == UNKNOWN)
		return false;
	if (size != RAW_VARIABLE)
		return skip_bytes(at, unit->end, size);
	switch (form) {
	case DW_FORM_string:
		zero = memchr(*at, 0, (size_t)(unit->end - *at));
		*at = zero ? zero + 1 : unit->end;
		return zero != NULL;
	case DW_FORM_block1:
		return raw_fixed(at, unit->end, 1, &value) && skip_bytes(at, unit->end, value);
	case DW_FORM_block2:
		return raw_fixed(at, unit->end, 2, &value) && skip_bytes(at, unit->end, value);
	case DW_FORM_block4:
		return raw_fixed(at, unit->end, 4, &value) && skip_bytes(at, unit->end, value);
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return raw_uleb(at, unit->end, &value) && skip_bytes(at, unit->end, value);
	case DW_FORM_indirect:
		return raw_uleb(at, unit->end, &value) && value != DW_FORM_indirect &&
		       value != DW_FORM_implicit_const && skip_form(unit, value, at);
	default:
		return raw_uleb(at, unit->end, &value);
	}
}

static void add_attr(struct raw_abbrevs *table, const struct raw_attr *attr)
{
	if (table->nr_attrs == table->attrs_room) {
		table->attrs_room = MAX(2 * table->attrs_room, 256);
		table->attrs = g_renew(struct raw_attr, table->attrs, table->attrs_room);
	}
	table->attrs[table->nr_attrs++] = *attr;
}

/* One abbreviation from its bytes after the code; false at the end of the table's bytes. */
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
		attr.size = bytes == UNKNOWN ? RAW_VARIABLE : bytes;
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
		if (bytes == RAW_VARIABLE || bytes == UNKNOWN || size > INT16_MAX)
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

static void abbrevs_free(struct raw_abbrevs *table)
{
	g_free(table->attrs);
	g_free(table->dense);
	if (table->large)
		g_hash_table_unref(table->large);
	g_free(table);
}

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

static const struct raw_abbrevs *read_abbrevs(const struct raw_unit *unit, u64 offset)
{
	const struct raw_bytes *bytes = &unit->file->abbrev;
	/* What sizes depend on is part of the key: units of several kinds may share a table. */
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
		sizes[form] = form_size(form, unit->version, unit->address_size, unit->offset_size);
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

static void take_section(struct raw_file *file, const char *name, Elf_Scn *scn)
{
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

/* libdw has decompressed and relocated its sections when it opened the file. */
struct raw_file *raw_file_new(Dwarf *dwarf)
{
	struct raw_file *file = g_new0(struct raw_file, 1);
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;
	size_t names;

	file->dwarf = dwarf;
	file->tables = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)abbrevs_free);
	if (!elf || elf_getshdrstrndx(elf, &names) != 0)
		return file;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		const char *name;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS ||
		    (shdr.sh_flags & SHF_COMPRESSED))
			continue;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (name)
			take_section(file, name, scn);
	}
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

/* How far the section goes that @at is in; NULL: it is in none. */
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

/* The header before the unit's entry: 7.5.1. */
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

static inline const struct raw_abbrev *find_abbrev(const struct raw_abbrevs *table, u64 code)
{
	const struct raw_abbrev *abbrev = NULL;

	if (G_LIKELY(code < table->nr_dense))
		abbrev = &table->dense[code];
	else if (table->large)
		abbrev = g_hash_table_lookup(table->large, GSIZE_TO_POINTER(code));
	return abbrev && abbrev->tag ? abbrev : NULL;
}

/* As skip_form(), the most frequent first. */
static inline bool skip_variable(const struct raw_unit *unit, u16 form, const u8 **at)
{
	u64 size;

	if (form == DW_FORM_exprloc)
		return raw_uleb(at, unit->end, &size) && skip_bytes(at, unit->end, size);
	if (form == DW_FORM_udata)
		return raw_uleb(at, unit->end, &size);
	return skip_form(unit, form, at);
}

bool raw_read(const struct raw_unit *unit, const u8 *at, struct raw_die *die)
{
	u64 code;

	die->at = at;
	die->next = unit->end;
	if (at < unit->start || !raw_uleb(&at, unit->end, &code))
		return false;
	if (code == 0) {
		die->next = at;
		return false;
	}
	die->abbrev = find_abbrev(unit->abbrevs, code);
	if (!die->abbrev)
		return false;
	/* No abbreviation of the table may have any. */
	die->attrs = unit->abbrevs->attrs;
	if (die->abbrev->nr)
		die->attrs += die->abbrev->first;
	die->values = at;
	if ((size_t)(unit->end - at) < die->abbrev->lead)
		return false;
	at += die->abbrev->lead;
	for (u32 i = die->abbrev->nr_lead; i < die->abbrev->nr; i++) {
		const struct raw_attr *attr = &die->attrs[i];

		die->slot[attr->slot] = at;
		if (attr->size == RAW_VARIABLE) {
			if (!skip_variable(unit, attr->form, &at))
				return false;
		} else if ((size_t)(unit->end - at) < attr->size) {
			return false;
		} else {
			at += attr->size;
		}
	}
	die->next = at;
	return true;
}

/* Where a 4-byte sibling reference at @at leads: onwards, inside the unit. */
static const u8 *sibling_at(const struct raw_unit *unit, const u8 *at, const u8 *behind)
{
	const u8 *end = unit->end;
	u64 offset;

	if (!raw_fixed(&at, end, 4, &offset) || offset >= (u64)(end - unit->start))
		return NULL;
	return unit->start + offset > behind ? unit->start + offset : NULL;
}

/* Behind the attributes that begin at @at; the unit's end where they do not fit in. */
static inline const u8 *skip_attributes(const struct raw_unit *unit,
					const struct raw_abbrev *abbrev, const u8 *at)
{
	const struct raw_attr *attrs;

	if (abbrev->fixed)
		return (size_t)(unit->end - at) < abbrev->size ? unit->end : at + abbrev->size;
	attrs = unit->abbrevs->attrs;
	if (abbrev->nr)
		attrs += abbrev->first;
	for (u32 i = 0; i < abbrev->nr; i++) {
		if (attrs[i].size != RAW_VARIABLE && (size_t)(unit->end - at) >= attrs[i].size)
			at += attrs[i].size;
		else if (!skip_variable(unit, attrs[i].form, &at))
			return unit->end;
	}
	return at;
}

/*
 * One step over the entry at @at: behind its attributes, or behind its children too where
 * its sibling is stated. *@level counts the lists of children that are open.
 */
static const u8 *step(const struct raw_unit *unit, const u8 *at, u32 *level)
{
	const struct raw_abbrev *abbrev;
	const u8 *sibling;
	u64 code;

	if (!raw_uleb(&at, unit->end, &code))
		return unit->end;
	if (code == 0) {
		(*level)--;
		return at;
	}
	abbrev = find_abbrev(unit->abbrevs, code);
	if (!abbrev)
		return unit->end;
	if (abbrev->children && abbrev->sibling) {
		sibling = sibling_at(unit, at + abbrev->sibling - 1, at);
		if (sibling)
			return sibling;
	}
	at = skip_attributes(unit, abbrev, at);
	*level += abbrev->children;
	return at;
}

/* Behind the children that begin at @at. */
static const u8 *skip_children(const struct raw_unit *unit, const u8 *at)
{
	u32 level = 1;

	while (level && at < unit->end)
		at = step(unit, at, &level);
	return at;
}

const u8 *raw_after(const struct raw_unit *unit, const struct raw_die *die)
{
	const u8 *sibling;

	if (!die->abbrev->children)
		return die->next;
	if (raw_has(die, RAW_SIBLING) && raw_form(die, RAW_SIBLING) == DW_FORM_ref4) {
		sibling = sibling_at(unit, raw_value(die, RAW_SIBLING), die->next - 1);
		if (sibling)
			return sibling;
	}
	return skip_children(unit, die->next);
}

bool raw_next_head(const struct raw_unit *unit, const u8 **at, const u8 *wanted,
		   struct raw_head *head)
{
	const u8 *p = *at, *sibling;

	while (p < unit->end) {
		const struct raw_abbrev *abbrev;
		u64 code;

		*at = p;
		if (!raw_uleb(&p, unit->end, &code))
			break;
		if (code == 0) {
			*at = p;
			return false;
		}
		abbrev = find_abbrev(unit->abbrevs, code);
		if (!abbrev)
			break;
		if (abbrev->tag < RAW_TAGS && wanted[abbrev->tag]) {
			*head = (struct raw_head){ *at, p, abbrev };
			return true;
		}
		if (abbrev->children && abbrev->sibling) {
			sibling = sibling_at(unit, p + abbrev->sibling - 1, p);
			if (sibling) {
				p = sibling;
				continue;
			}
		}
		p = skip_attributes(unit, abbrev, p);
		if (abbrev->children)
			p = skip_children(unit, p);
	}
	*at = unit->end;
	return false;
}

bool raw_next_wanted(const struct raw_unit *unit, const u8 **at, const u8 *wanted)
{
	struct raw_head head;

	return raw_next_head(unit, at, wanted, &head);
}

const u8 *raw_after_head(const struct raw_unit *unit, const struct raw_head *head)
{
	const u8 *sibling;

	if (head->abbrev->children && head->abbrev->sibling) {
		sibling = sibling_at(unit, head->values + head->abbrev->sibling - 1, head->values);
		if (sibling)
			return sibling;
	}
	return head->abbrev->children
		       ? skip_children(unit, skip_attributes(unit, head->abbrev, head->values))
		       : skip_attributes(unit, head->abbrev, head->values);
}

u16 raw_tag(const struct raw_unit *unit, const u8 *at)
{
	const struct raw_abbrev *abbrev;
	u64 code;

	if (at < unit->start || !raw_uleb(&at, unit->end, &code) || !code)
		return 0;
	abbrev = find_abbrev(unit->abbrevs, code);
	return abbrev ? abbrev->tag : 0;
}

/* What a 4-byte reference at @at refers to, in the same unit. */
static const u8 *entry_at(const struct raw_unit *unit, const u8 *at)
{
	u64 offset;

	if (!raw_fixed(&at, unit->end, 4, &offset) || offset < (u64)(unit->first - unit->start) ||
	    offset >= (u64)(unit->end - unit->start))
		return NULL;
	return unit->start + offset;
}

const u8 *raw_type_of_head(const struct raw_unit *unit, const struct raw_head *head)
{
	if (!head->abbrev->type || (size_t)(unit->end - head->values) < head->abbrev->type)
		return NULL;
	return entry_at(unit, head->values + head->abbrev->type - 1);
}

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

/* A string of a section, which ends before the section does: at the last byte, as a rule. */
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

/* What only libdw knows: strings and entries of other files and units. */
static bool attribute_by_libdw(const struct raw_unit *unit, const struct raw_die *die,
			       enum raw_slot slot, Dwarf_Attribute *attr)
{
	static const unsigned int names[NR_RAW_SLOTS] = {
		[RAW_NAME] = DW_AT_name,
		[RAW_LINKAGE_NAME] = DW_AT_linkage_name,
		[RAW_TYPE] = DW_AT_type,
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

static const char *stated_string(const struct raw_unit *unit, const struct raw_die *die,
				 enum raw_slot slot)
{
	Dwarf_Attribute attr;
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
		return attribute_by_libdw(unit, die, slot, &attr) ? dwarf_formstring(&attr) : NULL;
	}
}

/* Names are shown; linkage names are only looked up. */
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
	Dwarf_Attribute attr;
	u64 form, offset;
	u8 size;
	s64 implicit;
	const u8 *at = value_at(unit, die, slot, &form, &implicit);

	if (!at)
		return false;
	if (form == DW_FORM_ref4) {
		at = entry_at(unit, at);
		*out = raw_to_die(unit, at);
		return at != NULL;
	}
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref8:
		size = form_size(form, unit->version, unit->address_size, unit->offset_size);
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
		return attribute_by_libdw(unit, die, slot, &attr) &&
		       dwarf_formref_die(&attr, out) != NULL;
	}
	if (offset < (u64)(unit->first - unit->start) || offset >= (u64)(unit->end - unit->start))
		return false;
	*out = raw_to_die(unit, unit->start + offset);
	return true;
}

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

/* Tables that begin behind their section's header where no attribute says more. */
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
	unit->abbrevs = read_abbrevs(unit, abbrev_offset);
	if (!unit->abbrevs)
		return false;
	read_bases(unit, skeleton);
	return true;
}
