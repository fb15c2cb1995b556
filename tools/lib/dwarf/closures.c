// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hidden parameter of a Rust closure. The debug information lists no parameter for the captured variables. But it
 * lists the variables themselves, each with a location in the object that holds them. The number of pointers in that
 * location tells whether the closure was passed the object or the object's address.
 *
 *	let f = |x| x * k + v.len();		captures k and v by reference
 *
 *	DW_TAG_subprogram "main"
 *	  DW_TAG_structure_type "{closure_env#0}", 16 bytes: _ref__k at 0 (u64 *), _ref__v at 8
 *	  DW_TAG_subprogram "{closure#0}"
 *	    DW_TAG_formal_parameter "x"
 *	    DW_TAG_variable "k", DW_AT_location
 *
 * Possible locations of k, and the pointers that lead to it:
 *
 *	DW_OP_fbreg 8, DW_OP_deref			1: the object is in the frame, it has the address of k
 *	DW_OP_fbreg 8, DW_OP_deref, DW_OP_deref		2: the frame has the object's address
 *	DW_OP_breg5 (rdi) 0, DW_OP_deref		2: rdi has the object's address
 *
 * A variable that is captured by reference needs one pointer from the object, one captured by value (the member has no
 * "_ref__") needs none. One pointer more means ENVIRONMENT_ADDRESS. If no captured variable has such a location
 * (optimized out), the answer is ENVIRONMENT_UNKNOWN. An object that rustc passes in memory needs no variable.
 */
#include <string.h>

#include "dwarf/abi_rust.h"
#include "dwarf/internal.h"

#define REFERENCE "_ref__" /* prefix of variables that are captured by reference */
#define CLOSURE	  "{closure#"
#define FRAME	  6 /* rbp */
#define STACK	  7 /* rsp */

/* The number of pointers from the function's registers and frame to the variable; -1: not known. */
static int steps_of_expression(struct cursor bytes)
{
	u8 op = cursor_u8(&bytes);
	int steps = op == DW_OP_fbreg || op == DW_OP_breg0 + FRAME || op == DW_OP_breg0 + STACK ? 0
												: 1;
	u64 skipped;

	if (op != DW_OP_fbreg && (op < DW_OP_breg0 || op > DW_OP_breg31))
		return -1;
	if (!raw_uleb(&bytes.pos, bytes.end, &skipped))
		return -1;
	while (cursor_left(&bytes)) {
		op = cursor_u8(&bytes);
		if (op == DW_OP_deref)
			steps++;
		else if (op != DW_OP_plus_uconst || !raw_uleb(&bytes.pos, bytes.end, &skipped))
			return -1;
	}
	return steps;
}

static int steps_of_location(const struct location *location)
{
	bool on_stack = location->reg == FRAME || location->reg == STACK;

	switch (location->kind) {
	case LOCATION_REG:
		return 0;
	case LOCATION_MEM_REG:
		return on_stack ? 0 : 1;
	case LOCATION_MEM_DEREF_REG:
		return on_stack ? 1 : 2;
	default:
		return -1;
	}
}

/*
 * In a location list, use only the location at the function's first instruction: later the code may already have
 * followed some of the pointers.
 */
static enum environment judge_list(const struct raw_unit *unit, const struct raw_die *variable,
				   u64 entry, int by_value)
{
	g_autoptr(GArray) locations = g_array_new(false, false, sizeof(struct location));
	g_autoptr(GArray) ranges = g_array_new(false, false, sizeof(struct range));
	struct location_scope scope = { .ranges = ranges };

	locations_read(unit, variable, RAW_LOCATION, &scope, 0, locations);
	for (u32 i = 0; i < locations->len; i++) {
		const struct location *l = &g_array_index(locations, struct location, i);
		int steps = l->piece_size ? -1 : steps_of_location(l);

		if (steps == by_value + 1)
			return ENVIRONMENT_ADDRESS;
		if (steps == by_value && l->low == entry)
			return ENVIRONMENT_VALUE;
	}
	return ENVIRONMENT_UNKNOWN;
}

static enum environment judge_variable(const struct raw_unit *unit, const struct raw_die *variable,
				       u64 entry, bool reference)
{
	int by_value = reference ? 1 : 0, steps;
	struct cursor bytes;

	if (!raw_block(unit, variable, RAW_LOCATION, &bytes))
		return judge_list(unit, variable, entry, by_value);
	steps = steps_of_expression(bytes);
	if (steps == by_value)
		return ENVIRONMENT_VALUE;
	return steps == by_value + 1 ? ENVIRONMENT_ADDRESS : ENVIRONMENT_UNKNOWN;
}

/* 1: @type has the variable; 2: it has the variable's address; 0: it has no such member. */
static u32 holds(const struct type *type, const char *name)
{
	u32 nr;
	const struct member *members = type_members(type, &nr);

	for (u32 i = 0; i < nr; i++) {
		const char *member = members[i].name;

		if (!g_strcmp0(member, name))
			return 1;
		if (member && g_str_has_prefix(member, REFERENCE) &&
		    !strcmp(member + strlen(REFERENCE), name))
			return 2;
	}
	return 0;
}

static enum environment judge(struct debuginfo *debug, struct die_place place,
			      const struct type *type)
{
	enum environment found = ENVIRONMENT_UNKNOWN;
	const u8 *at;
	struct raw_die die, child;
	u64 entry = 0;

	if (!raw_read(place.unit, place.at, &die) || !die.abbrev->children)
		return found;
	raw_address(place.unit, &die, RAW_LOW_PC, &entry);
	at = die.next;
	for (; found == ENVIRONMENT_UNKNOWN && raw_read(place.unit, at, &child);
	     at = raw_after(place.unit, &child)) {
		const char *name;
		u32 held;

		if (child.abbrev->tag != DW_TAG_variable || !raw_has(&child, RAW_LOCATION))
			continue;
		name = die_place_name(debug, (struct die_place){ place.unit, at });
		held = name ? holds(type, name) : 0;
		if (held)
			found = judge_variable(place.unit, &child, entry, held == 2);
	}
	return found;
}

static bool is_closure(const char *name)
{
	return g_str_has_prefix(name, CLOSURE) || g_str_has_prefix(name, "{async_") ||
	       g_str_has_prefix(name, "{coroutine#") || g_str_has_prefix(name, "{gen_");
}

enum environment closure_environment(struct debuginfo *debug, struct die_place place,
				     const struct type **type)
{
	const char *name = die_place_name(debug, place);
	struct die_place environment, closure = place;
	struct rust_value value;
	struct raw_die die;
	Dwarf_Die entry;

	if (!name || !is_closure(name))
		return ENVIRONMENT_NONE;
	if (raw_read(place.unit, place.at, &die) && raw_has(&die, RAW_ORIGIN) &&
	    raw_origin(debug, &closure.unit, &die))
		closure.at = die.at;
	if (!names_environment(debug, closure, name, &environment))
		return ENVIRONMENT_UNKNOWN;
	entry = raw_to_die(environment.unit, environment.at);
	*type = type_of_die(debug, &entry);
	rust_value_of(*type, &value);
	if (!g_str_has_prefix(name, CLOSURE))
		return ENVIRONMENT_ADDRESS; /* the state of a coroutine is pinned */
	if (value.form == RUST_MEMORY && (*type)->size > 8)
		return ENVIRONMENT_ADDRESS;
	return judge(debug, place, *type);
}
