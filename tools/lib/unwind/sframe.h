/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .sframe: for each range of a function's addresses where the CFA is and where the caller's frame pointer was saved
 * (The SFrame Format, versions 1 and 2: https://sourceware.org/binutils/docs-2.44/sframe-spec.html, version 3:
 * https://sourceware.org/binutils/docs-2.46/sframe-spec.html). x86-64 only. Only files of this folder include this.
 *
 * An example, of a function that pushes rbp and makes it the frame pointer:
 *
 *	start  base  offsets	CFA	rbp
 *	0      rsp   8		rsp+8	unchanged
 *	1      rsp   16 -16	rsp+16	at CFA-16
 *	4      rbp   16 -16	rbp+16	at CFA-16
 *
 * The return address is at the same distance from the CFA in all of the file, which the header states: at CFA-8.
 *
 * In version 3 a function can be a flexible one. Its rows say each of CFA, return address and rbp by two numbers: control (bit 0: based on
 * register control >> 3, else on the CFA; bit 1: in memory there) and offset; or by one 0: as in all of the file. After a
 * stack was realigned, with its former address kept at rbp-8:
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
	bool from_field; /* addresses of functions are relative to the field, not to the section */
	s32 ra, fp;	 /* offsets from the CFA that all rows have; fp 0: rows say it */
	u32 nr_fdes;
	size_t fdes, fres; /* offsets of both parts in the section */
};

struct sframe_fde {
	u64 low;
	u32 size;
	u32 nr_rows;
	size_t rows;   /* offset in the section */
	u8 start_size; /* bytes of a row's start: 1, 2, 4 */
	bool flexible; /* rows have control and offset */
	bool signal;   /* its frame is a signal's */
	u32 repeated; /* rows are for each block of so many bytes, as in a PLT; 0: for the function */
};

/* False: garbled, of another processor, or of a version that is not known here. */
bool sframe_open(struct sframe *s, const u8 *bytes, size_t size, u64 vaddr);

/* Entry @i of nr_fdes. False: garbled. */
bool sframe_fde_read(const struct sframe *s, u32 i, struct sframe_fde *fde);

/* Says the rows of a function in order, as program_run() does. False: they take more than *@budget rows, which is lowered. */
bool sframe_rows(const struct sframe *s, const struct sframe_fde *fde, u64 *budget, program_row row,
		 void *arg);

#endif
