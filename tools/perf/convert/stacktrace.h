/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sysprof capture goes by, and its StackUser frames (registers and a copy of the stack) become Sample frames with the call
 * chain; all other frames pass unchanged. The capture may be a fifo that is written while it is read.
 *
 * What is mapped where is taken from the capture; of a process of which it says nothing, from /proc, if it still runs.
 */
#ifndef CONVERT_STACKTRACE_H
#define CONVERT_STACKTRACE_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

struct sysprof_reader;

enum stacktrace_mode {
	STACKTRACE_NONE,     /* reads all, writes the header */
	STACKTRACE_PASSTHRU, /* writes what it reads */
	STACKTRACE_UNWIND,
};

struct stacktrace_options {
	enum stacktrace_mode mode;
	u32 max_stack;
	FILE *tell; /* each stack, and the sums at the end, in eu-stacktrace's words; NULL: nothing is said */
};

struct stacktrace_counts {
	u64 frames; /* read */
	u64 stacks; /* of them, StackUser */
};

/* From the reader to its end into @fd (@name is for messages). False with @error; @counts are filled in any case. */
bool stacktrace_run(struct sysprof_reader *reader, int fd, const char *name,
		    const struct stacktrace_options *options, struct stacktrace_counts *counts,
		    GError **error);

#endif
