/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this room share: entries of the debug information, which do not leave
 * it. libdw's own addresses (vaddr + bias) live here, vaddr outside.
 */
#ifndef DWARF_INTERNAL_H
#define DWARF_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <glib.h>

#include "base/intern.h"
#include "dwarf/debuginfo.h"
#include "dwarf/protos.h"

/* Bounds for what outside data can make us walk. */
#define MAX_DEPTH     64	      /* of entries nested in each other */
#define IMPORT_DEPTH  (MAX_DEPTH / 4) /* an import counts as that many of them */
#define MAX_TYPE_HOPS 32	      /* const volatile typedef ... in a row */
#define MAX_MEMBERS   (1 << 16)	      /* of one type */
#define MAX_ENTRIES   (1 << 20)	      /* variables or locations of one function */
#define MAX_UNIT_DIES (1 << 24)	      /* entries looked at in one unit */

struct type_entry {
	struct type type; /* first: a struct type is its entry */
	Dwarf_Die die;
	const struct type *target; /* NULL until asked for */
	struct member *members;
	u32 nr_members;
	u32 identity; /* plus 1; 0 until asked for */
	u8 dimension; /* of an array of several */
	bool members_read;
	bool no_die; /* void */
	bool passing_known, by_reference;
};

/* A variable with static storage; its type is read when something in it is asked for. */
struct static_row {
	u64 address; /* libdw's; an offset in the TLS block for a thread-local */
	/* The part of the variable that lies there; size 0: all of it. clang splits some. */
	u32 piece_offset, piece_size;
	Dwarf_Die die;
};

struct function_row {
	u64 low, high;
	Dwarf_Die die;
};

struct unit {
	Dwarf_Die die;	    /* of the split unit where there is one */
	Dwarf_Die skeleton; /* where the ranges stand */
	GArray *functions;  /* struct function_row, sorted; NULL until read */
	GArray *statics;    /* struct static_row, sorted by address; NULL until read */
	GArray *thread_locals;
	GHashTable *declared; /* linkage name or name -> Dwarf_Die * */
	GHashTable *protos; /* of functions: linkage name or name -> Dwarf_Die *; NULL until read */
	bool functions_deep, statics_deep;
};

struct unit_range {
	u64 low, high;
	u32 unit;
};

struct debuginfo {
	struct debuginfo_source source;
	GPtrArray *types;	 /* struct type_entry *, by id */
	GHashTable *type_by_die; /* Dwarf_Die.addr -> struct type_entry * */
	struct type_entry *void_type;
	struct intern *texts;
	GHashTable *variables;	    /* Dwarf_Die.addr -> struct variable *, statics only */
	GArray *units;		    /* struct unit */
	GHashTable *unit_by_offset; /* of the unit's entry in .debug_info -> index + 1 */
	GArray *ranges;		    /* struct unit_range, sorted; NULL until needed */
	GArray *all_statics;	    /* over all units; NULL until needed */
	GArray *all_thread_locals;
	GHashTable *functions; /* Dwarf_Die.addr of a function -> struct func_vars * */
	GHashTable *protos;    /* Dwarf_Die.addr -> struct proto_entry * */
	GHashTable *symbols;   /* name of a global function -> u64 *; NULL until needed */
	GArray *origins;       /* Dwarf_Die: what call sites call */
	u32 units_read;
};

/* types.c */
/* The type that @die's DW_AT_type names, through its origin too; void's where it has none. */
const struct type *type_of_attr(struct debuginfo *debug, Dwarf_Die *die);
Dwarf_Die *type_die(const struct type *type);
void type_entry_free(struct type_entry *entry);

/* protos.c */
struct proto_entry;
const struct proto *proto_of_die(struct debuginfo *debug, Dwarf_Die *die);
void proto_entry_free(struct proto_entry *entry);

/* statics.c: the ELF symbol's name of a function or a variable. */
const char *die_linkage_name(Dwarf_Die *die);

/* units.c */
bool tag_holds_functions(int tag);
struct unit *unit_find(struct debuginfo *debug, u64 address);
void units_read(struct debuginfo *debug);
void unit_release(struct unit *unit);
/* The function entry of @unit that covers the address, or false. */
bool unit_function(struct debuginfo *debug, struct unit *unit, u64 address, Dwarf_Die *die);

/* location.c: appends what @attr says to @locations, in libdw's addresses. */
struct location_scope {
	const GArray *ranges;	  /* struct range: where a location without a list holds */
	const GArray *frame_base; /* struct location; NULL while the frame base is read itself */
};

void locations_read(Dwarf_Attribute *attr, const struct location_scope *scope, u32 variable,
		    GArray *locations);

/* An entry's attribute as a number; false where it is absent or no constant. */
bool die_number(Dwarf_Die *die, unsigned int name, u64 *value);

/* The ranges of @die appended to @ranges (struct range, libdw's addresses). */
void die_ranges(Dwarf_Die *die, GArray *ranges);

/* The unit that an imported_unit entry brings in (dwz splits units so), or false. */
bool die_imported(Dwarf_Die *die, Dwarf_Die *unit);

/* True for scopes inside a function whose variables belong to it. */
bool tag_is_scope(int tag);

#endif
