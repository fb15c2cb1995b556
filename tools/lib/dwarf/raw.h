/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of the debug information read straight from its bytes, for walks over very many of
 * them: what libdw works out per attribute is worked out here once per abbreviation.
 *
 * The bytes are libdw's, so that an entry found here is a Dwarf_Die for everything that is not
 * asked often, and the other way round. Little-endian only. A read past the unit's end ends
 * a walk as if the unit ended there.
 *
 * DWARF 5, sections 7.5 (units, abbreviations, forms) and 7.7.3, 7.26, 7.27 (indirect ones).
 */
#ifndef DWARF_RAW_H
#define DWARF_RAW_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "base/cursor.h"

/* Attributes that are remembered while an entry is read; the rest is skipped. */
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
	RAW_CALLING_CONVENTION,
	RAW_DECL_LINE,
	RAW_CONTAINING_TYPE,
	RAW_LANGUAGE,
	RAW_ADDR_BASE,
	RAW_STR_OFFSETS_BASE,
	RAW_LOCLISTS_BASE,
	RAW_RNGLISTS_BASE,
	RAW_RANGES_BASE,
	RAW_NORETURN,
	RAW_VTABLE_SLOT,
	NR_RAW_SLOTS,
};

#define RAW_ABSENT   0xff
#define RAW_VARIABLE 0xff
#define RAW_TAGS     0x50 /* the standard ones, DW_TAG_lo_user excluded */

struct raw_attr {
	u16 form;
	u8 slot; /* NR_RAW_SLOTS: not remembered */
	u8 size; /* bytes that every value takes; RAW_VARIABLE: its own bytes say */
	u16 at;	 /* of those in the abbreviation's lead: bytes from the first value */
	s64 implicit;
};

struct raw_abbrev {
	u16 tag; /* 0: no such abbreviation */
	bool children;
	bool fixed; /* every form has one size: @size of all together */
	u16 size;
	u32 nr_lead;	       /* attributes before the first without a size */
	u16 lead;	       /* bytes of those */
	u16 sibling;	       /* offset of a 4-byte sibling reference plus 1; 0: none */
	u16 type;	       /* the same of a reference to a type */
	u32 first, nr;	       /* of its attributes in the table's */
	u8 form[NR_RAW_SLOTS]; /* index in its attributes; RAW_ABSENT: it has none */
};

/* One table of abbreviations, shared by the units that name it. */
struct raw_abbrevs {
	struct raw_attr *attrs;
	struct raw_abbrev *dense; /* by code, for small codes */
	GHashTable *large;	  /* code -> struct raw_abbrev * */
	u32 nr_attrs, nr_dense;
	u32 attrs_room, dense_room; /* while it is read */
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
	struct package *package; /* that it was taken out of; NULL: none */
	struct raw_bytes info, types, abbrev, str, line_str, loc, loclists, ranges, rnglists, addr,
		str_offsets;
	GHashTable *tables;	    /* offset in .debug_abbrev -> struct raw_abbrevs * */
	struct raw_abbrevs reading; /* the memory that they are read into */
};

struct raw_unit {
	struct raw_file *file;
	struct raw_file *skeleton; /* that has the addresses; @file itself if not split */
	const struct raw_abbrevs *abbrevs;
	Dwarf_Die die;	 /* the unit's entry */
	const u8 *start; /* the unit's header, where references count from */
	const u8 *first; /* the unit's entry */
	const u8 *end;
	u64 low_pc; /* base of location lists */
	u64 addr_base, str_offsets_base, loclists_base, rnglists_base, ranges_base;
	u8 version, address_size, offset_size;
	bool split;
	u16 language;
};

struct raw_die {
	const u8 *at;
	const u8 *next;	  /* behind its attributes: the first child, if it has any */
	const u8 *values; /* the first: those of the abbreviation's lead are at known distances */
	const struct raw_abbrev *abbrev;
	const struct raw_attr *attrs;
	/* Where the other values are; valid where abbrev->form says so. The last is for those not remembered. */
	const u8 *slot[NR_RAW_SLOTS + 1];
};

struct raw_file *raw_file_new(Dwarf *dwarf);
void raw_file_free(struct raw_file *file);

/*
 * @die is the entry of a unit of @file, @skeleton its skeleton where it is a split unit (else
 * NULL). False for what is no unit that can be read here.
 */
bool raw_unit_init(struct raw_unit *unit, struct raw_file *file, Dwarf_Die *die,
		   const struct raw_unit *skeleton);

/*
 * The entry at @at of @unit. False at the end of a list of children (*@next is behind it
 * then) and for bytes that are no entry (*@next is the unit's end).
 */
bool raw_read(const struct raw_unit *unit, const u8 *at, struct raw_die *die);

/* Where the entry after @die and its children is; walks over them where it must. */
const u8 *raw_after(const struct raw_unit *unit, const struct raw_die *die);

/*
 * From *@at over siblings whose tag @wanted (RAW_TAGS bytes) is zero for, to the next one for
 * which it is not. False at the list's end; *@at is behind it then.
 */
bool raw_next_wanted(const struct raw_unit *unit, const u8 **at, const u8 *wanted);

/* The tag of the entry at @at without the rest; 0 where there is none. */
u16 raw_tag(const struct raw_unit *unit, const u8 *at);

/* What an abbreviation tells of an entry; @values: where its attributes begin. */
struct raw_head {
	const u8 *at, *values;
	const struct raw_abbrev *abbrev;
};

/* As raw_next_wanted(), and what is there; *@at stays at the entry. */
bool raw_next_head(const struct raw_unit *unit, const u8 **at, const u8 *wanted,
		   struct raw_head *head);

/* Where the entry after it and its children is. */
const u8 *raw_after_head(const struct raw_unit *unit, const struct raw_head *head);

/* The entry that its type is, where that is told without reading it all; else NULL. */
const u8 *raw_type_of_head(const struct raw_unit *unit, const struct raw_head *head);

static inline bool raw_has(const struct raw_die *die, enum raw_slot slot)
{
	return die->abbrev->form[slot] != RAW_ABSENT;
}

static inline u16 raw_form(const struct raw_die *die, enum raw_slot slot)
{
	return die->attrs[die->abbrev->form[slot]].form;
}

/* Where the value of an attribute that it has is. */
static inline const u8 *raw_value(const struct raw_die *die, enum raw_slot slot)
{
	u8 nth = die->abbrev->form[slot];

	return nth < die->abbrev->nr_lead ? die->values + die->attrs[nth].at : die->slot[slot];
}

/* The values; false where the attribute is absent or of another class. */
bool raw_uint(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	      u64 *value);
bool raw_flag(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot);
bool raw_address(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
		 u64 *value);
/* NULL where absent. Lives as long as the Dwarf. */
const char *raw_string(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot);
bool raw_block(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	       struct cursor *block);
/* The entry referred to; its unit may be another one. */
bool raw_ref(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
	     Dwarf_Die *out);

/* DW_AT_ranges as an offset in .debug_ranges, or for DWARF 5 in .debug_rnglists of @file. */
bool raw_range_list(const struct raw_unit *unit, const struct raw_die *die, u64 *offset,
		    const struct raw_file **file);

/* Entry @index of .debug_addr. */
bool raw_indexed_address(const struct raw_unit *unit, u64 index, u64 *value);

/* Around calls of libdw and libelf: debuginfo_source.lock, which may be NULL. */
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

/* False at the end of the bytes; ULEB128 of more than 64 bits lose the upper ones. */
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
