/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an object file holds at an address besides code: its sections' kinds, what the dynamic
 * linker will put into a slot, and the tables that switch statements jump through.
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
	IMAGE_RELOCATED, /* read-only once the dynamic linker is done: .data.rel.ro */
	IMAGE_GOT,
	IMAGE_PERCPU, /* the kernel's template of per-cpu data */
};

enum slot_kind {
	SLOT_ADDRESS,	 /* the address of @vaddr, or of what is @symbol elsewhere */
	SLOT_TPOFF,	 /* a thread-local's distance from the thread pointer */
	SLOT_TLS_MODULE, /* first half of what __tls_get_addr takes; the second: @vaddr */
	SLOT_TLSDESC,
};

/* What a relocation puts at @at. */
struct reloc_slot {
	u64 at;
	const char *symbol; /* NULL: nothing but @vaddr is known */
	u64 vaddr;	    /* of a thread-local: its offset in the block; else 0 if elsewhere */
	u8 kind;	    /* enum slot_kind */
	bool elsewhere;	    /* the symbol is another object's */
};

struct global {
	const struct type *type; /* NULL: no variable is known there */
	u64 start;
};

/* The code that something is asked for: what its unit says comes first. */
struct asker {
	u64 vaddr;
	u32 unit; /* debuginfo_unit() */
};

struct data_image;

struct data_image *data_image_new(struct dso *dso, struct debuginfo *debug, bool kernel);
void data_image_free(struct data_image *image);

enum data_image_kind data_image_kind(const struct data_image *image, u64 vaddr);

/* True where numbers in the code can be addresses: not position-independent. */
bool data_image_is_fixed(const struct data_image *image);

/* What is relocated at @vaddr, or NULL. */
const struct reloc_slot *data_image_slot(struct data_image *image, u64 vaddr);

/*
 * The places in [@low, @high) that data elsewhere points to, by relocation: labels of computed
 * gotos among others. Sorted u64; *@nr of them.
 */
const u64 *data_image_pointed(struct data_image *image, u64 low, u64 high, u32 *nr);

/*
 * Where the kernel's static branch at @vaddr goes once it is patched: the instruction is a nop
 * that becomes a jump, or the other way round. 0: there is none.
 */
u64 data_image_branch(const struct data_image *image, u64 vaddr);

/* The variable with static storage around @vaddr. Remembered. */
struct global data_image_global(struct data_image *image, u64 vaddr, const struct asker *asker);

/* The thread-local at @offset in this object's block. */
struct global data_image_thread_local(struct data_image *image, u64 offset, u64 from);

/* The offset in the TLS block that @fs plus @distance means; false: not in this object's. */
bool data_image_tls_offset(const struct data_image *image, s64 distance, u64 *offset);
/* %fs:0 as an offset in the block. */
s64 data_image_tls_base(const struct data_image *image);

/* The type that the code at @from declares for a symbol of another object, or NULL. */
const struct type *data_image_declared(struct data_image *image, const char *symbol, u64 from);
const struct type *data_image_declared_thread_local(struct data_image *image, const char *symbol,
						    u64 from);

#endif
