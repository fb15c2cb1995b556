/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is an ELF file a Go program, and where does its runtime keep the labels of a goroutine?
 *
 * A thread's g is at a fixed distance from the thread pointer; from it the runtime's structs lead
 * over the thread's m to the goroutine that it runs and to the labels that pprof.Do() sets. The
 * structs are private: their offsets are known by version, for x86-64, and a version that is not
 * known has none.
 */
#ifndef DSO_GO_H
#define DSO_GO_H

#include <libelf.h>

#include "base/types.h"

struct go_program {
	u32 minor;	     /* of Go 1.minor */
	s64 g_tpoff;	     /* of the pointer to g, from the thread pointer */
	u16 m, curg, labels; /* offsets of g.m, m.curg, g.labels */
	bool map;	     /* labels are a map (before Go 1.24), else a slice */
};

/* False where @elf is no Go program of Go 1.18 to 1.26 for x86-64. */
bool go_find_program(Elf *elf, struct go_program *program);

#endif
