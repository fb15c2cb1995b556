/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures: GLib's GError with one domain of ours.
 *
 * A function that can fail takes `GError **error` last, and returns false, NULL or a
 * negative number when it has set it. Each layer may put its context before the message
 * with g_prefix_error(); the command prints it, once. What is merely absent (no symbol,
 * no debug information, no activity) is a value and never an error.
 *
 * Messages start in lower case, carry no full stop, name the place ("perf.data: offset
 * 0x1f0: ...") and, where there is something to do about it, say what.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <glib.h>
#include <stdbool.h>

#define PERF_ERROR (perf_error_quark())

enum perf_error {
	PERF_ERROR_FORMAT,	/* input from outside is not what its format says */
	PERF_ERROR_SYSTEM,	/* a system call failed */
	PERF_ERROR_PERMISSION,	/* the kernel refused; the message names the way out */
	PERF_ERROR_UNSUPPORTED, /* well-formed, but this machine or build cannot do it */
	PERF_ERROR_ABSENT,	/* something named by the user does not exist */
	PERF_ERROR_USAGE,	/* the command line is wrong */
	PERF_ERROR_STOPPED,	/* the user did not want to wait */
};

GQuark perf_error_quark(void);

/* Sets @error and returns false, so that a failure is one `return error_set(...)`. */
bool error_set(GError **error, enum perf_error code, const char *fmt, ...) G_GNUC_PRINTF(3, 4);

/* As error_set() with PERF_ERROR_SYSTEM and ": <text of @errnum>" after the message. */
bool error_set_errno(GError **error, int errnum, const char *fmt, ...) G_GNUC_PRINTF(3, 4);

#endif
