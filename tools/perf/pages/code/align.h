/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which lines of two listings belong together? Keeps the order of both, and pairs as many lines as it can: those that are equal
 * before those that are only alike.
 *
 *	mov 0x10(%rax),%edx	=	mov 0x10(%rax),%edx	equal
 *	add 0x18(%rax),%esi	~	add 0x40(%rax),%esi	alike
 *				+	test %esi,%esi		only in the second
 */
#ifndef PAGES_ALIGN_H
#define PAGES_ALIGN_H

#include <glib.h>

#include "base/types.h"

/* Numbers that say which lines are equal, and which are alike. Equal lines must be alike. */
struct align_line {
	u32 equal, alike;
};

#define ALIGN_NONE UINT32_MAX

/* Indexes into the two listings; ALIGN_NONE: the line is only in the other one. */
struct align_pair {
	u32 a, b;
};

/*
 * The pairs in order, each line once. *@whole: false if the listings are so long and so different that lines between an equal
 * beginning and an equal end are not paired.
 */
GArray *align_lines(const GArray *a, const GArray *b, bool *whole);

#endif
