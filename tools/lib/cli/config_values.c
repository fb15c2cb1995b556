// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the values of configuration files: booleans and numbers. */
#include <string.h>

#include "cli/config.h"

bool config_parse_u64(const char *text, u64 *out)
{
	static const char units[] = "kmg";
	char *end;
	u64 number = g_ascii_strtoull(text, &end, 0);
	u32 shift = 0;

	if (end == text || strchr(text, '-'))
		return false;
	if (*end) {
		const char *unit = strchr(units, g_ascii_tolower(*end));

		if (!unit || end[1])
			return false;
		shift = 10 * (u32)(unit - units + 1);
	}
	if (number > UINT64_MAX >> shift)
		return false;
	*out = number << shift;
	return true;
}

bool config_parse_bool(const char *text, bool *out)
{
	static const char *const words[2][3] = { { "false", "no", "off" },
						 { "true", "yes", "on" } };
	u64 number = 0;

	for (u32 truth = 0; truth < 2; truth++) {
		for (u32 i = 0; i < ARRAY_SIZE(words[truth]); i++) {
			if (g_ascii_strcasecmp(text, words[truth][i]))
				continue;
			*out = truth;
			return true;
		}
	}
	if (*text && !config_parse_u64(text, &number))
		return false;
	*out = number != 0;
	return true;
}
