/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures which instruction the samples of an event name. A loop has one slow instruction, whose address is known: each
 * of its loads reads a line that is in no cache. The event samples the loop on the calling thread.
 */
#ifndef PERFEVENT_SLOW_LOOP_H
#define PERFEVENT_SLOW_LOOP_H

#include "perfdata/skid.h"
#include "perfevent/paths.h"

/* Where it ends: the first of the two. The CPU time includes the preparation. */
#define SLOW_LOOP_SAMPLES 240
#define SLOW_LOOP_CPU_NS  60000000

/*
 * @stop: another thread may set it to end the measurement after about 0.1 ms; NULL: nobody does. out: the samples until
 * then. False with @error: the machine has no such event, or the kernel does not permit it.
 */
bool slow_loop_measure(enum skid_kind kind, const struct kernel_paths *paths, const gint *stop,
		       struct skid_measure *out, GError **error);

#endif
