/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves the present contents of an image as an ordinary perf.data file. */
#ifndef DETACHED_SAVE_H
#define DETACHED_SAVE_H

#include "base/error.h"

/*
 * @from: a detached recording's file, or a core dump; of another owner only with @force. @to is
 * written under a temporary name and renamed, so it is never incomplete; "-" is standard output. A device or a pipe is
 * written to directly. A link of this user is followed, another user's is moved aside (base/file.h).
 */
bool save_image(const char *from, const char *to, bool force, GError **error);

/* The same. @reason: why it is saved, for the notes of the file (INFO_NOTE_REASON); NULL: as @from says. */
bool save_image_for(const char *from, const char *to, const char *reason, GError **error);

/* The same for an open recording, which is closed. */
struct perfdata;
bool save_opened(struct perfdata *pd, const char *output, GError **error);

#endif
