/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNIT_HAVE_H
#define UNIT_HAVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Whether the program that @command starts with is here and runs: a shim whose tool is missing
 * (rustup's, in another home) is in $PATH and fails.
 */
static inline bool have(const char *command)
{
	g_autofree char *name = g_strndup(command, strcspn(command, " "));
	g_autofree char *try = g_strdup_printf("%s --version >/dev/null 2>&1", name);

	return system(try) == 0;
}

#endif
