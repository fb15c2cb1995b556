/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes the declaration of a structure in its source: the order of its members, and their alignment. Comments move with their member.
 * What is not understood is refused: members in several sections of a class (public, private), made by macros. A macro that is one
 * word may declare the first members, if they stay where they are. What stands between #if and #endif moves as one piece, or is refused.
 *
 *	struct order {				struct order {
 *		int state; // open?			int state; // open?
 *		char note[40];		->		struct order *next;
 *		struct order *next;			char note[40];
 *	};					};
 */
#ifndef TRIAL_DECLARATION_H
#define TRIAL_DECLARATION_H

#include <glib.h>

#include "base/types.h"

/* What one part of the new layout is called in the source. */
struct declared_part {
	GPtrArray *
		names; /* const char *: its members; a nameless one: a name inside of it, with @inside */
	bool inside;
	u32 align; /* bytes; 0: none is asked for */
	u32 was;   /* its place among the parts of the old layout, from 0 */
};

/*
 * The text of the file @source, with the declaration at @line (from 1 on) changed: its members in the order of @parts (struct
 * declared_part), which are all of them. NULL with @error (PERF_ERROR_UNSUPPORTED) if it is not understood.
 */
char *declaration_change(const char *source, u32 line, const GArray *parts, GError **error);

#endif
