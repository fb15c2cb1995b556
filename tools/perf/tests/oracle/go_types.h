/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of Go's heap objects. Go's allocator gets the type of each object from the program: the address of a
 * descriptor, of which the debug information states to which entry it belongs (DW_AT_go_runtime_type). So no program
 * has to name its objects.
 */
#ifndef ORACLE_GO_TYPES_H
#define ORACLE_GO_TYPES_H

#include <elfutils/libdw.h>

#include "objects.h"

struct go_types;

/* NULL: @elf is no Go program. @bias: of the program in memory; @mem: its memory. */
struct go_types *go_types_open(Elf *elf, const char *path, int mem, u64 bias);

/* The entry of the allocator: func mallocgc(size uintptr, typ *_type, needzero bool) unsafe.Pointer. */
u64 go_types_allocator(const struct go_types *types);

/*
 * @size bytes at @address were allocated for objects of the type with the descriptor at @type. A type without an
 * entry, as that of a closure, is added by its members.
 */
void go_types_add(struct go_types *types, struct objects *objects, u64 address, u64 size, u64 type);

#endif
