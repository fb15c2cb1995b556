/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files of spans into the store, whichever of three formats they have:
 *
 *  - OTLP JSON, as the collector's file exporter writes it: one object or one per line.
 *    Source: opentelemetry-proto, trace.proto and the JSON mapping in OTLP's specification.
 *  - Jaeger JSON, as its query service hands it out: {"data": [{"spans": ...}]}.
 *  - Zipkin's v2 JSON: an array of spans, or of traces. Source: zipkin-api, zipkin2-api.yaml.
 *
 * What a value is follows from the names of the objects around it, so the three need not be told
 * apart beforehand, and names that nobody knows are passed over with all that is in them.
 */
#ifndef SPANS_LOAD_H
#define SPANS_LOAD_H

#include <glib.h>

#include "base/error.h"
#include "spans/spans.h"

/*
 * Adds what the file @path tells of spans ("-": standard input). With @show_progress, a line on
 * stderr as base/progress.h has it. A file that holds no value, or an empty array, has no
 * spans; one that ends inside a value behind spans, as one that is still being written does, is
 * counted (spans_counts()). False with an @error that names file and offset where it cannot be
 * read, is no JSON, or holds none of the formats; spans before that place are in.
 */
bool spans_load(struct spans *spans, const char *path, bool show_progress, GError **error);

/* The same from bytes in memory; for tests. */
bool spans_load_bytes(struct spans *spans, const char *name, const void *bytes, size_t size,
		      GError **error);

#endif
