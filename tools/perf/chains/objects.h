/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call-frame information of a profile's object files. It is opened once per build-id, even if many processes map
 * the file, or map it under several names. All threads may ask at the same time.
 *
 * Compiled rows are kept for later runs, by build-id (cfi_keep()). The folder is $PERF_UNWIND_CACHE, or
 * $XDG_CACHE_HOME/perf/unwind if that is not set. If it is empty, nothing is kept.
 */
#ifndef CHAINS_OBJECTS_H
#define CHAINS_OBJECTS_H

#include "dso/dso.h"
#include "unwind/cfi.h"

struct objects;

/* All dsos passed to objects_cfi() must live until objects_free(). */
struct objects *objects_new(void);
void objects_free(struct objects *o);

/* From now on, do not search separate debug files, neither here nor on servers. */
void objects_stay_local(struct objects *o);

/*
 * Opens the file at the first call. Opens its debug file only if the file itself has no .eh_frame. NULL: the file is
 * absent, or has no call-frame information.
 */
struct cfi *objects_cfi(struct objects *o, struct dso *dso);

#endif
