/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls have a descriptor as their first argument? x86-64. */
#ifndef RECORD_WALL_CALLS_H
#define RECORD_WALL_CALLS_H

#include "base/types.h"

bool wall_call_has_fd(s32 syscall);

#endif
