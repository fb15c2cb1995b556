/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readers behind profiles.h. Each writes the recording to @fd. */
#ifndef CONVERT_PROFILE_FORMATS_H
#define CONVERT_PROFILE_FORMATS_H

#include "base/error.h"
#include "base/types.h"

bool profile_import_pprof(const void *bytes, size_t size, int fd, GError **error);
bool profile_import_otlp(const void *bytes, size_t size, int fd, GError **error);

#endif
