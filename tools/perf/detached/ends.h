/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How did a process end that is not our child? And did the kernel kill it for want of memory?
 */
#ifndef DETACHED_ENDS_H
#define DETACHED_ENDS_H

#include <glib.h>
#include <sys/types.h>

#include "base/types.h"
#include "perfdata/image/image.h"

struct ends;

/* To be made while the processes live. @pids: pid_t; NULL: none. */
struct ends *ends_new(const GArray *pids);
void ends_free(struct ends *e);

/*
 * The wait status of the first process of the list that ended by a signal, else of the last one that ended. Waits
 * up to a second for their parents to take notice. False: nobody tells.
 */
bool ends_status(const struct ends *e, pid_t *pid, int *status);

/*
 * What a wait status means for an image. @pid tells which of the kernel's messages are about it; *@probably: that
 * it was want of memory is likely, but messages are not to be read.
 */
void ends_judge(const struct ends *e, pid_t pid, int status, struct image_header *header);

/* Is this a signal whose default is a core dump? */
bool ends_is_core_signal(int signal);

#endif
