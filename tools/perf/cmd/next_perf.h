/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which other perf is installed, and what can it do? Commands that this perf does not have are run
 * by the next program called "perf" on PATH: `perf stat` works as before where this perf has been
 * installed in front of another.
 *
 * The next one is the first that is not this program: another device or inode, after symbolic
 * links. It may be a script that starts this perf again, though. So what was tried for which words
 * goes along in the environment ($PERF_HANDED_ON), and is not tried again for the same words.
 *
 * @words are a command and its arguments, without perf's own name and options, NULL at the end.
 */
#ifndef PERF_CMD_NEXT_PERF_H
#define PERF_CMD_NEXT_PERF_H

#include <stdbool.h>

/* Its path, to be freed; NULL: there is none (any more) for these words. */
char *next_perf_find(char *const *words);

/*
 * True where these very words were handed on before and have come back: whoever is asked here is
 * not this perf, but the one behind it.
 */
bool next_perf_came_back(char *const *words);

/*
 * Becomes that perf, with @all as its arguments (words and options in front of them), the same
 * process: signals and exit status are its own. Returns only where there is none, or where it could
 * not be started, which has been said: false.
 */
bool next_perf_exec(char *const *words, char *const *all);

/*
 * For a command that is ours, of which @words ask for a part that only upstream's has: becomes the next perf where
 * @fallback. Returns where that is not to be, or there is none; then it has been said, @what being the part.
 */
void next_perf_exec_part(char *const *words, const char *what, bool fallback);

/* What `perf WORD` of that perf prints, without the last newline, to be freed; NULL: nothing. */
char *next_perf_ask(const char *word);

/* One of upstream's commands: whether this machine has it, and what it does. */
struct foreign_command {
	const char *name;
	const char *summary;
};

/* The commands of upstream 7.3 that are not ours, NULL name at the end. */
extern const struct foreign_command foreign_commands[];
const struct foreign_command *foreign_command_find(const char *name);

/* How another perf is installed on this system: "apt-get install linux-perf". To be freed. */
char *next_perf_package(void);

#endif
