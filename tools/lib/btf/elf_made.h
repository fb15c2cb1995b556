/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds an ELF file for x86-64 in memory: sections with debug information, or segments with code, and symbols of functions. */
#ifndef BTF_ELF_MADE_H
#define BTF_ELF_MADE_H

#include <glib.h>

#include "base/types.h"

struct elf_made;

struct elf_made *elf_made_new(void);

/* Appends a section (SHT_PROGBITS, not loaded). @name must live until elf_made_finish(). Copies @data. */
void elf_made_section(struct elf_made *made, const char *name, const void *data, size_t size);

/* Appends a segment that is loaded at @vaddr. Copies @data. @flags: PF_*. */
void elf_made_segment(struct elf_made *made, u64 vaddr, u32 flags, const void *data, size_t size);

/* The offset in the file of the first thing that is appended. */
#define ELF_MADE_FIRST 64

/* Adds the function @name of @size bytes at @vaddr, in the first segment. */
void elf_made_function(struct elf_made *made, const char *name, u64 vaddr, u64 size);

/* The file. Frees @made. */
GBytes *elf_made_finish(struct elf_made *made);

#endif
