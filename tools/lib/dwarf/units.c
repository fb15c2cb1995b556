// SPDX-License-Identifier: GPL-2.0-or-later
/* Which unit and which function cover an address of code. */
#include "dwarf/internal.h"

void unit_release(struct unit *unit)
{
	if (unit->functions)
		g_array_unref(unit->functions);
	if (unit->statics)
		g_array_unref(unit->statics);
	if (unit->thread_locals)
		g_array_unref(unit->thread_locals);
	if (unit->declared)
		g_hash_table_unref(unit->declared);
	if (unit->protos)
		g_hash_table_unref(unit->protos);
}

void die_ranges(Dwarf_Die *die, GArray *ranges)
{
	Dwarf_Addr base = 0, low = 0, high = 0;
	ptrdiff_t at = 0;
	u32 seen = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0 && seen++ < MAX_ENTRIES) {
		struct range range = { low, high };

		if (low < high)
			g_array_append_val(ranges, range);
	}
}

/*
 * The table of all units: their first entries only. With split DWARF a unit's own entry
 * is a skeleton; it has the ranges, and the entry of the split unit has the rest.
 */
void units_read(struct debuginfo *debug)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	debug->units = g_array_new(false, true, sizeof(struct unit));
	g_array_set_clear_func(debug->units, (GDestroyNotify)unit_release);
	debug->unit_by_offset = g_hash_table_new(NULL, NULL);
	while (dwarf_get_units(debug->source.dwarf, cu, &cu, NULL, &type, &die, &split) == 0) {
		struct unit unit = { .die = die, .skeleton = die };

		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		if (type == DW_UT_skeleton && split.addr)
			unit.die = split;
		g_array_append_val(debug->units, unit);
		g_hash_table_insert(debug->unit_by_offset, GSIZE_TO_POINTER(dwarf_dieoffset(&die)),
				    GUINT_TO_POINTER(debug->units->len));
	}
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct unit_range *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

/* The ranges of all units, for debug information whose .debug_aranges lacks the address. */
static void read_unit_ranges(struct debuginfo *debug)
{
	g_autoptr(GArray) ranges = g_array_new(false, false, sizeof(struct range));

	debug->ranges = g_array_new(false, false, sizeof(struct unit_range));
	for (u32 i = 0; i < debug->units->len; i++) {
		struct unit *unit = &g_array_index(debug->units, struct unit, i);

		g_array_set_size(ranges, 0);
		die_ranges(&unit->skeleton, ranges);
		for (u32 k = 0; k < ranges->len; k++) {
			struct range *r = &g_array_index(ranges, struct range, k);
			struct unit_range row = { r->low, r->high, i };

			g_array_append_val(debug->ranges, row);
		}
	}
	g_array_sort(debug->ranges, compare_ranges);
}

static struct unit *unit_by_aranges(struct debuginfo *debug, u64 address)
{
	Dwarf_Aranges *aranges;
	Dwarf_Arange *arange;
	Dwarf_Off offset;
	size_t nr;
	u32 index;

	if (dwarf_getaranges(debug->source.dwarf, &aranges, &nr) != 0 || nr == 0)
		return NULL;
	arange = dwarf_getarange_addr(aranges, address);
	if (!arange || dwarf_getarangeinfo(arange, NULL, NULL, &offset) != 0)
		return NULL;
	index = GPOINTER_TO_UINT(
		g_hash_table_lookup(debug->unit_by_offset, GSIZE_TO_POINTER(offset)));
	return index ? &g_array_index(debug->units, struct unit, index - 1) : NULL;
}

struct unit *unit_find(struct debuginfo *debug, u64 address)
{
	struct unit *unit = unit_by_aranges(debug, address);
	u32 low = 0, high;

	if (unit)
		return unit;
	if (!debug->ranges)
		read_unit_ranges(debug);
	high = debug->ranges->len;
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (g_array_index(debug->ranges, struct unit_range, mid).low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	/* Ranges that overlap are nonsense; a few steps back make up for empty neighbours. */
	for (u32 steps = 0; low-- > 0 && steps < 4; steps++) {
		struct unit_range *r = &g_array_index(debug->ranges, struct unit_range, low);

		if (address < r->high)
			return &g_array_index(debug->units, struct unit, r->unit);
	}
	return NULL;
}

bool die_imported(Dwarf_Die *die, Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	return dwarf_tag(die) == DW_TAG_imported_unit && dwarf_attr(die, DW_AT_import, &attr) &&
	       dwarf_formref_die(&attr, unit);
}

bool tag_is_scope(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

struct function_walk {
	GArray *rows;
	GArray *ranges;
	bool deep; /* into functions too, for those nested in functions */
	u32 seen;
};

bool tag_holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type;
}

static bool holds_functions(int tag, bool deep)
{
	return tag_holds_functions(tag) ||
	       (deep && (tag == DW_TAG_subprogram || tag_is_scope(tag)));
}

static void walk_functions(struct function_walk *walk, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die child, imported;

	if (depth > MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (walk->seen++ > MAX_UNIT_DIES)
			return;
		if (die_imported(&child, &imported))
			walk_functions(walk, &imported, depth + IMPORT_DEPTH);
		if (tag == DW_TAG_subprogram) {
			g_array_set_size(walk->ranges, 0);
			die_ranges(&child, walk->ranges);
			for (u32 i = 0; i < walk->ranges->len; i++) {
				struct range *r = &g_array_index(walk->ranges, struct range, i);
				struct function_row row = { r->low, r->high, child };

				g_array_append_val(walk->rows, row);
			}
		}
		if (holds_functions(tag, walk->deep))
			walk_functions(walk, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static int compare_functions(const void *pa, const void *pb)
{
	const struct function_row *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

/* In C, structures hold no functions, and only a nested function lies in another. */
static void read_functions(struct debuginfo *debug, struct unit *unit, bool deep)
{
	struct function_walk walk = {
		.rows = g_array_new(false, false, sizeof(struct function_row)),
		.ranges = g_array_new(false, false, sizeof(struct range)),
		.deep = deep,
	};

	if (!unit->functions)
		debug->units_read++;
	else
		g_array_unref(unit->functions);
	walk_functions(&walk, &unit->die, 0);
	g_array_sort(walk.rows, compare_functions);
	g_array_unref(walk.ranges);
	unit->functions = walk.rows;
	unit->functions_deep = deep;
}

static bool search_functions(const struct unit *unit, u64 address, Dwarf_Die *die)
{
	u32 low = 0, high = unit->functions->len;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (g_array_index(unit->functions, struct function_row, mid).low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	for (u32 steps = 0; low-- > 0 && steps < 16; steps++) {
		struct function_row *row =
			&g_array_index(unit->functions, struct function_row, low);

		if (address < row->high) {
			*die = row->die;
			return true;
		}
	}
	return false;
}

bool unit_function(struct debuginfo *debug, struct unit *unit, u64 address, Dwarf_Die *die)
{
	if (!unit->functions)
		read_functions(debug, unit, false);
	if (search_functions(unit, address, die))
		return true;
	if (unit->functions_deep)
		return false;
	read_functions(debug, unit, true);
	return search_functions(unit, address, die);
}
