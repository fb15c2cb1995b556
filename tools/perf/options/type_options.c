// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/type_options.h"

#include <string.h>

bool skid_option_parse(const char *text, enum skid_mode *mode, GError **error)
{
	return skid_mode_parse(text ?: "auto", mode) ||
	       error_set(error, PERF_ERROR_USAGE,
			 "--skid, report.skid: '%s': expected auto, before or sampled", text);
}

bool type_options_parse(struct type_options *options, bool on_terminal, GError **error)
{
	const char *names = options->names_text;

	if (options->min_text && !access_rank_parse(options->min_text, &options->min))
		return error_set(error, PERF_ERROR_USAGE,
				 "--type-min: '%s': expected variable, flow or inferred",
				 options->min_text);
	if (!skid_option_parse(options->skid_text, &options->skid, error))
		return false;
	options->for_terminal = !names && on_terminal;
	options->short_names = names && !strcmp(names, "short");
	if (names && !options->short_names && strcmp(names, "full") != 0)
		return error_set(error, PERF_ERROR_USAGE,
				 "--type-names: '%s': expected full or short", names);
	return true;
}
