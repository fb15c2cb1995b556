/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vdso is in no file, and another kernel's is another one. Whoever records keeps it in the build-id cache, as upstream's perf does:
 * DIR/[vdso]/ID/vdso, which DIR/.build-id names. A kernel has two of them: its own processes' and that of 32-bit processes. Both are
 * mapped as "[vdso]"; upstream's perf calls the second one "[vdso32]", and so do we.
 */
#ifndef DSO_VDSO_H
#define DSO_VDSO_H

#include "base/types.h"
#include "dso/buildid.h"

enum vdso {
	VDSO_OWN,    /* of 64-bit processes, as this one */
	VDSO_NARROW, /* of 32-bit processes */
};

/* Which one is mapped up to that address? */
static inline enum vdso vdso_mapped(u64 end)
{
	return end <= 1ull << 32 ? VDSO_NARROW : VDSO_OWN;
}

/* What it is called in recordings and in the cache. */
const char *vdso_name(enum vdso which);

/* The build-id of this kernel's. False: there is none. */
bool vdso_build_id(enum vdso which, struct build_id *id);

/* Keeps this kernel's, where it is not kept yet. @buildid_dir: NULL for the default. False: that failed. */
bool vdso_keep(enum vdso which, const char *buildid_dir);

#endif
