// SPDX-License-Identifier: GPL-2.0-or-later
#include "compare/keys.h"

#include <string.h>

#include "base/error.h"
#include "compare/chains.h"

static void key_free(void *arg)
{
	struct field *field = arg;

	g_free((char *)field->name);
	g_free((char *)field->header);
	g_free(field);
}

struct columns *compare_columns_new(const char *sort, struct lexicon *lexicon, GError **error)
{
	const struct columns_options co = {
		.sort = sort,
		.families = FIELD_NORMAL | FIELD_MEMORY,
		.lexicon = lexicon,
	};

	return columns_new(&co, error);
}

static void add_key(GPtrArray *keys, const struct field *field)
{
	struct field *key = g_memdup2(field, sizeof(*key));

	key->name = g_strdup(key->name);
	key->header = g_strdup(key->header);
	g_ptr_array_add(keys, key);
}

GPtrArray *compare_keys_new(const char *sort, bool chains, struct lexicon *lexicon, GError **error)
{
	struct columns *columns = compare_columns_new(sort, lexicon, error);
	GPtrArray *keys;

	if (!columns)
		return NULL;
	keys = g_ptr_array_new_with_free_func(key_free);
	for (u32 i = 0; i < columns->groups->len; i++) {
		const struct field *field = g_ptr_array_index(columns->groups, i);

		/* Beside a symbol, a report has this key, which is added as the last one. */
		if (!g_str_has_prefix(field->name, "ipc"))
			add_key(keys, field);
	}
	if (chains)
		add_key(keys, &compare_chain_key);
	columns_free(columns);
	return keys;
}

char *compare_keys_with(const char *sort, const char *split_key)
{
	return g_strjoin(",", sort, "dso", split_key, NULL);
}

bool compare_find_split(const char *split_key, const struct columns *columns, s32 *at,
			GError **error)
{
	const struct field *field = NULL;

	for (u32 i = 0; i < columns->groups->len; i++) {
		field = g_ptr_array_index(columns->groups, i);
		*at = (s32)i;
		if (!strcmp(field->name, split_key))
			return true;
	}
	field = fields_find(split_key, FIELD_NORMAL | FIELD_MEMORY, error);
	for (u32 i = 0; field && i < columns->groups->len; i++) {
		*at = (s32)i;
		if (g_ptr_array_index(columns->groups, i) == field)
			return true;
	}
	if (field)
		error_set(error, PERF_ERROR_USAGE, "--split: '%s' is no key of a row", split_key);
	return false;
}
