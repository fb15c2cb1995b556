// SPDX-License-Identifier: GPL-2.0-or-later
/* What is asked of a tree of values, whoever made it. */
#include <string.h>

#include "mcp/value.h"

static void free_one(struct json_value *value)
{
	g_free(value->text);
	g_free(value->key);
	g_free(value);
}

/* Recursion is as deep as VALUE_MAX_DEPTH. */
void value_free(struct json_value *value)
{
	struct json_value *next;

	for (; value; value = next) {
		next = value->next;
		value_free(value->first);
		free_one(value);
	}
}

const struct json_value *value_member(const struct json_value *object, const char *key)
{
	if (!object || object->kind != VALUE_OBJECT)
		return NULL;
	for (const struct json_value *v = object->first; v; v = v->next)
		if (!strcmp(v->key, key))
			return v;
	return NULL;
}

const char *value_string(const struct json_value *value)
{
	if (!value || value->kind != VALUE_STRING || strlen(value->text) != value->size)
		return NULL;
	return value->text;
}

bool value_is_id(const struct json_value *value)
{
	if (!value)
		return false;
	return value->kind == VALUE_STRING ||
	       (value->kind == VALUE_NUMBER && !strpbrk(value->text, ".eE"));
}

bool value_same_id(const struct json_value *a, const struct json_value *b)
{
	return value_is_id(a) && value_is_id(b) && a->kind == b->kind && a->size == b->size &&
	       !memcmp(a->text, b->text, a->size);
}
