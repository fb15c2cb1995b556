/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which data mappings appear in the recorded processes while a recording runs?
 *
 * A side event of its own on every CPU, whose small rings nobody else reads: what a program maps as
 * data is of no interest to the file unless the user asks for it, so it must not get there, nor
 * take space from the samples. It follows the threads that are given and their children; a machine
 * that starts many programs would fill the rings with records that nobody needs.
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
 * Opens the event on all CPUs for the @nr threads @tids ({-1}: all), with the clock of @model. NULL where the
 * kernel does not permit it: then nothing is heard of new mappings.
 */
struct tls_mappings *tls_mappings_new(const struct evsel *model, const pid_t *tids, u32 nr,
				      const struct kernel_paths *paths);
void tls_mappings_free(struct tls_mappings *m);

/* What has come since the last call. False: some of it was lost. @m may be NULL. */
bool tls_mappings_drain(struct tls_mappings *m, tls_mapping_fn fn, void *arg);

#endif
