/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help: the list of commands, their man pages, similar names. @all are the commands of this perf, ending with NULL.
 */
#ifndef PERF_CMD_HELP_H
#define PERF_CMD_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cmd/cmd.h"

/* The line "usage: perf ..." with blank lines around it. */
void help_print_usage(FILE *out);

/* The usage and every command with its summary. */
void help_print_commands(const struct command *const *all, FILE *out);

/*
 * Shows the man page of @command (NULL: of perf itself), by man.viewer and man.<tool>.path or .cmd of @config.
 * Returns the exit status.
 */
int help_show_page(const struct config *config, const struct command *command);

/* True if @name is a command of upstream's perf; if @ask, also of the next perf on PATH. */
bool help_is_foreign(const struct command *const *all, const char *name, bool ask);

/*
 * Prints that @name is a command of upstream's perf that cannot be run: no other perf is installed (and how to
 * install one), or --no-fallback was given (@fallback false). Returns the exit status.
 */
int help_missing_command(const char *name, bool fallback);

/*
 * Prints that @name is not a command, and similar ones; with @fallback also those of the next perf. Returns the exit
 * status. With help.autocorrect and one similar command, *@meant is its name, to be run instead.
 */
int help_unknown_command(const struct command *const *all, const struct config *config,
			 const char *name, bool fallback, const char **meant);

/* The command `perf help`, see struct command. */
int help_run(const struct command *const *all, const struct config *config, int argc, char **argv);

#endif
