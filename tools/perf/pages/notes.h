/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of a result: why it is empty or smaller than expected, and what to do. */
#ifndef PAGES_NOTES_H
#define PAGES_NOTES_H

#include "pages/page.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

/* A hint that the file's header can be shown. */
void notes_add_header_hint(struct notes *notes);

/*
 * No sample matches the filters: lists them, with hints about frequent mistakes. Adds nothing if @options have no
 * filters.
 */
void notes_add_filter(struct notes *notes, const struct session_options *options);

/*
 * The losses of the recorder of @file, whose records have been read, and whether it ended normally.
 */
void notes_add_losses(struct notes *notes, struct session *file);
/* Only the second part of that. If only the header of @file was read, the number of missing bytes is not known. */
void notes_add_cut(struct notes *notes, const struct perfdata *file);

/*
 * Each object in which a large share of @all samples has no @what, with the reason and what to do. @counts: u64 by
 * dso_id(), these samples.
 */
void notes_add_absent(struct notes *notes, struct dsos *dsos, const GArray *counts, u64 all,
		      const char *what, struct dso_absence (*why)(struct dso *dso));

/*
 * Used if @nr, a large share of @all samples, are late ones (data_types_late()) on instructions without memory
 * access. @skid: --skid was given.
 */
void notes_add_no_memory(struct notes *notes, u64 nr, u64 all, bool skid);

#endif
