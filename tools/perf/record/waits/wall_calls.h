/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls whose first argument is a file descriptor. x86-64. */
#ifndef RECORD_WALL_CALLS_H
#define RECORD_WALL_CALLS_H

#include "base/types.h"

/* "futex:0x7f0012345678" for a wait on the futex word at @va; NULL for other calls. The caller frees it. */
char *wall_call_futex_text(s32 syscall, u64 va);

bool wall_call_has_fd(s32 syscall);

#endif
