/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many bytes a test has from malloc(). A sanitizer (also the leak check, with which units are linked) replaces malloc(), and
 * glibc's counters stay at zero. It calls the two hooks below. To be included once in a program.
 */
#ifndef UNIT_ALLOCATED_H
#define UNIT_ALLOCATED_H

#include <malloc.h>
#include <stddef.h>

static size_t allocated_by_hooks;

size_t __sanitizer_get_allocated_size(const volatile void *memory) __attribute__((weak));
void __sanitizer_malloc_hook(const volatile void *memory, size_t size);
void __sanitizer_free_hook(const volatile void *memory);

void __sanitizer_malloc_hook(const volatile void *memory, size_t size)
{
	(void)memory;
	__atomic_fetch_add(&allocated_by_hooks, size, __ATOMIC_RELAXED);
}

void __sanitizer_free_hook(const volatile void *memory)
{
	if (memory)
		__atomic_fetch_sub(&allocated_by_hooks, __sanitizer_get_allocated_size(memory),
				   __ATOMIC_RELAXED);
}

static inline size_t allocated_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();

	return __sanitizer_get_allocated_size ? allocated_by_hooks : info.uordblks + info.hblkhd;
}

#endif
