/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How does one use perf: the list of commands, their man pages, the nearest name. */
#ifndef PERF_CMD_HELP_H
#define PERF_CMD_HELP_H

#include <stdio.h>

#include "cmd/cmd.h"

/* The line "usage: perf ..." with blank lines around it. */
void help_print_usage(FILE *out);

/* The usage and every command with its summary. */
void help_print_commands(FILE *out);

/* Shows the man page of @command (of perf itself where NULL) with man(1). Exit status. */
int help_show_page(const struct command *command);

/* Says that @name is no command, and which ones look like it. Exit status. */
int help_unknown_command(const char *name);

#endif
