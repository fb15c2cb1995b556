// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libiberty: names as they are in the file. */
#include "dso/demangle.h"

#include <stddef.h>

char *demangle(const char *raw)
{
	return NULL;
}

char *demangle_bare(const char *raw)
{
	return NULL;
}
