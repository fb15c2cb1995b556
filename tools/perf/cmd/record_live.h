/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf record --call-graph live: the unwinder beside a recorder, and what is said of it in the end. */
#ifndef CMD_RECORD_LIVE_H
#define CMD_RECORD_LIVE_H

#include "live/live.h"
#include "record/base/options.h"
#include "record/recorder.h"

/* Added to @r, which it must outlive. NULL where @options ask for something else. */
struct live *record_live_new(const struct record_options *options, struct recorder *r);

/* Ends it, @say: with a line about the stacks; @live may be NULL. */
void record_live_end(struct live *live, const struct record_options *options, bool say);

#endif
