/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that the recording commands, record and top, have in common. The options of both begin with a struct
 * record_options. These functions fill it.
 */
#ifndef CMD_RECORD_WORDS_H
#define CMD_RECORD_WORDS_H

#include "cli/options.h"
#include "record/base/options.h"

/* For struct option_row: --filter, --exclude-perf (without an argument), --tls-source, --cgroup, --wall. */
bool record_take_filter(const struct option_row *row, const char *arg, bool unset, void *opts,
			GError **error);
bool record_take_tls_source(const struct option_row *row, const char *arg, bool unset, void *opts,
			    GError **error);
/* Several are one after the other. */
bool record_take_cgroups(const struct option_row *row, const char *arg, bool unset, void *opts,
			 GError **error);
bool record_take_wall(const struct option_row *row, const char *arg, bool unset, void *opts,
		      GError **error);

/* -b (without an argument) and -j. */
bool record_take_branches(const struct option_row *row, const char *arg, bool unset, void *opts,
			  GError **error);

void record_options_release(struct record_options *opts);

/* --wall without -e: the kernel tells what is mapped, forked and called, and takes no samples. */
void record_default_events(struct record_options *opts);

/* Whether -e may name tracepoints, whose fields are keys that only their records tell. */
bool record_may_have_tracepoints(const struct record_options *opts);

#endif
