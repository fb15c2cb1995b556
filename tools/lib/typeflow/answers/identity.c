// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A number for the contents of an object: a build-id does not tell enough. Two builds may have the same build-id
 * (--build-id=0x..., or a copied note), and a file may be stripped or get separate debug information later.
 *
 * Summed up are the headers of all sections of the file with the debug information, and the bytes of code. The code of
 * the kernel is left out: it is patched while it runs, so /proc/kcore and vmlinux differ.
 *
 * Debug information that was made of BTF is summed up as a whole: its addresses are those of one boot.
 */
#include "typeflow/answers/identity.h"

#include <elfutils/libdw.h>
#include <gelf.h>

#include "dso/kept.h"

static bool is_kernel(enum dso_kind kind)
{
	return kind == DSO_KERNEL || kind == DSO_MODULE || kind == DSO_GUEST_KERNEL;
}

u64 object_identity(struct dso *dso)
{
	bool kernel = is_kernel(dso_kind(dso));
	Elf_Scn *scn = NULL;
	u64 bias, sum = 0;
	Dwarf *dwarf = dso_dwarf(dso, &bias);
	Elf *elf = dwarf ? dwarf_getelf(dwarf) : NULL;

	dso_lock(dso);
	if (elf && dso_is_by_btf(dso)) {
		size_t size;
		const char *made = elf_rawfile(elf, &size);

		sum = kept_sum(made, size, sum);
	}
	while (elf && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		const u8 *code;
		size_t left;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		sum = kept_sum((u64[]){ shdr.sh_type, shdr.sh_flags, shdr.sh_addr, shdr.sh_size },
			       4 * sizeof(u64), sum);
		if (kernel || !(shdr.sh_flags & SHF_EXECINSTR))
			continue;
		code = dso_code(dso, shdr.sh_addr, &left);
		if (code)
			sum = kept_sum(code, MIN(left, shdr.sh_size), sum);
	}
	dso_unlock(dso);
	return sum;
}
