/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a tracepoint's raw record read? A file carries the format texts of its
 * tracepoints (header feature TRACING_DATA); libtraceevent turns a sample's raw bytes
 * into text by them.
 *
 * The feature's layout is that of trace.dat 0.6 up to its saved command lines
 * (trace-cmd.dat(5)). It is input from outside: what does not parse leaves its events
 * without text.
 */
#ifndef RESOLVE_TRACE_H
#define RESOLVE_TRACE_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct evsel;
struct sample;
struct trace_formats;

/*
 * The formats in @blob (perfdata_info's tracing_data). @blob is copied as needed. NULL
 * with @error where its head is not what it should be.
 */
struct trace_formats *trace_formats_new(GBytes *blob, GError **error);
void trace_formats_free(struct trace_formats *formats);

/*
 * Appends "prev_comm=perf prev_pid=1 ..." for a sample of tracepoint @evsel; false, and
 * nothing appended, where @formats (may be NULL) has no format for it or the sample no
 * raw bytes.
 */
bool trace_print(struct trace_formats *formats, const struct evsel *evsel,
		 const struct sample *sample, GString *out);

/* A field's value as a number, or as text when it is a string; false where there is none. */
struct trace_value {
	bool is_text;
	s64 number;
	const char *text; /* in the sample's bytes, @text_size of them at most */
	u32 text_size;
};
bool trace_field(struct trace_formats *formats, const struct evsel *evsel,
		 const struct sample *sample, const char *field, struct trace_value *out);

/*
 * How a field reads: as the event's own text says it ("prev_state=S" gives "S"), or with @raw, and
 * where the text does not name it, its bare value. Appends; false, and nothing
 * appended, as trace_print().
 */
bool trace_field_print(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *field, bool raw, GString *out);

/* The field's bytes in the sample, those that it points to where it is of dynamic size. */
bool trace_field_bytes(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *field, const void **bytes,
		       u32 *size);

/*
 * Whether @evsel has @field, its own or a common one. @width, which may be NULL, is set to
 * the characters that upstream leaves for a value: the bytes of a text, a number in hex.
 */
bool trace_has_field(struct trace_formats *formats, const struct evsel *evsel, const char *field,
		     u32 *width);

/* Names of @evsel's own fields, in order, NULL at the end; g_strfreev(). NULL: no format. */
char **trace_field_names(struct trace_formats *formats, const struct evsel *evsel);

#endif
