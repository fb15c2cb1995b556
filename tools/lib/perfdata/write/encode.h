/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct event to the bytes of a record: the inverse of perfdata_decode(), for records that
 * the recorder synthesizes, the forge and tests.
 */
#ifndef PERFDATA_ENCODE_H
#define PERFDATA_ENCODE_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/event.h"

/*
 * Appends @ev as one record, size a multiple of 8, to @out. ev->type, misc, id and the
 * member of the union for its type count; size, raw and foff do not.
 *
 * @evsel gives the layout: of a sample its sample_type, read_format and branch_sample_type, of
 * a kernel record the trailer (when attr.sample_id_all). NULL: no trailer, and no samples.
 * Sample fields that sample_type has not are left out; pid, tid, time, id, stream_id and
 * cpu of a sample come from ev->sample, a trailer's from ev->id.
 *
 * False with @error and @out as it was when a record would exceed 65535 bytes, or its type is
 * not one that is made here (AUXTRACE, COMPRESSED).
 */
bool event_encode(const struct event *ev, const struct evsel *evsel, GByteArray *out,
		  GError **error);

#endif
