// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/chain.h"

#include <stdlib.h>
#include <string.h>

void chain_options_init(struct chain_options *options)
{
	*options = (struct chain_options){ .mode = CHAIN_GRAPH, .threshold = 0.5 };
}

struct word {
	const char *text;
	size_t offset;
	u32 value;
};

#define WORD(word, member, v)                                                                      \
	{                                                                                          \
		word, offsetof(struct chain_options, member), v                                    \
	}

/* A prefix is enough; if it is ambiguous, the first word counts. */
static const struct word words[] = {
	WORD("none", mode, CHAIN_NONE),		WORD("graph", mode, CHAIN_GRAPH),
	WORD("flat", mode, CHAIN_FLAT),		WORD("fractal", mode, CHAIN_FRACTAL),
	WORD("folded", mode, CHAIN_FOLDED),	WORD("function", key, CHAIN_BY_FUNCTION),
	WORD("address", key, CHAIN_BY_ADDRESS), WORD("srcline", key, CHAIN_BY_SRCLINE),
	WORD("percent", value, CHAIN_PERCENT),	WORD("period", value, CHAIN_PERIOD),
	WORD("count", value, CHAIN_COUNT),
};

static bool take_word(struct chain_options *options, const char *text)
{
	size_t len = strlen(text);

	if (!strncmp(text, "caller", len) || !strncmp(text, "callee", len)) {
		options->caller = len > 5 ? text[5] == 'r' : true;
		options->order_given = true;
		return true;
	}
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		if (strncmp(text, words[i].text, len))
			continue;
		*(u32 *)((char *)options + words[i].offset) = words[i].value;
		return true;
	}
	return false;
}

bool chain_options_parse(struct chain_options *options, const char *text, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	bool has_threshold = false;

	for (char **part = parts; *part; part++) {
		char *end;
		double number;

		g_strstrip(*part);
		if (!**part || take_word(options, *part))
			continue;
		number = strtod(*part, &end);
		if (end == *part || *end || !(number >= 0))
			return error_set(error, PERF_ERROR_USAGE,
					 "--call-graph: '%s': expected graph, fractal, flat, "
					 "folded, none, caller, callee, function, address, "
					 "srcline, percent, period, count, a threshold or a limit",
					 *part);
		if (!has_threshold)
			options->threshold = number;
		else
			options->print_limit = (u32)MIN(number, (double)UINT32_MAX);
		has_threshold = true;
	}
	return true;
}
