// SPDX-License-Identifier: GPL-2.0-or-later
#include "term/ink.h"

static const struct ink_look looks[INK_NR] = {
	[INK_PLAIN] = { "plain" },
	[INK_TITLE] = { "title", .bold = true, .bold_colour = true },
	[INK_HEADING] = { "heading", "cyan", .bold = true },
	[INK_FAINT] = { "faint", "blue" },
	[INK_HOT] = { "hot", "red", .bold = true, .bold_colour = true },
	[INK_WARM] = { "warm", "green" },
	[INK_GLOW] = { "glow", "white", "red", "color88", .reverse = true, .bold_colour = true },
	[INK_MARK] = { "mark", "black", "brown", .bold = true, .reverse = true },
	[INK_NAME] = { "name", "cyan", .bold = true },
	[INK_SOURCE] = { "source", "brown" },
	[INK_ARROW] = { "arrow", "blue" },
	[INK_MESSAGE] = { "message", .bold = true, .bold_colour = true },
	[INK_WARNING] = { "warning", "brown", .bold = true, .bold_colour = true },
};

const struct ink_look *ink_look(enum ink ink)
{
	return &looks[ink < INK_NR ? ink : INK_PLAIN];
}

const char *ink_name(enum ink ink)
{
	return ink_look(ink)->name;
}
