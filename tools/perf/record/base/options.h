/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a recording. cmd/record/record_request.c fills the struct from its option table. The parsers below convert
 * texts of arguments; they do not need the table. perfevent/parse.h parses -e.
 */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "record/base/callgraph.h"
#include "record/base/keep.h"
#include "record/base/tls_options.h"
#include "record/base/wall_options.h"

#define RECORD_DEFAULT_FREQ 4000 /* Hz, as upstream */

/* When does the next output file begin? 0 and false: not for that reason. */
struct switch_output {
	bool given;
	bool on_signal; /* SIGUSR2 */
	u64 size;	/* bytes */
	u64 seconds;
};

/* Parts of /proc that become records at the start of a recording. Maps imply tasks. */
enum record_synth {
	SYNTH_TASKS = 1 << 0,
	SYNTH_MAPS = 1 << 1,
	SYNTH_CGROUPS = 1 << 2,
	SYNTH_ALL = SYNTH_TASKS | SYNTH_MAPS | SYNTH_CGROUPS,
};

/* --live-wait: what happens to stacks that are not unwound in time. */
enum live_late {
	LIVE_LATE_FP,	  /* they keep their chain by frame pointers */
	LIVE_LATE_WAIT,	  /* none: the recording waits */
	LIVE_LATE_STACKS, /* they are written as they are */
};

/* --filter and --exclude-perf: for the tracepoints of the -e before it. */
struct event_filter {
	u32 nr_events;	  /* number of -e before it: never 0 */
	const char *text; /* NULL: --exclude-perf */
};

struct record_options {
	GPtrArray *events; /* -e: const char *; NULL: the default */
	bool events_are_own; /* the user requested no event: it is for side records, with thread states */
	bool no_events; /* the kernel counts nothing: all records are from other sources */

	GArray *filters; /* struct event_filter; NULL: none */

	/* Rate. A count wins over a frequency. */
	u64 count;
	bool count_given;
	const char *freq; /* "max" or a number; NULL: RECORD_DEFAULT_FREQ */
	bool strict_freq;

	/* The target. None of these: the command. */
	bool all_cpus;
	const char *cpus, *pids, *tids, *user;
	const char *cgroups; /* -G, as perfevent/cgroups.h has them */
	bool per_thread;
	bool no_inherit;
	bool delayed; /* -D: the events are disabled at first */
	/* u32, milliseconds: times after the start at which they are enabled, disabled, enabled... NULL: none */
	GArray *delay_times;
	const char *control; /* where commands come from, as control.h has it; NULL: from nowhere */
	char *const *command; /* argv of the command, NULL at the end; NULL: none */

	/* Contents of samples. */
	struct callgraph callgraph;
	/* CALLGRAPH_LIVE: see live/live.h */
	enum live_late live_late;
	bool no_stitch;
	u64 user_regs, intr_regs; /* bits of REGS_ALL; 0: none */
	bool user_callchains, kernel_callchains;
	u64 branches; /* PERF_SAMPLE_BRANCH_*; 0: samples have no branch stack */
	bool transaction, data_source, running_time;
	bool data, weight, phys_data, data_page_size, code_page_size;
	bool timestamp; /* on by default */
	bool raw_samples, period;
	bool sample_cpu, sample_identifier, stat, no_samples;
	bool all_user, all_kernel;
	bool all_cgroups, namespaces, switch_events, no_bpf_event;
	/* Also set for --call-graph dwarf: perf 6.1 finds call-frame information by such mappings. */
	bool data_mmap;
	bool clock_given;
	int clockid;

	struct tls_options tls; /* activities of the sampled threads */

	/* Which instruction the samples name (record/skid_source.h). */
	bool no_skid_check; /* the file does not tell */
	bool skid_measured; /* measure it if no earlier recording of this boot did */

	struct wall_options wall;	/* thread states */
	struct off_cpu_options off_cpu; /* waits */

	/* Rings. */
	const char *mmap_pages;
	bool overwrite, no_buffering, tail_synthesize;
	u32 synth;    /* enum record_synth */
	int realtime; /* priority of SCHED_FIFO; 0: none */

	/* Output. */
	const char *output; /* "-": standard output; NULL: no file */
	int zstd_level;	    /* 0: plain */
	struct switch_output switch_output;
	int switch_max_files;
	struct keep_limits keep;
	u64 max_size; /* bytes; 0: no limit */
	bool timestamp_filename;
	bool no_buildid, buildid_mmap;
	bool no_buildid_cache; /* do not copy programs and the vdso there */
	bool buildid_all;      /* copy all mapped files there, not only those with samples */
	/* If the recording ends first, the command continues. */
	bool leave_command;
	/* Rings wake their reader when so many bytes wait; 0: half a ring. */
	u32 wake_bytes;
	bool doze;    /* no timer while no records come; see drainer.h */
	bool dry_run; /* only check the options and events */

	int verbose;
	bool quiet;
};

/* True if samples have control groups: then the file needs their names. */
static inline bool options_name_cgroups(const struct record_options *o)
{
	return o->all_cgroups || o->wall.hz || o->off_cpu.given;
}

/* True if the build-id cache gets copies of what was recorded. */
static inline bool options_keep_copies(const struct record_options *o)
{
	return !o->no_buildid && !o->no_buildid_cache && !o->buildid_mmap && !o->dry_run &&
	       !o->switch_output.given && !o->timestamp_filename && o->output;
}

/* "signal", "10M" (bytes) or "30s" (seconds). */
bool switch_output_parse(const char *text, struct switch_output *out, GError **error);

/* A clock's name or number as of clock_gettime(2), for which perf_event_open() has a use:
 * monotonic (mono), monotonic_raw (raw), realtime (real), boottime (boot), CLOCK_TAI (tai). */
bool clockid_parse(const char *text, int *clockid, GError **error);
const char *clockid_name(int clockid); /* "monotonic"; NULL when not one of them */

bool synth_parse(const char *text, u32 *kinds, GError **error);

/*
 * "100" (milliseconds), "-1", or ranges "10-20,50-60", each after the one before. *@times is what record_options has, to
 * be freed: {100}, NULL, {10, 20, 50, 60}; for "0", an empty one: no delay.
 */
bool delay_parse(const char *text, GArray **times, GError **error);

/* 1..22. */
bool zstd_level_parse(const char *text, int *level, GError **error);

#endif
