/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inks: the meaning of a piece of text, from which its colour follows. Callers choose an ink; ink.c has the colours of
 * each ink: for 8 colours, for 256 colours, and bold and reverse for terminals without colours or with $NO_COLOR set.
 */
#ifndef TERM_INK_H
#define TERM_INK_H

#include "base/types.h"

enum ink {
	INK_PLAIN,
	INK_TITLE,   /* the title: the path in the first line */
	INK_HEADING, /* names of columns */
	INK_FAINT,   /* less important text: rulers, addresses */
	INK_HOT,     /* 5 % and more, as upstream has it */
	INK_WARM,    /* 0.5 % and more */
	INK_GLOW,    /* the hottest field, line or instruction: has another background */
	INK_MARK,    /* a match of a search */
	INK_NAME,    /* types, fields, keys to press */
	INK_SOURCE,  /* source lines between instructions */
	INK_ARROW,   /* arrows of jumps, lines of trees */
	INK_MESSAGE, /* a message in the last line */
	INK_WARNING, /* a message that something is missing */
	INK_NR,
};

/* Its name, for tests: "hot". */
const char *ink_name(enum ink ink);

/* The ink of a percentage. */
static inline enum ink ink_of_percent(double percent)
{
	return percent >= 5.0 ? INK_HOT : percent > 0.5 ? INK_WARM : INK_PLAIN;
}

/* How a terminal shows an ink. Colours have S-Lang's names; NULL: the terminal's default. */
struct ink_look {
	const char *name;
	const char *front, *back; /* out of 16 colours */
	const char *rich_back;	  /* background on terminals with 256 colours; NULL: as back */
	bool bold, reverse;	  /* on terminals without colours */
	bool bold_colour;	  /* bold on terminals with colours, too */
};

const struct ink_look *ink_look(enum ink ink);

#endif
