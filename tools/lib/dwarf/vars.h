/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of a function and their locations: parameters, locals and statics of the function, its lexical blocks
 * and all functions inlined into it. Each variable has the locations that the debug information states for each
 * address.
 */
#ifndef DWARF_VARS_H
#define DWARF_VARS_H

#include "dwarf/types.h"

/* Why are there no variables for an address? */
enum debuginfo_absence {
	DEBUGINFO_OK,
	DEBUGINFO_NO_UNIT,     /* no compilation unit covers the address */
	DEBUGINFO_NO_FUNCTION, /* the unit has no function there */
};

/*
 * "In memory at": the variable's bytes begin at that address. "The value is": the debug information states a value but
 * no address, as for a register or DW_OP_stack_value.
 */
enum location_kind {
	LOCATION_NONE,	   /* a form that is not supported (implicit pointer ...) */
	LOCATION_REG,	   /* the value is in register @reg */
	LOCATION_REG_PLUS, /* the value is register @reg + @offset (breg, stack_value) */
	LOCATION_MEM_REG,  /* in memory at register @reg + @offset */
	LOCATION_MEM_CFA,  /* in memory at the canonical frame address + @offset */
	LOCATION_MEM,	   /* in memory at the vaddr @offset */
	LOCATION_TLS,	   /* in memory at @offset in the object's TLS block */
	LOCATION_CONST,	   /* the value is @offset */
	LOCATION_CFA_PLUS, /* the value is the canonical frame address + @offset */
	LOCATION_ADDRESS,  /* the value is the vaddr @offset */
	/* P: the 8 bytes in memory at register @reg + @offset, or at the CFA + @offset. */
	LOCATION_DEREF_REG,	/* the value is P + @then */
	LOCATION_DEREF_CFA,	/* the same, P at the CFA */
	LOCATION_MEM_DEREF_REG, /* in memory at address P + @then */
	LOCATION_MEM_DEREF_CFA, /* the same, P at the CFA */
	/*
	 * The value follows from the first @then bytes in memory at the vaddr @offset, which hold nothing else: clang
	 * makes a byte of a static number that has only two values.
	 */
	LOCATION_PACKED,
	LOCATION_INDEXED, /* the value is register @reg + register @index * @scale + @offset */
};

/* A location, valid for instructions at [low, high). */
struct location {
	u64 low, high;
	s64 offset;
	s64 then;     /* LOCATION_*DEREF*: added to the value that was read */
	u32 variable; /* index into func_vars.variables */
	/* The part of the variable that is there; size 0: all of it. */
	u32 piece_offset, piece_size;
	u8 kind;  /* enum location_kind */
	u8 reg;	  /* DWARF number */
	u8 index; /* LOCATION_INDEXED: DWARF number */
	u8 scale;
	bool framed; /* @reg was derived from the function's frame base */
	bool home;   /* the variable's only place in its whole scope */
};

struct range {
	u64 low, high;
};

struct variable {
	const char *name; /* may be NULL */
	const struct type *type;
	/* code of its scope: nr_scope entries of func_vars.scopes, from index @scope on */
	u32 scope, nr_scope;
	u16 depth; /* number of enclosing scopes: an inner variable hides an outer one */
	bool parameter;
	bool inlined; /* from a function inlined here */
	bool guessed; /* not of the debug information: by the code */
	/* Go: captured by the closure, in whose memory it is at this offset; 0: not known */
	u32 captured;
	bool is_volatile; /* in memory, not static: its type is volatile, or an array of such */
	/* A C++ object of the function's own scopes: where it is declared. Line 0: not known. */
	u32 file, line; /* of the unit's table of files */
};

/* The code of a function inlined here, and where it is called; not what is inlined into that one. */
struct inlined_call {
	struct range code;
	u32 file, line;
};

/* DW_TAG_call_site of DWARF 5, DW_TAG_GNU_call_site in older versions. */
struct call_site {
	u64 return_pc; /* address of the instruction after the call */
	u32 origin;    /* for debuginfo_call_proto() of dwarf/protos.h */
};

struct func_vars {
	const char *name; /* may be NULL */
	const struct type *returns;
	const struct range *ranges; /* several ranges if a cold part was split off */
	const struct variable *variables;
	const struct range *scopes; /* of the scopes that have variables */
	/* Sorted by @low, then by order of the debug information. */
	const struct location *locations;
	/* The call sites that tell the called function; sorted by @return_pc. */
	const struct call_site *calls;
	/* Of C++; in order of the debug information. */
	const struct inlined_call *inlined;
	u32 nr_ranges, nr_variables, nr_scopes, nr_locations, nr_calls, nr_inlined;
	/* Go's calling convention: a call preserves only the registers of the stack and of the goroutine */
	bool go;
	/* The compiler knows which registers the called functions change, and may keep values in the others. */
	bool knows_callees;
	/*
	 * Translated from BTF, which has no places of variables. At the function's first instruction, each parameter of
	 * its proto is where the ABI passes it, unless the function is an altered copy.
	 */
	bool by_btf;
	/* Of such a translation: the structure that the function makes of memory without a type, by its name. NULL: none. */
	const struct type *record;
};

#endif
