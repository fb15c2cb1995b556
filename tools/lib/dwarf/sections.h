/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of an ELF file whose bytes can be used directly: not .bss, not compressed. */
#ifndef DWARF_SECTIONS_H
#define DWARF_SECTIONS_H

#include <libelf.h>

typedef void (*section_fn)(const char *name, Elf_Scn *section, void *arg);

/* In the file's order. No sections if @elf is NULL or has no section names. */
void sections_each(Elf *elf, section_fn fn, void *arg);

#endif
