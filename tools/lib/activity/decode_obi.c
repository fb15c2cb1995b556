// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace id and span id that OpenTelemetry's eBPF instrumentation keeps for a thread. */
#include <string.h>

#include "activity/decoders.h"

enum activity_state activity_decode_obi(const u8 *bytes, size_t size, struct activity *a)
{
	static const u8 zero[24];

	if (size < sizeof(zero))
		return ACTIVITY_TRUNCATED;
	if (memcmp(bytes, zero, sizeof(zero)) == 0)
		return ACTIVITY_NONE;
	memcpy(a->trace_id, bytes, sizeof(a->trace_id));
	memcpy(a->span_id, bytes + 16, sizeof(a->span_id));
	a->has = ACTIVITY_HAS_IDS;
	return ACTIVITY_OK;
}
