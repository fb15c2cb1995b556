/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of format_decode(), which decodes bytes into struct event. Only decode.c, decode_sample.c and decode_tool.c
 * include this.
 *
 * A cursor checks the bounds of every read. Reads past the end return zeros, so a decoder reads a group of fields and
 * checks once. `part` names the field that is being read, for the error message.
 */
#ifndef PERFDATA_DECODING_H
#define PERFDATA_DECODING_H

#include "base/cursor.h"
#include "perfdata/format.h"

#define FAIL(what)                                                                                 \
	do {                                                                                       \
		*part = (what);                                                                    \
		return false;                                                                      \
	} while (0)

/* The next @nr elements of @each bytes, in place. NULL: they do not fit, and the cursor has failed. */
static inline const void *decode_array(struct cursor *c, u64 nr, u64 each)
{
	if (nr > cursor_left(c) / each) {
		c->failed = true;
		return NULL;
	}
	return cursor_bytes(c, nr * each);
}

/* The values of counters: of a sample, or of a READ record. */
bool decode_read(struct cursor *c, u64 format, struct sample_read *read);

/* A sample that has only fields of fixed size. False: it has others, and nothing was decoded. */
bool decode_fixed_sample(const struct format *fmt, struct event *ev);

/* Any sample. */
bool decode_sample_record(const struct format *fmt, struct cursor *c, struct event *ev,
			  const char **part);

/* The tool's own records: types from 64 on. */
bool decode_tool_record(struct cursor *c, struct event *ev, const char **part);

#endif
