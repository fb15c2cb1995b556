/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands tell of a result beside it, on stderr: why there is nothing, or less than hoped. */
#ifndef CMD_NOTES_H
#define CMD_NOTES_H

#include <stdio.h>

#include "perfdata/read/reader.h"
#include "session/session.h"

/*
 * Filters left nothing: which there are, and what is easily missed with them. Nothing where
 * @options have none.
 */
void note_filter(const struct session_options *options, FILE *out);

/* Whether the recorder of @file, whose records have been read, did not come to its end. */
void note_cut(const struct perfdata *file, FILE *out);

/* Adds a sample to @counts (u64 by dso_id()) for one that misses something in @dso. */
void note_count(GArray *counts, const struct dso *dso);

/* Each object in which a good share of @all samples missed @what, with the reason and the way out. */
void note_absent(struct dsos *dsos, const GArray *counts, u64 all, const char *what,
		 struct dso_absence (*why)(struct dso *dso), FILE *out);

/*
 * A good share of @all samples, @nr, are late ones (data_types_late()) of instructions that access no
 * memory. @skid: although --skid was given.
 */
void note_no_memory(u64 nr, u64 all, bool skid, FILE *out);

#endif
