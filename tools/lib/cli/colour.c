// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool colour_when_parse(const char *text, enum colour_when *when)
{
	static const char *const names[] = {
		[COLOUR_AUTO] = "auto",
		[COLOUR_ALWAYS] = "always",
		[COLOUR_NEVER] = "never",
	};

	for (int i = 0; i <= COLOUR_NEVER; i++) {
		if (!strcmp(text, names[i])) {
			*when = (enum colour_when)i;
			return true;
		}
	}
	return false;
}

bool colour_wanted(enum colour_when when, bool paged)
{
	const char *term = getenv("TERM");
	const char *none = getenv("NO_COLOR");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	if (!paged && !isatty(STDOUT_FILENO))
		return false;
	return term && strcmp(term, "dumb") && !(none && *none);
}

const char *colour_of_percent(double percent)
{
	return percent >= 5.0 ? COLOUR_RED : percent > 0.5 ? COLOUR_GREEN : "";
}
