/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does one use perf: the list of commands, their man pages, the nearest name. @all are the commands of this perf,
 * NULL at the end.
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

/* Shows the man page of @command (of perf itself where NULL), as man.viewer and man.<tool>.path or
 * .cmd of @config have it. Exit status. */
int help_show_page(const struct config *config, const struct command *command);

/* Whether @name is a command of upstream's perf; if @ask, also of the next perf on PATH. */
bool help_is_foreign(const struct command *const *all, const char *name, bool ask);

/*
 * Says that @name is a command of upstream's perf that cannot be run here: because no other perf is
 * installed, and how one is, or because of --no-fallback (@fallback false). Exit status.
 */
int help_missing_command(const char *name, bool fallback);

/*
 * Says that @name is no command, and which ones look like it; those of the next perf, too, where
 * @fallback. Exit status. With help.autocorrect and one such command, *@meant is its name, to be
 * run instead.
 */
int help_unknown_command(const struct command *const *all, const struct config *config,
			 const char *name, bool fallback, const char **meant);

/* The command `perf help`, as struct command has it. */
int help_run(const struct command *const *all, const struct config *config, int argc, char **argv);

#endif
