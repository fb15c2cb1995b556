// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A separate debug file has the headers of all sections, but contents only of the debug sections: the others are
 * SHT_NOBITS. Compressed debug sections are no longer marked as such here, because libdw decompressed them when it
 * opened the file.
 */
#include "dwarf/sections.h"

#include <gelf.h>
#include <stddef.h>

void sections_each(Elf *elf, section_fn fn, void *arg)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    (header.sh_flags & SHF_COMPRESSED))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name)
			fn(name, section, arg);
	}
}
