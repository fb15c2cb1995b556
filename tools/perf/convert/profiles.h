/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of pprof and OpenTelemetry as recordings. At least what `perf data convert --to=pprof` and `--to=otlp` write is
 * read: functions, objects, threads, spans, labels, values, and of OTLP times. See imported.h for what is lost.
 */
#ifndef CONVERT_PROFILES_H
#define CONVERT_PROFILES_H

#include "base/error.h"
#include "base/types.h"

/*
 * Does the regular file at @path look like one of them? pprof: gzip, or a protocol buffer with its fields; OTLP: one with the
 * two fields of ProfilesData.
 */
bool profiles_fit(const char *path);

/*
 * Writes the profile at @path as a packed recording into a temporary file without a name. Returns its descriptor, which the
 * caller closes; -1 with @error: it is damaged, or this build lacks libprotobuf-c or minizip (PERF_ERROR_UNSUPPORTED).
 */
int profiles_import(const char *path, GError **error);

/* The same for bytes in memory. @name is for messages. */
int profiles_import_bytes(const char *name, const void *bytes, size_t size, GError **error);

#endif
