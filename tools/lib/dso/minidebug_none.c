// SPDX-License-Identifier: GPL-2.0-or-later
/* Build without liblzma: .gnu_debugdata is not read, only .dynsym is used. */
#include "dso/private.h"

struct image *minidebug_open(const struct image *image)
{
	return NULL;
}
