/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files for the code of just-in-time compilers. If a recording maps a jitdump, each function in it becomes an ELF
 * file jitted-PID-NUMBER.so in the same directory, and an MMAP2 record from the time when it was compiled (or moved).
 * The record of the jitdump itself is removed. Events must be in order of time.
 */
#ifndef PASS_JIT_H
#define PASS_JIT_H

#include "pass/pass.h"

struct jit_options {
	bool force; /* jitdumps of any owner */
	bool verbose;
	/*
	 * Directory for the files if that of the jitdump is not writable; NULL: this is an error.
	 */
	const char *folder; /* lives as long as the pass */
	/* For a pipe: the machine that later passes use, which must get the mappings; else NULL. */
	struct machine *live;
};

struct pass *jit_pass_new(const struct jit_options *options);

#endif
