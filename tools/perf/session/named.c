// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/named.h"

#include <string.h>

#include "activity/process.h"

void named_complete(struct spans *spans, struct activity *a)
{
	static const u8 none[sizeof(a->trace_id)];
	const struct span *span;
	bool all = !memcmp(a->trace_id, none, sizeof(none));

	if (!spans || !activity_has_ids(a) || memcmp(a->trace_id, none, sizeof(none) / 2) ||
	    spans_find(spans, a->trace_id, span_number(a->span_id)))
		return;
	span = spans_find_alone(spans, all ? NULL : a->trace_id + sizeof(none) / 2,
				span_number(a->span_id));
	if (span)
		memcpy(a->trace_id, spans_trace_id(spans, span), sizeof(a->trace_id));
}

const struct span *named_span(const struct spans *spans, const struct activity *a, const u8 *id)
{
	if (!spans || !activity_has_ids(a))
		return NULL;
	return spans_find(spans, a->trace_id, span_number(id));
}

static const char *process_label(const struct activity_process *process, const char *key)
{
	for (u32 i = 0; process && i < process->nr_attributes; i++)
		if (!strcmp(process->attributes[i].key, key))
			return process->attributes[i].value;
	return NULL;
}

bool named_label(const struct spans *spans, const struct activity *a, const char *key,
		 const char **value, size_t *size)
{
	const struct span *span;

	if (!a)
		return false;
	if (activity_label(a, key, value, size))
		return true;
	span = named_span(spans, a, a->span_id);
	*value = span ? spans_label(spans, span, key) : NULL;
	if (!*value)
		*value = process_label(a->process, key);
	*size = *value ? strlen(*value) : 0;
	return *value != NULL;
}
