/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One object file: symbols, code bytes and debug information by address.
 *
 * Addresses are vaddr: as in the ELF file, before the load bias is added. foff is an offset in the file. A vaddr of the
 * kernel is an address of the kernel as linked, or, with kallsyms, an address in kallsyms (dso_kernel_vaddr()). A vaddr
 * of a kernel module is an offset from the address at which its .text was loaded. For DSO_JIT and DSO_BPF, vaddr is the
 * address in memory.
 *
 * The file is searched at the first question that needs it. Its build-id must be the recorded one. Search order for
 * code: the build-id cache, files that are held open (open_files.h), the path (below symfs), the path or the mapping in a
 * process that has mapped the file and still runs, debuginfod. For debug information: the file itself, the build-id cache,
 * debug_dir/.build-id, .gnu_debuglink with its CRC, and debuginfod if the user allows it (dso/debuginfod.h). Absence is a value with a
 * reason, never an error.
 *
 * Threads: any thread may call any function here and in dso/lines.h at any time, and gets the same answer as every other
 * thread. Exceptions: dso_kernel_reference() comes before all questions, and dso_add_symbol() changes the later answers.
 * What is returned does not change any more, so it is read without a lock. But the objects of libelf and libdw (from
 * dso_elf(), dso_dwarf(), dso_dwarf_package(), dso_eh_cfi(), dso_dwarf_cfi() and struct image) change while they are
 * read: hold dso_lock() during each call of libelf or libdw with them.
 */
#ifndef DSO_DSO_H
#define DSO_DSO_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <pthread.h>
#include <string.h>

#include "base/types.h"
#include "dso/dsos.h"
#include "dso/package.h"

/* A symbol of a dso; lives as long as its dso. */
struct symbol {
	u64 start; /* vaddr */
	u64 end;   /* one past the last byte; a symbol without a size extends to the next symbol */
	const char *raw; /* the name in the file, mangled; "puts@plt" for a PLT stub */
	u32 id;		 /* index in the dso's table, which is sorted by address */
	u8 type;	 /* STT_FUNC, STT_OBJECT, ... */
	u8 binding;	 /* STB_GLOBAL, STB_WEAK, STB_LOCAL */
};

/* A function of a stripped file, of which only the bounds are known: "func@0x15a90". */
#define SYMBOL_UNNAMED "func@"

static inline bool symbol_is_unnamed(const struct symbol *symbol)
{
	return symbol->binding == STB_LOCAL &&
	       !strncmp(symbol->raw, SYMBOL_UNNAMED, sizeof(SYMBOL_UNNAMED) - 1);
}

enum dso_absent {
	DSO_PRESENT,
	DSO_NO_FILE,	   /* not found */
	DSO_OTHER_FILE,	   /* found, but it has another build-id */
	DSO_NO_BUILD_ID,   /* a build-id was recorded, but the file has none */
	DSO_UNREADABLE,	   /* no permission, I/O error */
	DSO_BAD_FILE,	   /* no ELF file, or malformed */
	DSO_NO_SYMBOLS,	   /* stripped, and no debug file found */
	DSO_NO_DEBUG_INFO, /* no DWARF, neither in the file nor in a separate file */
	DSO_RESTRICTED,	   /* kallsyms has only zeros: kernel.kptr_restrict */
	DSO_NOT_A_FILE,	   /* memory without a file */
};

/* The reason why something is absent: one line with the file, its build-id and advice for the user. */
struct dso_absence {
	enum dso_absent why;
	const char *text; /* "" if present; lives as long as the dso */
};

u32 dso_id(const struct dso *dso);
enum dso_kind dso_kind(const struct dso *dso);

/*
 * States that process @pid has mapped the file, and the file's inode there (0: not known). While the process runs, the
 * file can be opened as the process sees it: in its container, or after its name was removed.
 */
void dso_mapped_by(struct dso *dso, u32 pid, u64 ino);

/* As recorded: "/usr/lib/x86_64-linux-gnu/libc.so.6", "[kernel.kallsyms]". */
const char *dso_long_name(const struct dso *dso);
/* As reports show it: "libc.so.6", "[ext4]", "[JIT] tid 123". */
const char *dso_short_name(const struct dso *dso);

/* The recorded build-id, or the one in the header; if there is neither, that of the opened file. */
struct build_id dso_build_id(struct dso *dso);
/* The recorded build-id, or the one in the header. Opens no file. It may be told later: dsos_know_build_id(). */
struct build_id dso_recorded_build_id(const struct dso *dso);
/* By which the build-id cache and packs have the file: that, or its recorded build_id_of_contents() if it has no build-id. */
struct build_id dso_identity(const struct dso *dso);

/* The path of the file with the code; NULL: there is none. Lives as long as the dso. */
const char *dso_file(struct dso *dso);
/* The path of the file that gave the debug information, or NULL. */
const char *dso_debug_file(struct dso *dso);
/*
 * The path of the alternate file of the debug information (dwz), and its build-id. NULL: there is none. Lives as long as the
 * dso.
 */
const char *dso_alt_file(struct dso *dso, struct build_id *id);

/*
 * The opened files, or NULL. Both may be the same file. Hold dso_lock() while reading sections (image_section()). Owned
 * by the dso.
 */
struct image *dso_code_image(struct dso *dso);
struct image *dso_debug_image(struct dso *dso);

/* e_machine of the file (EM_X86_64, ...); EM_NONE: there is no file. */
u16 dso_machine(struct dso *dso);

/*
 * Convert between file offset and vaddr by the PT_LOAD segments. False: there is no file, or no segment contains the
 * offset. For DSO_JIT and DSO_BPF, foff and vaddr are equal.
 */
bool dso_foff_to_vaddr(struct dso *dso, u64 foff, u64 *vaddr);
/*
 * The same for the offset at which a mapping of code starts: that page of the file may also be another segment's, with another vaddr. All
 * segments of a file are mapped at one distance from their vaddrs, so this tells the vaddr of data as well.
 */
bool dso_code_start(struct dso *dso, u64 foff, u64 *vaddr);
bool dso_vaddr_to_foff(struct dso *dso, u64 vaddr, u64 *foff);

/*
 * Kernel only. States the recorded address @va of the reference symbol (_text or _stext). Only the first call counts.
 * Call it before any look-up.
 */
void dso_kernel_reference(struct dso *dso, const char *symbol, u64 va);
/* Kernel only: converts an address of the recorded kernel to vaddr. */
u64 dso_kernel_vaddr(struct dso *dso, u64 va);

/*
 * The symbol that contains @vaddr, or NULL. The table has functions, objects and labels from .symtab, else from the
 * debug file's .symtab, else from .dynsym and .gnu_debugdata. It also has a symbol for each PLT stub. If several
 * symbols start at one address, only one is in the table. The order of preference is upstream's: a symbol with a size
 * (of those without one, the last counts as sized), strong before weak, global before local, fewer leading underscores,
 * the longer name.
 */
const struct symbol *dso_find_symbol(struct dso *dso, u64 vaddr);

/* The same, quick if it is @near, the symbol of an address nearby; NULL: none is known. */
const struct symbol *dso_find_symbol_near(struct dso *dso, u64 vaddr, const struct symbol *near);

/* The @nth other symbol that starts at @vaddr; NULL: there are no more. */
const struct symbol *dso_alias(struct dso *dso, u64 vaddr, u32 nth);

/* Finds a symbol by its name in the file (mangled); NULL: none. The first call builds an index. */
const struct symbol *dso_symbol_named(struct dso *dso, const char *raw);

u32 dso_nr_symbols(struct dso *dso);
const struct symbol *dso_symbol(struct dso *dso, u32 id);

/*
 * The name to print, demangled if the options say so. Lives as long as the dso. The first call for a symbol demangles
 * it; later calls return the cached text.
 */
const char *dso_symbol_name(struct dso *dso, const struct symbol *symbol);

/* The name without parameters: "S::run" for S::run(int). The caller frees it. NULL: @symbol is not mangled. */
char *dso_symbol_bare_name(const struct symbol *symbol);

/*
 * The source of the symbols, as upstream's letter: 'd' the file under its own name, 'B' the
 * build-id cache, 'D' a debug file there or from debuginfod, 'b' one below debug_dir by its
 * build-id, 'u' one there by its path, 'l' one by .gnu_debuglink, 'n' .gnu_debugdata, 'v' vmlinux,
 * 'k' kallsyms, 'K' a module's file, 'm' a compressed one, 'j' a JIT's map, '!' nowhere.
 */
char dso_symbols_origin(struct dso *dso);

/* Adds a symbol of a DSO_BPF that a record states. Ignored for other dsos: their files have their symbols. */
void dso_add_symbol(struct dso *dso, u64 start, u64 size, const char *name);

/*
 * Kernel only. Adds code that a recording has of it: @size bytes that ran at the recorded address @va. Copies @bytes.
 * Call it before any look-up. Used if no vmlinux is found. Then recorded addresses are also vaddr.
 */
void dso_add_text(struct dso *dso, u64 va, const u8 *bytes, size_t size);

/*
 * The bytes of the file at @vaddr; they live as long as the dso. out: @left, the number of bytes up to the end of the
 * segment's contents. NULL: @vaddr is not in the file.
 */
const u8 *dso_code(struct dso *dso, u64 vaddr, size_t *left);

/*
 * The same for a listing: @decoder decodes the file's machine from now on. NULL also if there is no @decoder, no byte, or
 * the machine's code cannot be decoded.
 */
struct insn_decoder;
const u8 *dso_listed_code(struct dso *dso, struct insn_decoder *decoder, u64 vaddr, size_t *left);

/*
 * In the relocated code of a kernel module, each undefined symbol has a made-up address in [*@low, *@high).
 * dso_find_symbol() returns its name. False: there are none.
 */
bool dso_externals(struct dso *dso, u64 *low, u64 *high);

/* The file with the code, or NULL. Owned by the dso. */
Elf *dso_elf(struct dso *dso);

/*
 * The debug information, or NULL. The alternate file of dwz is set. vaddr + *@bias is the address in the Dwarf. That of
 * a kernel module is relocated.
 */
Dwarf *dso_dwarf(struct dso *dso, Dwarf_Addr *bias);

/* The .dwp file (split units) in the folder of the debug file or of the code; NULL: none. */
Elf *dso_dwarf_package(struct dso *dso);

/* Call-frame information of .eh_frame and .debug_frame, or NULL; vaddr + *@bias again. */
Dwarf_CFI *dso_eh_cfi(struct dso *dso, Dwarf_Addr *bias);
Dwarf_CFI *dso_dwarf_cfi(struct dso *dso, Dwarf_Addr *bias);

/*
 * Does dso_dwarf() return a translation of the kernel's BTF (btf/to_dwarf.h), because there is no debug information? Then
 * there are types and prototypes, but no locals, no globals and no lines.
 */
bool dso_is_by_btf(struct dso *dso);

/*
 * The text of the list of functions from which symbols of a DSO_JIT are read, of @size bytes. The caller frees it. NULL: there is
 * none, or its owner is not trusted.
 */
char *dso_jit_map(const struct dso *dso, size_t *size);

/* Why there are no symbols, no debug information, no bytes; .why DSO_PRESENT if there are. */
struct dso_absence dso_no_symbols(struct dso *dso);
struct dso_absence dso_no_debug_info(struct dso *dso);
struct dso_absence dso_no_code(struct dso *dso);
/*
 * The package that has the debug information of a user's file, as package.h says; below symfs, that of the lists there. False: not known,
 * or the file with the recorded name has another build-id, or is not here. Slow: some 20 ms.
 */
bool dso_debug_package(struct dso *dso, struct debug_package *found);

/* Locks the objects of libelf and libdw. Recursive. */
void dso_lock(struct dso *dso);
void dso_unlock(struct dso *dso);
/* The mutex, for code that calls libdw but does not know dsos. Recursive; lives as long as the dso. */
pthread_mutex_t *dso_mutex(struct dso *dso);

#endif
