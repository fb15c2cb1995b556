/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which source line, and which calls that the compiler inlined, are at this address?
 *
 * From DWARF's line table and its inlined_subroutine entries, by libdw. Units are found
 * through .debug_aranges or, where the compiler writes none (clang), through the units'
 * own ranges; both once per dso. Everything found is kept: asking again is a look-up.
 * May be called from several threads.
 */
#ifndef DSO_LINES_H
#define DSO_LINES_H

#include "base/types.h"
#include "dso/dso.h"

struct source_frame {
	const char *function; /* demangled as the dso's options say; NULL: not known */
	const char *file;     /* full path as compiled; NULL: not known */
	u32 line;	      /* 0: not known */
	bool inlined;	      /* into the next frame of the list */
};

/* File (full path) and line of the instruction at @vaddr; false: not known. */
bool dso_line(struct dso *dso, u64 vaddr, const char **file, u32 *line);

/*
 * The frames at @vaddr, innermost first: @vaddr's own line in the inlined function, then
 * the line of each call up to the function that stands in the symbol table. *@frames
 * lives as long as the dso. 0: no debug information for @vaddr.
 */
u32 dso_frames(struct dso *dso, u64 vaddr, const struct source_frame **frames);

#endif
