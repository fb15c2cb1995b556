/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for large tables that are accessed in random order. Blocks of 1 MiB or more use huge pages if the system has
 * them. This avoids a page fault and a TLB miss for every 4 KiB.
 */
#ifndef BASE_BIG_H
#define BASE_BIG_H

#include <stddef.h>

/* Zeroed memory, aligned to a cache line. Never NULL: if memory runs out, the process ends. */
void *big_new0(size_t size);
/* @size: as given to big_new0(). @big may be NULL. */
void big_free(void *big, size_t size);

#endif
