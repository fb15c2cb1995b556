/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a kernel say of its own symbols in the text of /proc/kallsyms?
 *
 * Lines "ADDRESS TYPE NAME[\t[MODULE]]" (Linux, kernel/kallsyms.c). A reader without the
 * permission (kernel.kptr_restrict, CAP_SYSLOG) is shown zeros for all addresses, which
 * counts as absent here.
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
 * Calls @fn for each line of @text, which it cuts up in place (NULs), until @fn returns
 * false. Lines that are not of that form are passed over. Returns the lines seen.
 */
size_t kallsyms_each(char *text, size_t size, bool (*fn)(const struct kallsym *, void *),
		     void *arg);

/*
 * Reads @path whole. NULL with PERF_ERROR_SYSTEM where it cannot be read, and with
 * PERF_ERROR_PERMISSION where every address in it is zero. Free with g_free().
 */
char *kallsyms_read(const char *path, size_t *size, GError **error);

/*
 * Adds the kernel's own code and data symbols (types T W D B, as upstream takes them) to
 * @t, which takes over @text. Returns how many.
 */
u32 kallsyms_add(struct symtab *t, char *text, size_t size);

/* Adds one symbol, if it is of those types. @k->name must live as long as @t. */
bool kallsyms_add_one(struct symtab *t, const struct kallsym *k);

/* The address of @name in the kernel itself, 0 where there is none; does not cut @text. */
u64 kallsyms_address(const char *text, size_t size, const char *name);

#endif
