/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the kernel's symbols in the text of /proc/kallsyms.
 *
 * A line is "ADDRESS TYPE NAME[\t[MODULE]]" (Linux, kernel/kallsyms.c). Without permission (kernel.kptr_restrict,
 * CAP_SYSLOG), a reader sees zeros for all addresses. Such a file counts as absent.
 */
#ifndef DSO_KALLSYMS_H
#define DSO_KALLSYMS_H

#include "base/error.h"
#include "base/types.h"
#include "dso/symtab.h"

struct kallsym {
	u64 va;
	char type; /* as nm(1) prints it; lower case: local */
	const char *name;
	const char *module; /* without brackets; "" for the kernel itself */
};

/*
 * Calls @fn for each line of @text until @fn returns false. Changes @text: NULs separate the fields. Malformed lines
 * are skipped. Returns the number of lines.
 */
size_t kallsyms_each(char *text, size_t size, bool (*fn)(const struct kallsym *, void *),
		     void *arg);

/*
 * Reads the file @path. Free the text with g_free(). NULL with PERF_ERROR_SYSTEM: it cannot be read.
 * PERF_ERROR_PERMISSION: all its addresses are zero.
 */
char *kallsyms_read(const char *path, size_t *size, GError **error);

/*
 * Adds the kernel's own code and data symbols (types T W D B, as in upstream) to @t, which takes ownership of @text.
 * Returns the number of symbols.
 */
u32 kallsyms_add(struct symtab *t, char *text, size_t size);

/* Adds one symbol, if it is of those types. @k->name must live as long as @t. */
bool kallsyms_add_one(struct symtab *t, const struct kallsym *k);

/* The address of @name in the kernel itself (not in a module); 0: there is none. Does not change @text. */
u64 kallsyms_address(const char *text, size_t size, const char *name);

#endif
