/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of text on a terminal: decides if there are any, and chooses those of percentages as upstream does. */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include <stdbool.h>

#define COLOUR_RESET "\033[m"
#define COLOUR_RED   "\033[31m"
#define COLOUR_GREEN "\033[32m"
#define COLOUR_BLUE  "\033[34m"

enum colour_when {
	COLOUR_AUTO, /* on a terminal (a pager on one counts), unless it is dumb or $NO_COLOR is set */
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

/* Parses the argument of --stdio-color: "auto", "always" or "never". False: it is none of these. */
bool colour_when_parse(const char *text, enum colour_when *when);

/* Does stdout get colours? @paged is pager_in_use(). */
bool colour_wanted(enum colour_when when, bool paged);

/* The colour of a percentage: red from 5 %, green above 0.5 %, "" for smaller ones. */
const char *colour_of_percent(double percent);

#endif
