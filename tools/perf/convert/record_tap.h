/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets perf's pipe data through until somebody says stop, and then ends behind a whole record: so a reader that is in the
 * middle of a stream gets an end that is none of a damaged one.
 */
#ifndef CONVERT_RECORD_TAP_H
#define CONVERT_RECORD_TAP_H

#include "base/error.h"
#include "base/types.h"

struct record_tap;

/* Takes what comes from @fd, on a thread of its own; *@out is where it can be read. NULL with @error. */
struct record_tap *record_tap_new(int fd, int *out, GError **error);
/* May be called by a signal handler. */
void record_tap_stop(struct record_tap *tap);
/* The reader has closed its end, or read to the end. */
void record_tap_free(struct record_tap *tap);

#endif
