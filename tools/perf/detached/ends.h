/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a process ended that is not our child, and whether the OOM killer killed it. */
#ifndef DETACHED_ENDS_H
#define DETACHED_ENDS_H

#include <glib.h>
#include <sys/types.h>

#include "base/types.h"
#include "perfdata/image/image.h"

struct ends;

/* To be called while the processes live. @pids: pid_t; NULL: none. */
struct ends *ends_new(const GArray *pids);
void ends_free(struct ends *e);

/*
 * out: the wait status of the first process of the list that ended by a signal; if there is none,
 * of the last one that ended. Waits up to a second for the parents to collect the status. False:
 * unknown.
 */
bool ends_status(const struct ends *e, pid_t *pid, int *status);

/*
 * Writes the meaning of a wait status into the image's @header. @pid selects the kernel's messages;
 * *@probably: the OOM killer is likely, but messages are not readable.
 */
void ends_judge(const struct ends *e, pid_t pid, int status, struct image_header *header);

/* True if the signal's default action is a core dump. */
bool ends_is_core_signal(int signal);

#endif
