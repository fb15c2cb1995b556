/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A JSON text from outside as a tree of values. The text is hostile: its size, depth and number of values are bounded, and it
 * must be UTF-8.
 */
#ifndef MCP_VALUE_H
#define MCP_VALUE_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

#define VALUE_MAX_SIZE	(1u << 20) /* bytes of the text */
#define VALUE_MAX_DEPTH 32
#define VALUE_MAX_NR	10000

enum json_kind { VALUE_NULL, VALUE_BOOL, VALUE_NUMBER, VALUE_STRING, VALUE_ARRAY, VALUE_OBJECT };

struct json_value {
	enum json_kind kind;
	/* A string without quotes; a number, true, false and null as written. Ends in a NUL, and may contain some. */
	char *text;
	size_t size;
	char *key;		   /* of a member of an object; NULL: of an array, or the whole */
	struct json_value *first;  /* of an array or object: its first value; NULL: it is empty */
	struct json_value *next;   /* in the same array or object */
	struct json_value *parent; /* NULL: the whole */
};

/* NULL with PERF_ERROR_FORMAT, or PERF_ERROR_UNSUPPORTED: this build has no JSON library. value_free() it. */
struct json_value *value_parse(const char *text, size_t size, GError **error);
/* The whole; may be NULL. */
void value_free(struct json_value *value);

/* The first member @key of an object. NULL: @object is NULL or no object, or has no such member. */
const struct json_value *value_member(const struct json_value *object, const char *key);
/* The text of a string without NUL; NULL: @value is NULL or something else. */
const char *value_string(const struct json_value *value);
/* True for a string or a number without fraction: what an id may be. */
bool value_is_id(const struct json_value *value);
/* True if both are ids of the same kind and text. */
bool value_same_id(const struct json_value *a, const struct json_value *b);

#endif
