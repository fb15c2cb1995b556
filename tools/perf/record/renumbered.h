/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of events that were opened again (openset_reopen()) get the ids of the events before. So whatever reads them,
 * and the file, knows one id for an event and a CPU, from the beginning to the end.
 */
#ifndef RECORD_RENUMBERED_H
#define RECORD_RENUMBERED_H

#include "record/base/source.h"

struct renumbered;

/* For the kernel's events of @rec. NULL: their records do not tell where ids are, or have some in the counts of groups. */
struct renumbered *renumbered_new(const struct recording *rec);
void renumbered_free(struct renumbered *n);

/* The event with @id is in place of the one with @before. Any thread. */
void renumbered_add(struct renumbered *n, u64 id, u64 before);

/* @record with the ids that were first, valid until the next call. One thread. */
const struct perf_event_header *renumbered_record(struct renumbered *n,
						  const struct perf_event_header *record);

#endif
