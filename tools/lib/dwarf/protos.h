/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prototypes: the parameters and the result of a function. They come from a function's entry (by address or name), from
 * a function type, or from a call site.
 *
 * dwarf/abi.h tells the registers and stack slots of parameters and results. dwarf/vars.h tells where a function's own
 * variables are.
 */
#ifndef DWARF_PROTOS_H
#define DWARF_PROTOS_H

#include "dwarf/types.h"
#include "dwarf/vars.h"

struct proto {
	const char *name;		  /* linkage name, else name; NULL: a function type */
	const struct type *returns;	  /* the void type if nothing is returned */
	const struct type *const *params; /* in source order, including `this` */
	u32 nr_params;
	/* Go: all results, also those without a name. @returns is void. */
	const struct type *const *results;
	u32 nr_results;
	/*
	 * Go, a generic function: before params[dictionary - 1] (or behind all), the address of its dictionary is passed, for
	 * which there is no entry. 0: it has none.
	 */
	u32 dictionary;
	bool varargs;
	bool noreturn;
	bool has_this; /* params[0] is the object whose method is called */
	bool rust;     /* Rust's own calling convention, not C's */
	bool go;       /* Go's, see abi_go.h */
	bool rest_unknown; /* Go: behind params[], there are more parameters, and results on the stack are not known */
	bool no_casts; /* of a language in which a pointer to a structure is not cast to a larger one: Rust, Go */
	bool gaps; /* Rust, without a declaration: parameters without a name are missing */
	/*
	 * params[0] stands for a Rust closure's captured variables, for which there is no entry. Their address is
	 * passed. A closure's other parameters are not known: the debug information leaves out those without a name.
	 */
	bool this_by_address;
};

/*
 * All results are owned by @debug and live as long as it does. Equal calls return equal pointers. NULL: the debug
 * information does not tell.
 */

/* The function whose first instruction is at @vaddr. */
const struct proto *debuginfo_proto_at(struct debuginfo *debug, u64 vaddr);

/*
 * The function with the ELF symbol @linkage_name; a final "@plt" or "@VERSION" is ignored. First the definitions and
 * declarations in the unit of the code at @from are searched, then the file's external definitions, then the C library's
 * functions (dwarf/library.h).
 */
const struct proto *debuginfo_proto_named(struct debuginfo *debug, const char *linkage_name,
					  u64 from);

/* The prototype of a TYPE_FUNCTION, or of a pointer to one. Typedefs are resolved. */
const struct proto *type_proto(const struct type *function_type);

/* The prototype of the function that @call calls; NULL: the call site does not tell it, as with most indirect calls. */
const struct proto *debuginfo_call_proto(struct debuginfo *debug, const struct call_site *call);

/*
 * True for names of function copies with changed parameters or result (".isra.0", ".constprop.0", ".part.0"). The
 * prototype does not tell the registers of such a copy.
 */
bool proto_is_altered(const char *linkage_name);

#endif
