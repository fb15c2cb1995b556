/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes records in memory, for a recorder: records from the kernel's rings, and records that it synthesized. For
 * records of a file see perfdata_decode() in reader.h.
 */
#ifndef PERFDATA_DECODER_H
#define PERFDATA_DECODER_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/event.h"

struct perfdata_decoder;

/*
 * The @nr @evsels define the layout of the records and the ids of the events. They are copied; a decoded event points
 * to the copy, which has the same idx. NULL with @error: the records of the events cannot be told apart, because the id
 * is not at the same offset in all.
 */
struct perfdata_decoder *perfdata_decoder_new(struct evsel *const *evsels, u32 nr, GError **error);
void perfdata_decoder_free(struct perfdata_decoder *d);

/*
 * Fills @ev from @record, whose record->size bytes are there and 8-aligned; ev's pointers lead into
 * them. False where the record is malformed: @ev is then not to be used. Any number of threads.
 */
bool perfdata_decoder_decode(const struct perfdata_decoder *d,
			     const struct perf_event_header *record, struct event *ev);

/*
 * The bytes of @record that are the record's: header.size, or less (record_true_size() in
 * perfdata/format.h).
 */
u32 perfdata_decoder_size(const struct perfdata_decoder *d, const struct perf_event_header *record);

/*
 * out: the offsets in @record of the ids of its event, each a u64. Returns how many. Ids in the counts of a group
 * (PERF_SAMPLE_READ) are not among them.
 */
#define DECODER_MOST_IDS 3
u32 perfdata_decoder_ids(const struct perfdata_decoder *d, const struct perf_event_header *record,
			 u32 at[DECODER_MOST_IDS]);

#endif
