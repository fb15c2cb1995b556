/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes line numbers of JIT code as DWARF 4: one unit, one sequence. */
#ifndef JIT_JIT_LINES_H
#define JIT_JIT_LINES_H

#include <glib.h>

#include "jit/jitdump.h"

/*
 * Appends the sections to @info (.debug_info), @abbrev and @line. The code has @size bytes and is at address @code in
 * the process and at @vaddr in the file. Addresses of @debug are converted. False: @debug has no line in the code;
 * nothing is appended.
 */
bool jit_lines_write(const struct jitdump_record *debug, u64 code, u64 vaddr, u64 size,
		     GByteArray *info, GByteArray *abbrev, GByteArray *line);

#endif
