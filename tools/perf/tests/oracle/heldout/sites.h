/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types for the heap of programs that do not name them: name_sites writes truth_site() around
 * each allocation that is assigned to a pointer. The compiler then says what the pointer points to,
 * by a marker whose declared type the stepper looks up; malloc() and free(), wrapped by the
 * linker, say what lives.
 */
#ifndef TRUTH_SITES_H
#define TRUTH_SITES_H

#include <stddef.h>

void truth_typed(const void *object, const void *marker, size_t type_size, int many);

/* @many: the size is a product, so that an array is made; else only the first object is known. @size: what of it. */
#define truth_site(pointer, call, many) truth_site_of(__typeof__(*(pointer)), call, many)
#define truth_site_of(type, call, many) truth_site_upto(type, call, many, sizeof(type))
#define truth_site_upto(type, call, many, size)                                                    \
	({                                                                                         \
		static type *truth_marker __attribute__((used));                                   \
		void *truth_object_ = (void *)(call);                                              \
		if (sizeof(type) > 1) /* neither void nor bytes, which may become anything */      \
			truth_typed(truth_object_, &truth_marker, size, many);                     \
		truth_object_;                                                                     \
	})

#endif
