/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a thread-local variable of an ELF file: its distance from the thread pointer, or the place where the running
 * process keeps that distance.
 *
 * On x86-64 (variant II of the ELF TLS ABI), the TLS blocks of the main program and of the libraries loaded at its
 * start are below the thread pointer, at the same distances in all threads. The main program's distance follows from
 * its PT_TLS. That of a library depends on the libraries loaded before it, so it must be read from the process. The
 * caller does that (perf/record/tls/lookup.h).
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

/* The content of a GOT slot after the dynamic linker has relocated it. */
enum tls_slot_kind {
	TLS_SLOT_TPOFF,	  /* s64: the variable's offset from the thread pointer, plus addend */
	TLS_SLOT_TLSDESC, /* a function, then s64: the same where the function is the static one,
			   * else the address of {u64 module, u64 offset in its block} */
	TLS_SLOT_MODULE,  /* u64: the number of the defining module */
};

struct tls_slot {
	enum tls_slot_kind kind;
	u64 vaddr;   /* as the ELF file states it */
	s64 addend;  /* the slot's offset minus the variable's offset */
	bool paired; /* MODULE: the next word is the variable's offset in the module's block */
};

/* Is the file's machine supported? Only x86-64 is. */
bool tls_supported(Elf *elf);

/*
 * True: the file is certainly a program, so a process can have it only as its main program. The evidence is the ELF
 * type, or the flag that linkers set in position-independent programs (binutils since 2.26, LLD). False: it may still
 * be a program.
 */
bool tls_is_program(Elf *elf);

/* The file's PT_TLS. False: it has none, or an invalid one. */
bool tls_find_segment(Elf *elf, struct tls_segment *segment);

/*
 * Finds the definition of the thread-local variable @name in .symtab, else in .dynsym. False: there is none, or it
 * extends beyond the segment.
 */
bool tls_find_symbol(Elf *elf, const char *name, struct tls_symbol *symbol);

/*
 * The offset (negative) from the thread pointer of the byte at @value in the main program's block. The block ends at
 * the thread pointer, except for padding. So the block starts below the thread pointer by memsz + ((-(vaddr + memsz)) &
 * (align - 1)), as glibc, musl and the linkers agree.
 */
s64 tls_main_tpoff(const struct tls_segment *segment, u64 value);

/*
 * The GOT slots (struct tls_slot) that the file's own code uses for @name: those whose relocation names the symbol. If
 * the file defines the variable itself (@symbol; else NULL), also those whose relocation has only the variable's
 * offset, or only the file's module. Never NULL; free with g_array_unref().
 */
GArray *tls_find_slots(Elf *elf, const char *name, const struct tls_symbol *symbol);

/* Finds the definition of the object @name, which is not thread-local. False: there is none. */
bool tls_find_object(Elf *elf, const char *name, u64 *vaddr);

/* Reads @size bytes at @vaddr of the file's image. False: they are not in it. */
bool tls_read_image(Elf *elf, u64 vaddr, void *to, size_t size);

/*
 * The layout of glibc's own structs. glibc publishes it for debuggers, in the constants _thread_db_NAME of libc.so.6
 * (before glibc 2.34: libpthread.so.0). It has the offsets in struct link_map of an object's distance below the thread
 * pointer (a u64; 0: none yet, ~0: never one) and of its module number. It also has the offsets for a walk of the list
 * of modules with their generations (_rtld_global of the dynamic linker, then chunks). Offsets and sizes in bytes.
 */
struct tls_libc {
	u32 tls_offset, tls_modid;		/* in link_map: u64 each */
	bool has_modules;			/* the rest is known */
	u32 rtld_list;				/* in _rtld_global: the first chunk's address */
	u32 list_len, list_next, list_slotinfo; /* in a chunk */
	u32 slotinfo_size, slotinfo_gen;	/* of an element, and in it: u64 */
};

/* False: @elf is no such library, or its numbers are invalid. */
bool tls_find_libc(Elf *elf, struct tls_libc *libc);

#endif
