/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does an ELF file say about a thread-local variable: how far from the thread pointer is
 * it, or where does the running process keep that distance?
 *
 * The thread-local storage of a program that has been there from its start (the main program's
 * and its start-up libraries') lies below the thread pointer on x86-64 (variant II of the ELF
 * TLS ABI), at distances that are the same in all its threads. The main program's distance
 * follows from its PT_TLS; that of a library depends on what was loaded before it and has to be
 * read from the process, which is left to the caller (perf/record/tls_lookup.h).
 *
 * Nothing here is an assertion about the file: every number is checked, and what a file does
 * not have is absent.
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
	TLS_SLOT_TLSDESC, /* a function, then s64: the same where the function is the static one */
};

struct tls_slot {
	enum tls_slot_kind kind;
	u64 vaddr;  /* as the ELF file states it */
	s64 addend; /* what of the slot's offset is not the variable's own */
};

/* Whether the offsets that this header speaks of are known for the file's machine: x86-64. */
bool tls_supported(Elf *elf);

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
 * that state only its place. Slots that hold a module's number are left out. Never NULL; free
 * with g_array_unref().
 */
GArray *tls_find_slots(Elf *elf, const char *name, const struct tls_symbol *symbol);

/*
 * Where in glibc's struct link_map the distance of an object's block below the thread pointer
 * is (a u64; 0: none yet, ~0: never one). glibc states it for debuggers in the constant
 * _thread_db_link_map_l_tls_offset, three u32: bits, elements, byte offset. @elf is libc.so.6
 * (or, before glibc 2.34, libpthread.so.0); false where it states nothing.
 */
bool tls_link_map_field(Elf *elf, u32 *offset);

#endif
