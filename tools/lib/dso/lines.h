/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines and inlined calls by address.
 *
 * They come from DWARF's line table and its inlined_subroutine entries, read by libdw. Units are found by
 * .debug_aranges, or by the units' own ranges if the compiler does not write it (clang). Results are cached.
 *
 * Threads: any thread may call any function here at any time.
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
 * The frames at @vaddr, innermost first: first the line of @vaddr in the innermost inlined function, then the line of
 * each call, up to the function in the symbol table. *@frames lives as long as the dso. Returns the number of frames;
 * 0: there is no debug information for @vaddr.
 */
u32 dso_frames(struct dso *dso, u64 vaddr, const struct source_frame **frames);

/*
 * The same frames for callers that read only function and inlined: the unit's lines may not have been read. Do not copy
 * a whole struct: another thread's dso_frames() may be writing its file and line.
 */
u32 dso_functions(struct dso *dso, u64 vaddr, const struct source_frame **frames);

#endif
