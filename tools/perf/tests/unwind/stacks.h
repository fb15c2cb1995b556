/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks that programs/stepped.c wrote of itself, with what was mapped, and the call chains that libgcc found.
 */
#ifndef TESTS_UNWIND_STACKS_H
#define TESTS_UNWIND_STACKS_H

#include "dso/image.h"
#include "unwind/cfi.h"
#include "unwind/unwind.h"

struct mapped_file {
	char *path;
	u64 start, end; /* all of its mappings, which have no other file's between */
	u64 bias;
	struct image *image;
	struct cfi *cfi;
};

struct taken {
	struct unwind_stack stack;
	const u64 *ips; /* innermost first */
	u32 nr_ips;
};

struct stacks {
	GArray *files; /* struct mapped_file, by address */
	GArray *taken; /* struct taken */
	char *bytes;
};

/* @path: stepped's first argument. Ends the program where there is no such file: a test wrote it. */
struct stacks *stacks_open(const char *path);
void stacks_close(struct stacks *s);

/* For stacks whose process is a struct stacks: as all of @taken are. */
extern const struct unwind_ops stacks_ops;
/* The same, but code of the program, the first file by address, has no call-frame information. */
extern const struct unwind_ops stacks_without_cfi;

#endif
