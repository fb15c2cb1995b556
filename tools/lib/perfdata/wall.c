// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/wall.h"

#include <string.h>

#include "perfdata/offcpu.h"

bool wall_is_stretch(const char *event)
{
	static const char *const names[] = { WALL_EVENT, OFFCPU_EVENT, LATENCY_SYSCALL_EVENT,
					     LATENCY_BLOCK_IO_EVENT };

	for (u32 i = 0; event && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(event, names[i]))
			return true;
	return false;
}
