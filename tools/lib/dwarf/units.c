// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The unit and the function that cover a code address. Example: a program of two units, of which gcc compiled one and
 * clang the other. 1175 is asked for:
 *
 *	.debug_aranges		unit 0: [1140, 1168)			clang writes no such table
 *	unit 1			DW_AT_ranges [1170, 118a) [1190, 119c)	read because unit 1 is not in .debug_aranges
 *
 *	debuginfo.ranges	[1140, 1168) 0, [1170, 118a) 1, [1190, 119c) 1
 *	unit_find(1175)		unit 1
 *	unit_walk(unit 1)	functions: [1170, 118a) "f2", [1190, 119c) "b1"
 *	unit_function(1175)	the entry of "f2"
 *
 * Three steps, so that little is read: at first only the entry of each unit, then the top level of the units that were
 * asked for, then (deep walk) the inside of classes and functions. A deep walk is needed for methods that are declared
 * in classes, for static locals, and for functions inside of functions.
 *
 * Kinds of units:
 *
 *	DW_UT_compile		what one run of the compiler made
 *	DW_UT_skeleton		addresses only; the rest is in the split unit, in another file (-gsplit-dwarf)
 *	DW_UT_partial		entries that dwz moved out of several units; these import it by DW_TAG_imported_unit
 *	DW_UT_type		one type, found by its signature; not in debuginfo.units
 *
 * An imported unit is walked again for each unit that imports it. So the work of a walk is limited by depth (an import
 * counts as several levels) and by MAX_UNIT_DIES.
 */
#include "base/search.h"
#include "dwarf/internal.h"

static void drop(GArray **array)
{
	if (*array)
		g_array_unref(*array);
	*array = NULL;
}

void statics_release(struct statics *statics)
{
	g_clear_pointer(&statics->rows, g_array_unref);
	g_clear_pointer(&statics->thread_locals, g_array_unref);
}

static void unit_release(struct unit *unit)
{
	drop(&unit->functions);
	drop(&unit->subprograms);
	drop(&unit->variables);
	statics_release(&unit->statics);
	statics_release(&unit->inner_statics);
	g_clear_pointer(&unit->declared, g_hash_table_unref);
	g_clear_pointer(&unit->protos, g_hash_table_unref);
	g_clear_pointer(&unit->inner_protos, g_hash_table_unref);
}

static struct raw_file *raw_file_of(struct debuginfo *debug, Dwarf *dwarf)
{
	struct raw_file *file = g_hash_table_lookup(debug->raw_files, dwarf);

	if (!file) {
		file = raw_file_new(dwarf);
		file->lock = debug->source.lock;
		package_complete(debug->package, file);
		g_hash_table_insert(debug->raw_files, dwarf, file);
	}
	return file;
}

/* @skeleton: of a split unit; NULL: the unit is not split. */
static struct raw_unit *read_raw_unit(struct debuginfo *debug, Dwarf_CU *cu,
				      const struct raw_unit *skeleton)
{
	struct raw_unit *unit = g_new0(struct raw_unit, 1);
	Dwarf_Die die;
	bool good;

	libdw_lock(debug->source.lock);
	good = dwarf_cu_info(cu, NULL, NULL, &die, NULL, NULL, NULL, NULL) == 0 &&
	       raw_unit_init(unit, raw_file_of(debug, dwarf_cu_getdwarf(cu)), &die, skeleton);
	libdw_unlock(debug->source.lock);
	if (!good)
		g_clear_pointer(&unit, g_free);
	return unit;
}

/*
 * Neighbouring questions are mostly about the same unit, so the last answer is tried first. An unreadable unit is
 * stored as NULL, and is not tried again.
 */
const struct raw_unit *raw_of(struct debuginfo *debug, const Dwarf_Die *die)
{
	void *known;

	if (!die->cu)
		return NULL;
	if (debug->last_raw && debug->last_raw->die.cu == die->cu)
		return debug->last_raw;
	if (!g_hash_table_lookup_extended(debug->raw_units, die->cu, NULL, &known)) {
		known = read_raw_unit(debug, die->cu, NULL);
		g_hash_table_insert(debug->raw_units, die->cu, known);
	}
	debug->last_raw = known;
	return known;
}

Dwarf *debuginfo_shared(struct debuginfo *debug)
{
	Dwarf *shared;

	libdw_lock(debug->source.lock);
	shared = dwarf_getalt(debug->source.dwarf);
	libdw_unlock(debug->source.lock);
	return shared;
}

GPtrArray *raw_units_of(struct debuginfo *debug, Dwarf *dwarf)
{
	GPtrArray *units = g_ptr_array_new();
	Dwarf_Off at = 0, next;
	size_t header;

	libdw_lock(debug->source.lock);
	for (; dwarf && dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
		Dwarf_Die die;
		const struct raw_unit *unit =
			dwarf_offdie(dwarf, at + header, &die) ? raw_of(debug, &die) : NULL;

		if (unit)
			g_ptr_array_add(units, (void *)unit);
	}
	libdw_unlock(debug->source.lock);
	return units;
}

static bool is_little_endian(Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	size_t size;
	const char *ident = elf ? elf_getident(elf, &size) : NULL;

	return ident && size > EI_DATA && ident[EI_DATA] == ELFDATA2LSB;
}

/* Builds the table of all units, with the positions of their first entries. */
void units_read(struct debuginfo *debug)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	debug->units = g_array_new(false, true, sizeof(struct unit));
	g_array_set_clear_func(debug->units, (GDestroyNotify)unit_release);
	debug->unit_by_offset = g_hash_table_new(NULL, NULL);
	if (!is_little_endian(debug->source.dwarf))
		return;
	while (dwarf_get_units(debug->source.dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		struct unit unit = { .skeleton = die };

		debug->is_split |= type == DW_UT_skeleton;
		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		g_array_append_val(debug->units, unit);
		g_hash_table_insert(debug->unit_by_offset, GSIZE_TO_POINTER(dwarf_dieoffset(&die)),
				    GUINT_TO_POINTER(debug->units->len));
	}
}

/*
 * With split DWARF, a unit's own entry is a skeleton, which has the ranges. The split unit's entry has all other
 * attributes. The split unit's file is opened when the unit is first used.
 */
static bool find_split(struct debuginfo *debug, const struct unit *unit, Dwarf_Die *split)
{
	bool found;
	u64 id;
	u8 type;

	libdw_lock(debug->source.lock);
	found = dwarf_cu_info(unit->skeleton.cu, NULL, &type, NULL, NULL, &id, NULL, NULL) == 0 &&
		type == DW_UT_skeleton;
	/* Newer versions of libdw find packages, too, but then their entries are in the package's own sections. */
	if (found && !package_unit(debug->package, id, split))
		found = dwarf_cu_info(unit->skeleton.cu, NULL, NULL, NULL, split, NULL, NULL,
				      NULL) == 0 &&
			split->addr;
	libdw_unlock(debug->source.lock);
	return found;
}

/*
 * Sets unit->raw at the first use. If the split unit cannot be found (no .dwo file, no package), unit->raw is the
 * skeleton: the unit has addresses, but no functions and no types. The split unit is stored with its skeleton's bases.
 * From then on raw_of() finds it by its Dwarf_CU; it would read it without the skeleton, and so without addresses.
 */
static bool unit_open(struct debuginfo *debug, struct unit *unit)
{
	Dwarf_Die split;

	if (unit->opened)
		return unit->raw != NULL;
	unit->opened = true;
	unit->raw = raw_of(debug, &unit->skeleton);
	if (unit->raw && find_split(debug, unit, &split) &&
	    !g_hash_table_contains(debug->raw_units, split.cu)) {
		struct raw_unit *raw = read_raw_unit(debug, split.cu, unit->raw);

		g_hash_table_insert(debug->raw_units, split.cu, raw);
		unit->raw = raw;
	}
	return unit->raw != NULL;
}

const struct raw_unit *unit_raw(struct debuginfo *debug, struct unit *unit)
{
	return unit_open(debug, unit) ? unit->raw : NULL;
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct unit_range *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

static void add_unit_ranges(struct debuginfo *debug, u32 index, GArray *scratch)
{
	struct unit *unit = &g_array_index(debug->units, struct unit, index);
	const struct raw_unit *raw = raw_of(debug, &unit->skeleton);
	struct raw_die entry;

	g_array_set_size(scratch, 0);
	if (raw && raw_read(raw, raw->first, &entry))
		raw_ranges(raw, &entry, scratch);
	for (u32 k = 0; k < scratch->len; k++) {
		struct range *r = &g_array_index(scratch, struct range, k);
		struct unit_range row = { r->low, r->high, index };

		g_array_append_val(debug->ranges, row);
	}
}

/*
 * Reads the ranges from .debug_aranges. For units that are missing there (clang writes none), reads the ranges of their
 * own entries.
 */
static void read_unit_ranges(struct debuginfo *debug)
{
	g_autoptr(GArray) scratch = g_array_new(false, false, sizeof(struct range));
	g_autofree u8 *listed = g_new0(u8, debug->units->len + 1);
	Dwarf_Aranges *aranges;
	size_t nr;

	debug->ranges = g_array_new(false, false, sizeof(struct unit_range));
	libdw_lock(debug->source.lock);
	if (dwarf_getaranges(debug->source.dwarf, &aranges, &nr) != 0)
		nr = 0;
	libdw_unlock(debug->source.lock);
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Arange *arange = dwarf_onearange(aranges, i);
		Dwarf_Addr start;
		Dwarf_Word length;
		Dwarf_Off offset;
		u32 index;

		if (dwarf_getarangeinfo(arange, &start, &length, &offset) != 0)
			continue;
		index = GPOINTER_TO_UINT(
			g_hash_table_lookup(debug->unit_by_offset, GSIZE_TO_POINTER(offset)));
		if (index && length && start + length > start) {
			struct unit_range row = { start, start + length, index - 1 };

			listed[index - 1] = 1;
			g_array_append_val(debug->ranges, row);
		}
	}
	for (u32 i = 0; i < debug->units->len; i++)
		if (!listed[i])
			add_unit_ranges(debug, i, scratch);
	g_array_sort(debug->ranges, compare_ranges);
}

struct unit *unit_find(struct debuginfo *debug, u64 address)
{
	u32 low;

	if (!debug->ranges)
		read_unit_ranges(debug);
	low = SEARCH(i, 0, debug->ranges->len,
		     g_array_index(debug->ranges, struct unit_range, i).low <= address);
	/* Overlapping ranges are malformed. A few steps back are enough to skip empty ranges. */
	for (u32 steps = 0; low-- > 0 && steps < 4; steps++) {
		struct unit_range *r = &g_array_index(debug->ranges, struct unit_range, low);

		if (address < r->high)
			return &g_array_index(debug->units, struct unit, r->unit);
	}
	return NULL;
}

u32 debuginfo_unit(struct debuginfo *debug, u64 vaddr)
{
	const struct unit *unit = unit_find(debug, vaddr + debug->source.dwarf_bias);

	return unit ? (u32)(unit - &g_array_index(debug->units, struct unit, 0)) + 1 : 0;
}

bool tag_is_scope(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

/* Tags walked in a shallow walk: the top of the unit and its namespaces. */
static const u8 shallow_tags[RAW_TAGS] = {
	[DW_TAG_subprogram] = 1, [DW_TAG_variable] = 1,	     [DW_TAG_namespace] = 1,
	[DW_TAG_module] = 1,	 [DW_TAG_imported_unit] = 1,
};

/*
 * Tags walked in a deep walk: also classes (static members, declared functions) and functions (static locals). Static
 * locals of an inlined function are in its abstract entry, once for all its copies.
 */
static const u8 deep_tags[RAW_TAGS] = {
	[DW_TAG_subprogram] = 1,    [DW_TAG_variable] = 1,	[DW_TAG_namespace] = 1,
	[DW_TAG_module] = 1,	    [DW_TAG_imported_unit] = 1, [DW_TAG_structure_type] = 1,
	[DW_TAG_class_type] = 1,    [DW_TAG_union_type] = 1,	[DW_TAG_enumeration_type] = 1,
	[DW_TAG_lexical_block] = 1, [DW_TAG_try_block] = 1,	[DW_TAG_catch_block] = 1,
	[DW_TAG_with_stmt] = 1,	    [DW_TAG_member] = 1,
};

/* In C, classes have no static members and no functions. */
static const u8 deep_tags_of_c[RAW_TAGS] = {
	[DW_TAG_subprogram] = 1,
	[DW_TAG_variable] = 1,
	[DW_TAG_imported_unit] = 1,
	[DW_TAG_lexical_block] = 1,
};

struct unit_walk {
	struct debuginfo *debug;
	struct unit *unit;
	/* by tag: not 0 if entries with that tag are visited */
	const u8 *wanted;
	GArray *ranges; /* scratch */
	bool deep;
	u32 inner; /* number of enclosing classes and functions */
	/* entries visited so far, imported ones each time; limit: MAX_UNIT_DIES */
	u32 seen;
};

/*
 * Adds a definition or declaration. A C++ definition outside its class has no name of its own, but DW_AT_specification:
 * its name is looked up later, when it is needed. A declaration has no ranges, so it gets no row in unit.functions.
 */
static void add_function(struct unit_walk *walk, const struct raw_unit *raw,
			 const struct raw_die *die)
{
	struct die_place place = { raw, die->at };
	struct subprogram subprogram = { .place = place, .inner = walk->inner > 0 };

	if (raw_has(die, RAW_LINKAGE_NAME))
		subprogram.name = raw_string(raw, die, RAW_LINKAGE_NAME);
	else if (!raw_has(die, RAW_SPECIFICATION) && !raw_has(die, RAW_ORIGIN))
		subprogram.name = raw_string(raw, die, RAW_NAME);
	g_array_append_val(walk->unit->subprograms, subprogram);
	g_array_set_size(walk->ranges, 0);
	raw_ranges(raw, die, walk->ranges);
	for (u32 i = 0; i < walk->ranges->len; i++) {
		struct range *r = &g_array_index(walk->ranges, struct range, i);
		struct function_row row = { r->low, r->high, place };

		g_array_append_val(walk->unit->functions, row);
	}
}

static const u8 *walk_children(struct unit_walk *walk, const struct raw_unit *raw, const u8 *at,
			       u32 depth);

/* An imported_unit entry includes another unit: dwz splits units like this. */
static void walk_imported(struct unit_walk *walk, const struct raw_unit *raw,
			  const struct raw_die *die, u32 depth)
{
	Dwarf_Die from = raw_to_die(raw, die->at), to;
	const struct raw_unit *other;
	struct raw_die entry;
	Dwarf_Attribute attr;
	bool found;

	libdw_lock(raw->file->lock);
	found = dwarf_attr(&from, DW_AT_import, &attr) && dwarf_formref_die(&attr, &to);
	libdw_unlock(raw->file->lock);
	if (!found)
		return;
	other = raw_of(walk->debug, &to);
	if (other && depth < MAX_DEPTH && raw_read(other, to.addr, &entry) &&
	    entry.abbrev->children)
		walk_children(walk, other, entry.next, depth + IMPORT_DEPTH);
}

/* It is a declaration, or has a single location that is not in a frame. */
static bool may_be_static(const struct raw_unit *raw, const struct raw_die *die)
{
	struct cursor expression;

	if (!raw_has(die, RAW_LOCATION))
		return raw_has(die, RAW_DECLARATION);
	return raw_block(raw, die, RAW_LOCATION, &expression) && cursor_left(&expression) &&
	       *expression.pos != DW_OP_fbreg;
}

/* Entries inside it count as entries at the top of the unit. */
static bool is_open(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* Returns the position of the next sibling. */
static const u8 *walk_entry(struct unit_walk *walk, const struct raw_unit *raw,
			    const struct raw_die *die, u32 depth)
{
	struct unit_variable variable = { .place = { raw, die->at }, .inner = walk->inner > 0 };
	bool inside = die->abbrev->children, scope = is_open(die->abbrev->tag);
	const u8 *after;

	switch (die->abbrev->tag) {
	case DW_TAG_subprogram:
		add_function(walk, raw, die);
		inside = inside && walk->deep;
		break;
	case DW_TAG_variable:
		if (may_be_static(raw, die))
			g_array_append_val(walk->unit->variables, variable);
		inside = false;
		break;
	case DW_TAG_member:
		/* DWARF 4's form of a static member. */
		if (raw_has(die, RAW_DECLARATION) || raw_has(die, RAW_EXTERNAL))
			g_array_append_val(walk->unit->variables, variable);
		inside = false;
		break;
	case DW_TAG_imported_unit:
		walk_imported(walk, raw, die, depth);
		inside = false;
		break;
	default:
		break;
	}
	if (!inside || depth >= MAX_DEPTH)
		return raw_after(raw, die);
	walk->inner += !scope;
	after = walk_children(walk, raw, die->next, depth + 1);
	walk->inner -= !scope;
	return after;
}

static const u8 *walk_children(struct unit_walk *walk, const struct raw_unit *raw, const u8 *at,
			       u32 depth)
{
	struct raw_die die;

	while (raw_next_wanted(raw, &at, walk->wanted)) {
		if (walk->seen++ > MAX_UNIT_DIES || !raw_read(raw, at, &die))
			return raw->end;
		at = walk_entry(walk, raw, &die, depth);
	}
	return at;
}

static int compare_functions(const void *pa, const void *pb)
{
	const struct function_row *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

/*
 * A deep walk replaces the lists of the shallow walk. What was built from these (statics, protos) stays valid: it has
 * copies, and entries at the top are the same in both walks.
 */
bool unit_walk(struct debuginfo *debug, struct unit *unit, bool deep)
{
	struct unit_walk walk = {
		.debug = debug,
		.unit = unit,
		.wanted = shallow_tags,
		.deep = deep,
	};
	struct raw_die entry;

	if (!unit_open(debug, unit))
		return false;
	if (unit->walked_deep || (unit->walked && !deep))
		return true;
	if (deep)
		walk.wanted = raw_has_namespaces(unit->raw) ? deep_tags : deep_tags_of_c;
	if (!unit->walked)
		debug->units_read++;
	drop(&unit->functions);
	drop(&unit->subprograms);
	drop(&unit->variables);
	unit->functions = g_array_new(false, false, sizeof(struct function_row));
	unit->subprograms = g_array_new(false, false, sizeof(struct subprogram));
	unit->variables = g_array_new(false, false, sizeof(struct unit_variable));
	walk.ranges = g_array_new(false, false, sizeof(struct range));
	if (raw_read(unit->raw, unit->raw->first, &entry) && entry.abbrev->children)
		walk_children(&walk, unit->raw, entry.next, 0);
	g_array_sort(unit->functions, compare_functions);
	g_array_unref(walk.ranges);
	unit->walked = true;
	unit->walked_deep = deep;
	return true;
}

static bool search_functions(const struct unit *unit, u64 address, struct die_place *place)
{
	u32 low = SEARCH(i, 0, unit->functions->len,
			 g_array_index(unit->functions, struct function_row, i).low <= address);

	for (u32 steps = 0; low-- > 0 && steps < 16; steps++) {
		struct function_row *row =
			&g_array_index(unit->functions, struct function_row, low);

		if (address < row->high) {
			*place = row->place;
			return true;
		}
	}
	return false;
}

/* An address that no function at the top covers may be in a function that is inside of another entry. */
bool unit_function(struct debuginfo *debug, struct unit *unit, u64 address, struct die_place *place)
{
	if (!unit_walk(debug, unit, false))
		return false;
	if (search_functions(unit, address, place))
		return true;
	return !unit->walked_deep && unit_walk(debug, unit, true) &&
	       search_functions(unit, address, place);
}
