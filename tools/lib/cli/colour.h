/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of text on a terminal: when there are any, and upstream's for percentages. */
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

/* --stdio-color's "auto", "always" and "never"; false for anything else. */
bool colour_when_parse(const char *text, enum colour_when *when);

/* Whether stdout gets colours; @paged is pager_in_use(). */
bool colour_wanted(enum colour_when when, bool paged);

/* The colour of a share of the whole: red from 5 %, green above 0.5 %, "" for the rest. */
const char *colour_of_percent(double percent);

#endif
