/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which symbols does an ELF file state, and which stubs has its PLT?
 *
 * Fills a table; how they are chosen among is the table's business (dso/symtab.h).
 */
#ifndef DSO_ELFSYMS_H
#define DSO_ELFSYMS_H

#include "dso/image.h"
#include "dso/symtab.h"

/*
 * Adds the functions, objects and labels of the section of type @sh_type (SHT_SYMTAB or
 * SHT_DYNSYM). Names point into @image, which must live as long as the table.
 * @section_base: NULL, or for a relocatable file the address of each of its
 * @nr_sections sections, ~0 for one that is not loaded. Returns how many there were.
 */
u32 elfsyms_add(struct symtab *t, const struct image *image, u32 sh_type, const u64 *section_base,
		u32 nr_sections);

/*
 * Adds "NAME@plt" for each stub of .plt, .plt.sec and .plt.got (x86-64, i386, AArch64),
 * told apart by the slot of the GOT that its code jumps through, and ".plt" for the code
 * at the head of a lazy one. @t must not be finished; an ifunc's stub takes the name of
 * the symbol at the ifunc's address where the file's tables have one.
 */
void elfsyms_add_plt(struct symtab *t, const struct image *image);

#endif
