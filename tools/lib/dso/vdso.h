/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vdso is not in a file, and differs between kernels. So a recorder saves it in the build-id cache, as upstream's
 * perf does: DIR/[vdso]/ID/vdso, with a link in DIR/.build-id. A kernel has two vdsos: one for 64-bit processes and one
 * for 32-bit processes. Both are mapped as "[vdso]". As in upstream's perf, the second one is called "[vdso32]" here.
 */
#ifndef DSO_VDSO_H
#define DSO_VDSO_H

#include "base/types.h"
#include "dso/buildid.h"

enum vdso {
	VDSO_OWN,    /* for 64-bit processes, such as this one */
	VDSO_NARROW, /* for 32-bit processes */
};

/* The kind of a vdso whose mapping ends at @end. */
static inline enum vdso vdso_mapped(u64 end)
{
	return end <= 1ull << 32 ? VDSO_NARROW : VDSO_OWN;
}

/* The name in recordings and in the cache. */
const char *vdso_name(enum vdso which);

/* The build-id of this kernel's vdso. False: there is none. */
bool vdso_build_id(enum vdso which, struct build_id *id);

/* Saves this kernel's vdso, unless it is saved already. @buildid_dir NULL: the default. False: saving failed. */
bool vdso_keep(enum vdso which, const char *buildid_dir);

#endif
