// SPDX-License-Identifier: GPL-2.0-or-later
/* The facts about a process while they are read: strings, keys and attributes. */
#include <string.h>

#include "activity/process_private.h"

struct facts *facts_new(void)
{
	struct facts *f = g_new0(struct facts, 1);

	f->strings = g_string_chunk_new(256);
	f->keys = g_ptr_array_new();
	f->attributes = g_array_new(FALSE, FALSE, sizeof(struct activity_attribute));
	return f;
}

void activity_process_free(struct activity_process *process)
{
	struct facts *f;

	if (!process)
		return;
	f = container_of(process, struct facts, process);
	g_string_chunk_free(f->strings);
	g_ptr_array_unref(f->keys);
	g_array_unref(f->attributes);
	g_free(f);
}

const char *facts_string(struct facts *f, const char *text, size_t size)
{
	g_autofree char *valid = g_utf8_make_valid(text, (gssize)strnlen(text, size));

	return g_string_chunk_insert(f->strings, valid);
}

void facts_add(struct facts *f, const char *key, const char *value)
{
	struct activity_attribute attribute = { key, value };

	if (f->attributes->len < FACTS_MAX_ATTRIBUTES)
		g_array_append_val(f->attributes, attribute);
}
