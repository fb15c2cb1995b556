// SPDX-License-Identifier: GPL-2.0-or-later
/* malloc() and its kind by -Wl,--wrap: what is alive, with no type as yet. */
#include <stddef.h>

#include "log.h"
#include "sites.h"

void truth_say(uint32_t what, const void *address, size_t size, const char *type, size_t type_size,
	       size_t count);

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *object);

void *__wrap_malloc(size_t size)
{
	void *p = __real_malloc(size);

	truth_say(ORACLE_MADE, p, size, "", 0, 1);
	return p;
}

void *__wrap_calloc(size_t nr, size_t size)
{
	void *p = __real_calloc(nr, size);

	truth_say(ORACLE_MADE, p, nr * size, "", 0, 1);
	return p;
}

void *__wrap_realloc(void *old, size_t size)
{
	void *p = __real_realloc(old, size);

	if (old && (p || !size))
		truth_say(ORACLE_FREED, old, 0, NULL, 0, 0);
	if (p)
		truth_say(ORACLE_MADE, p, size, "", 0, 1);
	return p;
}

void __wrap_free(void *object)
{
	if (object)
		truth_say(ORACLE_FREED, object, 0, NULL, 0, 0);
	__real_free(object);
}

void truth_typed(const void *object, const void *marker, size_t type_size, int many)
{
	if (object)
		truth_say(ORACLE_TYPED, object, many, marker, type_size, 1);
}
