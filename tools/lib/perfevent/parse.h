/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the text of -e mean: which events, with which attributes, in which groups?
 *
 * Text to descriptions only; nothing is opened. The attributes that a recorder chooses
 * (sample_type, read_format, sampling rate, inherit, mmap, comm...) stay zero: the
 * recorder sets them from its options and then from the terms that an event carries
 * (struct event_terms), which win. Opening is perfevent/open.h.
 *
 * Grammar (names as upstream's perf-record(1) and perf-list(1)):
 *
 *   text     = item { "," item }
 *   item     = event [ ":" modifiers ] | [ name ":" ] "{" text "}" [ ":" modifiers ]
 *   event    = software, hardware or cache name | rHEX
 *            | PMU "/" terms "/" [modifiers]          format/ and events/ of the PMU in sysfs
 *            | system ":" name                        tracepoints, globs in both parts
 *            | "mem:" ADDR [ "/" LEN ] [ ":" rwx ]    breakpoint
 *   modifiers = u k h p P S D W e G H I b R X
 */
#ifndef PERFEVENT_PARSE_H
#define PERFEVENT_PARSE_H

#include <glib.h>

#include "base/types.h"
#include "perfevent/paths.h"

struct evsel; /* perfdata/evsel.h */

/* What an event's own terms say about how it is recorded; .given has a bit per member. */
enum event_term {
	TERM_PERIOD = 1 << 0,
	TERM_FREQ = 1 << 1,
	TERM_CALL_GRAPH = 1 << 2,
	TERM_STACK_SIZE = 1 << 3,
	TERM_MAX_STACK = 1 << 4,
	TERM_INHERIT = 1 << 5,
	TERM_OVERWRITE = 1 << 6,
	TERM_TIME = 1 << 7,
	TERM_MAX_EVENTS = 1 << 8,
	TERM_BRANCH_TYPE = 1 << 9,
	TERM_PERCORE = 1 << 10,
	TERM_AUX_OUTPUT = 1 << 11,
	TERM_AUX_SAMPLE_SIZE = 1 << 12,
};

struct event_terms {
	u32 given;
	u64 period;
	u64 freq;
	u64 stack_size;
	u64 max_stack;
	u64 max_events;
	u64 aux_sample_size;
	bool inherit;
	bool overwrite;
	bool time;
	char *call_graph;  /* "fp", "dwarf", "lbr", "no" as given */
	char *branch_type; /* as given, for -j's parser */
};

struct event_spec {
	struct evsel *evsel; /* type, config*, bp_*, exclude_*, precise_ip, pinned, name, leader */
	struct event_terms terms;
	char *pmu;    /* "cpu", "uprobe", ...; NULL where no PMU folder was asked */
	GArray *cpus; /* int: the only CPUs that the PMU counts on (cpumask, cpus); NULL = any */
	char *unit;   /* of a sysfs alias; NULL */
	double scale; /* of a sysfs alias; 1.0 */
	bool system_wide;     /* counts no single thread (uncore): open with pid -1 */
	bool max_precise;     /* P: the highest precise_ip that opens; evsel starts at 3 */
	bool sample_read;     /* S: the leader's samples carry the group's values */
	bool weak;	      /* W: may be opened outside its group */
	bool per_task_bpf;    /* b */
	bool no_user_exclude; /* I, H, G or a level was given: exclude_guest etc. are the user's */
};

struct event_list {
	GPtrArray *specs; /* struct event_spec *; evsel->idx is the place in here */
};

void event_list_init(struct event_list *list);
void event_list_release(struct event_list *list);

static inline struct event_spec *event_list_at(const struct event_list *list, u32 i)
{
	return (struct event_spec *)g_ptr_array_index(list->specs, i);
}

/*
 * Appends the events of @text; call once per -e. On failure @list is as before and the
 * message has three parts on lines of their own: what is wrong, the text with a mark
 * under the place, and the nearest names where there are any.
 * Errors: PERF_ERROR_USAGE, PERF_ERROR_ABSENT (unknown name), and for tracepoints what
 * tracepoint.h reports.
 */
bool event_list_parse(struct event_list *list, const struct kernel_paths *paths, const char *text,
		      GError **error);

/* The event of a command line without -e: cycles:P. */
bool event_list_default(struct event_list *list, const struct kernel_paths *paths, GError **error);

/* One software event that carries only side records ("dummy:u", which stays idle). */
struct event_spec *event_list_add_dummy(struct event_list *list);

/* One PERF_COUNT_SW_BPF_OUTPUT event called @name. */
struct event_spec *event_list_add_bpf_output(struct event_list *list, const char *name);

/*
 * Every name that can be given to -e, for `perf list`: calls @fn per event with the
 * group's title ("Hardware event", ..., as perf-list(1) prints in brackets), the name, an
 * alias or NULL, and a description or NULL; stops when @fn returns false.
 */
struct event_name {
	const char *name;
	const char *alias;
	const char *kind;
	const char *desc;
};
typedef bool (*event_name_fn)(const struct event_name *name, void *arg);
bool event_names_each(const struct kernel_paths *paths, event_name_fn fn, void *arg);

#endif
