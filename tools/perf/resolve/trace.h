/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a tracepoint's raw record as text. A file carries the format texts of its
 * tracepoints (header feature TRACING_DATA); libtraceevent uses them to turn a sample's raw
 * bytes into text.
 *
 * The feature has the layout of trace.dat 0.6 up to its saved command lines
 * (trace-cmd.dat(5)). It is untrusted input: if a format does not parse, its events have no
 * text.
 */
#ifndef RESOLVE_TRACE_H
#define RESOLVE_TRACE_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct evsel;
struct resolver;
struct sample;
struct trace_formats;

/*
 * The formats in @blob (perfdata_info's tracing_data). @blob is copied as needed. NULL
 * with @error where its head is not what it should be.
 */
struct trace_formats *trace_formats_new(GBytes *blob, GError **error);
void trace_formats_free(struct trace_formats *formats);

/* From now on, kernel addresses print as @resolver's functions, unless the file has its own table of them. */
void trace_formats_resolve(struct trace_formats *formats, struct resolver *resolver);

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
 * Appends a field's text: its part of the event's own text ("prev_state=S" gives "S"). With @raw, or
 * if the event's text does not name the field, appends the bare value. False, and nothing is
 * appended, as in trace_print().
 */
bool trace_field_print(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *field, bool raw, GString *out);

/* The field's bytes in the sample. A field of dynamic size: the bytes to which it points. */
bool trace_field_bytes(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *field, const void **bytes,
		       u32 *size);

/*
 * True if @evsel has @field, its own or a common one. @width (may be NULL) is set to the number
 * of columns that upstream reserves for a value: the bytes of a text, the digits of a number in hex.
 */
bool trace_has_field(struct trace_formats *formats, const struct evsel *evsel, const char *field,
		     u32 *width);

/* Names of @evsel's own fields, in order, NULL at the end; g_strfreev(). NULL: no format. */
char **trace_field_names(struct trace_formats *formats, const struct evsel *evsel);

#endif
