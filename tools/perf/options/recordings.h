/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recordings to read, and their time range. A directory of parts (record --switch-output) is read like one
 * recording. --time may be a time of day: then only the parts in this range are read, and only the headers of the
 * others.
 */
#ifndef OPTIONS_RECORDINGS_H
#define OPTIONS_RECORDINGS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct recordings {
	GPtrArray *paths; /* char *: those of a directory by name, with a time of day by time */
	GPtrArray *times; /* char *: --time for each by its own clock; NULL: unchanged */
	char *time;	  /* --time for all of them as one session; NULL: unchanged */
};

/* True if @path is a directory with recordings, not a recording in directory format. */
bool recordings_is_folder(const char *path);

/*
 * @inputs: const char *, files or directories. @time: the text of --time, or NULL. A file of a directory that cannot be
 * read is left out, with a note on stderr. False with @error: there is none, none of a directory can be read, or one
 * has no time of day.
 */
bool recordings_choose(struct recordings *r, const GPtrArray *inputs, const char *time, bool force,
		       GError **error);
void recordings_release(struct recordings *r);

#endif
