/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sources of thread states share: whose they are, and how records are handed on. */
#ifndef RECORD_WALL_PUT_H
#define RECORD_WALL_PUT_H

#include <glib.h>
#include <sys/types.h>

#include "record/base/source.h"

/* Puts whole records, in pieces that an outlet takes, and leaves @records empty. */
void wall_put(struct outlet *out, GByteArray *records);

/* The process of thread @tid; @tid where there is none any more. */
u32 wall_process_of(const struct kernel_paths *paths, pid_t tid);

#endif
