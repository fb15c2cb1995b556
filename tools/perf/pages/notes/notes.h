/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of a result: why it is empty or smaller than expected, and what to do. */
#ifndef PAGES_NOTES_H
#define PAGES_NOTES_H

#include "pages/base/page.h"
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

/* Is @nr a share of @all samples that is worth a note? */
bool notes_is_large(u64 nr, u64 all);

/*
 * Each object in which a large share of @all samples has no @what, with the reason and what to do. @counts: u64 by
 * dso_id(), these samples. Not generated code without a list of names: notes_add_jit() (jit_notes.h).
 */
void notes_add_absent(struct notes *notes, struct dsos *dsos, const GArray *counts, u64 all,
		      const char *what, struct dso_absence (*why)(struct dso *dso));

/* @nr of @all samples are of code whose data types come from BTF: dso_is_by_btf(). */
void notes_add_by_btf(struct notes *notes, u64 nr, u64 all);

/*
 * @nr of @all samples are of session_names_later(), on instructions without memory access. Says something if that is a
 * large share.
 */
void notes_add_no_memory(struct notes *notes, u64 nr, u64 all);

/*
 * Of @all samples, @moved are charged to another function than the one that they name, and @masked are of kernel code
 * with interrupts off. Says something if that is not a small share.
 */
void notes_add_charged(struct notes *notes, u64 moved, u64 masked, u64 all);

/*
 * How the data addresses of @all samples are known: @counts by enum address_how, all 0 if that was not asked. Says nothing if the
 * events state all of them.
 */
void notes_add_addresses(struct notes *notes, const u64 *counts, u64 all);

/*
 * For results with data types: which instruction the samples of @evsel name, as measured on the machine of the recording
 * @file, or as assumed if the file does not tell. Adds nothing for events that are not measured (skid_kind_of()), if @file has
 * no such event, or if @notes say the same already.
 */
void notes_add_skid(struct notes *notes, const struct perfdata *file, const struct evsel *evsel);

/*
 * The same as a remark, and only if it was measured: for results that list the instructions.
 * notes_find_skid() finds it again; NULL: there is none.
 */
void notes_add_measured_skid(struct notes *notes, const struct perfdata *file,
			     const struct evsel *evsel);
const struct note *notes_find_skid(const struct notes *notes);

/* Used if @nr, a large share of @all call chains, are cut because they are broken (place->broken). */
void notes_add_broken_chains(struct notes *notes, u64 nr, u64 all);

#endif
