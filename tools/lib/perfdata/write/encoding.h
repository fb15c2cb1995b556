/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of event_encode(). Only encode.c and encode_tool.c include this. */
#ifndef PERFDATA_ENCODING_H
#define PERFDATA_ENCODING_H

#include <string.h>

#include "base/bytes.h"
#include "perfdata/event.h"

static inline void put_zeros(GByteArray *out, u64 size)
{
	static const u8 zeros[64];

	for (; size > sizeof(zeros); size -= sizeof(zeros))
		put(out, zeros, sizeof(zeros));
	put(out, zeros, size);
}

static inline void put_string(GByteArray *out, const char *s)
{
	put(out, s ? s : "", s ? strlen(s) + 1 : 1);
}

/*
 * The tool's own records: types from 64 on. @start is the offset in @out of the record's header. False: the type cannot
 * be made.
 */
bool encode_tool_record(const struct event *ev, guint start, GByteArray *out);

#endif
