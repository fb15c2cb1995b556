// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * OTEP 4719's payload: a ProcessContext, or in drafts of it (header version 1) the Resource alone.
 * A message of the one kind does not pass for the other: the first bytes of a resource's attribute
 * are its key's, which are no attribute.
 */
#include <string.h>

#include "activity/process.pb-c.h"
#include "activity/process_private.h"

#define KEY_MAP "threadlocal.attribute_key_map"

bool facts_can_read_otel(void)
{
	return true;
}

static void read_keys(struct facts *f, const Otel__ArrayValue *array)
{
	g_ptr_array_set_size(f->keys, 0);
	for (size_t i = 0; i < array->n_values && i < FACTS_MAX_KEYS; i++) {
		const char *key = array->values[i]->string_value;

		g_ptr_array_add(f->keys, (char *)facts_string(f, key, strlen(key)));
	}
}

static void read_attribute(struct facts *f, const Otel__KeyValue *attribute)
{
	const Otel__AnyValue *value = attribute->value;
	g_autofree char *text = NULL;

	if (!value)
		return;
	switch (value->value_case) {
	case OTEL__ANY_VALUE__VALUE_STRING_VALUE:
		text = g_strdup(value->string_value);
		break;
	case OTEL__ANY_VALUE__VALUE_BOOL_VALUE:
		text = g_strdup(value->bool_value ? "true" : "false");
		break;
	case OTEL__ANY_VALUE__VALUE_INT_VALUE:
		text = g_strdup_printf("%" G_GINT64_FORMAT, value->int_value);
		break;
	case OTEL__ANY_VALUE__VALUE_DOUBLE_VALUE:
		text = g_strdup_printf("%g", value->double_value);
		break;
	case OTEL__ANY_VALUE__VALUE_ARRAY_VALUE:
		if (strcmp(attribute->key, KEY_MAP) == 0)
			read_keys(f, value->array_value);
		return;
	default:
		return;
	}
	facts_add(f, facts_string(f, attribute->key, strlen(attribute->key)),
		  facts_string(f, text, strlen(text)));
}

static void read_resource(struct facts *f, const Otel__Resource *resource)
{
	for (size_t i = 0; resource && i < resource->n_attributes; i++)
		read_attribute(f, resource->attributes[i]);
}

bool facts_read_otel(struct facts *f, const void *data, size_t size)
{
	Otel__ProcessContext *context;
	Otel__Resource *resource;

	context = otel__process_context__unpack(NULL, size, data);
	if (context) {
		read_resource(f, context->resource);
		for (size_t i = 0; i < context->n_attributes; i++)
			read_attribute(f, context->attributes[i]);
		otel__process_context__free_unpacked(context, NULL);
		return true;
	}
	resource = otel__resource__unpack(NULL, size, data);
	if (!resource)
		return false;
	read_resource(f, resource);
	otel__resource__free_unpacked(resource, NULL);
	return true;
}
