/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --per-event-dump: one file per event for its samples. */
#ifndef CMD_SCRIPT_FILES_H
#define CMD_SCRIPT_FILES_H

#include <stdio.h>

#include "perfdata/evsel.h"

struct script_files;

/* @input: the recording; the names of the files derive from its name. */
struct script_files *script_files_new(const char *input);

/* The stream for the next sample of @evsel; NULL with @error. */
FILE *script_files_of(struct script_files *files, const struct evsel *evsel, GError **error);

/* Closes and frees the files, and prints their sizes; @evsels: struct evsel *, of the recording. */
bool script_files_close(struct script_files *files, const GPtrArray *evsels, GError **error);

#endif
