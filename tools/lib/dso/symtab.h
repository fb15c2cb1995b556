/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted table of symbols: which one is at this address, which one has this name?
 *
 * Filled once (symtab_add()), then finished, then only read, from any number of threads.
 * Where the symbols come from is up to those who fill it.
 */
#ifndef DSO_SYMTAB_H
#define DSO_SYMTAB_H

#include "base/types.h"
#include "dso/dso.h"

struct symtab;

/* How sizes that nobody stated are filled up. */
enum symtab_fill {
	SYMTAB_FILL_NEXT,     /* to the next symbol, the last to the end of its page and one more */
	SYMTAB_FILL_KALLSYMS, /* the same, but a gap of more than 16 MiB is no symbol's */
};

/* @demangle: mangled names are shown demangled, and of symbols at one address the shown names decide which stays. */
struct symtab *symtab_new(bool demangle);
void symtab_free(struct symtab *t);

/* @name must live as long as the table, or be given by symtab_keep(). */
void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, u8 type, u8 binding);
/* Hands over memory (g_malloc) that names point into. */
void symtab_keep(struct symtab *t, void *memory);
/* A copy of @text that lives as long as the table. */
const char *symtab_text(struct symtab *t, const char *text);

/* Sorts, keeps one symbol per address, fills sizes, moves everything by @shift. */
void symtab_finish(struct symtab *t, enum symtab_fill fill, u64 shift);

/* The rest after symtab_finish(). */
u32 symtab_count(const struct symtab *t);
const struct symbol *symtab_at(const struct symtab *t, u32 id);
const struct symbol *symtab_find(const struct symtab *t, u64 vaddr);
/* Of those that gave way to another at @start the @nth; NULL: there are no more. */
const struct symbol *symtab_alias(const struct symtab *t, u64 start, u32 nth);
/* Also finds those that gave way to another at their address. */
const struct symbol *symtab_named(struct symtab *t, const char *raw);
/* The name as it may be shown (base/text.h), kept. */
const char *symtab_name(struct symtab *t, const struct symbol *symbol);

#endif
