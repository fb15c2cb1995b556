/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A parser that hands out JSON values one by one: the start and end of objects and arrays, keys,
 * scalars. It keeps nothing of the text, so memory does not grow with it. Several values may follow
 * each other (JSON lines).
 *
 * A byte order mark is skipped; an empty text has no values.
 *
 * Input is untrusted: nesting deeper than JSON_MAX_DEPTH, a value longer than JSON_MAX_VALUE, and
 * everything that is not JSON are errors. Strings may be invalid UTF-8.
 */
#ifndef SPANS_JSON_H
#define SPANS_JSON_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

#define JSON_MAX_DEPTH 64
#define JSON_MAX_VALUE (8u << 20)

enum json_event {
	JSON_OBJECT, /* begins */
	JSON_OBJECT_END,
	JSON_ARRAY, /* begins */
	JSON_ARRAY_END,
	JSON_KEY,
	JSON_STRING,
	JSON_WORD, /* a number as it is written, true, false, null */
};

/* @text is not terminated and good until the call returns. */
typedef void json_fn(void *arg, enum json_event event, const char *text, size_t size);

struct json;

/* NULL with PERF_ERROR_UNSUPPORTED where this build has no JSON library. @name is for errors. */
struct json *json_new(const char *name, json_fn *fn, void *arg, GError **error);
void json_free(struct json *json);

/* The next bytes. False with "NAME: offset N: ..." in @error; over then. */
bool json_feed(struct json *json, const char *bytes, size_t size, GError **error);
/* Whether the text ended inside an object or an array if no more bytes came. */
bool json_is_open(const struct json *json);
/* No more bytes: false with @error when the text ends inside a value. */
bool json_end(struct json *json, GError **error);

#endif
