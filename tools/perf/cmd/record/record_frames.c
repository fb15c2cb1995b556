// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record/record_frames.h"

#include <glib.h>
#include <stdio.h>

#include "dso/image.h"
#include "record/base/target.h"
#include "unwind/frame_pointers.h"

#define MOST_PIDS 16 /* of -p: more are not looked at */

/* @name: for the user, as @path may be below /proc. */
static void note(const char *path, const char *name)
{
	struct image *image = path ? image_open(path, NULL) : NULL;

	if (image && image_lacks_frame_pointers(image))
		fprintf(stderr,
			"note: %s was compiled without frame pointers, so most of its call chains "
			"will be cut short; --call-graph live records whole ones\n",
			name);
	if (image)
		image_close(image);
}

static void note_processes(const char *pids)
{
	g_auto(GStrv) words = g_strsplit(pids, ",", MOST_PIDS + 1);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (u32 i = 0; words[i] && i < MOST_PIDS; i++) {
		g_autofree char *link = g_strdup_printf("/proc/%s/exe", words[i]);
		char *path = g_file_read_link(link, NULL);

		if (path && g_hash_table_add(seen, path))
			note(link, path);
	}
}

void record_note_frames(const struct record_options *opts)
{
	if (opts->quiet || opts->callgraph.mode != CALLGRAPH_FP || opts->callgraph.defer)
		return;
	if (target_kind(opts) == TARGET_COMMAND && opts->command) {
		g_autofree char *path = g_find_program_in_path(opts->command[0]);

		note(path, opts->command[0]);
	} else if (target_kind(opts) == TARGET_PROCESSES && opts->pids) {
		note_processes(opts->pids);
	}
}
