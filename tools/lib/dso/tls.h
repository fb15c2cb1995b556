/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does an ELF file say about a thread-local variable: how far from the thread pointer is
 * it, or where does the running process keep that distance?
 *
 * The thread-local storage of a program that has been there from its start (the main program's
 * and its start-up libraries') lies below the thread pointer on x86-64 (variant II of the ELF
 * TLS ABI), at distances that are the same in all its threads. The main program's distance
 * follows from its PT_TLS; that of a library depends on what was loaded before it and has to be
 * read from the process, which is left to the caller (perf/record/tls/lookup.h).
 *
 * The file is not trusted: every number read from it is checked.
 */
#ifndef DSO_TLS_H
#define DSO_TLS_H

#include <glib.h>
#include <libelf.h>

#include "base/types.h"

/* PT_TLS: the template of each thread's block. */
struct tls_segment {
	u64 vaddr;
	u64 memsz;
	u64 align; /* a power of two, at least 1 */
};

/* A thread-local variable: its distance from the start of its object's block, and its size. */
struct tls_symbol {
	u64 value;
	u64 size;
};

/* What a GOT slot holds once the dynamic linker has relocated it. */
enum tls_slot_kind {
	TLS_SLOT_TPOFF,	  /* s64: the variable's offset from the thread pointer plus addend */
	TLS_SLOT_TLSDESC, /* a function, then s64: the same where the function is the static one,
			   * else the address of {u64 module, u64 offset in its block} */
	TLS_SLOT_MODULE,  /* u64: the number of the defining module */
};

struct tls_slot {
	enum tls_slot_kind kind;
	u64 vaddr;   /* as the ELF file states it */
	s64 addend;  /* what of the slot's offset is not the variable's own */
	bool paired; /* MODULE: the next word is the variable's offset in the module's block */
};

/* Whether the offsets that this header speaks of are known for the file's machine: x86-64. */
bool tls_supported(Elf *elf);

/*
 * Whether the file is a program for certain, of which a process can only have one, its main
 * program: by its type, or by the flag that linkers put into position-independent ones (binutils
 * since 2.26, LLD). Without either it may be a program all the same.
 */
bool tls_is_program(Elf *elf);

/* The file's PT_TLS; false where it has none, or one that makes no sense. */
bool tls_find_segment(Elf *elf, struct tls_segment *segment);

/*
 * The thread-local variable @name that the file defines, by .symtab or else .dynsym; false
 * where it defines none. A variable that would reach out of the segment counts as none.
 */
bool tls_find_symbol(Elf *elf, const char *name, struct tls_symbol *symbol);

/*
 * The offset from the thread pointer (negative) of the byte at @value in the block of the main
 * program. The block ends at the thread pointer but for what keeps it aligned:
 * memsz + ((-(vaddr + memsz)) & (align - 1)), as glibc, musl and the linkers agree.
 */
s64 tls_main_tpoff(const struct tls_segment *segment, u64 value);

/*
 * The GOT slots by which the file's own code finds @name: one struct tls_slot each, those whose
 * relocation names the symbol and, where the file defines it itself as @symbol (or NULL), those
 * that state only its place, or only the file's own module. Never NULL; free with
 * g_array_unref().
 */
GArray *tls_find_slots(Elf *elf, const char *name, const struct tls_symbol *symbol);

/* The object (not thread-local) @name that the file defines; false where it defines none. */
bool tls_find_object(Elf *elf, const char *name, u64 *vaddr);

/* The @size bytes of the file's image at @vaddr; false where it has none. */
bool tls_read_image(Elf *elf, u64 vaddr, void *to, size_t size);

/*
 * What glibc states for debuggers of its own structs, in constants _thread_db_NAME of libc.so.6
 * (before glibc 2.34: libpthread.so.0): where in struct link_map an object's distance below the
 * thread pointer is (a u64; 0: none yet, ~0: never one) and its module number, and how the
 * list of modules with their generations is walked (_rtld_global of the dynamic linker, then
 * chunks). Offsets and sizes in bytes.
 */
struct tls_libc {
	u32 tls_offset, tls_modid;		/* in link_map: u64 each */
	bool has_modules;			/* the rest is known */
	u32 rtld_list;				/* in _rtld_global: the first chunk's address */
	u32 list_len, list_next, list_slotinfo; /* in a chunk */
	u32 slotinfo_size, slotinfo_gen;	/* of an element, and in it: u64 */
};

/* False where @elf is no such library, or none whose numbers make sense. */
bool tls_find_libc(Elf *elf, struct tls_libc *libc);

#endif
