// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a debuginfo reads only the entry of each unit (units.c). All tables are empty at first: a question fills the
 * part that it needs. Most keys are addresses of entries in memory, which are the same for all debuginfos of a file and
 * do not change as long as the Dwarf is open.
 */
#include <gelf.h>
#include <stdlib.h>

#include "dwarf/internal.h"
#include "dwarf/library.h"

static void func_vars_free(struct func_vars *vars)
{
	g_free((void *)vars->ranges);
	g_free((void *)vars->variables);
	g_free((void *)vars->scopes);
	g_free((void *)vars->locations);
	g_free((void *)vars->calls);
	g_free((void *)vars->inlined);
	g_free(vars);
}

/* A stripped file may still have .dynsym, which lacks local symbols, so only SHT_SYMTAB counts. */
static bool has_symbols(Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB && shdr.sh_size)
			return true;
	return false;
}

struct debuginfo *debuginfo_new(const struct debuginfo_source *source)
{
	struct debuginfo *debug = g_new0(struct debuginfo, 1);

	libdw_lock(source->lock);
	debug->source = *source;
	debug->types = g_ptr_array_new_with_free_func((GDestroyNotify)type_entry_free);
	debug->type_by_die = g_hash_table_new(NULL, NULL);
	debug->texts = intern_new();
	debug->variables = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	debug->functions = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)func_vars_free);
	debug->protos = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)proto_entry_free);
	debug->proto_at = g_hash_table_new(NULL, NULL);
	debug->origins = g_array_new(false, false, sizeof(struct die_place));
	debug->raw_files = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)raw_file_free);
	debug->raw_units = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	debug->endless = g_hash_table_new(NULL, NULL);
	debug->embedded = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)embedded_free);
	debug->containers = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	debug->declarers =
		g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
	debug->has_symbols = has_symbols(source->dwarf);
	debug->package = package_new(source->package);
	debug->all_statics = all_statics_new();
	units_read(debug);
	libdw_unlock(source->lock);
	return debug;
}

void debuginfo_share(struct debuginfo *debug, const struct debuginfo *other)
{
	all_statics_unref(debug->all_statics);
	debug->all_statics = all_statics_ref(other->all_statics);
	debug->known_statics = NULL;
}

void debuginfo_free(struct debuginfo *debug)
{
	if (!debug)
		return;
	g_hash_table_unref(debug->functions);
	g_hash_table_unref(debug->protos);
	library_free(debug);
	g_hash_table_unref(debug->proto_at);
	gathering_free(debug->gathering);
	g_hash_table_unref(debug->declarers);
	g_hash_table_unref(debug->containers);
	g_hash_table_unref(debug->embedded);
	definitions_free(debug->definitions);
	go_types_free(debug->go_types);
	g_hash_table_unref(debug->endless);
	g_hash_table_unref(debug->raw_units);
	g_hash_table_unref(debug->raw_files);
	package_free(debug->package);
	if (debug->symbols)
		g_hash_table_unref(debug->symbols);
	g_array_unref(debug->origins);
	g_hash_table_unref(debug->variables);
	g_hash_table_unref(debug->type_by_die);
	g_hash_table_unref(debug->unit_by_offset);
	g_array_unref(debug->units);
	if (debug->ranges)
		g_array_unref(debug->ranges);
	all_statics_unref(debug->all_statics);
	g_ptr_array_unref(debug->types);
	intern_free(debug->texts);
	g_free(debug);
}

/*
 * libdw gives the CFA as an expression: DW_OP_bregx 7, 16 or DW_OP_breg7 16 for rsp + 16. Longer expressions (the PLT,
 * realigned stacks) do not have the form that the caller wants. *@low and *@high are set in both cases.
 */
static bool cfa_from(Dwarf_CFI *cfi, u64 address, u8 *reg, s64 *offset, u64 *low, u64 *high)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start, end;
	Dwarf_Op *ops;
	size_t nr;
	bool found = false;

	if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame) != 0)
		return false;
	if (dwarf_frame_cfa(frame, &ops, &nr) == 0 && nr == 1) {
		found = true;
		if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
			*reg = ops[0].atom - DW_OP_breg0;
			*offset = (s64)ops[0].number;
		} else if (ops[0].atom == DW_OP_bregx && ops[0].number < 128) {
			*reg = (u8)ops[0].number;
			*offset = (s64)ops[0].number2;
		} else {
			found = false;
		}
	}
	if (dwarf_frame_info(frame, &start, &end, NULL) >= 0) {
		*low = start;
		*high = end;
	}
	free(frame);
	return found;
}

/* The rule at @vaddr. The table's addresses are vaddr + @bias. */
static bool cfa_of(Dwarf_CFI *cfi, u64 bias, u64 vaddr, u8 *reg, s64 *offset, u64 *low, u64 *high)
{
	*low = vaddr + bias;
	*high = vaddr + bias + 1;
	if (!cfa_from(cfi, vaddr + bias, reg, offset, low, high))
		return false;
	*low -= bias;
	*high -= bias;
	return true;
}

bool debuginfo_cfa(struct debuginfo *debug, u64 vaddr, u8 *reg, s64 *offset, u64 *low, u64 *high)
{
	const struct debuginfo_source *s = &debug->source;
	bool found;

	libdw_lock(s->lock);
	found = cfa_of(s->eh_cfi, s->eh_bias, vaddr, reg, offset, low, high) ||
		cfa_of(s->dwarf_cfi, s->cfi_bias, vaddr, reg, offset, low, high);
	libdw_unlock(s->lock);
	return found;
}

bool debuginfo_is_split(const struct debuginfo *debug)
{
	return debug->package || debug->is_split;
}

void debuginfo_counts(const struct debuginfo *debug, struct debuginfo_counts *out)
{
	*out = (struct debuginfo_counts){
		.units = debug->units->len,
		.units_read = debug->units_read,
		.types = debug->types->len,
		.functions = g_hash_table_size(debug->functions),
	};
}
