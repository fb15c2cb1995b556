// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/wall_put.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perfevent/paths.h"
#include "record/base/queue.h"

void wall_put(struct outlet *out, GByteArray *records)
{
	size_t from = 0, at = 0;

	while (at < records->len) {
		const struct perf_event_header *h = (const void *)(records->data + at);

		if (at + h->size - from > QUEUE_BUFFER_MIN) {
			outlet_put(out, records->data + from, at - from);
			from = at;
		}
		at += h->size;
	}
	if (at > from)
		outlet_put(out, records->data + from, at - from);
	g_byte_array_set_size(records, 0);
}

u32 wall_process_of(const struct kernel_paths *paths, pid_t tid)
{
	g_autofree char *status = file_text("%s/%d/status", paths->proc, tid);
	const char *line = status ? strstr(status, "\nTgid:") : NULL;

	return line ? (u32)strtoul(line + strlen("\nTgid:"), NULL, 10) : (u32)tid;
}
