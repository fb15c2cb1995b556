// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prototypes, by address, by name and by type.
 *
 * By name there are two indexes, both built when first asked for: per unit the functions that
 * it defines or declares (compilers declare what a unit calls, with all parameters), and for
 * the whole file the symbol table, which leads from a name to an address and so to a unit.
 */
#include <string.h>

#include "dwarf/internal.h"
#include "dwarf/protos.h"

#define MAX_PARAMETERS 1024

struct proto_entry {
	struct proto proto; /* first: a proto is its entry */
	GPtrArray *params;
};

void proto_entry_free(struct proto_entry *entry)
{
	g_ptr_array_unref(entry->params);
	g_free(entry);
}

/* The parameters of @die; false where it lists none at all. */
static bool read_parameters(struct debuginfo *debug, Dwarf_Die *die, struct proto_entry *entry)
{
	struct proto *proto = &entry->proto;
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_unspecified_parameters)
			proto->varargs = true;
		if (tag != DW_TAG_formal_parameter)
			continue;
		if (!entry->params->len && dwarf_hasattr_integrate(&child, DW_AT_artificial))
			proto->has_this = true;
		g_ptr_array_add(entry->params, (void *)type_of_attr(debug, &child));
	} while (entry->params->len < MAX_PARAMETERS && dwarf_siblingof(&child, &child) == 0);
	return entry->params->len || proto->varargs;
}

/* Of a definition, a declaration or a function type. */
const struct proto *proto_of_die(struct debuginfo *debug, Dwarf_Die *die)
{
	struct proto_entry *entry = g_hash_table_lookup(debug->protos, die->addr);
	Dwarf_Die from = *die, next;
	Dwarf_Attribute attr;

	if (entry)
		return &entry->proto;
	entry = g_new0(struct proto_entry, 1);
	entry->params = g_ptr_array_new();
	g_hash_table_insert(debug->protos, die->addr, entry);
	/* A copy of an inlined function may lack parameters that it does not use. */
	for (u32 hops = 0;
	     hops < MAX_TYPE_HOPS && dwarf_attr(&from, DW_AT_abstract_origin, &attr) &&
	     dwarf_formref_die(&attr, &next);
	     hops++)
		from = next;
	for (u32 hops = 0;
	     hops < MAX_TYPE_HOPS && !read_parameters(debug, &from, entry) &&
	     dwarf_attr(&from, DW_AT_specification, &attr) && dwarf_formref_die(&attr, &next);
	     hops++)
		from = next;
	entry->proto.name = die_linkage_name(die);
	entry->proto.returns = type_of_attr(debug, die);
	entry->proto.params = (const struct type *const *)entry->params->pdata;
	entry->proto.nr_params = entry->params->len;
	entry->proto.noreturn = dwarf_hasattr_integrate(die, DW_AT_noreturn);
	entry->proto.rust = dwarf_srclang(die) == DW_LANG_Rust;
	return &entry->proto;
}

const struct proto *debuginfo_proto_at(struct debuginfo *debug, u64 vaddr)
{
	u64 address = vaddr + debug->source.dwarf_bias;
	struct unit *unit = unit_find(debug, address);
	Dwarf_Addr entry;
	Dwarf_Die die;

	if (!unit || !unit_function(debug, unit, address, &die))
		return NULL;
	if (dwarf_entrypc(&die, &entry) != 0 || entry != address)
		return NULL;
	return proto_of_die(debug, &die);
}

const struct proto *type_proto(const struct type *type)
{
	const struct type *stripped = type_strip(type);

	if (stripped->kind == TYPE_POINTER)
		stripped = type_strip(type_target(stripped));
	if (stripped->kind != TYPE_FUNCTION)
		return NULL;
	return proto_of_die(stripped->debug, type_die(stripped));
}

const struct proto *debuginfo_call_proto(struct debuginfo *debug, const struct call_site *call)
{
	if (!call->origin || call->origin > debug->origins->len)
		return NULL;
	return proto_of_die(debug, &g_array_index(debug->origins, Dwarf_Die, call->origin - 1));
}

bool proto_is_altered(const char *name)
{
	return strstr(name, ".isra.") || strstr(name, ".constprop.") || strstr(name, ".part.");
}

static void index_functions(struct unit *unit, Dwarf_Die *parent, u32 depth, u32 *seen)
{
	Dwarf_Die child, imported;

	if (depth > MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);
		const char *name;

		if ((*seen)++ > MAX_UNIT_DIES)
			return;
		if (die_imported(&child, &imported))
			index_functions(unit, &imported, depth + IMPORT_DEPTH, seen);
		if (tag_holds_functions(tag))
			index_functions(unit, &child, depth + 1, seen);
		if (tag != DW_TAG_subprogram)
			continue;
		name = die_linkage_name(&child);
		if (name)
			g_hash_table_insert(unit->protos, (char *)name,
					    g_memdup2(&child, sizeof(child)));
	} while (dwarf_siblingof(&child, &child) == 0);
}

static Dwarf_Die *unit_proto(struct unit *unit, const char *name)
{
	u32 seen = 0;

	if (!unit->protos) {
		unit->protos = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
		index_functions(unit, &unit->die, 0, &seen);
	}
	return g_hash_table_lookup(unit->protos, name);
}

/* Name -> vaddr in the Dwarf's own terms, from the symbol table of its file. */
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
	Dwarf_Die *die = unit ? unit_proto(unit, name) : NULL;
	const u64 *address;

	if (die)
		return proto_of_die(debug, die);
	if (!debug->symbols)
		index_symbols(debug);
	address = g_hash_table_lookup(debug->symbols, name);
	return address ? debuginfo_proto_at(debug, *address - debug->source.dwarf_bias) : NULL;
}
