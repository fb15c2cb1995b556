/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root folders of the kernel's files. All readers in this folder take them as an argument, so a test can use a
 * forged tree. Commands use kernel_paths_host().
 */
#ifndef PERFEVENT_PATHS_H
#define PERFEVENT_PATHS_H

#include <glib.h>

#include "base/types.h"

struct kernel_paths {
	const char *proc; /* "/proc" */
	const char *sys;  /* "/sys" */
	const char
		*tracing; /* tracefs; NULL: search it under sys, and mount it there if permitted */
	const char *modules; /* "/lib/modules" */
};

/* The folders of the running machine. */
const struct kernel_paths *kernel_paths_host(void);

/* Reads the integer in the file that printf's @fmt names, with C's prefixes. False: there is none. */
bool kernel_file_number(s64 *value, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/* /proc/sys/kernel/@name as a number, or @otherwise. */
s64 kernel_sysctl(const struct kernel_paths *paths, const char *name, s64 otherwise);

#endif
