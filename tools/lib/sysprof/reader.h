/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a sysprof capture frame by frame, from a file, a fifo or a pipe, in bounded memory. Untrusted input: a
 * malformed frame is an error that names the offset and the expected part. Frames of unknown types are returned
 * undecoded.
 */
#ifndef SYSPROF_READER_H
#define SYSPROF_READER_H

#include "sysprof/frame.h"

struct sysprof_reader;

/* Opens @path ("-": standard input) and reads its header. NULL with @error. */
struct sysprof_reader *sysprof_open(const char *path, GError **error);
/* The same for an open descriptor, which the caller closes. */
struct sysprof_reader *sysprof_open_fd(int fd, const char *name, GError **error);
void sysprof_close(struct sysprof_reader *r);

const struct sysprof_header *sysprof_header_of(const struct sysprof_reader *r);
u64 sysprof_position(const struct sysprof_reader *r); /* bytes read so far */
/* Reading the next frame may block, so the caller should flush its output now. */
bool sysprof_may_wait(const struct sysprof_reader *r);

/*
 * The next frame, valid until the next call: 1; 0 at the end; -1 with @error. An incomplete last frame (the recorder
 * was killed) is an error, too. In a foreign capture, the fields are in host order and the raw bytes as in the capture.
 */
int sysprof_next(struct sysprof_reader *r, struct sysprof_frame *out, GError **error);

/*
 * Stops reading between two frames: from then on sysprof_next() returns 0 and does not wait. Async-signal-safe.
 */
void sysprof_stop(struct sysprof_reader *r);

#endif
