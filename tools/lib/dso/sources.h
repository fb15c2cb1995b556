/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of source files. Each file is read once, when its first line is asked for. */
#ifndef DSO_SOURCES_H
#define DSO_SOURCES_H

#include "base/types.h"

struct packed;
struct sources;

/*
 * @packed: files that come before those of this machine; it outlives the result; NULL: none.
 * @prefix: sources lie elsewhere than the debug information says: its absolute paths lose @strip folders, and get
 * @prefix in front, as objdump does with --prefix and --prefix-strip. NULL: they are where it says. Not copied.
 */
struct sources *sources_new(struct packed *packed, const char *prefix, u32 strip);
void sources_free(struct sources *s);

/* Line @nr, from 1, of the file; NULL: the file cannot be read, or does not have the line. Lives as long as @s. */
const char *sources_line(struct sources *s, const char *path, u32 nr);

/*
 * May the file have changed since @program was built? True: it is newer than that file, or cannot be read. Packed files are those of
 * the recording.
 */
bool sources_may_differ(struct sources *s, const char *path, const char *program);

#endif
