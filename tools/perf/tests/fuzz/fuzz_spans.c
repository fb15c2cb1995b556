// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of spans: the parser, the three formats, and what is found afterwards. */
#include <stdlib.h>
#include <string.h>

#include "spans/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct spans *spans, u32 trace, u64 id)
{
	u8 trace_id[SPAN_TRACE_ID_SIZE] = { 0 };
	const struct span *span;
	u32 steps = 0;

	memset(trace_id, (int)trace, sizeof(trace_id));
	for (span = spans_find(spans, trace_id, id); span && steps < 100; steps++) {
		if (!g_utf8_validate(spans_name(spans, span), -1, NULL) ||
		    !g_utf8_validate(spans_service(spans, span), -1, NULL))
			abort();
		spans_label(spans, span, "http.route");
		spans_is_ambiguous(spans, span);
		span_status_name(span->status);
		span_kind_name(span->kind);
		span = spans_parent(spans, span);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct spans *spans = spans_new();
	g_autoptr(GError) error = NULL;

	spans_keep(spans, "http.route");
	if (!spans_load_bytes(spans, "fuzz", data, size, &error) && !error)
		abort();
	for (u32 trace = 1; trace < 4; trace++)
		for (u64 id = 1; id < 4; id++)
			use(spans, trace | trace << 4, id);
	spans_free(spans);
	return 0;
}
