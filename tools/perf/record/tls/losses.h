/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel has dropped records because a ring was full. A dropped record may have been the mmap
 * of the library that publishes. /proc/PID/maps still shows that mapping, so maps are read again.
 *
 * Two questions are answered here. Since when does a mapping count that was found so? Since the
 * newest sample of the same ring that passed before the loss. Which processes are searched? With the
 * BPF program only those that have samples, the others when their first sample comes: on a host with
 * 10,000 processes, reading all maps takes longer than a second.
 */
#ifndef RECORD_TLS_LOSSES_H
#define RECORD_TLS_LOSSES_H

#include "base/types.h"
#include "perfevent/paths.h"
#include "record/tls/finder.h"

struct tls_losses;

struct tls_losses *tls_losses_new(const struct kernel_paths *paths);
void tls_losses_free(struct tls_losses *l);

/* A sample of @ring has passed. */
void tls_losses_sample(struct tls_losses *l, u32 ring, u64 time);

/* Records of @ring are lost. */
void tls_losses_of_ring(struct tls_losses *l, u32 ring);
/* Records of data mappings are lost, since @since. */
void tls_losses_of_mappings(struct tls_losses *l, u64 since);

/*
 * Tells @finder which processes to search again, at most once a second. @sampled: knows which
 * processes have samples; NULL: all count as sampled. @mappings_of_all: data mappings of processes
 * without samples matter, too.
 */
void tls_losses_search(struct tls_losses *l, struct tls_finder *finder,
		       const struct tls_tally *sampled, bool mappings_of_all);

#endif
