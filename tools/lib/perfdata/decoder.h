/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes records that are not read from a file: what a recorder has in memory, from the kernel's
 * rings or made by itself. For the records of a file see perfdata_decode() in reader.h.
 */
#ifndef PERFDATA_DECODER_H
#define PERFDATA_DECODER_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/event.h"

struct perfdata_decoder;

/*
 * @evsels, @nr of them, say how the records are laid out and which ids belong to which event. They are
 * copied; an event's evsel is a copy with the same idx. NULL with @error when their records cannot be
 * told apart (the id is not at the same place in all).
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

#endif
