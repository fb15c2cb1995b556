/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be said beside a result: why there is nothing, or less than hoped, and what to do. */
#ifndef PAGES_NOTES_H
#define PAGES_NOTES_H

#include "pages/page.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

/* That a file's header can be shown. */
void notes_add_header_hint(struct notes *notes);

/*
 * Filters left nothing: which there are, and what is easily missed with them. Nothing where
 * @options have none.
 */
void notes_add_filter(struct notes *notes, const struct session_options *options);

/* What the recorder of @file, whose records have been read, lost; whether it came to its end. */
void notes_add_losses(struct notes *notes, struct session *file);
void notes_add_cut(struct notes *notes, const struct perfdata *file);

/*
 * Each object in which a good share of @all samples missed @what, with the reason and the way out.
 * @counts: u64 by dso_id(), the samples that did.
 */
void notes_add_absent(struct notes *notes, struct dsos *dsos, const GArray *counts, u64 all,
		      const char *what, struct dso_absence (*why)(struct dso *dso));

/*
 * A good share of @all samples, @nr, are late ones (data_types_late()) of instructions that access no
 * memory. @skid: although --skid was given.
 */
void notes_add_no_memory(struct notes *notes, u64 nr, u64 all, bool skid);

#endif
