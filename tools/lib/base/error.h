/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures: GLib's GError with one domain of ours.
 *
 * A function that can fail has `GError **error` as its last parameter. If it fails, it sets the error and returns
 * false, NULL or a negative number. Each layer may add context before the message with g_prefix_error(). The command
 * prints the error once. Absence (no symbol, no debug information, no activity) is a value, never an error.
 *
 * A message starts in lower case, has no full stop, and names the place ("perf.data: offset 0x1f0: ..."). If the user
 * can do something about the error, the message says what.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <glib.h>
#include <stdbool.h>

#define PERF_ERROR (perf_error_quark())

enum perf_error {
	PERF_ERROR_FORMAT,	/* input from outside is not what its format says */
	PERF_ERROR_SYSTEM,	/* a system call failed */
	PERF_ERROR_PERMISSION,	/* the kernel refused; the message says what the user can do */
	PERF_ERROR_UNSUPPORTED, /* well-formed, but this machine or build cannot do it */
	PERF_ERROR_ABSENT,	/* something named by the user does not exist */
	PERF_ERROR_USAGE,	/* the command line is wrong */
	PERF_ERROR_STOPPED,	/* the user cancelled */
};

GQuark perf_error_quark(void);

/* Sets @error and returns false, so that callers can write `return error_set(...)`. */
bool error_set(GError **error, enum perf_error code, const char *fmt, ...) G_GNUC_PRINTF(3, 4);

/* As error_set() with PERF_ERROR_SYSTEM and ": <text of @errnum>" after the message. */
bool error_set_errno(GError **error, int errnum, const char *fmt, ...) G_GNUC_PRINTF(3, 4);

#endif
