/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the functions of a file are described: a section, and a table of (address, description) in order of addresses. Only
 * files of this folder include this.
 */
#ifndef UNWIND_TABLES_H
#define UNWIND_TABLES_H

#include "dso/image.h"
#include "unwind/entries.h"
#include "unwind/sframe.h"

/* The rows of one FDE: rows[nr] starts relative to the FDE's address, then as many numbers of rules (0: none). */
struct fde_rows {
	u32 size; /* of the function */
	u32 nr;
	u32 starts[];
};

static inline const u16 *fde_rows_rules(const struct fde_rows *b)
{
	return (const u16 *)(b->starts + b->nr);
}

static inline size_t fde_rows_size(u32 nr)
{
	return sizeof(struct fde_rows) + nr * (sizeof(u32) + sizeof(u16));
}

/* One section and its table. */
struct table_of_fdes {
	struct frame_section section;
	struct sframe sframe; /* where the section is .sframe: FDEs are numbers of its entries */
	u64 base;	      /* addresses in @pairs are relative to it */
	u64 section_off;      /* section.vaddr - base: what FDEs in @pairs are relative to */
	const u8 *pairs;      /* of s32: address, FDE; in order of addresses */
	u32 nr;
	s32 *own_pairs;
	const struct fde_rows **slots; /* NULL: not asked yet */
	u64 budget;		       /* bytes of programs that may still be run */
};

/*
 * .eh_frame, found by its header or by its name; .sframe where there is none; .debug_frame. Nothing is opened where they are
 * not there, garbled, or of a relocatable file, whose addresses are not known before it is linked or loaded.
 */
void table_open_eh_frame(struct table_of_fdes *t, const struct image *image);
void table_open_sframe(struct table_of_fdes *t, const struct image *image);
void table_open_debug_frame(struct table_of_fdes *t, const struct image *image);

/* Its own memory; not the slots. */
void table_close(struct table_of_fdes *t);

static inline s32 table_half(const struct table_of_fdes *t, u32 i, u32 half)
{
	s32 v;

	__builtin_memcpy(&v, t->pairs + (size_t)i * 8 + half * 4, sizeof(v));
	return v;
}

/* The address of function @i. */
static inline u64 table_low(const struct table_of_fdes *t, u32 i)
{
	return t->base + (u64)(s64)table_half(t, i, 0);
}

/* Where its FDE is in the section, or its number in .sframe. */
static inline u64 table_fde(const struct table_of_fdes *t, u32 i)
{
	return (u64)(s64)table_half(t, i, 1) - t->section_off;
}

#endif
