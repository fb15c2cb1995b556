// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the next COMPRESSED records, so that they can be inflated before the reader needs them. */
#include "base/cursor.h"
#include "perfdata/format.h"
#include "perfdata/read/reader_private.h"

bool reader_is_compressed(u32 type)
{
	return type == PERFDATA_COMPRESSED || type == PERFDATA_COMPRESSED2;
}

const void *reader_compressed_payload(const struct perf_event_header *header, const u8 *at,
				      u64 *size)
{
	struct cursor c = cursor_of(at + sizeof(*header), header->size - sizeof(*header));

	*size = header->type == PERFDATA_COMPRESSED2 ? cursor_u64(&c) : cursor_left(&c);
	at = cursor_bytes(&c, *size);
	return c.failed ? NULL : at;
}

/* Limits: how many bytes to search for COMPRESSED records, and how many records to announce. */
#define LOOK_AHEAD (4u << 20)
#define MOST_AHEAD 64

/*
 * Announces COMPRESSED records to the inflater, from the current one on. The search stops at a malformed record and at
 * one whose header does not tell where the next record starts. It continues when the reader has passed that record.
 */
void reader_look_ahead(struct perfdata *pd)
{
	u64 here = input_foff(pd->input);
	struct perf_event_header header;
	const u8 *at;

	pd->looked_foff = MAX(pd->looked_foff, here);
	while (inflate_nr_expected(pd->inflate) < MOST_AHEAD &&
	       pd->looked_foff - here < LOOK_AHEAD &&
	       (at = input_record_ahead(pd->input, pd->looked_foff - here, &header))) {
		if (header.type == PERFDATA_AUXTRACE || header.type == PERFDATA_TRACING_DATA)
			break;
		if (reader_is_compressed(header.type)) {
			u64 size;
			const void *data = reader_compressed_payload(&header, at, &size);

			if (!data)
				break;
			inflate_expect(pd->inflate, data, size);
		}
		pd->looked_foff += header.size;
	}
}
