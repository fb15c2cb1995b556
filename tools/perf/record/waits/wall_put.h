/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for the sources of thread states. */
#ifndef RECORD_WALL_PUT_H
#define RECORD_WALL_PUT_H

#include <glib.h>
#include <sys/types.h>

#include "record/base/source.h"

/* Puts all records into @out, in pieces of the size that an outlet accepts. @records is empty afterwards. */
void wall_put(struct outlet *out, GByteArray *records);

/* Process id of thread @tid; @tid if the thread has ended. */
u32 wall_process_of(const struct kernel_paths *paths, pid_t tid);

#endif
