/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes Go programs, and tells where the Go runtime keeps the labels of a goroutine.
 *
 * The pointer to a thread's g is at a fixed distance from the thread pointer. The labels that pprof.Do() sets are found
 * through the runtime's structs: g.m is the thread's m, m.curg the goroutine that it runs, and curg.labels the labels.
 * The structs are private and differ between versions. Their offsets are known for x86-64 and for the versions below.
 */
#ifndef DSO_GO_H
#define DSO_GO_H

#include <libelf.h>

#include "base/types.h"

struct go_program {
	u32 minor;	     /* of Go 1.minor */
	s64 g_tpoff;	     /* offset of the pointer to g from the thread pointer */
	u16 m, curg, labels; /* offsets of g.m, m.curg, g.labels */
	bool map;	     /* labels are a map (before Go 1.24), else a slice */
};

/* False: @elf is not a program of Go 1.18 to 1.26 for x86-64. */
bool go_find_program(Elf *elf, struct go_program *program);

/* True if @elf is a Go program of any version. */
bool go_is_program(Elf *elf);

#endif
