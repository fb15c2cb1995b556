/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the bytes of a structure to 0, for code that does it millions of times. */
#ifndef BASE_CLEAR_H
#define BASE_CLEAR_H

#include <string.h>

/*
 * Hides the size from the compiler, so that it calls memset(). For a known size, the compiler would use a string
 * instruction, which has a slow start.
 */
static inline void clear_bytes(void *at, size_t size)
{
	__asm__("" : "+r"(size));
	memset(at, 0, size);
}

#endif
