/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads entries of the debug information directly from the bytes, for walks over very many entries. libdw interprets
 * each attribute of each entry; this reader does that work once per abbreviation.
 *
 * The bytes are libdw's, so an entry found here can also be used as a Dwarf_Die, and the reverse. Little-endian only. A
 * read past the unit's end ends the walk there.
 *
 * DWARF 5, sections 7.5 (units, abbreviations, forms) and 7.7.3, 7.26, 7.27 (indirect forms).
 */
#ifndef DWARF_RAW_H
#define DWARF_RAW_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "base/cursor.h"

/* Attributes whose position is stored while an entry is read. All others are skipped. */
enum raw_slot {
	RAW_SIBLING,
	RAW_NAME,
	RAW_LINKAGE_NAME,
	RAW_LOW_PC,
	RAW_HIGH_PC,
	RAW_RANGES,
	RAW_LOCATION,
	RAW_TYPE,
	RAW_DECLARATION,
	RAW_SPECIFICATION,
	RAW_ORIGIN,
	RAW_FRAME_BASE,
	RAW_CONST_VALUE,
	RAW_BYTE_SIZE,
	RAW_BIT_SIZE,
	RAW_BIT_OFFSET,
	RAW_DATA_BIT_OFFSET,
	RAW_MEMBER_LOCATION,
	RAW_EXTERNAL,
	RAW_ARTIFICIAL,
	RAW_SIGNATURE,
	RAW_CALL_RETURN_PC,
	RAW_COUNT,
	RAW_UPPER_BOUND,
	RAW_ENCODING,
	RAW_VECTOR,
	RAW_VIRTUALITY,
	RAW_DEFAULTED,
	RAW_DELETED,
	RAW_CALLING_CONVENTION,
	RAW_DECL_LINE,
	RAW_DECL_FILE,
	RAW_CALL_LINE,
	RAW_CALL_FILE,
	RAW_CONTAINING_TYPE,
	RAW_LANGUAGE,
	RAW_ADDR_BASE,
	RAW_STR_OFFSETS_BASE,
	RAW_LOCLISTS_BASE,
	RAW_RNGLISTS_BASE,
	RAW_RANGES_BASE,
	RAW_NORETURN,
	RAW_VTABLE_SLOT,
	RAW_VARIABLE_PARAMETER,
	RAW_GO_ELEM,
	RAW_GO_RUNTIME_TYPE,
	RAW_GO_CLOSURE_OFFSET,
	NR_RAW_SLOTS,
};

#define RAW_ABSENT   0xff
#define RAW_VARIABLE 0xff
#define RAW_TAGS     0x50 /* the standard ones, DW_TAG_lo_user excluded */

struct raw_attr {
	u16 form;
	u8 slot; /* NR_RAW_SLOTS: not stored */
	u8 size; /* size of every value in bytes; RAW_VARIABLE: the value's own bytes tell it */
	u16 at;	 /* in the abbreviation's lead: bytes from the first value */
	s64 implicit;
};

/* 72 bytes, without padding: an entry is found by a multiplication that two instructions do. */
struct raw_abbrev {
	u16 tag; /* 0: no such abbreviation */
	bool children;
	bool fixed; /* every form has a fixed size; their sum is @size */
	u16 size;
	u16 lead;	       /* bytes of the lead */
	u16 sibling;	       /* offset of a 4-byte sibling reference plus 1; 0: none */
	u16 type;	       /* the same for a reference to a type */
	u32 nr_lead;	       /* attributes before the first one of variable size: the lead */
	u32 first, nr;	       /* its attributes, as indexes into the table's */
	u8 form[NR_RAW_SLOTS]; /* by slot: index in its attributes; RAW_ABSENT: it has none */
};

/* One table of abbreviations. Units may share it. */
struct raw_abbrevs {
	struct raw_attr *attrs;
	struct raw_abbrev *dense; /* by code, for small codes */
	GHashTable *large;	  /* code -> struct raw_abbrev * */
	u32 nr_attrs, nr_dense;
	u32 attrs_room, dense_room; /* allocated entries, while it is read */
};

struct raw_bytes {
	const u8 *data;
	size_t size;
};

struct package;

/* The sections of one file of debug information. */
struct raw_file {
	Dwarf *dwarf;
	pthread_mutex_t *lock;	 /* debuginfo_source.lock */
	struct package *package; /* the package that contains it; NULL: none */
	struct raw_bytes info, types, abbrev, str, line_str, loc, loclists, ranges, rnglists, addr,
		str_offsets;
	GHashTable *tables;	    /* offset in .debug_abbrev -> struct raw_abbrevs * */
	struct raw_abbrevs reading; /* buffers while a table is read */
};

struct raw_unit {
	struct raw_file *file;
	/* the file with the addresses; @file itself if the unit is not split */
	struct raw_file *skeleton;
	const struct raw_abbrevs *abbrevs;
	Dwarf_Die die;	 /* the unit's entry */
	const u8 *start; /* the unit's header; references are relative to it */
	const u8 *first; /* the unit's entry */
	const u8 *end;
	u64 low_pc; /* base address of location lists */
	u64 addr_base, str_offsets_base, loclists_base, rnglists_base, ranges_base;
	u8 version, address_size, offset_size;
	bool split;
	u16 language;
};

struct raw_die {
	const u8 *at;
	const u8 *next; /* after its attributes: the first child, if there is one */
	/* the first value; the values in the abbreviation's lead have known distances from it */
	const u8 *values;
	const struct raw_abbrev *abbrev;
	const struct raw_attr *attrs;
	/*
	 * Positions of the other values, valid if abbrev->form has the slot. The last one is for attributes that are
	 * not stored.
	 */
	const u8 *slot[NR_RAW_SLOTS + 1];
};

struct raw_file *raw_file_new(Dwarf *dwarf);
void raw_file_free(struct raw_file *file);

/*
 * @die: the entry of a unit of @file. @skeleton: its skeleton if it is a split unit, else NULL. False: this unit cannot
 * be read here.
 */
bool raw_unit_init(struct raw_unit *unit, struct raw_file *file, Dwarf_Die *die,
		   const struct raw_unit *skeleton);

/*
 * Reads the entry at @at. False at the end of a list of children (*@next is then after it), and for bytes that are no
 * entry (*@next is then the unit's end).
 */
bool raw_read(const struct raw_unit *unit, const u8 *at, struct raw_die *die);

/* Position of the entry after @die and its children. Walks over the children if there is no sibling reference. */
const u8 *raw_after(const struct raw_unit *unit, const struct raw_die *die);

/*
 * Moves *@at over siblings to the next one whose tag is wanted: @wanted has RAW_TAGS bytes, and the tag's one is not
 * zero. False: the list of siblings ends; *@at is then after it.
 */
bool raw_next_wanted(const struct raw_unit *unit, const u8 **at, const u8 *wanted);

/* The tag of the entry at @at; 0: there is no entry. */
u16 raw_tag(const struct raw_unit *unit, const u8 *at);

/* The part of an entry that its abbreviation tells. @values: where its attributes begin. */
struct raw_head {
	const u8 *at, *values;
	const struct raw_abbrev *abbrev;
};

/* As raw_next_wanted(), and reads the head. *@at stays at the entry. */
bool raw_next_head(const struct raw_unit *unit, const u8 **at, const u8 *wanted,
		   struct raw_head *head);

/* Position of the entry after it and its children. */
const u8 *raw_after_head(const struct raw_unit *unit, const struct raw_head *head);

/* The entry of its type, if that can be told without reading the whole entry; else NULL. */
const u8 *raw_type_of_head(const struct raw_unit *unit, const struct raw_head *head);

static inline bool raw_has(const struct raw_die *die, enum raw_slot slot)
{
	return die->abbrev->form[slot] != RAW_ABSENT;
}

static inline u16 raw_form(const struct raw_die *die, enum raw_slot slot)
{
	return die->attrs[die->abbrev->form[slot]].form;
}

/* Position of the value of an attribute. The entry must have the attribute. */
static inline const u8 *raw_value(const struct raw_die *die, enum raw_slot slot)
{
	u8 nth = die->abbrev->form[slot];

	return nth < die->abbrev->nr_lead ? die->values + die->attrs[nth].at : die->slot[slot];
}

/* Values of attributes. False: the attribute is absent or of another class. */
bool raw_uint(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	      u64 *value);
bool raw_flag(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot);
bool raw_address(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
		 u64 *value);
/* NULL: absent. Lives as long as the Dwarf. */
const char *raw_string(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot);
bool raw_block(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	       struct cursor *block);
/* The referenced entry. It may be in another unit. */
bool raw_ref(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	     Dwarf_Die *out);

/* DW_AT_ranges as an offset in .debug_ranges, or for DWARF 5 in .debug_rnglists of @file. */
bool raw_range_list(const struct raw_unit *unit, const struct raw_die *die, u64 *offset,
		    const struct raw_file **file);

/* Entry @index of .debug_addr. */
bool raw_indexed_address(const struct raw_unit *unit, u64 index, u64 *value);

/* For calls of libdw and libelf. The lock is debuginfo_source.lock, which may be NULL. */
static inline void libdw_lock(pthread_mutex_t *lock)
{
	if (lock)
		pthread_mutex_lock(lock);
}

static inline void libdw_unlock(pthread_mutex_t *lock)
{
	if (lock)
		pthread_mutex_unlock(lock);
}

static inline Dwarf_Die raw_to_die(const struct raw_unit *unit, const u8 *at)
{
	return (Dwarf_Die){ .addr = (void *)at, .cu = unit->die.cu };
}

/* False: the bytes end. Bits above 64 of a ULEB128 are dropped. */
static inline bool raw_uleb(const u8 **at, const u8 *end, u64 *value)
{
	u64 v = 0;
	u32 shift = 0;
	u8 byte;

	if (*at < end && **at < 0x80) {
		*value = *(*at)++;
		return true;
	}
	do {
		if (*at >= end)
			return false;
		byte = *(*at)++;
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	*value = v;
	return true;
}

static inline bool raw_sleb(const u8 **at, const u8 *end, s64 *value)
{
	u64 v = 0;
	u32 shift = 0;
	u8 byte;

	do {
		if (*at >= end)
			return false;
		byte = *(*at)++;
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		v |= ~0ULL << shift;
	*value = (s64)v;
	return true;
}

static inline bool raw_fixed(const u8 **at, const u8 *end, u32 size, u64 *value)
{
	*value = 0;
	if ((size_t)(end - *at) < size)
		return false;
	memcpy(value, *at, size);
	*at += size;
	return true;
}

#endif
