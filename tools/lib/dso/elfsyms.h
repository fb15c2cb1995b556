/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the symbols of an ELF file and the stubs of its PLT.
 *
 * They are added to a table. The table chooses among symbols at the same address (dso/symtab.h).
 */
#ifndef DSO_ELFSYMS_H
#define DSO_ELFSYMS_H

#include "dso/image.h"
#include "dso/symtab.h"

/*
 * Adds the functions, objects and labels of the section of type @sh_type (SHT_SYMTAB or
 * SHT_DYNSYM). Names point into @image, which must live as long as the table.
 * For SHT_DYNSYM of a file without section headers, PT_DYNAMIC has the table; its labels are not added.
 * @section_base: NULL, or for a relocatable file the address of each of its
 * @nr_sections sections, ~0 for one that is not loaded. Returns how many there were.
 */
u32 elfsyms_add(struct symtab *t, const struct image *image, u32 sh_type, const u64 *section_base,
		u32 nr_sections);

/*
 * Adds "NAME@plt" for each stub of .plt, .plt.sec and .plt.got (x86-64, i386, AArch64). The name follows from the GOT
 * slot through which the stub's code jumps. Also adds ".plt" for the code at the head of a lazy PLT. @t must not be
 * finished. A stub of an ifunc gets the name of the symbol at the ifunc's address, if there is one.
 */
void elfsyms_add_plt(struct symtab *t, const struct image *image);

/*
 * For a stripped library: adds the C library's code to which functions return without a call (insn/x86-call.h), found by
 * its bytes. Only libraries that export the function to which it belongs are searched.
 */
void elfsyms_add_landings(struct symtab *t, const struct image *image);

/*
 * For a stripped file: adds "func@0xADDRESS" for each function of .eh_frame that no symbol of @named, a finished table, contains. So
 * the samples of a function without a name are one row.
 */
void elfsyms_add_unnamed(struct symtab *t, const struct symtab *named, const struct image *image);

#endif
