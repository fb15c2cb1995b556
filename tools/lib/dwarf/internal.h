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
#include "dwarf/package.h"
#include "dwarf/protos.h"
#include "dwarf/raw.h"

/* Bounds for what outside data can make us walk. */
#define MAX_DEPTH     64	      /* of entries nested in each other */
#define IMPORT_DEPTH  (MAX_DEPTH / 4) /* an import counts as that many of them */
#define MAX_TYPE_HOPS 32	      /* const volatile typedef ... in a row */
#define MAX_MEMBERS   (1 << 16)	      /* of one type */
#define MAX_ENTRIES   (1 << 20)	      /* variables or locations of one function */
#define MAX_UNIT_DIES (1 << 24)	      /* entries looked at in one unit */

#define RECENT_TYPES 1024

/* An entry, and the unit that it is in. */
struct die_place {
	const struct raw_unit *unit;
	const u8 *at;
};

struct type_entry {
	struct type type; /* first: a struct type is its entry */
	struct die_place place;
	const struct type *target; /* NULL until asked for */
	struct member *members;
	u32 nr_members;
	u32 identity; /* plus 1; 0 until asked for */
	u8 dimension; /* of an array of several */
	bool members_read, members_typed;
	bool no_die; /* void */
	bool made;   /* a pointer that no entry declares; its place is the target's */
	const struct type *pointer; /* to this type, once asked for */
	const char *shown;	    /* type_shown_name(), once asked for */
	bool passing_known, by_reference;
	bool reach_known, reach_found;
	struct type_reach reach;
	const struct type_entry *vtables; /* of a class, once asked for, by their @next */
	/* Of a virtual table: it belongs to the object at @object_offset of @object, whose class is @target. */
	const struct type_entry *next;
	const struct type *object;
	u64 object_offset;
};

/* A variable with static storage; its type is read when something in it is asked for. */
struct static_row {
	u64 address; /* libdw's; an offset in the TLS block for a thread-local */
	/* The part of the variable that lies there; size 0: all of it. clang splits some. */
	u32 piece_offset, piece_size;
	struct die_place place;
};

struct function_row {
	u64 low, high; /* libdw's */
	struct die_place place;
};

/* @name: linkage name, else the name; NULL: its origin has it. */
struct subprogram {
	struct die_place place;
	const char *name;
	bool inner; /* in a class or a function: only the deep walk finds it */
};

struct unit_variable {
	struct die_place place;
	bool inner;
};

/* Variables with static storage, sorted by address. */
struct statics {
	GArray *rows;	       /* struct static_row */
	GArray *thread_locals; /* struct static_row */
};

struct unit {
	Dwarf_Die skeleton;	    /* the entry in the file itself, which has the ranges */
	const struct raw_unit *raw; /* the split unit where there is one; NULL until opened */
	bool opened;
	/* What one walk over the unit finds: functions, variables, declarations of both. */
	bool walked, walked_deep; /* deep: what lies in classes and functions too */
	GArray *functions;	  /* struct function_row, sorted */
	GArray *subprograms;	  /* struct subprogram */
	GArray *variables;	  /* struct unit_variable */
	/*
	 * Variables at the top of the unit, and those in classes and functions. Two lists, so that an answer does not depend
	 * on what was asked before. NULL until read.
	 */
	struct statics statics, inner_statics;
	GHashTable *declared; /* of variables: linkage name or name -> struct die_place * */
	GHashTable *protos, *inner_protos; /* of functions: the same */
	u32 asked;			   /* how often for a function by name */
};

struct unit_range {
	u64 low, high;
	u32 unit;
};

struct debuginfo {
	struct debuginfo_source source;
	struct package *package; /* NULL: there is none */
	GPtrArray *types;	 /* struct type_entry *, by id */
	GHashTable *type_by_die; /* Dwarf_Die.addr -> struct type_entry * */
	/* Of those the ones that were asked for last, at a place by the address. */
	struct recent_type {
		const void *addr;
		struct type_entry *entry;
	} recent_types[RECENT_TYPES];
	struct type_entry *void_type;
	struct intern *texts;
	GHashTable *variables;	     /* Dwarf_Die.addr -> struct variable *, statics only */
	GArray *units;		     /* struct unit */
	GHashTable *unit_by_offset;  /* of the unit's entry in .debug_info -> index + 1 */
	GHashTable *raw_files;	     /* Dwarf * -> struct raw_file * */
	struct gathering *gathering; /* function.c's scratch; NULL until needed */
	GHashTable *containers;	     /* struct raw_unit * -> GArray of struct container */
	GHashTable *declarers;	     /* nameless.c's: struct raw_unit * -> GHashTable */
	const struct raw_unit *last_raw;
	GHashTable *raw_units;	    /* Dwarf_CU * -> struct raw_unit *, NULL: unreadable */
	GArray *ranges;		    /* struct unit_range, sorted; NULL until needed */
	struct statics all_statics; /* at the top of all units; NULL until needed */
	GHashTable *functions;	    /* Dwarf_Die.addr of a function -> struct func_vars * */
	GHashTable *protos;	    /* Dwarf_Die.addr -> struct proto_entry * */
	GHashTable *proto_at;	    /* vaddr -> struct proto *, NULL: none */
	GHashTable *symbols;	    /* name of a global function -> u64 *; NULL until needed */
	GArray *origins;	    /* struct die_place: what call sites call */
	GHashTable *endless;	    /* entries of structures that end in an array without a bound */
	GHashTable *embedded;	    /* struct raw_unit *, or this for all -> struct embedded * */
	struct definitions *definitions; /* of classes, in all units; NULL until needed */
	bool embedded_cut;		 /* of all units: there are too many entries */
	u32 units_read;
	bool has_symbols; /* the file has a symbol table */
	bool is_split;	  /* a unit is a skeleton */
};

/* types.c */
/* The type at @die, const and the like looked through. */
const struct type *type_of_die(struct debuginfo *debug, const Dwarf_Die *die);
const struct type *type_void(struct debuginfo *debug);
struct die_place type_place(const struct type *type);
bool tag_is_qualifier(int tag);
enum type_kind type_kind_of_tag(int tag);
/* With the next id and nothing else. */
struct type_entry *type_entry_new(struct debuginfo *debug, enum type_kind kind);
/* A type that the debug information does not have, at the place of @like. */
struct type_entry *type_entry_like(const struct type *like, enum type_kind kind);
/* The three texts in one, kept. */
const char *type_text(struct debuginfo *debug, const char *before, const char *text,
		      const char *after);
void type_entry_free(struct type_entry *entry);

/* names.c */
/* @name within the namespaces, classes and functions around the entry. Newly allocated; NULL: there are none. */
char *names_qualify(struct debuginfo *debug, struct die_place place, const char *name);
/* What to call a nameless class that is a lambda; NULL: it is none. */
char *names_of_closure(struct debuginfo *debug, struct die_place place, const struct raw_die *die);

/* The type of what the closure of Rust at @closure, called @name, holds; false: not found. */
bool names_environment(struct debuginfo *debug, struct die_place closure, const char *name,
		       struct die_place *environment);

/* closures.c */
enum environment {
	ENVIRONMENT_NONE, /* not a closure, or one that holds nothing */
	ENVIRONMENT_UNKNOWN,
	ENVIRONMENT_VALUE,   /* the first parameter is *@type */
	ENVIRONMENT_ADDRESS, /* or the address of one */
};
enum environment closure_environment(struct debuginfo *debug, struct die_place place,
				     const struct type **type);

/* definitions.c */
struct definitions;
void definitions_free(struct definitions *found);
/* From the declaration of a class of C++ at *@place to its definition; false: there is none. */
bool definition_find(struct debuginfo *debug, struct die_place *place);

/* protos.c */
struct proto_entry;
const struct proto *proto_of_place(struct debuginfo *debug, struct die_place place);
void proto_entry_free(struct proto_entry *entry);

/* units.c */
/* How to read the unit that @die is in; NULL: not to be read. */
const struct raw_unit *raw_of(struct debuginfo *debug, const Dwarf_Die *die);
/* How to read it, the split unit where there is one; NULL: not to be read. */
const struct raw_unit *unit_raw(struct debuginfo *debug, struct unit *unit);
/* The file that the file shares with others (dwz); NULL: there is none. */
Dwarf *debuginfo_shared(struct debuginfo *debug);
/* Those of all units of a file that can be read; to be freed, not what is in it. */
GPtrArray *raw_units_of(struct debuginfo *debug, Dwarf *dwarf);
struct unit *unit_find(struct debuginfo *debug, u64 address);
void units_read(struct debuginfo *debug);
void unit_release(struct unit *unit);
void statics_release(struct statics *statics);
/* False where there is nothing to be had from it. @deep: look into classes and functions. */
bool unit_walk(struct debuginfo *debug, struct unit *unit, bool deep);
/* The function entry of @unit that covers the address, or false. */
bool unit_function(struct debuginfo *debug, struct unit *unit, u64 address,
		   struct die_place *place);

/* origins.c */
/* What @die's DW_AT_abstract_origin or DW_AT_specification refers to; *@unit becomes its unit. */
bool raw_origin(struct debuginfo *debug, const struct raw_unit **unit, struct raw_die *die);
/* The first of the entry and its origins that has @slot; false: none has. */
bool die_place_with(struct debuginfo *debug, struct die_place place, enum raw_slot slot,
		    const struct raw_unit **unit, struct raw_die *die);
/* The attributes of the entry itself or else of its origins; NULL: none. */
const char *die_place_name(struct debuginfo *debug, struct die_place place);
/* The ELF symbol's name of a function or a variable. */
const char *die_place_linkage_name(struct debuginfo *debug, struct die_place place);
bool die_place_flag(struct debuginfo *debug, struct die_place place, enum raw_slot slot);

/* entry_types.c */
/* Of the entry itself or else of its origins; void's type where it has none. */
const struct type *die_place_type(struct debuginfo *debug, struct die_place place);

/* Both for an entry that is read already. */
void entry_name_and_type(struct debuginfo *debug, const struct raw_unit *unit,
			 const struct raw_die *die, const char **name, const struct type **type);

/* embedded.c */
struct embedded;
void embedded_free(struct embedded *found);

/* function.c */
void gathering_free(struct gathering *g);

/* ranges.c: the ranges of @die appended to @ranges (struct range, libdw's addresses). */
void raw_ranges(const struct raw_unit *unit, const struct raw_die *die, GArray *ranges);

/* expr.c: one location from an expression's bytes up to a piece's mark or its end. */
bool expr_read(const struct raw_unit *unit, struct cursor *bytes, struct location *out,
	       bool *framed);

/* location.c: appends what the attribute says to @locations, in libdw's addresses. */
struct location_scope {
	const GArray *ranges;	  /* struct range: where a location without a list holds */
	const GArray *frame_base; /* struct location; NULL while the frame base is read itself */
};

void locations_read(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
		    const struct location_scope *scope, u32 variable, GArray *locations);

/* language.c */
bool raw_is_cplusplus(const struct raw_unit *unit);
/* Names are nested, or functions and variables in classes: not C. */
bool raw_has_namespaces(const struct raw_unit *unit);

/* True for scopes inside a function whose variables belong to it. */
bool tag_is_scope(int tag);

#endif
