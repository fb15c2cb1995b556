/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens recordings that are not perf.data files: images in memory, and images in core dumps. Internal to perfdata/. */
#ifndef PERFDATA_IMAGES_H
#define PERFDATA_IMAGES_H

#include <glib.h>

#include "base/types.h"

struct perfdata;

/* Does the file at @path start like one of them? For input_kinds. */
bool images_fit(const char *path);
/* @data must stay in memory until the close. */
bool images_open(struct perfdata *pd, const void *data, u64 size, GError **error);

#endif
