/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a detached recording: what it has, then what comes, as perf.data in the form for pipes. */
#ifndef DETACHED_TAIL_H
#define DETACHED_TAIL_H

#include "base/error.h"

/*
 * Until the recording ends or is removed, or nobody reads @fd any more. With @once, what is there now and no more. False with
 * @error.
 */
bool tail_image(const char *path, int fd, bool once, GError **error);

#endif
