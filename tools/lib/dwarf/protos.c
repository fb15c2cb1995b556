// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prototypes by address, by name and by type.
 *
 * There are two indexes by name, each built when it is first needed. The index of a unit has the functions that the
 * unit defines or declares. (Compilers declare the functions that a unit calls, with all parameters.) The index of the
 * file is its symbol table: it gives a name's address, and so its unit.
 *
 * Example: `sink(q, 1)` in a unit with `extern void sink(void *, long);`. The call instruction names the PLT entry
 * "sink@plt":
 *
 *	name	"sink": what is before the first '@'
 *	unit	<1> DW_TAG_subprogram "sink", DW_AT_declaration
 *		<2>   DW_TAG_formal_parameter, DW_AT_type void *
 *		<2>   DW_TAG_formal_parameter, DW_AT_type long
 *	result	returns void, params: void *, long
 *
 * A method is found by its linkage name. The proto of a method has `this` as the first parameter: compilers list it
 * with DW_AT_artificial.
 *
 * Limits: names are not searched in other files. Of a variadic function, only the named parameters are
 * known.
 */
#include <string.h>

#include "dwarf/internal.h"
#include "dwarf/abi.h"
#include "dwarf/go.h"
#include "dwarf/library.h"
#include "dwarf/protos.h"

#define MAX_PARAMETERS 1024
#define ASKED_OFTEN    4

struct proto_entry {
	/* must be first: a pointer to it is also a pointer to the struct proto_entry */
	struct proto proto;
	GPtrArray *params;
	GPtrArray *results; /* NULL: not of Go */
};

void proto_entry_free(struct proto_entry *entry)
{
	g_ptr_array_unref(entry->params);
	if (entry->results)
		g_ptr_array_unref(entry->results);
	g_free(entry);
}

/* The parameters of @parent. False: it has no parameter at all. */
static bool read_parameters(struct debuginfo *debug, const struct raw_unit *unit,
			    const struct raw_die *parent, struct proto_entry *entry)
{
	struct proto *proto = &entry->proto;
	const u8 *at = parent->next;
	struct raw_die child;

	if (!parent->abbrev->children)
		return false;
	for (; entry->params->len < MAX_PARAMETERS && raw_read(unit, at, &child);
	     at = raw_after(unit, &child)) {
		struct die_place place = { unit, at };

		if (child.abbrev->tag == DW_TAG_unspecified_parameters)
			proto->varargs = true;
		if (child.abbrev->tag != DW_TAG_formal_parameter)
			continue;
		if (!entry->params->len && raw_flag(unit, &child, RAW_ARTIFICIAL))
			proto->has_this = true;
		/* Go lists its results as parameters, and marks them. */
		g_ptr_array_add(entry->results && raw_flag(unit, &child, RAW_VARIABLE_PARAMETER)
					? entry->results
					: entry->params,
				(void *)die_place_type(debug, place));
	}
	return entry->params->len || (entry->results && entry->results->len) || proto->varargs;
}

/*
 * A copy of an inlined function may lack unused parameters. A Rust function may lack parameters that are destructured
 * in its parameter list. The declaration in a type has all of them.
 */
static void find_parameters(struct debuginfo *debug, struct die_place place,
			    struct proto_entry *entry)
{
	const struct raw_unit *unit = place.unit;
	struct raw_die die;

	if (!raw_read(unit, place.at, &die))
		return;
	for (u32 hops = 0; hops < MAX_TYPE_HOPS && raw_has(&die, RAW_ORIGIN); hops++)
		if (!raw_origin(debug, &unit, &die))
			return;
	if (unit->language == DW_LANG_Rust && raw_has(&die, RAW_SPECIFICATION) &&
	    !raw_origin(debug, &unit, &die))
		return;
	entry->proto.gaps = unit->language == DW_LANG_Rust &&
			    die.abbrev->tag == DW_TAG_subprogram &&
			    !raw_flag(unit, &die, RAW_DECLARATION);
	for (u32 hops = 0; hops < MAX_TYPE_HOPS && !read_parameters(debug, unit, &die, entry);
	     hops++)
		if (!raw_origin(debug, &unit, &die))
			return;
}

static void find_environment(struct debuginfo *debug, struct die_place place,
			     struct proto_entry *entry)
{
	const struct type *type = NULL;
	enum environment how = closure_environment(debug, place, &type);

	if (how == ENVIRONMENT_NONE)
		return;
	g_ptr_array_set_size(entry->params, 0);
	if (how == ENVIRONMENT_UNKNOWN)
		return;
	g_ptr_array_add(entry->params, (void *)type);
	entry->proto.has_this = true;
	entry->proto.this_by_address = how == ENVIRONMENT_ADDRESS;
}

/*
 * The code of a generic function is shared by types of one shape. What differs is in a dictionary, which is passed behind the
 * receiver. Closures have theirs among the captured variables.
 *
 *	main.sum[go.shape.int_0]		before the first parameter
 *	main.(*list[go.shape.int_0]).push	before the second one
 *	main.sum[go.shape.int_0].func1		none
 */
static u32 find_dictionary(const char *name)
{
	const char *end = name && strstr(name, "[go.shape.") ? strrchr(name, ']') : NULL;

	if (!end)
		return 0;
	end += end[1] == ')';
	if (end[1] != '.')
		return 1;
	return strstr(end, ".func") ? 0 : 2;
}

/*
 * The receiver of a method that the compiler made has no entry. Its type is in the method's name:
 *
 *	main.(*rect).area	a *main.rect
 *	a/b.rect.area		a a/b.rect
 */
static void add_receiver(struct debuginfo *debug, struct proto_entry *entry)
{
	const char *name = entry->proto.name, *package = name ? strrchr(name, '/') : NULL;
	const char *dot = name ? strchr(package ? package : name, '.') : NULL, *end;
	const struct type *type, *first = entry->params->len ? entry->params->pdata[0] : NULL;
	bool pointer = dot && g_str_has_prefix(dot, ".(*");
	g_autofree char *of = NULL;

	end = dot ? strchr(dot + 1, pointer ? ')' : '.') : NULL;
	if (!end || strchr(name, '[') || (pointer && end[1] != '.'))
		return;
	of = g_strdup_printf("%.*s%.*s", (int)(dot + 1 - name), name,
			     (int)(end - dot - 1 - 2 * pointer), dot + 1 + 2 * pointer);
	type = debuginfo_go_named(debug, of);
	if (!type || (first && !pointer && !strcmp(first->name, type->name)) ||
	    (first && pointer && first->kind == TYPE_POINTER &&
	     !strcmp(type_target(first)->name, type->name)))
		return;
	g_ptr_array_insert(entry->params, 0, (void *)(pointer ? type_pointer_to(type) : type));
}

/*
 * A function that may be inlined has an abstract entry, which lacks results without a name, or all of them. The entry of its
 * code lists all results.
 *
 *	func find(n *node) (_ int, err error)	abstract: n, err; of the code: n, ~b0, err
 */
static void add_results(struct debuginfo *debug, struct die_place place, struct proto_entry *entry)
{
	g_autoptr(GPtrArray) results = g_ptr_array_new();
	struct raw_die die, child;
	const u8 *at;

	if (!raw_read(place.unit, place.at, &die) || !raw_has(&die, RAW_ORIGIN) ||
	    !die.abbrev->children)
		return;
	at = die.next;
	for (; results->len < MAX_PARAMETERS && raw_read(place.unit, at, &child);
	     at = raw_after(place.unit, &child)) {
		struct die_place result = { place.unit, at };

		if (child.abbrev->tag == DW_TAG_formal_parameter &&
		    die_place_flag(debug, result, RAW_VARIABLE_PARAMETER))
			g_ptr_array_add(results, (void *)die_place_type(debug, result));
	}
	if (!results->len)
		return;
	g_ptr_array_unref(entry->results);
	entry->results = g_steal_pointer(&results);
}

/* The register of a parameter's first bytes at @low, its function's entry; -1: not stated. */
static int register_at_entry(const struct raw_unit *unit, const struct raw_die *die, u64 low)
{
	g_autoptr(GArray) locations = g_array_new(false, false, sizeof(struct location));
	g_autoptr(GArray) ranges = g_array_new(false, false, sizeof(struct range));
	struct location_scope scope = { .ranges = ranges };

	if (raw_has(die, RAW_LOCATION))
		locations_read(unit, die, RAW_LOCATION, &scope, 0, locations);
	for (u32 i = 0; i < locations->len; i++) {
		const struct location *l = &g_array_index(locations, struct location, i);

		if (l->low == low && l->high > low && l->kind == LOCATION_REG && !l->piece_offset)
			return l->reg;
	}
	return -1;
}

static int register_of_parameter(const struct abi_part *parts, u32 nr, u32 param)
{
	for (u32 i = 0; i < nr; i++)
		if (parts[i].param == param && !parts[i].offset && parts[i].reg != ABI_STACK)
			return parts[i].reg;
	return -1;
}

/*
 * Parameters named _ are not listed, but passed. Then a later one is in another register than it would be without them.
 * From the first such parameter on, none is believed.
 *
 *	func weigh(_ *edge, n *node) int	n is listed as the first one, and is in rbx
 */
static void drop_misplaced(struct debuginfo *debug, struct die_place place, struct proto *proto,
			   u32 receivers)
{
	struct abi_part parts[ABI_MAX_PARTS];
	u32 nr, param = receivers;
	struct raw_die die, child;
	const u8 *at;
	u64 low;

	if (!raw_read(place.unit, place.at, &die) || !die.abbrev->children ||
	    !raw_address(place.unit, &die, RAW_LOW_PC, &low))
		return;
	nr = abi_parameters(proto, parts, ARRAY_SIZE(parts));
	at = die.next;
	for (; param < proto->nr_params && raw_read(place.unit, at, &child);
	     at = raw_after(place.unit, &child)) {
		int stated, expected;

		if (child.abbrev->tag != DW_TAG_formal_parameter ||
		    die_place_flag(debug, (struct die_place){ place.unit, at },
				   RAW_VARIABLE_PARAMETER))
			continue;
		stated = register_at_entry(place.unit, &child, low);
		expected = register_of_parameter(parts, nr, param);
		if (stated >= 0 && expected >= 0 && stated != expected) {
			proto->nr_params = param;
			proto->rest_unknown = true;
			return;
		}
		param++;
	}
}

/* @place: a definition, a declaration or a function type. */
static const struct proto *proto_of_place(struct debuginfo *debug, struct die_place place)
{
	struct proto_entry *entry = g_hash_table_lookup(debug->protos, place.at);
	u32 listed = 0;

	if (entry)
		return &entry->proto;
	entry = g_new0(struct proto_entry, 1);
	entry->params = g_ptr_array_new();
	entry->proto.go = place.unit->language == DW_LANG_Go;
	if (entry->proto.go)
		entry->results = g_ptr_array_new();
	g_hash_table_insert(debug->protos, (void *)place.at, entry);
	find_parameters(debug, place, entry);
	if (place.unit->language == DW_LANG_Rust)
		find_environment(debug, place, entry);
	entry->proto.name = die_place_linkage_name(debug, place);
	entry->proto.returns = die_place_type(debug, place);
	if (entry->proto.go) {
		add_results(debug, place, entry);
		listed = entry->params->len;
		add_receiver(debug, entry);
	}
	entry->proto.params = (const struct type *const *)entry->params->pdata;
	entry->proto.nr_params = entry->params->len;
	if (entry->proto.go) {
		entry->proto.results = (const struct type *const *)entry->results->pdata;
		entry->proto.nr_results = entry->results->len;
		entry->proto.dictionary = find_dictionary(entry->proto.name);
		drop_misplaced(debug, place, &entry->proto, entry->params->len - listed);
	}
	entry->proto.noreturn = die_place_flag(debug, place, RAW_NORETURN);
	entry->proto.rust = place.unit->language == DW_LANG_Rust;
	entry->proto.no_casts = entry->proto.rust || entry->proto.go;
	return &entry->proto;
}

/* Is @address the function's entry: its low pc, or the start of its first range? */
static bool begins_at(struct die_place place, u64 address)
{
	g_autoptr(GArray) ranges = NULL;
	struct raw_die die;
	u64 low;

	if (!raw_read(place.unit, place.at, &die))
		return false;
	if (raw_address(place.unit, &die, RAW_LOW_PC, &low))
		return low == address;
	ranges = g_array_new(false, false, sizeof(struct range));
	raw_ranges(place.unit, &die, ranges);
	return ranges->len && g_array_index(ranges, struct range, 0).low == address;
}

const struct proto *debuginfo_proto_at(struct debuginfo *debug, u64 vaddr)
{
	u64 address = vaddr + debug->source.dwarf_bias;
	const struct proto *proto = NULL;
	struct unit *unit;
	struct die_place place;
	void *known;

	if (g_hash_table_lookup_extended(debug->proto_at, GSIZE_TO_POINTER(vaddr), NULL, &known))
		return known;
	unit = unit_find(debug, address);
	if (unit && unit_function(debug, unit, address, &place) && begins_at(place, address))
		proto = proto_of_place(debug, place);
	g_hash_table_insert(debug->proto_at, GSIZE_TO_POINTER(vaddr), (void *)proto);
	return proto;
}

const struct proto *type_proto(const struct type *type)
{
	const struct type *stripped = type_strip(type);

	if (stripped->kind == TYPE_POINTER)
		stripped = type_strip(type_target(stripped));
	if (stripped->kind != TYPE_FUNCTION)
		return NULL;
	return proto_of_place(stripped->debug, type_place(stripped));
}

const struct proto *debuginfo_call_proto(struct debuginfo *debug, const struct call_site *call)
{
	if (!call->origin || call->origin > debug->origins->len)
		return NULL;
	return proto_of_place(debug,
			      g_array_index(debug->origins, struct die_place, call->origin - 1));
}

bool proto_is_altered(const char *name)
{
	return strstr(name, ".isra.") || strstr(name, ".constprop.") || strstr(name, ".part.");
}

static const char *subprogram_name(struct debuginfo *debug, const struct subprogram *subprogram)
{
	return subprogram->name ? subprogram->name
				: die_place_linkage_name(debug, subprogram->place);
}

static GHashTable *index_subprograms(struct debuginfo *debug, const struct unit *unit, bool inner)
{
	GHashTable *protos = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);

	for (u32 i = 0; i < unit->subprograms->len; i++) {
		const struct subprogram *s =
			&g_array_index(unit->subprograms, struct subprogram, i);
		const char *name = s->inner == inner ? subprogram_name(debug, s) : NULL;

		if (name)
			g_hash_table_insert(protos, (char *)name,
					    g_memdup2(&s->place, sizeof(s->place)));
	}
	return protos;
}

/* Most units are asked for only few names, so an index would not pay off. */
static const struct die_place *search_subprograms(struct debuginfo *debug, struct unit *unit,
						  const char *name, bool inner)
{
	GHashTable **protos = inner ? &unit->inner_protos : &unit->protos;

	if (!*protos && unit->asked++ < ASKED_OFTEN) {
		for (u32 i = unit->subprograms->len; i-- > 0;) {
			const struct subprogram *s =
				&g_array_index(unit->subprograms, struct subprogram, i);

			if (s->inner == inner && !g_strcmp0(subprogram_name(debug, s), name))
				return &s->place;
		}
		return NULL;
	}
	if (!*protos)
		*protos = index_subprograms(debug, unit, inner);
	return g_hash_table_lookup(*protos, name);
}

/* Methods are declared in their classes, which only the deep walk reads. */
static const struct die_place *unit_proto(struct debuginfo *debug, struct unit *unit,
					  const char *name)
{
	const struct die_place *place;

	if (!unit_walk(debug, unit, false))
		return NULL;
	place = search_subprograms(debug, unit, name, false);
	if (place || !raw_has_namespaces(unit->raw) ||
	    !(g_str_has_prefix(name, "_Z") || g_str_has_prefix(name, "_R")))
		return place;
	unit_walk(debug, unit, true);
	return search_subprograms(debug, unit, name, true);
}

/* Name -> vaddr, in the Dwarf's own terms, from the file's symbol table. */
static void index_symbols(struct debuginfo *debug)
{
	Elf *elf = dwarf_getelf(debug->source.dwarf);
	Elf_Scn *scn = NULL;

	debug->symbols = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	while (elf && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;
		GElf_Shdr shdr;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
			const char *name;

			if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF ||
			    GELF_ST_BIND(sym.st_info) == STB_LOCAL)
				continue;
			name = elf_strptr(elf, shdr.sh_link, sym.st_name);
			if (name)
				g_hash_table_insert(debug->symbols, (char *)name,
						    g_memdup2(&sym.st_value, sizeof(u64)));
		}
	}
}

const struct proto *debuginfo_proto_named(struct debuginfo *debug, const char *linkage_name,
					  u64 from)
{
	struct unit *unit = unit_find(debug, from + debug->source.dwarf_bias);
	g_autofree char *name = g_strndup(linkage_name, strcspn(linkage_name, "@"));
	const struct die_place *place = unit ? unit_proto(debug, unit, name) : NULL;
	const struct proto *defined = NULL;
	const u64 *address;

	if (place)
		return proto_of_place(debug, *place);
	if (!debug->symbols) {
		libdw_lock(debug->source.lock);
		index_symbols(debug);
		libdw_unlock(debug->source.lock);
	}
	address = g_hash_table_lookup(debug->symbols, name);
	if (address)
		defined = debuginfo_proto_at(debug, *address - debug->source.dwarf_bias);
	return defined ? defined : library_proto(debug, name);
}
