/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of an object file: the kind of memory at an address, the value that the dynamic linker writes into a slot,
 * and the variable at an address.
 */
#ifndef TYPEFLOW_DATA_IMAGE_H
#define TYPEFLOW_DATA_IMAGE_H

#include "dso/dso.h"
#include "dso/tls.h"
#include "dwarf/debuginfo.h"

enum data_image_kind {
	IMAGE_NOTHING,
	IMAGE_CODE,
	IMAGE_DATA,
	IMAGE_CONSTANT,	 /* read-only */
	IMAGE_RELOCATED, /* read-only after the dynamic linker has finished: .data.rel.ro */
	IMAGE_GOT,
	IMAGE_PERCPU, /* the kernel's template of per-cpu data */
};

enum slot_kind {
	SLOT_ADDRESS,	 /* the address @vaddr, or that of @symbol in another object */
	SLOT_TPOFF,	 /* the distance of a thread-local variable from the thread pointer */
	SLOT_TLS_MODULE, /* first half of the argument of __tls_get_addr; the second half: @vaddr */
	SLOT_TLSDESC,
};

/* The effect of a relocation at @at. */
struct reloc_slot {
	u64 at;
	const char *symbol; /* NULL: only @vaddr is known */
	u64 vaddr; /* of a thread-local: offset in the block; else an address, 0 if elsewhere */
	u8 kind;   /* enum slot_kind */
	bool elsewhere; /* another object defines the symbol */
};

struct global {
	const struct type *type; /* NULL: no variable is known there */
	u64 start;
	bool guessed; /* not of the debug information: by the code or the variable's name */
};

/* The code that asks. Declarations of its own unit come first. */
struct asker {
	u64 vaddr;
	u32 unit; /* debuginfo_unit() */
};

struct data_image;

struct data_image *data_image_new(struct dso *dso, struct debuginfo *debug, bool kernel);
void data_image_free(struct data_image *image);

enum data_image_kind data_image_kind(const struct data_image *image, u64 vaddr);

/* The @nth section with code, by address: [*@low, *@high). False: there are no more. */
bool data_image_code(const struct data_image *image, u32 nth, u64 *low, u64 *high);

/* True if numbers in the code can be addresses: the code is not position-independent. */
bool data_image_is_fixed(const struct data_image *image);

/* The relocation at @vaddr, or NULL. */
const struct reloc_slot *data_image_slot(struct data_image *image, u64 vaddr);

/*
 * The addresses in [@low, @high) to which relocated data points, for example labels of computed gotos. Sorted; *@nr
 * of them.
 */
const u64 *data_image_pointed(struct data_image *image, u64 low, u64 high, u32 *nr);

/*
 * The other target of the kernel's static branch at @vaddr. The kernel patches the instruction from a nop to a jump,
 * or back. 0: there is no static branch.
 */
u64 data_image_branch(const struct data_image *image, u64 vaddr);

/* The variable with static storage at @vaddr. Results are cached. */
struct global data_image_global(struct data_image *image, u64 vaddr, const struct asker *asker);

/* The thread-local variable at @offset in this object's block. */
struct global data_image_thread_local(struct data_image *image, u64 offset, u64 from);

/* %fs:0 as an offset in this object's TLS block. */
s64 data_image_tls_base(const struct data_image *image);

/* The declared type, by the code at @from, of a symbol that another object defines, or NULL. */
const struct type *data_image_declared(struct data_image *image, const char *symbol, u64 from);
const struct type *data_image_declared_thread_local(struct data_image *image, const char *symbol,
						    u64 from);

#endif
