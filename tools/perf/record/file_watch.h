/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at each newly mapped file at once. The records of a recording are read every 40 ms or later; by then, a short process
 * has ended, and nobody can open its file any more if it was in a container or has been removed. So this source has an
 * event and rings of its own, which wake a thread at the first mapping of executable code. It adds nothing to the
 * recording but what rec->seen learns.
 */
#ifndef RECORD_FILE_WATCH_H
#define RECORD_FILE_WATCH_H

#include "record/base/source.h"

/* If the kernel permits no further events, it does nothing: files are then looked at when their records are read. */
struct source *file_watch_new(void);

#endif
