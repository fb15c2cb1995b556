// SPDX-License-Identifier: GPL-2.0-or-later
/* A sysprof capture: its frames, the events that they become, and these as records. */
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "convert/from_sysprof.h"
#include "perfdata/write/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void encode(struct from_sysprof *from, const struct sysprof_frame *frame)
{
	struct event events[FROM_SYSPROF_MOST];
	u32 nr = from_sysprof_events(from, frame, events);
	g_autoptr(GByteArray) out = g_byte_array_new();

	if (nr > FROM_SYSPROF_MOST)
		abort();
	for (u32 i = 0; i < nr; i++)
		event_encode(&events[i], events[i].evsel, out, NULL);
}

/* What is decoded of a frame of this byte order is encoded to a frame that is decoded the same. */
static void encode_frame(const struct sysprof_frame *frame)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct sysprof_frame again;
	const char *part;

	if (!sysprof_frame_encode(frame, out))
		return;
	if (!sysprof_frame_decode(out->data, out->len, false, &again, &part) ||
	    again.type != frame->type || again.time != frame->time || again.pid != frame->pid)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sysprof_header header;
	struct from_sysprof *from;
	const char *part;
	size_t at = SYSPROF_HEADER;

	if (size < SYSPROF_HEADER || !sysprof_header_decode(data, &header, &part))
		return 0;
	from = from_sysprof_new();
	while (size - at >= SYSPROF_FRAME_HEAD) {
		u32 n = sysprof_frame_size(data + at, header.foreign, &part);
		struct sysprof_frame frame;
		g_autofree u8 *copy = NULL;

		if (!n || n > size - at)
			break;
		copy = g_memdup2(data + at, n);
		if (sysprof_frame_decode(copy, n, header.foreign, &frame, &part)) {
			encode(from, &frame);
			encode_frame(&frame);
		}
		at += n;
	}
	g_free(from_sysprof_passed_over(from));
	from_sysprof_free(from);
	return 0;
}
