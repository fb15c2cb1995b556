/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the summary of --sample-tls at the end of a recording: which publishers were found, how
 * many samples have an activity, and what was missed.
 */
#ifndef RECORD_TLS_SUMMARY_H
#define RECORD_TLS_SUMMARY_H

#include <glib.h>

#include "record/tls/bpf.h"
#include "record/tls/lookup.h"
#include "record/tls/tally.h"
#include "record/tls/unread.h"

struct tls_outcome {
	const GArray *asked; /* struct activity_layout */
	const struct tls_lookup *lookup;
	struct tls_tally *tally;
	const struct tls_bpf *bpf;	 /* or NULL: the kernel read the bytes */
	const struct tls_unread *unread; /* or NULL */
	u64 out_of_reach;		 /* publishers that the kernel's window cannot show */
	u64 dropped;			 /* publishers for which a process's plan had no room */
};

/*
 * Sentences or lines, as source_ops.summary defines. The caller frees the result. NULL: nothing to
 * say.
 */
char *tls_summary(const struct tls_outcome *outcome);

#endif
