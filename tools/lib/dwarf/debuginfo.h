/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types and variables of one object file's debug information: which compilation unit and function cover a code
 * address, and which variable is at a data address.
 *
 * Units are found by .debug_aranges. Units missing there (clang writes none) are found by the ranges of their own
 * entries. Only units that contain an asked address are read. If none of these has a variable at a data address, the
 * top-level entries of all units are read once.
 *
 * Debug information may be malformed. Every walk has a limit of depth and count, and malformed parts count as absent.
 *
 * Addresses are vaddr, as the ELF file states them.
 *
 * Threads: all functions change the debuginfo, because parts are read at the first question. So one thread at a time may
 * call functions with one debuginfo or its types and variables; type_lock() (types.h) is the lock if there are several.
 * Several debuginfos of one file may be used at the same time, each by its own thread, with debuginfo_source.lock.
 */
#ifndef DWARF_DEBUGINFO_H
#define DWARF_DEBUGINFO_H

#include <elfutils/libdw.h>
#include <pthread.h>

#include "dwarf/types.h"
#include "dwarf/vars.h"

/* All pointers are borrowed and must outlive the debuginfo. vaddr + bias = the address in that object. */
struct debuginfo_source {
	Dwarf *dwarf; /* with its alternate file attached */
	Dwarf_Addr dwarf_bias;
	Dwarf_CFI *eh_cfi; /* .eh_frame of the main file; NULL: none */
	Dwarf_Addr eh_bias;
	Dwarf_CFI *dwarf_cfi; /* .debug_frame; NULL: none */
	Dwarf_Addr cfi_bias;
	Elf *package; /* the .dwp file with the split units; NULL: none */
	/*
	 * Lock for libdw and libelf, which are not thread-safe. It is held during each of their calls. So several
	 * debuginfos, each in its own thread, can read one file. Must be recursive. NULL: only one thread uses the
	 * file.
	 */
	pthread_mutex_t *lock;
};

struct debuginfo *debuginfo_new(const struct debuginfo_source *source);
void debuginfo_free(struct debuginfo *debug);

/*
 * @debug and @other are of the same Dwarf. Work whose result is the same for all its debuginfos is done once for both
 * from now on. They may be in different threads then. To be called before any question to @debug.
 */
void debuginfo_share(struct debuginfo *debug, const struct debuginfo *other);

/*
 * The variables of the function that covers @vaddr, for all its addresses, including those of functions inlined into
 * it. Owned by @debug. NULL: no unit or no function covers the address; *@why tells which.
 */
const struct func_vars *debuginfo_function(struct debuginfo *debug, u64 vaddr,
					   enum debuginfo_absence *why);

/*
 * True if the code at @vaddr of function @vars stands in the source before the declaration of @variable, whose scope is
 * the whole block by the debug information. Calls that are inlined there count as their line.
 */
bool debuginfo_is_before(struct debuginfo *debug, const struct func_vars *vars,
			 const struct variable *variable, u64 vaddr);

/* Some units, and so their types, are in separate files: .dwo, .dwp. */
bool debuginfo_is_split(const struct debuginfo *debug);

/*
 * A number for the unit that contains the code at @vaddr; 0: none. If an answer depends on the asking code, it depends
 * only on this unit.
 */
u32 debuginfo_unit(struct debuginfo *debug, u64 vaddr);

/*
 * The static-storage variable that covers the data address @vaddr; NULL: not known. @from: an address in the code that
 * uses it; its unit is searched first. @symbol: name of the ELF symbol at the address, and @symbol_vaddr its start; it
 * is used for variables that the unit only declares ("extern"). NULL: no symbol. out: *@start, where the variable
 * begins.
 */
const struct variable *debuginfo_global(struct debuginfo *debug, u64 vaddr, u64 from,
					const char *symbol, u64 symbol_vaddr, u64 *start);

/* The same for a thread-local variable at @offset from the start of the object's TLS block. */
const struct variable *debuginfo_thread_local(struct debuginfo *debug, u64 offset, u64 from,
					      const char *symbol, u64 symbol_offset, u64 *start);

/*
 * The rule for the canonical frame address at @vaddr, from .eh_frame and .debug_frame: CFA = register @reg + @offset,
 * valid for [*@low, *@high). False: there is no rule of this form.
 */
bool debuginfo_cfa(struct debuginfo *debug, u64 vaddr, u8 *reg, s64 *offset, u64 *low, u64 *high);

struct debuginfo_counts {
	u32 units;	/* compilation units in the file */
	u32 units_read; /* units of which more than the first entry was read */
	u32 types;	/* interned */
	u32 functions;	/* functions whose variables were read */
};

void debuginfo_counts(const struct debuginfo *debug, struct debuginfo_counts *out);

#endif
