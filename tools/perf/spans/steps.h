/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The structure of the JSON that tracing systems export (OTLP, Jaeger, Zipkin). Tells what an object describes and
 * which fact a value is, by their place in the document.
 */
#ifndef SPANS_STEPS_H
#define SPANS_STEPS_H

#include <stddef.h>

#include "base/types.h"
#include "json/json.h"

enum json_state {
	IN_NOTHING,
	IN_ROOT,      /* top level of any format; in Zipkin's, a span */
	IN_BATCH,     /* OTLP: spans of one resource */
	IN_RESOURCE,  /* OTLP: the process that made the spans */
	IN_SCOPE,     /* OTLP: spans of one library */
	IN_SPAN,      /* OTLP */
	IN_STATUS,    /* OTLP */
	IN_TRACE,     /* Jaeger: spans and the processes they refer to */
	IN_PROCESSES, /* Jaeger */
	IN_PROCESS,   /* Jaeger: the process that made the spans */
	IN_JAEGER,    /* Jaeger: a span */
	IN_REFERENCE, /* Jaeger: reference to the parent */
	IN_ENDPOINT,  /* Zipkin: the service that made the span */
	IN_TAGS,      /* Zipkin: attributes, by name */
	IN_ATTRIBUTE, /* OTLP, Jaeger: name and value */
	IN_VALUE,     /* OTLP: the value by its type */
	IN_LIST,      /* OTLP: a value that is a list */
};

enum span_fact {
	FACT_NONE,
	FACT_TRACE_ID,
	FACT_SPAN_ID,
	FACT_ZIPKIN_ID,
	FACT_PARENT_ID,
	FACT_NAME,
	FACT_KIND,
	FACT_START_NS,
	FACT_END_NS,
	FACT_START_US,
	FACT_DURATION_US,
	FACT_STATUS,
	FACT_SHARED,
	FACT_SERVICE,
	FACT_PROCESS_ID,
	FACT_REF_TYPE,
	FACT_REF_TRACE,
	FACT_REF_SPAN,
	FACT_KEY,
	FACT_VALUE,
	FACT_TAG,
};

struct json_step;

struct json_level {
	u8 state; /* enum json_state, of the object, or of the array's elements */
	bool array;
};

/* A place in the document; all zero: its start. */
struct steps {
	struct json_level levels[JSON_MAX_DEPTH];
	u32 depth;
	const struct json_step *step; /* for the next value; NULL: its member is unknown */
};

/* The state of the innermost open object or array; outside of all, IN_ROOT. */
enum json_state steps_state(const struct steps *s);

/* The name of the next value, which is a member of the open object. */
void steps_key(struct steps *s, const char *name, size_t length);

/* An object or @array begins. Returns its state. At most JSON_MAX_DEPTH are open at once. */
enum json_state steps_begin(struct steps *s, bool array);

/* The innermost object or array ends. Returns its state. */
enum json_state steps_end(struct steps *s);

/* The fact that a scalar value is at this place. */
enum span_fact steps_fact(const struct steps *s);

#endif
