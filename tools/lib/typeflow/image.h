/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an object file holds at an address besides code: its sections' kinds, what the dynamic
 * linker will put into a slot, and the tables that switch statements jump through.
 */
#ifndef TYPEFLOW_IMAGE_H
#define TYPEFLOW_IMAGE_H

#include "dso/dso.h"
#include "dso/tls.h"
#include "dwarf/debuginfo.h"

enum image_kind {
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
struct slot {
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

struct image;

struct image *image_new(struct dso *dso, struct debuginfo *debug, bool kernel);
void image_free(struct image *image);

enum image_kind image_kind(const struct image *image, u64 vaddr);

/* True where numbers in the code can be addresses: not position-independent. */
bool image_is_fixed(const struct image *image);

/* What is relocated at @vaddr, or NULL. */
const struct slot *image_slot(struct image *image, u64 vaddr);

/*
 * The places in [@low, @high) that data elsewhere points to, by relocation: labels of computed
 * gotos among others. Sorted u64; *@nr of them.
 */
const u64 *image_pointed(struct image *image, u64 low, u64 high, u32 *nr);

/*
 * Where the kernel's static branch at @vaddr goes once it is patched: the instruction is a nop
 * that becomes a jump, or the other way round. 0: there is none.
 */
u64 image_branch(const struct image *image, u64 vaddr);

/* The variable with static storage around @vaddr. Remembered. */
struct global image_global(struct image *image, u64 vaddr, const struct asker *asker);

/* The thread-local at @offset in this object's block. */
struct global image_thread_local(struct image *image, u64 offset, u64 from);

/* The offset in the TLS block that @fs plus @distance means; false: not in this object's. */
bool image_tls_offset(const struct image *image, s64 distance, u64 *offset);
/* %fs:0 as an offset in the block. */
s64 image_tls_base(const struct image *image);

/* The type that the code at @from declares for a symbol of another object, or NULL. */
const struct type *image_declared(struct image *image, const char *symbol, u64 from);
const struct type *image_declared_thread_local(struct image *image, const char *symbol, u64 from);

#endif
