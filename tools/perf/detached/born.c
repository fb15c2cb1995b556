// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/born.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

bool born_read(s32 pid, struct born *born)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", pid), *text = NULL;
	const char *at;

	if (pid <= 0 || !g_file_get_contents(path, &text, NULL, NULL))
		return false;
	at = strrchr(text, ')'); /* end of field 2, which may have any characters */
	if (!at || !at[1])
		return false;
	born->dead = strchr("ZX", at[2]) != NULL;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	born->ticks = strtoull(at, NULL, 10);
	return true;
}

u64 born_on(const struct born *born, clockid_t clock)
{
	u64 ns = born->ticks * (1000000000 / (u64)sysconf(_SC_CLK_TCK));

	return clock_ns(clock) - (clock_ns(CLOCK_BOOTTIME) - ns);
}
