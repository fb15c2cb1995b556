/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of compiled code as DWARF 4: one unit, one sequence. */
#ifndef JIT_JIT_LINES_H
#define JIT_JIT_LINES_H

#include <glib.h>

#include "jit/jitdump.h"

/*
 * Appends the sections to @info (.debug_info), @abbrev and @line. @debug's addresses become vaddrs: the code lies at
 * @vaddr, and has @size bytes. False, with nothing appended, where it has no line in the code.
 */
bool jit_lines_write(const struct jitdump_record *debug, u64 code, u64 vaddr, u64 size,
		     GByteArray *info, GByteArray *abbrev, GByteArray *line);

#endif
