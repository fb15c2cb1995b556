// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes for the user: collected while the recording starts, printed when it has started. */
#include <stdio.h>

#include "record/parts.h"

void recorder_note(struct recorder *r, char *text)
{
	g_ptr_array_add(r->rec.notes, text);
}

void recorder_say_notes(struct recorder *r)
{
	for (u32 i = 0; i < r->rec.notes->len && !r->opts->quiet; i++)
		fprintf(stderr, "%s\n", (const char *)g_ptr_array_index(r->rec.notes, i));
	g_ptr_array_set_size(r->rec.notes, 0);
}
