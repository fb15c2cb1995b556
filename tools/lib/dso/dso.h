/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One object file: what symbol, what bytes, what debug information are at this address?
 *
 * Addresses are vaddr: as the ELF file states them, before any load bias. foff is an
 * offset in the file. For the kernel a vaddr is an address of the kernel as it was
 * linked or, with kallsyms, as kallsyms states it (dso_kernel_vaddr()); for a kernel
 * module an offset from where its .text was loaded; for DSO_JIT and DSO_BPF the address
 * in memory itself.
 *
 * The file is looked for when something in it is first asked for, and only one whose
 * build-id equals the recorded one is taken. Order: the build-id cache, the path itself
 * (below symfs); debug information: the file, the build-id cache, debug_dir/.build-id,
 * .gnu_debuglink with its CRC, and with DEBUGINFOD_URLS set debuginfod. Absence is a
 * value with a reason, never an error.
 *
 * Threads: every function here and in dso/lines.h may be called from several threads.
 * What libelf and libdw hand out (dso_elf(), dso_dwarf(), the CFI) is theirs and not
 * thread-safe: hold dso_lock() while using it where other threads may use the same dso.
 */
#ifndef DSO_DSO_H
#define DSO_DSO_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <pthread.h>

#include "base/types.h"
#include "dso/dsos.h"

struct image;

/* A symbol of a dso; lives as long as its dso. */
struct symbol {
	u64 start;	 /* vaddr */
	u64 end;	 /* one past the last byte; zero sizes are filled up to the next symbol */
	const char *raw; /* as in the file, mangled; "puts@plt" for a stub of the PLT */
	u32 id;		 /* index in the dso's table, which is in order of address */
	u8 type;	 /* STT_FUNC, STT_OBJECT, ... */
	u8 binding;	 /* STB_GLOBAL, STB_WEAK, STB_LOCAL */
};

enum dso_absent {
	DSO_PRESENT,
	DSO_NO_FILE,	   /* nowhere to be found */
	DSO_OTHER_FILE,	   /* there, but with another build-id */
	DSO_NO_BUILD_ID,   /* the file on disk has none, but one was recorded */
	DSO_UNREADABLE,	   /* no permission, I/O error */
	DSO_BAD_FILE,	   /* no ELF file, or a garbled one */
	DSO_NO_SYMBOLS,	   /* stripped, and no debug file found */
	DSO_NO_DEBUG_INFO, /* no DWARF, here or in a separate file */
	DSO_RESTRICTED,	   /* kallsyms shows zeros: kernel.kptr_restrict */
	DSO_NOT_A_FILE,	   /* memory without a file */
};

/* Why something is absent: one line that names the file, its build-id and what to do. */
struct dso_absence {
	enum dso_absent why;
	const char *text; /* "" when present; lives as long as the dso */
};

u32 dso_id(const struct dso *dso);
enum dso_kind dso_kind(const struct dso *dso);
struct dsos *dso_table(const struct dso *dso);

/* As recorded: "/usr/lib/x86_64-linux-gnu/libc.so.6", "[kernel.kallsyms]". */
const char *dso_long_name(const struct dso *dso);
/* As reports show it: "libc.so.6", "[ext4]", "[JIT] tid 123". */
const char *dso_short_name(const struct dso *dso);

/* Recorded, known from the header, or, where there is none, the opened file's own. */
struct build_id dso_build_id(struct dso *dso);
/* Recorded, or known from the header; no file is opened. */
struct build_id dso_recorded_build_id(const struct dso *dso);

/* The path of the file with the code, or NULL where there is none; lives with the dso. */
const char *dso_file(struct dso *dso);
/* The path of the file that gave the debug information, or NULL. */
const char *dso_debug_file(struct dso *dso);

/*
 * These files opened, or NULL; they may be one. What reads sections of them (image_section()) must hold
 * dso_lock(). Owned by the dso.
 */
struct image *dso_code_image(struct dso *dso);
struct image *dso_debug_image(struct dso *dso);

/* Size in bytes of the file with the code, 0 where there is none. */
u64 dso_file_size(struct dso *dso);

/* e_machine of the file (EM_X86_64, ...), EM_NONE where there is none. */
u16 dso_machine(struct dso *dso);

/*
 * Between offsets in the file and vaddr, through the PT_LOAD segments. False: no file, or
 * the offset is in no segment. A DSO_JIT or DSO_BPF has them equal.
 */
bool dso_foff_to_vaddr(struct dso *dso, u64 foff, u64 *vaddr);
bool dso_vaddr_to_foff(struct dso *dso, u64 vaddr, u64 *foff);

/*
 * The kernel only: the reference symbol (_text or _stext) lay at @va when it was
 * recorded. First call wins; call it before looking anything up.
 */
void dso_kernel_reference(struct dso *dso, const char *symbol, u64 va);
/* The kernel only: an address of the recorded kernel -> vaddr. */
u64 dso_kernel_vaddr(struct dso *dso, u64 va);
u64 dso_kernel_va(struct dso *dso, u64 vaddr);

/*
 * The symbol at @vaddr, or NULL. Functions, objects and labels, from .symtab, else the
 * debug file's, else .dynsym with .gnu_debugdata; and one per PLT stub. Of several that
 * start at one address there is one: sized before not (of those without a size the last
 * counts as sized), strong before weak, global before local, then the one with fewer leading
 * underscores, then the longer name (the order of upstream perf).
 */
const struct symbol *dso_find_symbol(struct dso *dso, u64 vaddr);

/* The @nth of the others that start at @vaddr; NULL: there are no more. */
const struct symbol *dso_alias(struct dso *dso, u64 vaddr, u32 nth);

/* By name in the file (not demangled), or NULL. The first call builds an index. */
const struct symbol *dso_symbol_named(struct dso *dso, const char *raw);

u32 dso_nr_symbols(struct dso *dso);
const struct symbol *dso_symbol(struct dso *dso, u32 id);

/*
 * The name to print, demangled as the options say; lives as long as the dso. The
 * demangled text is made at the first call for a symbol and kept.
 */
const char *dso_symbol_name(struct dso *dso, const struct symbol *symbol);

/* "S::run" of S::run(int): what a person may write for @symbol. To free; NULL: not mangled. */
char *dso_symbol_bare_name(const struct symbol *symbol);

/*
 * Where the symbols came from, as upstream's letter: 'd' the file under its own name, 'B' the
 * build-id cache, 'D' a debug file there or from debuginfod, 'b' one below debug_dir by its
 * build-id, 'u' one there by its path, 'l' one by .gnu_debuglink, 'n' .gnu_debugdata, 'v' vmlinux,
 * 'k' kallsyms, 'K' a module's file, 'm' a compressed one, 'j' a JIT's map, '!' nowhere.
 */
char dso_symbols_origin(struct dso *dso);

/* A DSO_BPF's, or another dso's extra symbol, stated by a record. */
void dso_add_symbol(struct dso *dso, u64 start, u64 size, const char *name);

/*
 * The bytes of the file from @vaddr to the end of its segment's contents: a pointer that
 * lives as long as the dso, and in @left how many there are. NULL: not in the file.
 */
const u8 *dso_code(struct dso *dso, u64 vaddr, size_t *left);

/*
 * In the code of a kernel module addresses from @low on, below @high, stand for symbols of
 * others, dso_find_symbol() has the names. False: there are none.
 */
bool dso_externals(struct dso *dso, u64 *low, u64 *high);

/* The file with the code, or NULL. Owned by the dso. */
Elf *dso_elf(struct dso *dso);

/*
 * The debug information, with the file of a dwz alternate link set, or NULL.
 * vaddr + *@bias = the address in the Dwarf. A kernel module's has its relocations done.
 */
Dwarf *dso_dwarf(struct dso *dso, Dwarf_Addr *bias);

/* The .dwp file beside the debug file or the code, where split units may be; NULL: none. */
Elf *dso_dwarf_package(struct dso *dso);

/* Call-frame information of .eh_frame and .debug_frame, or NULL; vaddr + *@bias again. */
Dwarf_CFI *dso_eh_cfi(struct dso *dso, Dwarf_Addr *bias);
Dwarf_CFI *dso_dwarf_cfi(struct dso *dso, Dwarf_Addr *bias);

/* Why there are no symbols, no debug information, no bytes; .why DSO_PRESENT if there are. */
struct dso_absence dso_no_symbols(struct dso *dso);
struct dso_absence dso_no_debug_info(struct dso *dso);
struct dso_absence dso_no_code(struct dso *dso);

/* For libelf's and libdw's objects; may be taken again by the thread that holds it. */
void dso_lock(struct dso *dso);
void dso_unlock(struct dso *dso);
/* The lock itself, for who calls libdw and does not know dsos. Recursive; lives as long as the dso. */
pthread_mutex_t *dso_mutex(struct dso *dso);

#endif
