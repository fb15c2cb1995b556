/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies a sysprof capture. StackUser frames (registers and a copy of the stack) become Sample frames with the call
 * chain. All other frames are not changed. The capture may be a fifo that is still being written.
 *
 * Mappings come from the capture. For a process without mappings in the capture, they come from /proc, if the process
 * still runs.
 */
#ifndef CONVERT_STACKTRACE_H
#define CONVERT_STACKTRACE_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

struct sysprof_reader;

enum stacktrace_mode {
	STACKTRACE_NONE,     /* reads all frames, writes only the header */
	STACKTRACE_PASSTHRU, /* copies all frames unchanged */
	STACKTRACE_UNWIND,
};

struct stacktrace_options {
	enum stacktrace_mode mode;
	u32 max_stack;
	FILE *tell; /* for stacks, then sums, in eu-stacktrace's format; NULL: no output */
};

struct stacktrace_counts {
	u64 frames; /* frames read */
	u64 stacks; /* StackUser frames among them */
};

/*
 * Reads to the end and writes to @fd; @name is for error messages. False with @error on failure. @counts is filled in
 * any case.
 */
bool stacktrace_run(struct sysprof_reader *reader, int fd, const char *name,
		    const struct stacktrace_options *options, struct stacktrace_counts *counts,
		    GError **error);

#endif
