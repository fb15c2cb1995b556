/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .sframe: for each range of a function's addresses, the position of the CFA and of the caller's saved frame pointer.
 * Specifications: The SFrame Format, versions 1 and 2: https://sourceware.org/binutils/docs-2.44/sframe-spec.html,
 * version 3: https://sourceware.org/binutils/docs-2.46/sframe-spec.html. x86-64 only. Only files of this folder include
 * this.
 *
 * Example: a function that pushes rbp and makes it the frame pointer:
 *
 *	start  base  offsets	CFA	rbp
 *	0      rsp   8		rsp+8	unchanged
 *	1      rsp   16 -16	rsp+16	at CFA-16
 *	4      rbp   16 -16	rbp+16	at CFA-16
 *
 * The return address has the same distance from the CFA in the whole file. The header states it: CFA-8.
 *
 * In version 3 a function can be flexible. A row of such a function states the CFA, return address and rbp, each by two
 * numbers: control and offset. Control bit 0: the base is register control >> 3, else the CFA. Control bit 1: the value
 * is in memory there. A single 0 instead means: as in the whole file. Example: the stack was realigned, and its former
 * address was saved at rbp-8:
 *
 *	start  CFA	return address	rbp	CFA		rbp
 *	5      0x33 -8	0		0x33 0	in memory at rbp-8	in memory at rbp
 */
#ifndef UNWIND_SFRAME_H
#define UNWIND_SFRAME_H

#include <stddef.h>

#include "base/types.h"
#include "unwind/program.h"

struct sframe {
	const u8 *bytes; /* the section; NULL: there is none */
	size_t size;
	u64 vaddr;
	u8 version;
	bool from_field; /* functions' addresses are relative to the field, not to the section */
	s32 ra, fp;	 /* offsets from the CFA that all rows share; fp 0: each row states it */
	u32 nr_fdes;
	size_t fdes, fres; /* offsets of the FDEs and of the rows in the section */
};

struct sframe_fde {
	u64 low;
	u32 size;
	u32 nr_rows;
	size_t rows;   /* offset in the section */
	u8 start_size; /* size of a row's start in bytes: 1, 2, 4 */
	bool flexible; /* rows have control and offset */
	bool signal;   /* a signal frame */
	/* size of the blocks that all have these rows, as in a PLT; 0: the rows are for the whole function */
	u32 repeated;
};

/* False: malformed, for another processor, or of an unknown version. */
bool sframe_open(struct sframe *s, const u8 *bytes, size_t size, u64 vaddr);

/* Entry @i of nr_fdes. False: malformed. */
bool sframe_fde_read(const struct sframe *s, u32 i, struct sframe_fde *fde);

/*
 * Reports the rows of a function in order, as program_run() does. Takes their number from *@budget. False: *@budget is
 * too small.
 */
bool sframe_rows(const struct sframe *s, const struct sframe_fde *fde, u64 *budget, program_row row,
		 void *arg);

#endif
