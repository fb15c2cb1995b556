// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/config_keys.h"

#include <string.h>

/*
 * The valid values of each key; NULL: a number. chain_options_parse() would accept the values of all keys.
 */
static const struct {
	const char *key, *words[5];
} keys[] = {
	{ "call-graph.print-type", { "graph", "fractal", "flat", "folded", "none" } },
	{ "call-graph.order", { "caller", "callee" } },
	{ "call-graph.sort-key", { "function", "address", "srcline" } },
	{ "call-graph.threshold", { NULL } },
	{ "call-graph.print-limit", { NULL } },
};

static bool may_say(const char *key, const char *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].key))
			continue;
		if (!keys[i].words[0])
			return g_ascii_isdigit(*value) && !strchr(value, ',');
		for (size_t w = 0; w < ARRAY_SIZE(keys[i].words) && keys[i].words[w]; w++)
			if (!strcmp(value, keys[i].words[w]))
				return true;
	}
	return false;
}

bool chain_config_take(const struct config_row *row, const char *value, void *opts, GError **error)
{
	struct chain_options *chain = (struct chain_options *)((char *)opts + row->offset);
	bool limit = !strcmp(row->key, "call-graph.print-limit");
	/* The second number is the limit. */
	g_autofree char *text = limit ? g_strdup_printf("%g,%s", chain->threshold, value) : NULL;

	if (!may_say(row->key, value))
		return error_set(error, PERF_ERROR_USAGE, "perf has no such value");
	return chain_options_parse(chain, text ?: value, error);
}
