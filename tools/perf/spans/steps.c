// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each open object has a state: what the object describes. A row of steps[] tells what the value of a member is, by the
 * object's state and the member's name: another object, with its state, or a fact. The elements of an array have the
 * array's state. For example,
 *
 *	{"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "GET", ...
 *	IN_ROOT             IN_BATCH        IN_SCOPE   IN_SPAN  FACT_NAME
 *
 * needs four rows. A member without a row is IN_NOTHING, with all values inside of it.
 */
#include "spans/steps.h"

#include <string.h>

/* In an object with state @in, the member @name (NULL: any) is an object with state @to, or a scalar @fact. */
static const struct json_step {
	enum json_state in;
	const char *name;
	enum json_state to;
	enum span_fact fact;
} steps[] = {
	{ IN_ROOT, "resourceSpans", IN_BATCH, 0 },
	{ IN_ROOT, "resource_spans", IN_BATCH, 0 },
	{ IN_ROOT, "batches", IN_BATCH, 0 },
	{ IN_ROOT, "trace", IN_ROOT, 0 },  /* Tempo wraps OTLP in it */
	{ IN_ROOT, "result", IN_ROOT, 0 }, /* Jaeger's API version 3 wraps OTLP in it */
	{ IN_BATCH, "resource", IN_RESOURCE, 0 },
	{ IN_BATCH, "scopeSpans", IN_SCOPE, 0 },
	{ IN_BATCH, "scope_spans", IN_SCOPE, 0 },
	{ IN_BATCH, "instrumentationLibrarySpans", IN_SCOPE, 0 },
	{ IN_RESOURCE, "attributes", IN_ATTRIBUTE, 0 },
	{ IN_SCOPE, "spans", IN_SPAN, 0 },
	{ IN_SPAN, "traceId", 0, FACT_TRACE_ID },
	{ IN_SPAN, "trace_id", 0, FACT_TRACE_ID },
	{ IN_SPAN, "spanId", 0, FACT_SPAN_ID },
	{ IN_SPAN, "span_id", 0, FACT_SPAN_ID },
	{ IN_SPAN, "parentSpanId", 0, FACT_PARENT_ID },
	{ IN_SPAN, "parent_span_id", 0, FACT_PARENT_ID },
	{ IN_SPAN, "name", 0, FACT_NAME },
	{ IN_SPAN, "kind", 0, FACT_KIND },
	{ IN_SPAN, "startTimeUnixNano", 0, FACT_START_NS },
	{ IN_SPAN, "start_time_unix_nano", 0, FACT_START_NS },
	{ IN_SPAN, "endTimeUnixNano", 0, FACT_END_NS },
	{ IN_SPAN, "end_time_unix_nano", 0, FACT_END_NS },
	{ IN_SPAN, "status", IN_STATUS, 0 },
	{ IN_SPAN, "attributes", IN_ATTRIBUTE, 0 },
	{ IN_STATUS, "code", 0, FACT_STATUS },

	{ IN_ROOT, "data", IN_TRACE, 0 },
	{ IN_TRACE, "spans", IN_JAEGER, 0 },
	{ IN_TRACE, "processes", IN_PROCESSES, 0 },
	{ IN_PROCESSES, NULL, IN_PROCESS, 0 },
	{ IN_PROCESS, "serviceName", 0, FACT_SERVICE },
	{ IN_PROCESS, "tags", IN_ATTRIBUTE, 0 },
	{ IN_JAEGER, "traceID", 0, FACT_TRACE_ID },
	{ IN_JAEGER, "spanID", 0, FACT_SPAN_ID },
	{ IN_JAEGER, "parentSpanID", 0, FACT_PARENT_ID },
	{ IN_JAEGER, "operationName", 0, FACT_NAME },
	{ IN_JAEGER, "startTime", 0, FACT_START_US },
	{ IN_JAEGER, "duration", 0, FACT_DURATION_US },
	{ IN_JAEGER, "processID", 0, FACT_PROCESS_ID },
	{ IN_JAEGER, "process", IN_PROCESS, 0 },
	{ IN_JAEGER, "references", IN_REFERENCE, 0 },
	{ IN_JAEGER, "tags", IN_ATTRIBUTE, 0 },
	{ IN_REFERENCE, "refType", 0, FACT_REF_TYPE },
	{ IN_REFERENCE, "traceID", 0, FACT_REF_TRACE },
	{ IN_REFERENCE, "spanID", 0, FACT_REF_SPAN },

	{ IN_ROOT, "traceId", 0, FACT_TRACE_ID },
	{ IN_ROOT, "id", 0, FACT_ZIPKIN_ID },
	{ IN_ROOT, "parentId", 0, FACT_PARENT_ID },
	{ IN_ROOT, "name", 0, FACT_NAME },
	{ IN_ROOT, "kind", 0, FACT_KIND },
	{ IN_ROOT, "timestamp", 0, FACT_START_US },
	{ IN_ROOT, "duration", 0, FACT_DURATION_US },
	{ IN_ROOT, "shared", 0, FACT_SHARED },
	{ IN_ROOT, "localEndpoint", IN_ENDPOINT, 0 },
	{ IN_ROOT, "tags", IN_TAGS, 0 },
	{ IN_ENDPOINT, "serviceName", 0, FACT_SERVICE },
	{ IN_TAGS, NULL, 0, FACT_TAG },

	{ IN_ATTRIBUTE, "key", 0, FACT_KEY },
	{ IN_ATTRIBUTE, "value", IN_VALUE, FACT_VALUE },
	{ IN_VALUE, "stringValue", 0, FACT_VALUE },
	{ IN_VALUE, "string_value", 0, FACT_VALUE },
	{ IN_VALUE, "intValue", 0, FACT_VALUE },
	{ IN_VALUE, "int_value", 0, FACT_VALUE },
	{ IN_VALUE, "boolValue", 0, FACT_VALUE },
	{ IN_VALUE, "bool_value", 0, FACT_VALUE },
	{ IN_VALUE, "doubleValue", 0, FACT_VALUE },
	{ IN_VALUE, "double_value", 0, FACT_VALUE },
	{ IN_VALUE, "arrayValue", IN_LIST, 0 },
	{ IN_VALUE, "array_value", IN_LIST, 0 },
	{ IN_LIST, "values", IN_VALUE, 0 },
};

enum json_state steps_state(const struct steps *s)
{
	return s->depth ? s->levels[s->depth - 1].state : IN_ROOT;
}

static bool is_member(const struct steps *s)
{
	return s->depth && !s->levels[s->depth - 1].array;
}

void steps_key(struct steps *s, const char *name, size_t length)
{
	enum json_state in = steps_state(s);

	s->step = NULL;
	if (in == IN_NOTHING)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(steps) && !s->step; i++) {
		const struct json_step *row = &steps[i];

		if (row->in == in && (!row->name || (strlen(row->name) == length &&
						     !memcmp(row->name, name, length))))
			s->step = row;
	}
}

enum json_state steps_begin(struct steps *s, bool array)
{
	enum json_state state = steps_state(s);

	if (is_member(s))
		state = s->step ? s->step->to : IN_NOTHING;
	s->levels[s->depth++] = (struct json_level){ state, array };
	return state;
}

enum json_state steps_end(struct steps *s)
{
	return s->levels[--s->depth].state;
}

enum span_fact steps_fact(const struct steps *s)
{
	return is_member(s) && s->step ? s->step->fact : FACT_NONE;
}
