/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vdso is in no file, and another kernel's is another one. Whoever records keeps it in the build-id cache, as upstream's perf does:
 * DIR/[vdso]/ID/vdso, which DIR/.build-id names.
 */
#ifndef DSO_VDSO_H
#define DSO_VDSO_H

#include "base/types.h"

/* This kernel's, where it is not kept yet. @buildid_dir: NULL for the default. False: that failed. */
bool vdso_keep(const char *buildid_dir);

#endif
