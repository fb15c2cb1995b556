// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as the kernel's BTF: its translation is read at the functions that the seeds have. */
#include <glib.h>
#include <stdlib.h>

#include "btf/to_dwarf.h"
#include "dwarf/debuginfo.h"
#include "dwarf/protos.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_PARAMETERS 16

static void look_at(struct debuginfo *debug, u64 vaddr)
{
	const struct proto *proto = debuginfo_proto_at(debug, vaddr);
	enum debuginfo_absence why;
	char path[64];

	debuginfo_function(debug, vaddr, &why);
	for (u32 i = 0; proto && i < proto->nr_params && i < MAX_PARAMETERS; i++) {
		const struct type *type = type_target(proto->params[i]);

		type_member_path(type, type->size / 2, path, sizeof(path));
		type_shown_name(type);
		type_identity(type);
	}
}

static void read_translation(GBytes *bytes)
{
	struct debuginfo_source source = { 0 };
	struct debuginfo *debug;
	size_t size;
	char *data = (char *)g_bytes_get_data(bytes, &size);
	Elf *elf = elf_memory(data, size);

	source.dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!source.dwarf)
		abort();
	debug = debuginfo_new(&source);
	for (u64 vaddr = 0x1000; vaddr < 0x1030; vaddr += 0x10)
		look_at(debug, vaddr);
	debuginfo_free(debug);
	dwarf_end(source.dwarf);
	elf_end(elf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct btf_function functions[] = { { 0x1000, 0x1010, "get" },
							 { 0x1010, 0x1020, "more" },
							 { 0x1020, 0x1030, "get.cold" } };
	const struct btf_code code = { .functions = functions,
				       .nr = ARRAY_SIZE(functions),
				       .percpu = 0x100000,
				       .has_percpu = true };
	g_autoptr(GBytes) bytes = g_bytes_new(data, size), dwarf = NULL;
	struct btf *btf = btf_new(bytes, NULL, NULL);

	elf_version(EV_CURRENT);
	if (!btf)
		return 0;
	dwarf = btf_to_dwarf(btf, &code);
	read_translation(dwarf);
	btf_free(btf);
	return 0;
}
