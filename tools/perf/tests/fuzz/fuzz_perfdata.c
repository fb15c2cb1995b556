// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a perf.data file: open, read every record twice, touch all that a record points
 * to by encoding it again, and print header and records. What is malformed must be an error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "perfdata/write/encode.h"
#include "perfdata/print/print.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void read_all(struct perfdata *pd, bool dump, FILE *out)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	u32 errors = 0;

	while (errors < 16) {
		struct event ev;
		GError *error = NULL;
		int got = perfdata_next(pd, &ev, &error);

		if (got == 0)
			break;
		if (got < 0) {
			if (!error)
				abort();
			g_clear_error(&error);
			errors++;
			continue;
		}
		g_byte_array_set_size(bytes, 0);
		event_encode(&ev, ev.evsel, bytes, NULL);
		if (dump)
			event_dump(pd, &ev, out);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = perfdata_open_bytes("fuzz", data, size, &error);
	FILE *out;

	if (!pd) {
		if (!error)
			abort();
		return 0;
	}
	out = fopen("/dev/null", "w");
	read_all(pd, size < 4096, out);
	perfdata_print_header(pd, true, out);
	if (!perfdata_rewind(pd, NULL))
		abort();
	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	read_all(pd, false, out);
	fclose(out);
	perfdata_close(pd);
	return 0;
}
