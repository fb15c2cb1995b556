/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is the text for? Who draws says the meaning, the terminal has the colours (ink.c): eight of
 * them or 256, or bold and reverse alone where there are none ($NO_COLOR, a terminal without).
 */
#ifndef TERM_INK_H
#define TERM_INK_H

#include "base/types.h"

enum ink {
	INK_PLAIN,
	INK_TITLE,   /* where one is: the path, the first line */
	INK_HEADING, /* names of columns */
	INK_FAINT,   /* what is there for completeness: rulers, addresses */
	INK_HOT,     /* 5 % and more, as upstream has it */
	INK_WARM,    /* 0.5 % and more */
	INK_GLOW,    /* the hottest field, line or instruction: by its background */
	INK_MARK,    /* what was searched for */
	INK_NAME,    /* types, fields, keys to press */
	INK_SOURCE,  /* source lines between instructions */
	INK_ARROW,   /* of jumps, of trees */
	INK_MESSAGE, /* the last line when it says something */
	INK_WARNING, /* the same, when something is missing */
	INK_NR,
};

/* Its name, for tests: "hot". */
const char *ink_name(enum ink ink);

/* The ink of a share of the whole. */
static inline enum ink ink_of_percent(double percent)
{
	return percent >= 5.0 ? INK_HOT : percent > 0.5 ? INK_WARM : INK_PLAIN;
}

/* How a terminal shows it. Colours by S-Lang's names; NULL: the terminal's own. */
struct ink_look {
	const char *name;
	const char *front, *back; /* of 16 colours */
	const char *rich_back;	  /* of 256 colours, instead of back; NULL: as back */
	bool bold, reverse;	  /* the same without colours */
	bool bold_colour;	  /* bold with colours, too */
};

const struct ink_look *ink_look(enum ink ink);

#endif
