/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --per-event-dump: a file for the samples of each event. */
#ifndef CMD_SCRIPT_FILES_H
#define CMD_SCRIPT_FILES_H

#include <stdio.h>

#include "perfdata/evsel.h"

struct script_files;

/* @input: the recording, after which they are called. */
struct script_files *script_files_new(const char *input);

/* Where the next sample of @evsel goes; NULL with @error. */
FILE *script_files_of(struct script_files *files, const struct evsel *evsel, GError **error);

/* Closes and frees them, and says how much was written; @evsels: struct evsel *, of the recording. */
bool script_files_close(struct script_files *files, const GPtrArray *evsels, GError **error);

#endif
