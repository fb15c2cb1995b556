/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C library's functions and variables whose types its standard or its ABI fixes: what does a call of one return,
 * and what is in the variable? For programs whose debug information does not tell:
 *
 *	isspace(c)	call __ctype_b_loc@plt		returns unsigned short **	no unit declares it
 *	stderr		mov stderr@GOTPCREL(%rip),%rax	FILE *				no unit declares it
 *
 * Compilers describe what the program defines. gcc also describes the functions that are called and the variables that
 * are used; clang leaves out extern variables, and functions that have a reserved name or that it knows itself.
 *
 * Sources: Linux Standard Base 5.0, Core, chapter 13 ("Base libraries": __errno_location, __ctype_b_loc and the like);
 * ISO C 2011, 7.21 to 7.24; POSIX 2017 (environ, getopt). These names are reserved for the library.
 */
#ifndef DWARF_LIBRARY_H
#define DWARF_LIBRARY_H

#include "dwarf/protos.h"

/* Both are owned by @debug and live as long as it does. @name is without a version. NULL: the library has none. */
const struct proto *library_proto(struct debuginfo *debug, const char *name);
/* @name is a symbol of no variable that the debug information describes. */
const struct type *library_variable(struct debuginfo *debug, const char *name);

void library_free(struct debuginfo *debug);

#endif
