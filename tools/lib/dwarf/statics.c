// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables with static storage, by address: variables of files, namespaces and classes, and static locals of
 * functions. First the unit of the asking code is searched. If this finds nothing, the top levels of all units are
 * searched.
 *
 *	extern int table[8];		defined in another unit		symbol "table"
 *	static long hits;		this unit			symbol "hits"
 *	void f(void) { static int n; }	this unit, in a function	symbol "n.0"
 *
 * An access to n: no variable at the top covers the address. Its symbol has a dot, so n may be a local, and the inside
 * of the unit's functions is walked. An access to table: nothing covers the address, and the symbol has no dot. The
 * unit has a declaration with the symbol's name, and its type is complete: int[8] from the symbol's start. With `extern
 * int table[];` the type has no size, so all bytes after the symbol's start are taken for it.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/internal.h"

/* A translation of BTF marks such variables so. In DWARF, compilers mark what they made themselves. */
static bool is_guessed(struct die_place place)
{
	struct raw_die die;

	return raw_read(place.unit, place.at, &die) && raw_flag(place.unit, &die, RAW_ARTIFICIAL) &&
	       raw_is_btf(place.unit);
}

static struct variable *static_variable(struct debuginfo *debug, struct die_place place)
{
	struct variable *variable = g_hash_table_lookup(debug->variables, place.at);

	if (!variable) {
		variable = g_new0(struct variable, 1);
		variable->name = die_place_name(debug, place);
		variable->type = die_place_type(debug, place);
		variable->guessed = is_guessed(place);
		g_hash_table_insert(debug->variables, (void *)place.at, variable);
	}
	return variable;
}

/* False: the unit of @row's entry cannot be read. */
static bool static_place(struct debuginfo *debug, const struct static_row *row,
			 struct die_place *place)
{
	const Dwarf_Die die = { .addr = (void *)row->at, .cu = row->cu };

	*place = (struct die_place){ raw_of(debug, &die), row->at };
	return place->unit;
}

/* The variable in @rows that covers @address. If several begin at the same address, the largest one. */
static const struct variable *search(struct debuginfo *debug, const GArray *rows, u64 address,
				     u64 *start)
{
	const struct variable *best = NULL;
	u32 low = SEARCH(i, 0, rows->len,
			 g_array_index(rows, struct static_row, i).address <= address);
	u64 found = 0;

	/* Step over empty variables (flexible, incomplete) that begin inside the right one. */
	for (u32 steps = 0; low-- > 0 && steps < 8; steps++) {
		struct static_row *row = &g_array_index(rows, struct static_row, low);
		const struct variable *variable;
		struct die_place place;
		u64 size;

		if (best && row->address != found)
			break;
		if (!static_place(debug, row, &place))
			continue;
		variable = static_variable(debug, place);
		size = row->piece_size ? row->piece_size : variable->type->size;
		if (address != row->address && address - row->address >= size)
			continue;
		if (best && variable->type->size <= best->type->size)
			continue;
		best = variable;
		found = row->address;
		*start = row->address - row->piece_offset;
	}
	return best;
}

struct wanted {
	u64 address; /* libdw's address, or offset in the TLS block */
	const char *symbol;
	u64 symbol_address;
	bool thread_local;
};

/*
 * Can the variable be a static local of a function? Then the whole unit must be walked. Compilers name such a variable
 * "name.0", "function.name" or "_ZZ...". If the file has a symbol table, a variable must have a symbol.
 */
static bool may_be_local(const struct debuginfo *debug, const struct wanted *wanted)
{
	if (wanted->thread_local)
		return true;
	if (!wanted->symbol)
		return !debug->has_symbols;
	return strchr(wanted->symbol, '.') || g_str_has_prefix(wanted->symbol, "_ZZ");
}

static const struct variable *find_among(struct debuginfo *debug, const struct statics *statics,
					 const struct wanted *wanted, u64 *start)
{
	return search(debug, wanted->thread_local ? statics->thread_locals : statics->rows,
		      wanted->address, start);
}

/* The variable at @address in @unit. */
static const struct variable *find_in_unit(struct debuginfo *debug, struct unit *unit,
					   const struct wanted *wanted, u64 *start)
{
	const struct statics *statics = statics_of_unit(debug, unit, false);
	const struct variable *variable = NULL;

	if (statics)
		variable = find_among(debug, statics, wanted, start);
	if (variable || !may_be_local(debug, wanted))
		return variable;
	statics = statics_of_unit(debug, unit, true);
	return statics ? find_among(debug, statics, wanted, start) : NULL;
}

/* "extern int table[];" */
static bool is_endless(const struct type *type)
{
	return !type->size && type_strip(type)->kind == TYPE_ARRAY;
}

/* The unit's declaration with the symbol's name, if its type is complete. */
static const struct variable *find_declared(struct debuginfo *debug, const struct unit *unit,
					    const struct wanted *wanted)
{
	const struct die_place *place = NULL;
	const struct variable *variable;

	if (wanted->symbol && unit->declared)
		place = g_hash_table_lookup(unit->declared, wanted->symbol);
	if (!place)
		return NULL;
	variable = static_variable(debug, *place);
	return wanted->address - wanted->symbol_address < variable->type->size ||
			       is_endless(variable->type)
		       ? variable
		       : NULL;
}

static const struct variable *find(struct debuginfo *debug, u64 from, const struct wanted *wanted,
				   u64 *start)
{
	struct unit *unit = unit_find(debug, from + debug->source.dwarf_bias);
	const struct variable *found = NULL;

	if (unit)
		found = find_in_unit(debug, unit, wanted, start);
	if (!found && unit) {
		found = find_declared(debug, unit, wanted);
		if (found)
			*start = wanted->symbol_address;
	}
	if (found)
		return found;
	return find_among(debug, all_statics_read(debug), wanted, start);
}

const struct variable *debuginfo_global(struct debuginfo *debug, u64 vaddr, u64 from,
					const char *symbol, u64 symbol_vaddr, u64 *start)
{
	u64 bias = debug->source.dwarf_bias;
	struct wanted wanted = { .address = vaddr + bias,
				 .symbol = symbol,
				 .symbol_address = symbol_vaddr + bias };
	const struct variable *variable = find(debug, from, &wanted, start);

	if (variable)
		*start -= bias;
	return variable;
}

const struct variable *debuginfo_thread_local(struct debuginfo *debug, u64 offset, u64 from,
					      const char *symbol, u64 symbol_offset, u64 *start)
{
	struct wanted wanted = { .address = offset,
				 .symbol = symbol,
				 .symbol_address = symbol_offset,
				 .thread_local = true };

	return find(debug, from, &wanted, start);
}
