/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports new data mappings of the recorded processes while a recording runs.
 *
 * It opens a separate event on every CPU, with small rings that only this module reads. Data
 * mappings must not get into the file unless the user asks for them, and must not take space from
 * the samples. The event follows the given threads and their children. If it followed the whole
 * machine, other programs would fill the rings.
 */
#ifndef RECORD_TLS_MAPPINGS_H
#define RECORD_TLS_MAPPINGS_H

#include <sys/types.h>

#include "base/types.h"
#include "perfdata/evsel.h"
#include "perfevent/paths.h"

struct tls_mappings;

typedef void (*tls_mapping_fn)(u32 pid, u64 start, u64 size, const char *name, u64 time, void *arg);

/*
 * Opens the event on all CPUs, for the @nr threads @tids ({-1}: all), with the clock of @model.
 * NULL: the kernel does not permit it; new mappings are then not reported.
 */
struct tls_mappings *tls_mappings_new(const struct evsel *model, const pid_t *tids, u32 nr,
				      const struct kernel_paths *paths);
void tls_mappings_free(struct tls_mappings *m);

/* Reports the mappings since the last call. False: some were lost. @m may be NULL. */
bool tls_mappings_drain(struct tls_mappings *m, tls_mapping_fn fn, void *arg);

#endif
