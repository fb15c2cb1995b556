/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short JSON text from outside as a tree of values. The text is hostile: its size and depth are bounded, and it must be
 * UTF-8.
 */
#ifndef JSON_VALUE_H
#define JSON_VALUE_H

#include "json/json.h"

#define VALUE_MAX_SIZE (1u << 20) /* bytes of the text; each may become some 100 bytes of memory */

enum json_kind { VALUE_WORD, VALUE_STRING, VALUE_ARRAY, VALUE_OBJECT };

struct json_value {
	enum json_kind kind;
	/* A string without quotes; a number, true, false and null as written. Ends in a NUL, and may contain some. */
	GString *text;
	char *key;		   /* of a member of an object; NULL: of an array, or the whole */
	struct json_value *first;  /* of an array or object: its first value; NULL: it is empty */
	struct json_value *next;   /* in the same array or object */
	struct json_value *parent; /* NULL: the whole */
};

/* NULL with PERF_ERROR_FORMAT, or PERF_ERROR_UNSUPPORTED: this build has no JSON library. */
struct json_value *value_parse(const char *text, size_t size, GError **error);
/* The whole; may be NULL. */
void value_free(struct json_value *value);

/* The first member @key of an object. NULL: @object is NULL or no object, or has no such member. */
const struct json_value *value_member(const struct json_value *object, const char *key);
/* The text of a string without NUL; NULL: @value is NULL or something else. */
const char *value_string(const struct json_value *value);
/* Is it a number, or one without fraction? */
bool value_is_number(const struct json_value *value, bool whole);

#endif
