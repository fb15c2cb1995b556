/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections of an ELF file that have bytes in it as they are: not .bss, not compressed. */
#ifndef DWARF_SECTIONS_H
#define DWARF_SECTIONS_H

#include <libelf.h>

typedef void (*section_fn)(const char *name, Elf_Scn *section, void *arg);

/* In the file's order; none where the file has no names of sections, or is NULL. */
void sections_each(Elf *elf, section_fn fn, void *arg);

#endif
