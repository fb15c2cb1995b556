/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call of a function of a program or library as an event, by the kernel's PMU "uprobe". */
#ifndef DETACHED_UPROBE_H
#define DETACHED_UPROBE_H

#include "perfevent/parse.h"

/*
 * Appends the event of "uprobe:FILE:SYMBOL". *@path is what its attributes point to: to be freed when it is open.
 * False with @error: no such file or function, or a kernel without uprobes.
 */
bool uprobe_add(struct event_list *list, const struct kernel_paths *paths, const char *text,
		char **path, GError **error);

#endif
