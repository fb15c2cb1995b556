/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other perf on this machine. Commands that this perf does not have are run by the next program called "perf" on
 * PATH: `perf stat` works as before if this perf was installed before another one.
 *
 * The next perf is the first one that is not this program: it has another device or inode, after symbolic links. It
 * may be a script that starts this perf again. So the environment ($PERF_HANDED_ON) lists the programs that were
 * tried for these arguments, and they are not tried again for the same arguments.
 *
 * @words are a command and its arguments, without perf's own name and options, ending with NULL.
 */
#ifndef OPTIONS_NEXT_PERF_H
#define OPTIONS_NEXT_PERF_H

#include <stdbool.h>

/* Its path, to be freed; NULL: no (further) one for these arguments. */
char *next_perf_find(char *const *words);

/*
 * True if exactly these arguments were passed on before and came back: the question is for the perf behind this one.
 */
bool next_perf_came_back(char *const *words);

/*
 * Replaces this process by that perf, with @all as its arguments (the command's, and options before them). Returns
 * false, after a message, if there is none or it cannot be started.
 */
bool next_perf_exec(char *const *words, char *const *all);

/*
 * For a command that this perf has, if only the kernel's perf does @what of it: says that it cannot be run, because
 * there is none, or because of --no-fallback (@fallback false).
 */
void next_perf_say_missing(const char *what, bool fallback);

/* The output of `perf WORD` of that perf, without the last newline, to be freed; NULL: none. */
char *next_perf_ask(const char *word);

/* One of upstream's commands, with its summary. */
struct foreign_command {
	const char *name;
	const char *summary;
};

/* The commands of upstream 7.3 that we do not have, ending with a NULL name. */
extern const struct foreign_command foreign_commands[];
const struct foreign_command *foreign_command_find(const char *name);

/*
 * The command that installs another perf on this system: "apt-get install linux-perf". To be freed.
 */
char *next_perf_package(void);

#endif
