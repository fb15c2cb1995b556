// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the variables and calls of one function, from its entry and all scopes inside it. Example: gcc inlines a
 * call into `hot`, in a branch that it moves to the end:
 *
 *	int hot(int *p) { if (*p < 0) { slow(p); ... } return *p + tab[1]; }
 *
 *	<1> DW_TAG_subprogram "hot"		[0, 32)
 *	<2>   DW_TAG_formal_parameter "p"	DW_OP_reg5 (rdi)
 *	<2>   DW_TAG_variable "seen"		DW_OP_addr 4018 (static)
 *	<2>   DW_TAG_inlined_subroutine		[2b, 31), abstract origin: "slow"
 *	<3>     DW_TAG_formal_parameter		[18, 31): DW_OP_reg5, abstract origin: "p" of "slow"
 *
 * The result:
 *
 *	variable	scope		depth	inlined		locations
 *	p of hot	[0, 32)		0	no		[0, 32): LOCATION_REG rdi
 *	seen		[0, 32)		0	no		[0, 32): LOCATION_MEM 4018
 *	p of slow	[2b, 31)	1	yes		[18, 31): LOCATION_REG rdi
 *
 * Name and type of the inlined parameter are in its origin. Both variables are in rdi at 2b; the deeper one hides the
 * other. A location list is taken as it is, even where it goes beyond the scope.
 *
 * A variable without any location (optimized out) is left out. Call sites are collected only if they tell the called
 * function: DW_AT_call_origin.
 *
 * All addresses are libdw's (vaddr + bias) while a function is read. The bias is subtracted once at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "btf/to_dwarf.h"
#include "dwarf/internal.h"

#define DW_TAG_GNU_CALL 0x4109

struct gathering {
	struct debuginfo *debug;
	GArray *variables;	   /* struct variable */
	GArray *locations;	   /* struct location, with libdw's addresses until the end */
	GArray *frame_base;	   /* struct location */
	GArray *calls;		   /* struct call_site */
	GArray *inlined;	   /* struct inlined_call */
	GArray *ranges;		   /* struct range: the function's */
	const struct type *record; /* of the last variable that has no place and is artificial */
	GPtrArray *scopes;	   /* GArrays of struct range, by depth of the scope */
	GArray *scope_code;	   /* struct range: of the scopes that have variables */
};

void gathering_free(struct gathering *g)
{
	if (!g)
		return;
	g_array_unref(g->variables);
	g_array_unref(g->locations);
	g_array_unref(g->frame_base);
	g_array_unref(g->calls);
	g_array_unref(g->inlined);
	g_array_unref(g->ranges);
	g_ptr_array_unref(g->scopes);
	g_array_unref(g->scope_code);
	g_free(g);
}

/* Returns the buffers. They are used again for each function. */
static struct gathering *gathering_of(struct debuginfo *debug)
{
	struct gathering *g = debug->gathering;

	if (g)
		return g;
	g = debug->gathering = g_new0(struct gathering, 1);
	g->debug = debug;
	g->variables = g_array_new(false, false, sizeof(struct variable));
	g->locations = g_array_new(false, false, sizeof(struct location));
	g->frame_base = g_array_new(false, false, sizeof(struct location));
	g->calls = g_array_new(false, false, sizeof(struct call_site));
	g->inlined = g_array_new(false, false, sizeof(struct inlined_call));
	g->ranges = g_array_new(false, false, sizeof(struct range));
	g->scopes = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g->scope_code = g_array_new(false, false, sizeof(struct range));
	return g;
}

/* The array for the ranges of a scope at @depth. Inner scopes use other arrays. */
static GArray *scope_ranges(struct gathering *g, u32 depth)
{
	while (g->scopes->len <= depth)
		g_ptr_array_add(g->scopes, g_array_new(false, false, sizeof(struct range)));
	g_array_set_size(g_ptr_array_index(g->scopes, depth), 0);
	return g_ptr_array_index(g->scopes, depth);
}

/*
 * Sets the variable's scope. Variables in the same scope share its ranges. Usually they are neighbours in the debug
 * information, so it is enough to compare with the last variable. A variable at the limit gets no scope at all.
 */
static void set_scope(const struct gathering *g, const GArray *ranges, struct variable *variable)
{
	const struct variable *last =
		g->variables->len
			? &g_array_index(g->variables, struct variable, g->variables->len - 1)
			: NULL;

	variable->nr_scope = ranges->len;
	variable->scope = g->scope_code->len;
	if (last && last->nr_scope == ranges->len &&
	    !memcmp(&g_array_index(g->scope_code, struct range, last->scope), ranges->data,
		    ranges->len * sizeof(struct range)))
		variable->scope = last->scope;
	else if (g->scope_code->len < MAX_ENTRIES)
		g_array_append_vals(g->scope_code, ranges->data, ranges->len);
	else
		variable->nr_scope = 0;
}

/* Numbers of a file (in the unit's table of files) and of a line. False: the entry lacks one of them. */
static bool source_place(const struct raw_unit *unit, const struct raw_die *die,
			 enum raw_slot file_slot, enum raw_slot line_slot, u32 *file, u32 *line)
{
	u64 f, l;

	if (!raw_uint(unit, die, file_slot, &f) || !raw_uint(unit, die, line_slot, &l) ||
	    f > UINT32_MAX || l > UINT32_MAX)
		return false;
	*file = (u32)f;
	*line = (u32)l;
	return true;
}

/* True if the variable may be volatile: it has a place in memory, at a register or in the frame. */
static bool is_in_frame(const GArray *locations, u32 from)
{
	u8 kind = g_array_index(locations, struct location, from).kind;

	return kind == LOCATION_MEM_CFA || kind == LOCATION_MEM_REG;
}

/*
 * Where only one word of a value in Go is left, such as an interface's second one, the compiler states this word's place as that
 * of the whole value, because a list of one part has no DW_OP_piece. A register gives it away, because it has eight bytes. Then
 * the places in memory of the same list are that word's, too.
 *
 *	v (16 bytes)	[45d8f2, 45d8fc) rax; [45d8fc, 45ddca) fbreg -112
 */
static bool is_part_unsaid(const GArray *locations, u32 from, const struct type *type)
{
	if (type_strip(type)->size <= 8)
		return false;
	for (u32 i = from; i < locations->len; i++) {
		const struct location *l = &g_array_index(locations, struct location, i);

		if (l->kind == LOCATION_REG && !l->piece_size)
			return true;
	}
	return false;
}

static void add_variable(struct gathering *g, const struct raw_unit *unit,
			 const struct raw_die *die, const GArray *ranges, u32 depth, bool inlined)
{
	struct location_scope scope = { .ranges = ranges, .frame_base = g->frame_base };
	struct variable variable = { .depth = (u16)depth, .inlined = inlined };
	const struct raw_unit *from = unit;
	struct raw_die origin;
	u32 before = g->locations->len;
	u64 captured;

	if (!depth && raw_has(die, RAW_ARTIFICIAL) && !raw_has(die, RAW_LOCATION))
		g->record = die_place_type(g->debug, (struct die_place){ unit, die->at });
	if (g->variables->len >= MAX_ENTRIES)
		return;
	if (unit->language == DW_LANG_Go && raw_uint(unit, die, RAW_GO_CLOSURE_OFFSET, &captured) &&
	    captured < UINT32_MAX)
		variable.captured = (u32)captured;
	if (raw_has(die, RAW_LOCATION)) {
		locations_read(unit, die, RAW_LOCATION, &scope, g->variables->len, g->locations);
	} else {
		/* For a static local of an inlined function, the location is at the origin. */
		origin = *die;
		if (raw_origin(g->debug, &from, &origin) && raw_has(&origin, RAW_LOCATION))
			locations_read(from, &origin, RAW_LOCATION, &scope, g->variables->len,
				       g->locations);
	}
	if (unit->language == DW_LANG_Go && g->locations->len > before &&
	    is_part_unsaid(g->locations, before,
			   die_place_type(g->debug, (struct die_place){ unit, die->at })))
		g_array_set_size(g->locations, before);
	if (g->locations->len == before && !variable.captured)
		return;
	variable.parameter = die->abbrev->tag == DW_TAG_formal_parameter;
	set_scope(g, ranges, &variable);
	entry_name_and_type(g->debug, unit, die, &variable.name, &variable.type);
	variable.is_volatile = g->locations->len > before && is_in_frame(g->locations, before) &&
			       die_place_is_volatile(g->debug, (struct die_place){ unit, die->at });
	if (!inlined && !variable.parameter && raw_is_cplusplus(unit) &&
	    !source_place(unit, die, RAW_DECL_FILE, RAW_DECL_LINE, &variable.file, &variable.line))
		variable.line = 0;
	g_array_append_val(g->variables, variable);
}

static void add_inlined(struct gathering *g, const struct raw_unit *unit, const struct raw_die *die,
			const GArray *ranges)
{
	struct inlined_call call;

	if (!raw_is_cplusplus(unit) ||
	    !source_place(unit, die, RAW_CALL_FILE, RAW_CALL_LINE, &call.file, &call.line))
		return;
	for (u32 i = 0; i < ranges->len && g->inlined->len < MAX_ENTRIES; i++) {
		call.code = g_array_index(ranges, struct range, i);
		g_array_append_val(g->inlined, call);
	}
}

static void add_call(struct gathering *g, const struct raw_unit *unit, const struct raw_die *die)
{
	struct call_site call = { 0 };
	struct die_place place;
	Dwarf_Die origin;

	/* DWARF 4's extension states the return address as DW_AT_low_pc. */
	if (g->calls->len >= MAX_ENTRIES || !raw_ref(unit, die, RAW_ORIGIN, &origin) ||
	    (!raw_address(unit, die, RAW_CALL_RETURN_PC, &call.return_pc) &&
	     !raw_address(unit, die, RAW_LOW_PC, &call.return_pc)))
		return;
	place = (struct die_place){ raw_of(g->debug, &origin), origin.addr };
	if (!place.unit)
		return;
	call.return_pc -= g->debug->source.dwarf_bias;
	g_array_append_val(g->debug->origins, place);
	call.origin = g->debug->origins->len;
	g_array_append_val(g->calls, call);
}

/*
 * Adds what is inside @parent, whose code is @ranges. A scope without ranges of its own has those around it. @inlined:
 * @parent is an inlined call, or inside of one.
 */
static void gather(struct gathering *g, const struct raw_unit *unit, const struct raw_die *parent,
		   const GArray *ranges, u32 depth, bool inlined)
{
	const u8 *at = parent->next;
	struct raw_die child;

	if (depth > MAX_DEPTH || !parent->abbrev->children)
		return;
	for (; g->variables->len < MAX_ENTRIES && raw_read(unit, at, &child);
	     at = raw_after(unit, &child)) {
		u16 tag = child.abbrev->tag;

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
			add_variable(g, unit, &child, ranges, depth, inlined);
		} else if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_CALL) {
			add_call(g, unit, &child);
		} else if (tag_is_scope(tag)) {
			GArray *own = scope_ranges(g, depth);

			raw_ranges(unit, &child, own);
			if (!inlined && tag == DW_TAG_inlined_subroutine)
				add_inlined(g, unit, &child, own);
			gather(g, unit, &child, own->len ? own : ranges, depth + 1,
			       inlined || tag == DW_TAG_inlined_subroutine);
		}
	}
}

struct range_order {
	u64 low;
	u32 index;
};

/* Merges [from, middle) and [middle, end), each sorted, into @to. The merge is stable. */
static void merge(const struct range_order *from, u32 middle, u32 end, struct range_order *to)
{
	u32 a = 0, b = middle;

	for (u32 i = 0; i < end; i++)
		to[i] = b == end || (a < middle && from[a].low <= from[b].low) ? from[a++]
									       : from[b++];
}

/*
 * Sorts by address; the order of equal addresses is kept. Each variable's list is already sorted, so these runs are
 * merged in pairs. Only addresses and indexes are merged, because locations are large: each one is copied once.
 *
 *	low	0 16 | 0 9 | 5		runs end at	2 4 5
 *	merged	0 0 9 16 | 5				4 5
 *	merged	0 0 5 9 16				5
 */
static struct location *sorted_locations(const GArray *locations)
{
	const struct location *from = (const struct location *)(void *)locations->data;
	u32 nr = locations->len, runs = 0, left;
	struct location *to = g_new(struct location, nr);
	g_autofree struct range_order *order = g_new(struct range_order, nr),
				      *other = g_new(struct range_order, nr);
	g_autofree u32 *ends = g_new(u32, nr + 1);

	for (u32 i = 0; i < nr; i++) {
		order[i] = (struct range_order){ from[i].low, i };
		runs += i && from[i].low < from[i - 1].low;
		ends[runs] = i + 1;
	}
	for (runs += nr > 0; runs > 1; runs = left) {
		u32 start = 0;
		struct range_order *merged = other;

		left = 0;
		for (u32 i = 0; i < runs; i += 2) {
			u32 middle = ends[i], end = ends[MIN(i + 1, runs - 1)];

			merge(&order[start], middle - start, end - start, &merged[start]);
			ends[left++] = end;
			start = end;
		}
		other = order;
		order = merged;
	}
	for (u32 i = 0; i < nr; i++)
		to[i] = from[order[i].index];
	return to;
}

static int compare_calls(const void *pa, const void *pb)
{
	const struct call_site *a = pa, *b = pb;

	return a->return_pc < b->return_pc ? -1 : a->return_pc > b->return_pc;
}

/* Moves the contents out of the array, which is then empty for the next function. */
static void *take(GArray *array, size_t size, u32 *nr)
{
	void *copy = g_memdup2(array->data, size * array->len);

	*nr = array->len;
	g_array_set_size(array, 0);
	return copy;
}

static void remove_bias(u64 bias, GArray *ranges)
{
	for (u32 i = 0; i < ranges->len; i++) {
		g_array_index(ranges, struct range, i).low -= bias;
		g_array_index(ranges, struct range, i).high -= bias;
	}
}

static void remove_location_bias(u64 bias, GArray *locations)
{
	for (u32 i = 0; i < locations->len; i++) {
		struct location *location = &g_array_index(locations, struct location, i);

		location->low -= bias;
		location->high -= bias;
		if (location->kind == LOCATION_MEM || location->kind == LOCATION_ADDRESS ||
		    location->kind == LOCATION_PACKED)
			location->offset = (s64)((u64)location->offset - bias);
	}
}

static void read_frame_base(struct gathering *g, const struct raw_unit *unit,
			    const struct raw_die *die, const GArray *ranges)
{
	struct location_scope scope = { .ranges = ranges };
	struct raw_die from = *die;

	if (raw_has(&from, RAW_FRAME_BASE) ||
	    (raw_origin(g->debug, &unit, &from) && raw_has(&from, RAW_FRAME_BASE)))
		locations_read(unit, &from, RAW_FRAME_BASE, &scope, 0, g->frame_base);
}

/* DW_AT_producer of the unit. A unit of gcc states it as "GNU C17 12.2.0 -mtune=generic ...". NULL: none. */
static const char *producer_of(const struct raw_unit *unit)
{
	Dwarf_Die root = unit->die;
	Dwarf_Attribute attr;
	const char *producer;

	libdw_lock(unit->file->lock);
	producer = dwarf_attr(&root, DW_AT_producer, &attr) ? dwarf_formstring(&attr) : NULL;
	libdw_unlock(unit->file->lock);
	return producer;
}

bool raw_is_btf(const struct raw_unit *unit)
{
	return !g_strcmp0(producer_of(unit), BTF_PRODUCER);
}

static struct func_vars *read_function(struct debuginfo *debug, struct die_place place)
{
	struct func_vars *vars = g_new0(struct func_vars, 1);
	struct gathering *g = gathering_of(debug);
	GArray *ranges = g->ranges;
	const char *producer;
	struct raw_die die;

	g->record = NULL;
	if (raw_read(place.unit, place.at, &die)) {
		raw_ranges(place.unit, &die, ranges);
		read_frame_base(g, place.unit, &die, ranges);
		gather(g, place.unit, &die, ranges, 0, false);
	}
	g_array_sort(g->calls, compare_calls);
	remove_location_bias(debug->source.dwarf_bias, g->locations);
	remove_bias(debug->source.dwarf_bias, ranges);
	remove_bias(debug->source.dwarf_bias, g->scope_code);
	for (u32 i = 0; i < g->inlined->len; i++) {
		struct range *code = &g_array_index(g->inlined, struct inlined_call, i).code;

		code->low -= debug->source.dwarf_bias;
		code->high -= debug->source.dwarf_bias;
	}
	vars->name = die_place_name(debug, place);
	vars->go = place.unit->language == DW_LANG_Go;
	producer = producer_of(place.unit);
	/* -fipa-ra, which is part of gcc's -O2. No other compiler has it by default. */
	vars->knows_callees = producer && g_str_has_prefix(producer, "GNU ");
	vars->by_btf = !g_strcmp0(producer, BTF_PRODUCER);
	vars->record = vars->by_btf ? g->record : NULL;
	vars->returns = die_place_type(debug, place);
	vars->ranges = take(ranges, sizeof(*vars->ranges), &vars->nr_ranges);
	vars->variables = take(g->variables, sizeof(*vars->variables), &vars->nr_variables);
	vars->scopes = take(g->scope_code, sizeof(*vars->scopes), &vars->nr_scopes);
	vars->locations = sorted_locations(g->locations);
	vars->nr_locations = g->locations->len;
	g_array_set_size(g->locations, 0);
	vars->calls = take(g->calls, sizeof(*vars->calls), &vars->nr_calls);
	vars->inlined = take(g->inlined, sizeof(*vars->inlined), &vars->nr_inlined);
	g_array_set_size(g->frame_base, 0);
	return vars;
}

const struct func_vars *debuginfo_function(struct debuginfo *debug, u64 vaddr,
					   enum debuginfo_absence *why)
{
	u64 address = vaddr + debug->source.dwarf_bias;
	struct unit *unit = unit_find(debug, address);
	struct func_vars *vars;
	struct die_place place;

	*why = DEBUGINFO_NO_UNIT;
	if (!unit)
		return NULL;
	*why = DEBUGINFO_NO_FUNCTION;
	if (!unit_function(debug, unit, address, &place))
		return NULL;
	*why = DEBUGINFO_OK;
	vars = g_hash_table_lookup(debug->functions, place.at);
	if (!vars) {
		vars = read_function(debug, place);
		g_hash_table_insert(debug->functions, (void *)place.at, vars);
	}
	return vars;
}
