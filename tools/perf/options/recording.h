/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording that a command reads and that has no page with notes: buildid-list, evlist, inject, data. */
#ifndef OPTIONS_RECORDING_H
#define OPTIONS_RECORDING_H

#include <stdbool.h>

#include "base/error.h"
#include "perfdata/read/reader.h"

/* As perfdata_open(). @force: files of any owner. NULL with @error. */
struct perfdata *recording_open(const char *path, bool force, GError **error);

/*
 * A note on stderr if the recorder of @pd did not end normally. Call it when the wanted records have been read: before,
 * the number of missing bytes is not known.
 */
void recording_tell_cut(const struct perfdata *pd);

/* recording_tell_cut() if @good, which means that no error is printed; then perfdata_close(). @pd may be NULL. */
void recording_close(struct perfdata *pd, bool good);

#endif
