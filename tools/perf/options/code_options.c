// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/code_options.h"

#include <string.h>

/* "local-period": upstream's option value for what annotate_percent_name() calls "local period". */
static char *percent_type(enum annotate_percent percent)
{
	return g_strdelimit(g_strdup(annotate_percent_name(percent)), " ", '-');
}

char *code_percent_types(void)
{
	GString *words = g_string_new(NULL);

	for (u32 i = 0; i < PERCENT_NR; i++) {
		g_autofree char *word = percent_type(i);

		g_string_append_printf(words, "%s%s", i ? " " : "", word);
	}
	return g_string_free(words, FALSE);
}

/* Accepts the two words in either order, as upstream does. */
static bool parse_percent(const char *text, enum annotate_percent *out)
{
	for (u32 i = 0; i < PERCENT_NR; i++) {
		g_autofree char *word = percent_type(i);
		g_auto(GStrv) halves = g_strsplit(word, "-", 2);
		g_autofree char *turned = g_strdup_printf("%s-%s", halves[1], halves[0]);

		*out = i;
		if (!strcmp(text, word) || !strcmp(text, turned))
			return true;
	}
	return false;
}

bool code_options_apply(const struct code_options *o, struct annotate_pages_options *look,
			GError **error)
{
	look->intel = o->style && !strcmp(o->style, "intel");
	if (o->style && !look->intel && strcmp(o->style, "att") != 0)
		return error_set(error, PERF_ERROR_USAGE,
				 "--disassembler-style: '%s': expected att or intel", o->style);
	if (o->percent_type && !parse_percent(o->percent_type, &look->percent)) {
		g_autofree char *types = code_percent_types();

		return error_set(error, PERF_ERROR_USAGE,
				 "--percent-type: '%s': expected one of: %s", o->percent_type,
				 types);
	}
	if (o->prefix_strip && !o->prefix)
		return error_set(error, PERF_ERROR_USAGE, "--prefix-strip requires --prefix");
	look->source_prefix = o->prefix;
	look->source_strip = (u32)MIN(o->prefix_strip, UINT32_MAX);
	return true;
}
