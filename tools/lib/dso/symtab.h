/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted table of symbols, with look-up by address and by name.
 *
 * Add the symbols with symtab_add(), then call symtab_finish(). After that the table is read-only and thread-safe.
 */
#ifndef DSO_SYMTAB_H
#define DSO_SYMTAB_H

#include "base/types.h"
#include "dso/dso.h"

struct symtab;

/* The end of a symbol without a size. */
enum symtab_fill {
	SYMTAB_FILL_NEXT,     /* to the next symbol, the last to the end of its page and one more */
	SYMTAB_FILL_KALLSYMS, /* the same, but a gap of more than 16 MiB belongs to no symbol */
};

/* @demangle: show demangled names. The choice between symbols at one address then compares the shown names. */
struct symtab *symtab_new(bool demangle);
void symtab_free(struct symtab *t);

/* @name must live as long as the table, or be given by symtab_keep(). */
void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, u8 type, u8 binding);
/* Gives the table ownership of memory (g_malloc) that names point into. */
void symtab_keep(struct symtab *t, void *memory);
/* A copy of @text that lives as long as the table. */
const char *symtab_text(struct symtab *t, const char *text);

/* Sorts the symbols, keeps one per address, fills in sizes, and adds @shift to all addresses. */
void symtab_finish(struct symtab *t, enum symtab_fill fill, u64 shift);

/* The functions below are for finished tables. */
u32 symtab_count(const struct symtab *t);
const struct symbol *symtab_at(const struct symtab *t, u32 id);
const struct symbol *symtab_find(const struct symtab *t, u64 vaddr);
/* The same, quick if it is @near, a symbol that contains an address nearby; NULL: none is known. */
const struct symbol *symtab_find_near(const struct symtab *t, u64 vaddr, const struct symbol *near);
/* The @nth symbol at @start that was removed because another one there was preferred; NULL: there are no more. */
const struct symbol *symtab_alias(const struct symtab *t, u64 start, u32 nth);
/* Also finds symbols that were removed because another one at their address was preferred. */
const struct symbol *symtab_named(struct symtab *t, const char *raw);
/* The name, escaped for the terminal (base/text.h). It is cached. */
const char *symtab_name(struct symtab *t, const struct symbol *symbol);

#endif
