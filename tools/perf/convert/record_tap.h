/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes perf's pipe data on until it is told to stop. It then ends the data after a complete record. So a reader that
 * is in the middle of the stream sees a regular end, not a damaged file.
 */
#ifndef CONVERT_RECORD_TAP_H
#define CONVERT_RECORD_TAP_H

#include "base/error.h"
#include "base/types.h"

struct record_tap;

/* Reads from @fd, in its own thread. The caller reads the data from *@out. NULL with @error on failure. */
struct record_tap *record_tap_new(int fd, int *out, GError **error);
/* Async-signal-safe. */
void record_tap_stop(struct record_tap *tap);
/* Call it after the reader has closed its end, or has read to the end. */
void record_tap_free(struct record_tap *tap);

#endif
