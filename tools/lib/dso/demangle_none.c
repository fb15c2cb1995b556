// SPDX-License-Identifier: GPL-2.0-or-later
/* Build without libiberty: names are not demangled. */
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
