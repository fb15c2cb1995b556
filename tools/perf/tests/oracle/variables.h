/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variable lies at an address, by its own debug information: globals and statics,
 * thread-locals, and those of a function's frame at a point where all registers are known. By
 * libdw alone, nothing of tools/lib/dwarf.
 */
#ifndef ORACLE_VARIABLES_H
#define ORACLE_VARIABLES_H

#include <sys/user.h>

#include "base/types.h"

struct variables;

/* A variable that covers the address. */
struct covering {
	u64 type;     /* DIE offset of its type */
	s64 offset;   /* of the address in it */
	u64 size;     /* of a frame's variable */
	bool pointer; /* of a frame's variable: it is a pointer, of which nobody writes a part */
	bool ends;    /* of a frame's variable: it is elsewhere after the instruction, or nowhere */
};

/* One activation of a function, as it is now. */
struct frame {
	u64 cfa;		      /* stack pointer before the call */
	u64 pc;			      /* in the ELF file: the instruction that it is at */
	u64 next;		      /* the one behind it */
	struct user_regs_struct regs; /* before that instruction */
	u32 reached;		      /* the highest line of the function that has run by now */
};

/* Ends the program on failure. */
struct variables *variables_open(const char *path);
void variables_close(struct variables *variables);

/* Does a function with debug information cover @vaddr? And does one start there? */
bool variables_code(const struct variables *variables, u64 vaddr);
bool variables_entry(const struct variables *variables, u64 vaddr);
/* The line of @vaddr in the source of its function, for inlined code that of the call; 0: not known. */
u32 variables_line(struct variables *variables, u64 vaddr);
/* All entries; the number in @nr. */
const u64 *variables_entries(const struct variables *variables, u32 *nr);

/* The type that a pointer variable at @vaddr points to, as a DIE offset; 0: none. */
u64 variables_pointee(struct variables *variables, u64 vaddr);

bool variables_static(const struct variables *variables, u64 vaddr, struct covering *out);

/* @offset: from the start of the program's TLS block. */
bool variables_thread(const struct variables *variables, u64 offset, struct covering *out);

/*
 * Those that share a slot in one scope are all told, at most @max; their number. @mem: file
 * descriptor of the program's memory.
 */
u32 variables_frame(struct variables *variables, const struct frame *frame, int mem, u64 bias,
		    u64 address, struct covering *out, u32 max);

#endif
