/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which side records tell the look-up of thread-local variables something?
 *
 * Reads the kernel's MMAP, MMAP2, COMM, FORK and EXIT records as they come from a ring, with the time
 * in their trailer, and hands each to the function of record/tls_lookup.h that wants it.
 */
#ifndef RECORD_TLS_OBSERVE_H
#define RECORD_TLS_OBSERVE_H

#include <linux/perf_event.h>

#include "record/tls_lookup.h"

/* @record may be any; one that is cut short, or of another type, is left alone. */
void tls_observe(struct tls_lookup *l, const struct perf_event_header *record);

#endif
