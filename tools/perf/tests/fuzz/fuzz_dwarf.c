// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as an ELF file with debug information: types, members, variables, statics and
 * frames are asked for at every address that the seeds have code and data at.
 */
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <glib.h>

#include "dwarf/abi.h"
#include "dwarf/debuginfo.h"
#include "dwarf/protos.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_TYPES 256

/* The same parts as often as it is asked, each of them inside its parameter's type. */
static void look_at_proto(const struct proto *proto)
{
	struct abi_part parts[ABI_MAX_PARTS];
	u32 nr = proto ? abi_parameters(proto, parts, ABI_MAX_PARTS) : 0;

	for (u32 i = 0; i < nr; i++)
		if (parts[i].param != ABI_RESULT && parts[i].param >= proto->nr_params)
			abort();
	if (proto && abi_result(proto, parts) > 4)
		abort();
}

static void look_at_type(const struct type *type)
{
	char text[300];
	u32 nr;
	const struct member *members = type_members(type, &nr);

	for (u32 i = 0; i < nr && i < MAX_TYPES; i++)
		type_offset_text(type, (s64)members[i].offset, text, sizeof(text));
	type_offset_text(type, (s64)type->size - 1, text, sizeof(text));
	type_name_short(type->name, text, sizeof(text));
	type_passed_by_reference(type_strip(type));
	type_target(type);
	look_at_proto(type_proto(type));
	type_identity(type);
}

static void look_at_address(struct debuginfo *debug, u64 vaddr)
{
	enum debuginfo_absence why;
	const struct func_vars *vars = debuginfo_function(debug, vaddr, &why);
	const struct variable *variable;
	u64 start, low, high;
	s64 offset;
	u8 reg;

	for (u32 i = 0; vars && i < vars->nr_locations; i++) {
		if (vars->locations[i].variable >= vars->nr_variables)
			abort();
		if (vars->locations[i].low >= vars->locations[i].high)
			abort();
	}
	for (u32 i = 0; vars && i < vars->nr_variables && i < MAX_TYPES; i++)
		look_at_type(vars->variables[i].type);
	for (u32 i = 0; vars && i < vars->nr_calls && i < MAX_TYPES; i++)
		look_at_proto(debuginfo_call_proto(debug, &vars->calls[i]));
	look_at_proto(debuginfo_proto_at(debug, vaddr));
	look_at_proto(debuginfo_proto_named(debug, "_Zmain", vaddr));
	variable = debuginfo_global(debug, vaddr, vaddr, "global.0", vaddr, &start);
	if (variable)
		look_at_type(variable->type);
	debuginfo_thread_local(debug, vaddr & 15, vaddr, NULL, 0, &start);
	debuginfo_cfa(debug, vaddr, &reg, &offset, &low, &high);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct debuginfo_source source = { 0 };
	struct debuginfo *debug;
	void *copy = g_memdup2(data, size);
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory(copy, size);
	source.dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	if (source.dwarf) {
		source.eh_cfi = dwarf_getcfi_elf(elf);
		source.dwarf_cfi = dwarf_getcfi(source.dwarf);
		source.package = elf;
		debug = debuginfo_new(&source);
		for (u64 vaddr = 0x401000; vaddr < 0x401100; vaddr += 3)
			look_at_address(debug, vaddr);
		for (u64 vaddr = 0x404000; vaddr < 0x404040; vaddr += 8)
			look_at_address(debug, vaddr);
		debuginfo_free(debug);
		if (source.eh_cfi)
			dwarf_cfi_end(source.eh_cfi);
		dwarf_end(source.dwarf);
	}
	elf_end(elf);
	g_free(copy);
	return 0;
}
