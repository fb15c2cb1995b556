/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel's files are. Every reader of this room takes these roots as an
 * argument, so that a test can put a forged tree under it; commands use
 * kernel_paths_host().
 */
#ifndef PERFEVENT_PATHS_H
#define PERFEVENT_PATHS_H

#include <glib.h>

#include "base/types.h"

struct kernel_paths {
	const char *proc; /* "/proc" */
	const char *sys;  /* "/sys" */
	const char
		*tracing; /* tracefs; NULL: looked for under sys (and mounted, where permitted) */
	const char *modules; /* "/lib/modules" */
};

/* The running machine's. */
const struct kernel_paths *kernel_paths_host(void);

/* The text of the file that printf's @fmt names, without its last newline; NULL where it cannot be
 * read (errno says why) or is larger than 16 MiB. The caller frees it. */
char *kernel_file_text(const char *fmt, ...) G_GNUC_PRINTF(1, 2);

/* The whole number in that file, by C's prefixes; false where there is none. */
bool kernel_file_number(s64 *value, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/* /proc/sys/kernel/@name as a number, or @otherwise. */
s64 kernel_sysctl(const struct kernel_paths *paths, const char *name, s64 otherwise);

#endif
