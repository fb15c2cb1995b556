/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations for the files of this folder: entries of the debug information (DIEs). Addresses here are libdw's (vaddr
 * + bias); addresses in the public headers are vaddr.
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

/* Limits for walks over debug information, which may be malformed. */
#define MAX_DEPTH     64	      /* nesting of entries */
#define IMPORT_DEPTH  (MAX_DEPTH / 4) /* an imported unit counts as this many levels */
#define MAX_TYPE_HOPS 32	      /* chain of const, volatile, typedef ... */
#define MAX_MEMBERS   (1 << 16)	      /* of one type */
#define MAX_ENTRIES   (1 << 20)	      /* variables or locations of one function */
#define MAX_UNIT_DIES (1 << 24)	      /* entries read in one unit */

#define RECENT_TYPES 1024

/* An entry and its unit. */
struct die_place {
	const struct raw_unit *unit;
	const u8 *at;
};

struct type_entry {
	/* must be first: a pointer to it is also a pointer to the struct type_entry */
	struct type type;
	struct die_place place;
	const struct type *target; /* NULL until asked for */
	struct member *members;
	u32 nr_members;
	u32 identity; /* type_identity() plus 1; 0: not computed yet */
	u8 dimension; /* of a multi-dimensional array: number of outer dimensions removed */
	bool members_read, members_typed;
	bool members_ascend; /* no member begins or ends before one that stands in front of it */
	bool no_die;	     /* no entry: void, and the types of debuginfo_abi_type() */
	bool made; /* a pointer type without an entry of its own: @place is the target's entry */
	const struct type *pointer; /* the pointer to this type; NULL until asked for */
	const char *shown;	    /* type_shown_name(); NULL until asked for */
	bool passing_known, by_reference;
	bool reach_known, reach_found;
	struct type_reach reach;
	const struct type_entry
		*vtables; /* a class's virtual tables asked for so far, linked by @next */
	/* For a virtual table: @target is the class of the subobject at @object_offset of @object. */
	const struct type_entry *next;
	const struct type *object;
	u64 object_offset;
};

/* A variable with static storage. Its type is read when it is asked for. */
struct static_row {
	u64 address; /* thread-local: offset in the TLS block */
	/* The part of the variable at @address; size 0: all of it. clang may split a variable into parts. */
	u32 piece_offset, piece_size;
	/* Its entry; both are libdw's, so they mean the same to all debuginfos of a file. */
	Dwarf_CU *cu;
	const u8 *at;
};

struct function_row {
	u64 low, high; /* libdw's addresses */
	struct die_place place;
};

/* @name: linkage name, else name; NULL: the entry has none, but its abstract origin may. */
struct subprogram {
	struct die_place place;
	const char *name;
	bool inner; /* declared in a class or function: found only by the deep walk */
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
	Dwarf_Die skeleton;	    /* the unit's entry in the main file; has the ranges */
	const struct raw_unit *raw; /* the split unit if there is one; NULL: not opened yet */
	bool opened;
	/* Results of one walk over the unit: functions, variables, and declarations of both. */
	bool walked, walked_deep; /* deep: the walk included classes and functions */
	GArray *functions;	  /* struct function_row, sorted */
	GArray *subprograms;	  /* struct subprogram */
	GArray *variables;	  /* struct unit_variable */
	/*
	 * Variables at the top of the unit, and variables in classes and functions. They are two lists, so that an
	 * answer does not depend on earlier questions. NULL: not read yet.
	 */
	struct statics statics, inner_statics;
	GHashTable *declared; /* variables: linkage name or name -> struct die_place * */
	GHashTable *protos, *inner_protos; /* functions, with the same keys */
	u32 asked;			   /* number of look-ups of a function by name so far */
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
	/* Cache of the types asked for last. The slot is computed from the entry's address. */
	struct recent_type {
		const void *addr;
		struct type_entry *entry;
	} recent_types[RECENT_TYPES];
	struct type_entry *void_type;
	struct type_entry *abi_types[NR_ABI_TYPES]; /* NULL until asked for */
	struct intern *texts;
	GHashTable *variables;	     /* Dwarf_Die.addr -> struct variable *, statics only */
	GArray *units;		     /* struct unit */
	GHashTable *unit_by_offset;  /* offset of the unit's entry in .debug_info -> index + 1 */
	GHashTable *raw_files;	     /* Dwarf * -> struct raw_file * */
	struct gathering *gathering; /* function.c's buffers; NULL: not needed yet */
	GHashTable *containers;	     /* struct raw_unit * -> GArray of struct container */
	GHashTable *declarers;	     /* of nameless.c: struct raw_unit * -> GHashTable */
	const struct raw_unit *last_raw;
	GHashTable *raw_units;		     /* Dwarf_CU * -> struct raw_unit *; NULL: unreadable */
	GArray *ranges;			     /* struct unit_range, sorted; NULL: not needed yet */
	struct all_statics *all_statics;     /* may be shared with other debuginfos of the file */
	const struct statics *known_statics; /* what is in it; NULL: not needed yet */
	GHashTable *functions; /* Dwarf_Die.addr of a function -> struct func_vars * */
	GHashTable *protos;    /* Dwarf_Die.addr -> struct proto_entry * */
	GHashTable *library;   /* library.c: row -> struct library_entry *; NULL: not needed */
	GHashTable *proto_at;  /* vaddr -> struct proto *; NULL: none */
	GHashTable *symbols;   /* name of a global function -> u64 *; NULL: not needed yet */
	GArray *origins;       /* struct die_place: the callees of call sites */
	GHashTable *endless;   /* entries of structures with a flexible array member */
	GHashTable *
		/* struct raw_unit * -> struct embedded *; key @debug itself: that of all units */
		embedded;
	struct definitions
		*definitions; /* definitions of classes in all units; NULL: not needed yet */
	/* @embedded of all units is incomplete, because there are too many entries */
	bool embedded_cut;
	struct go_types *go_types; /* of all units of Go; NULL: not needed yet */
	u32 units_read;
	bool has_symbols; /* the file has a symbol table */
	bool is_split;	  /* some unit is a skeleton */
};

/* types.c */
/* The type at @die, without const, volatile and other qualifiers. */
const struct type *type_of_die(struct debuginfo *debug, const Dwarf_Die *die);
const struct type *type_void(struct debuginfo *debug);
struct die_place type_place(const struct type *type);
bool tag_is_qualifier(int tag);
enum type_kind type_kind_of_tag(int tag);
/* A new type with an id and a kind; all other fields are 0. */
struct type_entry *type_entry_new(struct debuginfo *debug, enum type_kind kind);
/* A new type without an entry of its own. It gets the place of @like. */
struct type_entry *type_entry_like(const struct type *like, enum type_kind kind);
/* The concatenation of the three texts; lives as long as @debug. */
const char *type_text(struct debuginfo *debug, const char *before, const char *text,
		      const char *after);
void type_entry_free(struct type_entry *entry);

/* names.c */
/*
 * @name with the namespaces, classes and functions around the entry. Newly allocated; NULL: there are none around it.
 */
char *names_qualify(struct debuginfo *debug, struct die_place place, const char *name);
/* The name of a nameless class if it is a lambda; NULL: it is not. */
char *names_of_closure(struct debuginfo *debug, struct die_place place, const struct raw_die *die);

/* out: the type of the captured variables of the Rust closure @name at @closure. False: not found. */
bool names_environment(struct debuginfo *debug, struct die_place closure, const char *name,
		       struct die_place *environment);

/* closures.c */
enum environment {
	ENVIRONMENT_NONE, /* no closure, or a closure without captured variables */
	ENVIRONMENT_UNKNOWN,
	ENVIRONMENT_VALUE,   /* the captured variables are the first parameter, by value */
	ENVIRONMENT_ADDRESS, /* the first parameter is the address of the captured variables */
};
enum environment closure_environment(struct debuginfo *debug, struct die_place place,
				     const struct type **type);

/* definitions.c */
struct definitions;
void definitions_free(struct definitions *found);
/* in: the declaration of a C++ class. out: its definition; false: there is none. */
bool definition_find(struct debuginfo *debug, struct die_place *place);

/* protos.c */
struct proto_entry;
void proto_entry_free(struct proto_entry *entry);

/* unit_statics.c */
/* The variables at the top of the unit, or those in its classes and functions; NULL: the unit cannot be read. */
const struct statics *statics_of_unit(struct debuginfo *debug, struct unit *unit, bool inner);
void statics_init(struct statics *statics);
void statics_sort(struct statics *statics);

/* all_statics.c */
/* File-scope variables of all units of a file. */
struct all_statics;
struct all_statics *all_statics_new(void);
struct all_statics *all_statics_ref(struct all_statics *all);
void all_statics_unref(struct all_statics *all);
/*
 * The first time, all units are read. Threads that ask meanwhile, each with a debuginfo of its own, read a part each.
 * Lives as long as @debug.
 */
const struct statics *all_statics_read(struct debuginfo *debug);

/* units.c */
/* The unit of @die; NULL: it cannot be read. */
const struct raw_unit *raw_of(struct debuginfo *debug, const Dwarf_Die *die);
/* The unit's entries: the split unit's if there is one. NULL: it cannot be read. */
const struct raw_unit *unit_raw(struct debuginfo *debug, struct unit *unit);
/* The supplementary file (dwz -m); NULL: there is none. */
Dwarf *debuginfo_shared(struct debuginfo *debug);
/* All units of @dwarf that can be read. The caller frees the array, but not the units. */
GPtrArray *raw_units_of(struct debuginfo *debug, Dwarf *dwarf);
struct unit *unit_find(struct debuginfo *debug, u64 address);
void units_read(struct debuginfo *debug);
void statics_release(struct statics *statics);
/* False: the unit cannot be read. @deep: include classes and functions. */
bool unit_walk(struct debuginfo *debug, struct unit *unit, bool deep);
/* out: the function of @unit that contains the address; false: there is none. */
bool unit_function(struct debuginfo *debug, struct unit *unit, u64 address,
		   struct die_place *place);

/* origins.c */
/* The entry that @die's DW_AT_abstract_origin or DW_AT_specification refers to. *@unit becomes its unit. */
bool raw_origin(struct debuginfo *debug, const struct raw_unit **unit, struct raw_die *die);
/* The first entry with the attribute @slot: the entry itself, or one of its origins. False: none has it. */
bool die_place_with(struct debuginfo *debug, struct die_place place, enum raw_slot slot,
		    const struct raw_unit **unit, struct raw_die *die);
/* The name of the entry itself, else of its origins; NULL: none has one. */
const char *die_place_name(struct debuginfo *debug, struct die_place place);
/* The name of a function or a variable in the ELF symbol table. */
const char *die_place_linkage_name(struct debuginfo *debug, struct die_place place);
bool die_place_flag(struct debuginfo *debug, struct die_place place, enum raw_slot slot);

/* entry_types.c */
/* The type of the entry itself, else of its origins; void if none has one. */
const struct type *die_place_type(struct debuginfo *debug, struct die_place place);
/* True if that type is volatile, or an array of volatile elements. A structure with a volatile member is not. */
bool die_place_is_volatile(struct debuginfo *debug, struct die_place place);

/* Name and type of @die, an entry that is already read. */
void entry_name_and_type(struct debuginfo *debug, const struct raw_unit *unit,
			 const struct raw_die *die, const char **name, const struct type **type);

/* go_types.c: Go's types by their descriptors, and structures and typedefs by their names (go.h) */
struct go_types;
void go_types_free(struct go_types *types);
/* False: there is none. */
bool go_type_described(struct debuginfo *debug, u64 distance, struct die_place *place);
bool go_type_named(struct debuginfo *debug, const char *name, struct die_place *place);

/* embedded.c */
struct embedded;
void embedded_free(struct embedded *found);

/* function.c */
void gathering_free(struct gathering *g);

/* ranges.c: appends the ranges of @die to @ranges (struct range). */
void raw_ranges(const struct raw_unit *unit, const struct raw_die *die, GArray *ranges);

/* expr.c: reads one location: an expression up to its next DW_OP_piece or its end. */
bool expr_read(const struct raw_unit *unit, struct cursor *bytes, struct location *out,
	       bool *framed);

/* location.c: appends the locations in the attribute's list to @locations. */
struct location_scope {
	const GArray *ranges;	  /* struct range: where a location without a list is valid */
	const GArray *frame_base; /* struct location; NULL while the frame base itself is read */
};

void locations_read(const struct raw_unit *unit, const struct raw_die *die, enum raw_slot slot,
		    const struct location_scope *scope, u32 variable, GArray *locations);

/* language.c */
bool raw_is_cplusplus(const struct raw_unit *unit);
/* function.c: the unit is a translation of BTF. */
bool raw_is_btf(const struct raw_unit *unit);
/* The language has namespaces, or functions and variables in classes: it is not C. */
bool raw_has_namespaces(const struct raw_unit *unit);

/* True for scopes inside of a function (blocks, inlined calls): their variables are the function's. */
bool tag_is_scope(int tag);

#endif
