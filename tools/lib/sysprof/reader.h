/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a sysprof capture frame by frame, from a file, a fifo or a pipe, in bounded memory. Untrusted input: a
 * malformed frame is an error that names the offset and what was expected; types that are not known here are given
 * undecoded.
 */
#ifndef SYSPROF_READER_H
#define SYSPROF_READER_H

#include "sysprof/frame.h"

struct sysprof_reader;

/* Opens @path ("-": standard input) and reads its header. NULL with @error. */
struct sysprof_reader *sysprof_open(const char *path, GError **error);
/* Of a descriptor that stays the caller's. */
struct sysprof_reader *sysprof_open_fd(int fd, const char *name, GError **error);
void sysprof_close(struct sysprof_reader *r);

const struct sysprof_header *sysprof_header_of(const struct sysprof_reader *r);
u64 sysprof_position(const struct sysprof_reader *r); /* bytes read so far */
/* The next frame may have to be waited for: what was made of those before should be written now. */
bool sysprof_may_wait(const struct sysprof_reader *r);

/*
 * The next frame, valid until the next call: 1; 0 at the end; -1 with @error. What a recorder that was killed has left of
 * a last frame is an error, too. Of a foreign capture the fields are in host order, the raw bytes as in the capture.
 */
int sysprof_next(struct sysprof_reader *r, struct sysprof_frame *out, GError **error);

/*
 * Ends reading between two frames: sysprof_next() gives 0 from then on, and does not wait for bytes any more. May be
 * called by a signal handler.
 */
void sysprof_stop(struct sysprof_reader *r);

#endif
