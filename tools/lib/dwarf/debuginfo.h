/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One object file's debug information, as far as types and variables go: which
 * compilation unit and function cover an address, and what lies at a data address.
 *
 * Units are found by .debug_aranges, and those that it lacks (clang writes none) by the ranges of their entries. Only
 * units that contain an address that was asked for are read. An address of data that none of these explains
 * causes one pass over the top-level entries of all units.
 *
 * Debug information is outside input: everything walked is bounded in depth and count,
 * and what does not make sense is absent.
 *
 * Addresses are vaddr, as the ELF file states them.
 */
#ifndef DWARF_DEBUGINFO_H
#define DWARF_DEBUGINFO_H

#include <elfutils/libdw.h>
#include <pthread.h>

#include "dwarf/types.h"
#include "dwarf/vars.h"

/* All borrowed, and outliving the debuginfo. vaddr + bias = the address in that object. */
struct debuginfo_source {
	Dwarf *dwarf; /* with its alternate file attached */
	Dwarf_Addr dwarf_bias;
	Dwarf_CFI *eh_cfi; /* .eh_frame of the main file; NULL: none */
	Dwarf_Addr eh_bias;
	Dwarf_CFI *dwarf_cfi; /* .debug_frame; NULL: none */
	Dwarf_Addr cfi_bias;
	Elf *package; /* the .dwp file with the split units; NULL: none */
	/*
	 * Held during each call of libdw and libelf, which are not thread-safe: several debuginfos may
	 * then read one file, each in a thread of its own. Recursive. NULL: one thread alone has the file.
	 */
	pthread_mutex_t *lock;
};

struct debuginfo *debuginfo_new(const struct debuginfo_source *source);
void debuginfo_free(struct debuginfo *debug);

/*
 * The variables of the function that covers @vaddr, those of the functions inlined into it
 * included, for all its addresses. Owned by @debug and kept. NULL where no unit or
 * no function entry covers the address; *@why says which.
 */
const struct func_vars *debuginfo_function(struct debuginfo *debug, u64 vaddr,
					   enum debuginfo_absence *why);

/* Units, and so types, are in files of their own: .dwo, .dwp. */
bool debuginfo_is_split(const struct debuginfo *debug);

/* A number for the unit that contains the code at @vaddr; 0: none. Answers that depend on the asking code depend on it alone. */
u32 debuginfo_unit(struct debuginfo *debug, u64 vaddr);

/*
 * The static-storage variable that covers the data address @vaddr, NULL if none is known.
 * @from is an address in the code that uses it, whose unit is searched first. @symbol is the
 * name of the ELF symbol at the address, which begins at @symbol_vaddr and finds what the
 * unit merely declares ("extern"); NULL: none. *@start is where the variable begins.
 */
const struct variable *debuginfo_global(struct debuginfo *debug, u64 vaddr, u64 from,
					const char *symbol, u64 symbol_vaddr, u64 *start);

/* As above for a thread-local at @offset from the start of the object's TLS block. */
const struct variable *debuginfo_thread_local(struct debuginfo *debug, u64 offset, u64 from,
					      const char *symbol, u64 symbol_offset, u64 *start);

/*
 * The rule for the canonical frame address at @vaddr, from .eh_frame and .debug_frame:
 * CFA = register @reg + @offset, which holds for [*@low, *@high). False where there is none
 * of that form.
 */
bool debuginfo_cfa(struct debuginfo *debug, u64 vaddr, u8 *reg, s64 *offset, u64 *low, u64 *high);

struct debuginfo_counts {
	u32 units;	/* compilation units in the file */
	u32 units_read; /* of which were read below their first entry */
	u32 types;	/* interned */
	u32 functions;	/* whose variables were gathered */
};

void debuginfo_counts(const struct debuginfo *debug, struct debuginfo_counts *out);

#endif
