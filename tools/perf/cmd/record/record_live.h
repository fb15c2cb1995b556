/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf record --call-graph live: the unwinder of a recorder, and its closing line. */
#ifndef CMD_RECORD_LIVE_H
#define CMD_RECORD_LIVE_H

#include "live/live.h"
#include "record/base/options.h"
#include "record/recorder.h"

struct open_files; /* "dso/open_files.h" */

/*
 * Adds it to @r; it must outlive @r. Files that @held has are read there; it may be NULL, and must outlive the result. NULL if @options do
 * not need it.
 */
struct live *record_live_new(const struct record_options *options, struct recorder *r,
			     struct open_files *held);

/* Ends it; @say: prints a line about the stacks. @live may be NULL. */
void record_live_end(struct live *live, const struct record_options *options, bool say);

#endif
