/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of which some megabytes are read in no order: the slots of large tables. From a megabyte on
 * it lies on huge pages where the system has them, so that neither a fault nor a miss of the address
 * cache is paid for every 4 KiB of it.
 */
#ifndef BASE_BIG_H
#define BASE_BIG_H

#include <stddef.h>

/* Zeros, aligned to a cache line. Never NULL: out of memory ends the process. */
void *big_new0(size_t size);
/* With the size that it was made with; NULL is fine. */
void big_free(void *big, size_t size);

#endif
