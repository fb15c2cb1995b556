/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of just-in-time compilers gets files. Where a recording maps a jitdump, each piece of code that it has becomes an ELF
 * file jitted-PID-NUMBER.so beside it, and an MMAP2 record from the time on at which it was made (or moved). The record of
 * the jitdump itself is left out. Events must come by time.
 */
#ifndef PASS_JIT_H
#define PASS_JIT_H

#include "pass/pass.h"

struct jit_options {
	bool force; /* jitdumps of any owner */
	bool verbose;
	/* Folder for the files where the jitdump's own cannot be written to; NULL: that is a failure. */
	const char *folder; /* lives as long as the pass */
	/* Of a pipe: what passes behind this one ask, so that it has to know of the mappings; else NULL. */
	struct machine *live;
};

struct pass *jit_pass_new(const struct jit_options *options);

#endif
