/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the FDE of a function: a section, and a sorted table of (address, FDE). Only files of this folder include this.
 */
#ifndef UNWIND_TABLES_H
#define UNWIND_TABLES_H

#include "dso/frame_entries.h"
#include "dso/image.h"
#include "unwind/sframe.h"

/* The rows of one FDE: starts[nr], relative to the FDE's address, then rules[nr], numbers of rules (0: none). */
struct fde_rows {
	u32 size; /* of the function, in bytes */
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
	/* if the section is .sframe; then an FDE is the number of its entry */
	struct sframe sframe;
	u64 base;	 /* addresses in @pairs are relative to it */
	u64 section_off; /* section.vaddr - base: the FDEs in @pairs are relative to it */
	const u8 *pairs; /* pairs of s32: address, FDE; sorted by address */
	u32 nr;
	s32 *own_pairs;
	const struct fde_rows **slots; /* by FDE; NULL: not asked for yet */
	u64 budget;		       /* limit: bytes of programs that may still be run */
};

/*
 * Open a table: .eh_frame, found by its header or by its name; .sframe, used if there is no .eh_frame; .debug_frame.
 * The table stays empty if the section is absent or malformed, or if the file is relocatable: its addresses are not
 * known before it is linked or loaded.
 */
void table_open_eh_frame(struct table_of_fdes *t, const struct image *image);
void table_open_sframe(struct table_of_fdes *t, const struct image *image);
void table_open_debug_frame(struct table_of_fdes *t, const struct image *image);

/* Frees the table's own memory, but not the slots. */
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

/* The offset of function @i's FDE in the section; .sframe: the FDE's number. */
static inline u64 table_fde(const struct table_of_fdes *t, u32 i)
{
	return (u64)(s64)table_half(t, i, 1) - t->section_off;
}

#endif
