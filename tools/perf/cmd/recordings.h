/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which recordings, and which time of them? A folder of parts (record --switch-output) is read like one recording, and
 * --time may be the time of day: then only the parts that have something of it are read, of the others no more than the
 * header.
 */
#ifndef CMD_RECORDINGS_H
#define CMD_RECORDINGS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct recordings {
	GPtrArray *paths; /* char *: of a folder by name, for a time of day the earliest first */
	GPtrArray *times; /* char *: --time of each by its own clock; NULL: as it was given */
	char *time;	  /* --time for all of them as one session; NULL: as it was given */
};

/* @path is a folder with recordings, and not a recording in a folder's form. */
bool recordings_is_folder(const char *path);

/*
 * @inputs: const char *, files or folders. @time: what --time says, or NULL. False with @error: there is none, one cannot
 * be read, or does not tell its time of day.
 */
bool recordings_choose(struct recordings *r, const GPtrArray *inputs, const char *time, bool force,
		       GError **error);
void recordings_release(struct recordings *r);

#endif
