// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/recording.h"

#include <stdio.h>

#include "pages/notes/notes.h"
#include "view/stdio/notes.h"

struct perfdata *recording_open(const char *path, bool force, GError **error)
{
	return force ? perfdata_open_forced(path, error) : perfdata_open(path, error);
}

void recording_tell_cut(const struct perfdata *pd)
{
	struct notes notes;

	notes_init(&notes);
	notes_add_cut(&notes, pd);
	stdio_print_remarks(&notes, stderr);
	notes_release(&notes);
}

void recording_close(struct perfdata *pd, bool good)
{
	if (pd && good)
		recording_tell_cut(pd);
	perfdata_close(pd);
}
