// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/width.h"

#include <glib.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MOST 10000

u32 terminal_columns(u32 usual)
{
	static const int fds[] = { STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO };
	const char *set = getenv("COLUMNS");
	struct winsize w;
	guint64 columns;

	if (set && g_ascii_string_to_unsigned(set, 10, 1, MOST, &columns, NULL))
		return (u32)columns;
	for (u32 i = 0; i < G_N_ELEMENTS(fds); i++)
		if (!ioctl(fds[i], TIOCGWINSZ, &w) && w.ws_col)
			return w.ws_col;
	return usual;
}
