// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/notes.h"

void stdio_print_notes(const struct notes *notes, FILE *out)
{
	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		if (!note->text)
			continue;
		fprintf(out, "%s# %s\n%s", note->gap == GAP_AROUND ? "#\n" : "", note->text,
			note->gap == GAP_NONE ? "" : "#\n");
	}
}

void stdio_print_remarks(const struct notes *remarks, FILE *out)
{
	static const char *const prefixes[NOTE_NR_KINDS] = {
		[NOTE_REMARK] = "note: ",
		[NOTE_WARNING] = "Warning: ",
		[NOTE_ERROR] = "Error:\n",
	};

	for (u32 i = 0; i < remarks->list->len; i++) {
		const struct note *note = notes_at(remarks, i);

		fprintf(out, "%s%s\n", prefixes[note->kind] ?: "", note->text);
	}
}
