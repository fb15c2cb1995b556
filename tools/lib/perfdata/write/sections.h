/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a recording before and after its records: header, events, features, notes. They are appended to a
 * buffer; writer.c writes it.
 */
#ifndef PERFDATA_SECTIONS_H
#define PERFDATA_SECTIONS_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/abi.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"

/* The features that are derived from the events (struct evsel *): EVENT_DESC, GROUP_DESC, BRANCH_STACK. */
struct perfdata_info *sections_of_events(const GPtrArray *evsels);

/*
 * The start of a file, up to its first record. out: @header. Notes are there, too, because the writer may be killed;
 * sections_put_features() puts them behind the records.
 */
void sections_put_start(const GPtrArray *evsels, const struct perfdata_info *info,
			struct perfdata_file_header *header, GByteArray *out);

/*
 * The end of a file: the table of the features' sections, the sections, then the notes. The features are those of @own,
 * then those of @info. @foff: where in the file they will be. out: features and notes in @header.
 */
void sections_put_features(const struct perfdata_info *own, const struct perfdata_info *info,
			   u64 foff, struct perfdata_file_header *header, GByteArray *out);

/* The start of a pipe, with all features that are known. */
void sections_put_pipe_start(const GPtrArray *evsels, const struct perfdata_info *own,
			     const struct perfdata_info *info, GByteArray *out);

/* The end of a pipe: build-ids, which are known only then. */
void sections_put_pipe_end(const struct perfdata_info *info, GByteArray *out);

/*
 * EVENT_UPDATE records: names, units and scales of the events. Names, too, because perf 7.3 does not read them from
 * EVENT_DESC in a pipe, and a file whose writer was killed has no EVENT_DESC.
 */
void sections_put_updates(const GPtrArray *evsels, GByteArray *out);

/* The notes of @info, which may be NULL, as a record. Nothing if there are none. */
void sections_put_notes(const struct perfdata_info *info, GByteArray *out);

#endif
