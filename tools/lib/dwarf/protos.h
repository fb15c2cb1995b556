/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a function take and give back? From the entry of a function by its address or
 * its name, of a function type, or of what a call site says it calls.
 *
 * In which registers and stack slots parameters and results travel is dwarf/abi.h.
 * Where a function's own variables are is dwarf/vars.h.
 */
#ifndef DWARF_PROTOS_H
#define DWARF_PROTOS_H

#include "dwarf/types.h"
#include "dwarf/vars.h"

struct proto {
	const char *name;		  /* linkage name, else the name; NULL: a function type */
	const struct type *returns;	  /* void's type where nothing is returned */
	const struct type *const *params; /* in order of the source; `this` is one of them */
	u32 nr_params;
	bool varargs;
	bool noreturn;
	bool has_this; /* params[0] is the object that a method is called on */
	bool rust;     /* Rust's own calling convention, not the C one */
	bool gaps;     /* of Rust, and declared nowhere: parameters without a name are left out */
	/*
	 * params[0] is what a closure of Rust holds, which no entry lists, and its address is
	 * passed. Of a closure's other parameters nothing is said: the debug information leaves
	 * out those without a name of their own.
	 */
	bool this_by_address;
};

/*
 * All are owned by @debug and kept; equal calls give equal pointers. NULL where the debug
 * information does not say.
 */

/* The function whose first instruction is at @vaddr. */
const struct proto *debuginfo_proto_at(struct debuginfo *debug, u64 vaddr);

/*
 * The function that ELF calls @linkage_name, a "@plt" or "@VERSION" at the end disregarded:
 * what the unit of the code at @from defines or declares under that name, else the file's
 * external definition.
 */
const struct proto *debuginfo_proto_named(struct debuginfo *debug, const char *linkage_name,
					  u64 from);

/* Of a TYPE_FUNCTION, or of what a pointer to one points to; typedefs are looked through. */
const struct proto *type_proto(const struct type *function_type);

/* What @call says that it calls; NULL: it does not say, as most indirect calls. */
const struct proto *debuginfo_call_proto(struct debuginfo *debug, const struct call_site *call);

/*
 * True for a name that compilers give to copies of a function whose parameters or result they
 * changed (".isra.0", ".constprop.0", ".part.0"): its proto does not tell its registers.
 */
bool proto_is_altered(const char *linkage_name);

#endif
