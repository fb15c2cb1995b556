/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call-frame information of a profile's object files. It is opened once for each build-id, however many processes map
 * the file and under however many names. Any number of threads may ask at the same time.
 *
 * What is compiled of it outlives the run, by build-id, in the folder that PERF_UNWIND_CACHE names, $XDG_CACHE_HOME/perf/unwind
 * without it; where it is empty, nowhere (cfi_keep()).
 */
#ifndef CHAINS_OBJECTS_H
#define CHAINS_OBJECTS_H

#include "dso/dso.h"
#include "unwind/cfi.h"

struct objects;

/* All dsos that it is asked about must live until objects_free(). */
struct objects *objects_new(void);
void objects_free(struct objects *o);

/* Separate debug files are not looked for from now on, here or on servers. */
void objects_stay_local(struct objects *o);

/*
 * NULL: the file is absent, or has none. Opens the file at the first call, and its debug file only where the file itself has no
 * .eh_frame.
 */
struct cfi *objects_cfi(struct objects *o, struct dso *dso);

#endif
