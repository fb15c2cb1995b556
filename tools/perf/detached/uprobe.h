/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the call of a function in a program or library as an event, with the kernel's PMU "uprobe".
 */
#ifndef DETACHED_UPROBE_H
#define DETACHED_UPROBE_H

#include "perfevent/parse.h"

/*
 * Appends the event of "uprobe:FILE:SYMBOL". out: *@path, to which the attributes point; the caller
 * frees it after opening. False with @error: no such file or function, or a kernel without uprobes.
 */
bool uprobe_add(struct event_list *list, const struct kernel_paths *paths, const char *text,
		char **path, GError **error);

#endif
