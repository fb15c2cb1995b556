/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variable is where, in a function: parameters, locals and statics of the function,
 * its lexical blocks and everything inlined into it, each with the places that the debug
 * information gives for it at each address.
 */
#ifndef DWARF_VARS_H
#define DWARF_VARS_H

#include "dwarf/types.h"

/* Why there are no variables for an address. */
enum debuginfo_absence {
	DEBUGINFO_OK,
	DEBUGINFO_NO_UNIT,     /* no compilation unit covers the address */
	DEBUGINFO_NO_FUNCTION, /* the unit has no function there */
};

/*
 * "In memory": the variable's bytes begin at that address. "The value is": the debug information gives the value and
 * no address, as in a register or by DW_OP_stack_value.
 */
enum location_kind {
	LOCATION_NONE,	   /* a form that says nothing to us (implicit pointer ...) */
	LOCATION_REG,	   /* the value is in register @reg */
	LOCATION_REG_PLUS, /* the value is register @reg + @offset (breg, stack_value) */
	LOCATION_MEM_REG,  /* in memory at register @reg + @offset */
	LOCATION_MEM_CFA,  /* in memory at the canonical frame address + @offset */
	LOCATION_MEM,	   /* in memory at the vaddr @offset */
	LOCATION_TLS,	   /* in memory at @offset in the object's TLS block */
	LOCATION_CONST,	   /* the value is @offset */
	LOCATION_CFA_PLUS, /* the value is the canonical frame address + @offset */
	LOCATION_ADDRESS,  /* the value is the vaddr @offset */
	/* P is the 8 bytes in memory at register @reg + @offset, or at the CFA + @offset. */
	LOCATION_DEREF_REG,	/* the value is P + @then */
	LOCATION_DEREF_CFA,	/* the same, P at the CFA */
	LOCATION_MEM_DEREF_REG, /* in memory at P + @then */
	LOCATION_MEM_DEREF_CFA, /* the same, P at the CFA */
};

/* Holds for instructions at [low, high). */
struct location {
	u64 low, high;
	s64 offset;
	s64 then;     /* LOCATION_*DEREF*: added to what was read */
	u32 variable; /* index into func_vars.variables */
	/* The part of the variable that this is for; size 0: all of it. */
	u32 piece_offset, piece_size;
	u8 kind;     /* enum location_kind */
	u8 reg;	     /* DWARF number */
	bool framed; /* the source of @reg is the function's frame base */
	bool home;   /* the variable's one place, wherever it is in scope */
};

struct range {
	u64 low, high;
};

struct variable {
	const char *name; /* may be NULL */
	const struct type *type;
	u32 scope, nr_scope; /* its scope's code: so many of func_vars.scopes, from that one on */
	u16 depth;	     /* scopes around it: an inner one hides an outer one */
	bool parameter;
	bool inlined; /* belongs to a function inlined here */
};

/* DW_TAG_call_site of DWARF 5, DW_TAG_GNU_call_site before. */
struct call_site {
	u64 return_pc; /* of the instruction after the call */
	u32 origin;    /* for debuginfo_call_proto() of dwarf/protos.h */
};

struct func_vars {
	const char *name; /* may be NULL */
	const struct type *returns;
	const struct range *ranges; /* more than one where a cold part was split off */
	const struct variable *variables;
	const struct range *scopes; /* of scopes with variables */
	/* Sorted by @low, then by order of the debug information. */
	const struct location *locations;
	/* Those that say who is called; sorted by @return_pc. */
	const struct call_site *calls;
	u32 nr_ranges, nr_variables, nr_scopes, nr_locations, nr_calls;
	bool go; /* Go's own convention: no register survives a call but the stack's and the goroutine's */
	/* The compiler looks which registers the functions that it calls change, and uses the others. */
	bool knows_callees;
};

#endif
