/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A parser that reports JSON values one by one: start and end of objects and arrays, keys, scalars. It keeps no text,
 * so its memory does not grow with the input. Several values may follow each other (JSON lines).
 *
 * A byte order mark is skipped. An empty text has no values.
 *
 * Input is untrusted. Errors are: nesting deeper than JSON_MAX_DEPTH, a value longer than JSON_MAX_VALUE, and all text
 * that is not JSON. Strings may be invalid UTF-8.
 */
#ifndef JSON_JSON_H
#define JSON_JSON_H

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
	JSON_WORD, /* a number as written, true, false, null */
};

/* @text is not terminated, and valid during the call. */
typedef void json_fn(void *arg, enum json_event event, const char *text, size_t size);

struct json;

/* @name is for error messages. NULL with PERF_ERROR_UNSUPPORTED: this build has no JSON library. */
struct json *json_new(const char *name, json_fn *fn, void *arg, GError **error);
void json_free(struct json *json);

/* Parses the next bytes. False with "NAME: offset N: ..." in @error; then no further call is allowed. */
bool json_feed(struct json *json, const char *bytes, size_t size, GError **error);
/* If the text ended here, would it end inside an object or array? */
bool json_is_open(const struct json *json);
/* Ends the text. False with @error: it ends inside a value. */
bool json_end(struct json *json, GError **error);

#endif
