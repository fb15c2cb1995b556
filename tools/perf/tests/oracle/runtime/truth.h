/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies where, said by the program itself: an object is named with its type when it is
 * made, and oracle/step asks this when an instruction touches it. The code is in a
 * translation unit of its own, which is not measured, and writes to a file that the stepper
 * maps too; run alone, a program only allocates.
 *
 * Globals, statics, thread-locals and variables on the stack need no word here: the stepper
 * takes these from symbols and from the variables' own debug information.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* malloc() and free() with a name: @count objects of type @type fill @size bytes. */
void *truth_alloc(size_t size, const char *type, size_t count);
void *truth_realloc(void *old, size_t size, const char *type, size_t count);
void truth_free(void *object);

/*
 * Names what has been placed at @address: inside an arena, on the stack, in a buffer. It
 * lasts until something else is named there or what it lies in is freed.
 */
void truth_object(const void *address, size_t size, const char *type, size_t type_size,
		  size_t count);

#ifdef __cplusplus
}
#else
#define create(T)	       ((T *)truth_alloc(sizeof(T), #T, 1))
#define new_array(T, n)	       ((T *)truth_alloc(sizeof(T) * (n), #T, n))
#define new_flexible(T, extra) ((T *)truth_alloc(sizeof(T) + (extra), #T, 1))
#define placed(p, T)	       truth_object(p, sizeof(T), #T, sizeof #T - 1, 1)
#endif
#endif
