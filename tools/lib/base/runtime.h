/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf's folder of a user for files that live until the next boot:
 *
 *	$XDG_RUNTIME_DIR/perf, else /run/user/UID/perf if /run/user/UID exists, else /dev/shm/perf-UID
 */
#ifndef BASE_RUNTIME_H
#define BASE_RUNTIME_H

#include <stdbool.h>

#include "base/types.h"

/* It may not exist; g_free(). For another user than this one the environment is not used. */
char *runtime_dir(u32 uid);

/*
 * Creates @dir if it is missing. False with errno; ENOTDIR: it is not a directory, or that of another user who is not
 * root.
 */
bool runtime_make(const char *dir);

#endif
