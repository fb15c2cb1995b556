// SPDX-License-Identifier: GPL-2.0-or-later
/* For builds without libtraceevent: a tracepoint has raw bytes, but no text and no fields. */
#include "resolve/trace.h"

struct trace_formats *trace_formats_new(GBytes *blob, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "this perf was built without libtraceevent: tracepoints have no text");
	return NULL;
}

void trace_formats_free(struct trace_formats *formats)
{
}

void trace_formats_resolve(struct trace_formats *formats, struct resolver *resolver)
{
}

bool trace_print(struct trace_formats *formats, const struct evsel *evsel,
		 const struct sample *sample, GString *out)
{
	return false;
}

bool trace_field(struct trace_formats *formats, const struct evsel *evsel,
		 const struct sample *sample, const char *field, struct trace_value *out)
{
	return false;
}

bool trace_field_print(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *field, bool raw, GString *out)
{
	return false;
}

bool trace_field_bytes(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *field, const void **bytes,
		       u32 *size)
{
	return false;
}

bool trace_has_field(struct trace_formats *formats, const struct evsel *evsel, const char *field,
		     u32 *width)
{
	return false;
}

char **trace_field_names(struct trace_formats *formats, const struct evsel *evsel)
{
	return NULL;
}
