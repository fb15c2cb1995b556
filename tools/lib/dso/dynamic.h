/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic symbols and relocations of an ELF file without section headers.
 *
 * sstrip and packers remove the section header table, because a program runs without it. The dynamic linker finds its
 * tables by the segment PT_DYNAMIC, and so does this.
 *
 * The file is not trusted: every number read from it is checked.
 */
#ifndef DSO_DYNAMIC_H
#define DSO_DYNAMIC_H

#include <gelf.h>

#include "base/types.h"

struct dynamic {
	Elf_Data *symbols; /* for gelf_getsym() */
	size_t nr_symbols; /* above 0 */
	const char *names; /* the byte at names_size - 1 is NUL, or names_size is 0 */
	size_t names_size;
	Elf_Data *relocs[2]; /* RELA of DT_RELA and of DT_JMPREL, for gelf_getrela(); NULL: none */
};

/* Does the file have section headers that can be read? */
bool dynamic_has_sections(Elf *elf);

/*
 * Finds the tables. They are valid until elf_end(). False: the file has section headers, has no dynamic symbols, its
 * tables are not all inside the file, or it is larger than 512 MiB.
 */
bool dynamic_find(Elf *elf, struct dynamic *dynamic);

/* The name at @offset in the string table, "" if that is outside. */
const char *dynamic_name(const struct dynamic *dynamic, u64 offset);

#endif
