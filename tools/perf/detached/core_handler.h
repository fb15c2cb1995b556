/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program in core_pattern, in front of the one that was there: it adds the recording of the process that crashed to
 * its core, and hands the core on.
 */
#ifndef DETACHED_CORE_HANDLER_H
#define DETACHED_CORE_HANDLER_H

#include "base/error.h"
#include "base/types.h"

#define CORE_PATTERN_PATH "/proc/sys/kernel/core_pattern"
#define CORE_HANDLER_DIR  "/var/lib/perf" /* where the pattern from before is kept */

/* What core_pattern is. */
enum core_pattern {
	CORE_PATTERN_FILE,   /* the name of a file */
	CORE_PATTERN_PIPE,   /* another program */
	CORE_PATTERN_SOCKET, /* a server's address */
	CORE_PATTERN_OURS,
};

/* The present pattern, without the newline; g_free(). NULL with @error. */
char *core_pattern_read(GError **error);
enum core_pattern core_pattern_kind(const char *pattern);
/* What was there before ours; NULL: ours is not installed, or @dir does not tell. */
char *core_pattern_before(const char *dir);

/*
 * Keeps the present pattern in @dir and puts ours before it. Nothing is done where ours is there already. False
 * with @error: no permission, no room for the words (127 bytes), or a socket, which cannot be chained.
 */
bool core_handler_install(const char *dir, GError **error);
/* Puts back what was there. False with @error where ours is not installed. */
bool core_handler_remove(const char *dir, GError **error);

/* One core, on standard input; @words are what the kernel has put for our pattern. The exit status. */
int core_handler_run(int nr, char *const *words);

#endif
