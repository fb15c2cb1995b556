/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates BTF to DWARF, so that readers of DWARF understand a kernel without a debug package.
 *
 * The result is an ELF file with one compilation unit: all types, the functions with their prototypes, and the per-CPU
 * variables. Guessed global variables are marked as DW_AT_artificial. BTF has no places of variables. So parameters have no DW_AT_location; a reader that sees the unit's
 * DW_AT_producer BTF_PRODUCER knows that each is where the ABI passes it when the function is entered. There are no
 * locals, no other globals, no inlined functions and no lines.
 */
#ifndef BTF_TO_DWARF_H
#define BTF_TO_DWARF_H

#include "btf/btf.h"

#define BTF_PRODUCER "BTF"

/* A symbol of a function. Of several at one address, the first with a prototype of its name is taken. */
struct btf_function {
	u64 start, end;
	const char *name; /* "vfs_read", "vfs_read.cold", "do_open.isra.0" */
};

/* The guessed type of a global variable: see globals.h. */
struct btf_global {
	u64 address;
	u32 type;
};

struct btf_code {
	const struct btf_function *functions; /* sorted by start */
	u32 nr;
	const struct btf_global *globals;
	u32 nr_globals;
	/* The address of the section .data..percpu, as the code refers to it: see btf_percpu_base(). */
	u64 percpu;
	bool has_percpu; /* false: not known, per-CPU variables are only declared */
};

/* The ELF file. Never NULL. */
GBytes *btf_to_dwarf(const struct btf *btf, const struct btf_code *code);

/* Some code of the kernel: @size bytes that run at @vaddr. */
struct btf_text {
	u64 vaddr;
	const u8 *bytes;
	size_t size;
};

/*
 * The address of the section .data..percpu. Kernels without CONFIG_KALLSYMS_ALL have no symbol there, but the code tells:
 * its %gs: operands are addresses in the section, at which the BTF has variables. False: there are too few of them.
 */
bool btf_percpu_base(const struct btf *btf, const struct btf_text *texts, u32 nr, u64 *base);

#endif
