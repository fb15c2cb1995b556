/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads span files into the store. It accepts three formats:
 *
 *  - OTLP JSON, as the collector's file exporter writes it: one object or one per line.
 *    Source: opentelemetry-proto, trace.proto and the JSON mapping in OTLP's specification.
 *  - Jaeger JSON, as its query service returns it: {"data": [{"spans": ...}]}.
 *  - Zipkin's v2 JSON: an array of spans, or of traces. Source: zipkin-api, zipkin2-api.yaml.
 *
 * The names of the objects around a value tell what it is, so the format need not be known in advance. Members with
 * unknown names are skipped, with all values inside of them.
 */
#ifndef SPANS_LOAD_H
#define SPANS_LOAD_H

#include <glib.h>

#include "base/error.h"
#include "spans/spans.h"

/*
 * Adds the spans of the file @path ("-": standard input). @show_progress: shows a line on stderr (base/progress.h). A
 * file without a value, or with an empty array, has no spans. A file may end inside a value, after some spans, for
 * instance if it is still being written: that is counted (spans_counts()). False: the file cannot be read, is no JSON,
 * or has none of the formats. @error names file and offset. Spans before that offset are added.
 */
bool spans_load(struct spans *spans, const char *path, bool show_progress, GError **error);

/* The same from bytes in memory. For tests. */
bool spans_load_bytes(struct spans *spans, const char *name, const void *bytes, size_t size,
		      GError **error);

#endif
