/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --wall, --latency-of and --off-cpu ask for (record/waits/). */
#ifndef RECORD_WALL_OPTIONS_H
#define RECORD_WALL_OPTIONS_H

#include "base/error.h"
#include "base/types.h"
#include "cli/options.h"

enum wall_source {
	WALL_SOURCE_AUTO,
	WALL_SOURCE_BPF, /* the best of the following three that the kernel has */
	WALL_SOURCE_BPF_LIST,
	WALL_SOURCE_BPF_LOOP,
	WALL_SOURCE_BPF_ITER,
	WALL_SOURCE_PROC,
};

#define WALL_MERGE_DEFAULT UINT64_MAX /* 0.25 s, and 1 s with --switch-output */

struct wall_options {
	u32 hz; /* passes per second; 0: not requested */
	enum wall_source source;
	u64 merge; /* ns: window in which equal stretches of a thread are merged; or WALL_MERGE_DEFAULT */
	u64 first;   /* ns: until then, all sleeps are reported every quarter of it; 0: none is */
	u64 longest; /* ns after which a sleep that goes on is reported; 0: one minute */
	u32 latency_of; /* enum latency_of of bpf/latency.h: the kind of calls whose ends are recorded */
	const char *needs_wall; /* the last option given that only works with --wall; NULL: none */
};

#define OFF_CPU_THRESHOLD 1000000 /* ns, of --off-cpu alone */

struct off_cpu_options {
	bool given;    /* record every wait */
	u64 threshold; /* ns; shorter waits of a thread are added up */
};

/* For struct option_row, whose offset is that of the struct wall_options, or struct off_cpu_options. */
bool wall_take(const struct option_row *row, const char *arg, bool unset, void *opts,
	       GError **error);
bool off_cpu_take(const struct option_row *row, const char *arg, bool unset, void *opts,
		  GError **error);

#define WALL_OPTION_ROW(at)                                                                        \
	{                                                                                          \
		0, "wall", OPT_CALL, "hz",                                                         \
			"Record what all threads do, on a CPU or not: state, system call and "     \
			"wait (default: 20 times a second)",                                       \
			at, .fallback = "20", .call = wall_take                                    \
	}

#define WALL_MORE_OPTION_ROWS(at)                                                                  \
	{                                                                                          \
		0,                                                                                 \
		"wall-source",                                                                     \
		OPT_CALL,                                                                          \
		"auto|bpf|proc",                                                                   \
		"how --wall reads the states of threads",                                          \
		at,                                                                                \
		.call = wall_take                                                                  \
	},                                                                                         \
		{ 0,                                                                               \
		  "latency-of",                                                                    \
		  OPT_CALL,                                                                        \
		  "syscall|block-io",                                                              \
		  "--wall: record the whole duration of system calls or block requests that a "    \
		  "pass over the threads found in progress",                                       \
		  at,                                                                              \
		  .call = wall_take },                                                             \
	{                                                                                          \
		0, "wall-merge", OPT_CALL, "ms",                                                   \
			"--wall: merge equal states of a thread within this many milliseconds "    \
			"(default: 250, with --switch-output 1000)",                               \
			at, .call = wall_take                                                      \
	}

#define OFF_CPU_OPTION_ROWS(at)                                                                    \
	{ 0,                                                                                       \
	  "off-cpu",                                                                               \
	  OPT_CALL,                                                                                \
	  "threshold",                                                                             \
	  "Record each wait of this length or longer (default: 1ms), with stacks and the waker; "  \
	  "shorter waits are added up",                                                            \
	  at,                                                                                      \
	  .fallback = "1ms",                                                                       \
	  .call = off_cpu_take },                                                                  \
	{                                                                                          \
		0, "off-cpu-thresh", OPT_CALL, "ms",                                               \
			"the same, with the threshold in milliseconds", at, .call = off_cpu_take   \
	}

/* Parse an argument. "20": passes per second, 1 to 1000. */
bool wall_hz_parse(const char *text, u32 *hz, GError **error);
/* "auto", "bpf", "bpf-list", "bpf-loop", "bpf-iter", "proc". */
bool wall_source_parse(const char *text, enum wall_source *out, GError **error);
/* Milliseconds, up to a minute. */
bool wall_merge_parse(const char *text, u64 *ns, GError **error);
/* "syscall" (1), "block-io" (2). */
bool latency_of_parse(const char *text, u32 *of, GError **error);
/* "500" (milliseconds), "10us", "2ms", "1s". */
bool off_cpu_threshold_parse(const char *text, u64 *ns, GError **error);

#endif
