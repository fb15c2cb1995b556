/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings that are no perf.data file by themselves: in memory, or in a core dump. Internal to perfdata/. */
#ifndef PERFDATA_IMAGES_H
#define PERFDATA_IMAGES_H

#include <glib.h>

#include "base/types.h"

struct perfdata;

/* Does the file at @path begin as one of them? For input_kinds. */
bool images_fit(const char *path);
/* @data stays in place until the close. */
bool images_open(struct perfdata *pd, const void *data, u64 size, GError **error);

#endif
