/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that the recording commands, record and top, have in common. The options of both begin with a struct
 * record_options. These functions fill it.
 */
#ifndef CMD_RECORD_WORDS_H
#define CMD_RECORD_WORDS_H

#include "cli/options.h"
#include "record/base/options.h"

/* For struct option_row: --filter, --exclude-perf (without an argument), --cgroup. */
bool record_take_filter(const struct option_row *row, const char *arg, bool unset, void *opts,
			GError **error);
/* Several are one after the other. */
bool record_take_cgroups(const struct option_row *row, const char *arg, bool unset, void *opts,
			 GError **error);

/* -b (without an argument) and -j. */
bool record_take_branches(const struct option_row *row, const char *arg, bool unset, void *opts,
			  GError **error);

void record_options_release(struct record_options *opts);

/* --wall without -e: the kernel tells what is mapped, forked and called, and takes no samples. */
void record_default_events(struct record_options *opts);

/* Whether -e may name tracepoints, whose fields are keys that only their records tell. */
bool record_may_have_tracepoints(const struct record_options *opts);

#define RECORD_AT(at, member) ((at) + offsetof(struct record_options, member))

/* What is recorded, of whom, how often; the struct record_options is at @at of the command's options. */
#define RECORD_OPTION_ROWS(at)                                                                     \
	{ 'e',                                                                                     \
	  "event",                                                                                 \
	  OPT_LIST,                                                                                \
	  "event",                                                                                 \
	  "event selector. use 'perf list' to list available events",                              \
	  RECORD_AT(at, events) },                                                                 \
		{ 0,                                                                               \
		  "filter",                                                                        \
		  OPT_CALL,                                                                        \
		  "filter",                                                                        \
		  "record only those hits of the tracepoints of the last -e for which this is "    \
		  "true, such "                                                                    \
		  "as 'prev_pid > 0 && prev_comm ~ \"ba*\"'",                                      \
		  .call = record_take_filter },                                                    \
		{ 'a',                                                                             \
		  "all-cpus",                                                                      \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "system-wide collection from all CPUs",                                          \
		  RECORD_AT(at, all_cpus) },                                                       \
		{ 'C', "cpu", OPT_STRING, "cpu", "list of cpus to monitor", RECORD_AT(at, cpus) }, \
		{ 'p',                                                                             \
		  "pid",                                                                           \
		  OPT_STRING,                                                                      \
		  "pid",                                                                           \
		  "record events on existing process id",                                          \
		  RECORD_AT(at, pids) },                                                           \
		{ 't',                                                                             \
		  "tid",                                                                           \
		  OPT_STRING,                                                                      \
		  "tid",                                                                           \
		  "record events on existing thread id",                                           \
		  RECORD_AT(at, tids) },                                                           \
		{ 'u', "uid", OPT_STRING, "user", "user to profile", RECORD_AT(at, user) },        \
		{ 'G',                                                                             \
		  "cgroup",                                                                        \
		  OPT_CALL,                                                                        \
		  "name[,name...]",                                                                \
		  "monitor event in cgroup name only: one for each event, in order; with --wall "  \
		  "and "                                                                           \
		  "--off-cpu only threads of these",                                               \
		  .call = record_take_cgroups },                                                   \
		{ 'i',                                                                             \
		  "no-inherit",                                                                    \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "child tasks do not inherit counters",                                           \
		  RECORD_AT(at, no_inherit) },                                                     \
		{ 'c',                                                                             \
		  "count",                                                                         \
		  OPT_U64,                                                                         \
		  "n",                                                                             \
		  "event period to sample",                                                        \
		  RECORD_AT(at, count),                                                            \
		  .set_offset = RECORD_AT(at, count_given) },                                      \
		{ 'F',                                                                             \
		  "freq",                                                                          \
		  OPT_STRING,                                                                      \
		  "freq or 'max'",                                                                 \
		  "profile at this frequency",                                                     \
		  RECORD_AT(at, freq) },                                                           \
		{ 0,	"all-cgroups",		OPT_FLAG,                                          \
		  NULL, "Record cgroup events", RECORD_AT(at, all_cgroups) },                      \
		{ 0,                                                                               \
		  "namespaces",                                                                    \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "Record namespaces events",                                                      \
		  RECORD_AT(at, namespaces) },                                                     \
		{ 0,                                                                               \
		  "no-bpf-event",                                                                  \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "do not record bpf events",                                                      \
		  RECORD_AT(at, no_bpf_event) },                                                   \
		{ 'm',                                                                             \
		  "mmap-pages",                                                                    \
		  OPT_STRING,                                                                      \
		  "pages",                                                                         \
		  "number of mmap data pages, or their size",                                      \
		  RECORD_AT(at, mmap_pages) },                                                     \
	{                                                                                          \
		'r', "realtime", OPT_INT, "n",                                                     \
			"collect data with this real-time priority (SCHED_FIFO, 1 to 99)",         \
			RECORD_AT(at, realtime)                                                    \
	}

#endif
