/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNIT_HAVE_H
#define UNIT_HAVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * True if the program of @command is installed and runs. Only looking in $PATH is not enough: a shim (for example
 * rustup's) may be there although its tool is missing.
 */
static inline bool have(const char *command)
{
	g_autofree char *name = g_strndup(command, strcspn(command, " "));
	g_autofree char *try = g_strdup_printf("%s --version >/dev/null 2>&1", name);

	return system(try) == 0;
}

#endif
