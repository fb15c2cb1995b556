/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions of events. perfevent/parse.h creates them, perfevent/open.h opens them.
 */
#ifndef PERFEVENT_SPEC_H
#define PERFEVENT_SPEC_H

#include "base/types.h"
#include "perfdata/evsel.h"

/* Terms of an event that change how it is recorded. .given has one bit per member. */
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
};

struct event_terms {
	u32 given;
	u64 period;
	u64 freq;
	u64 stack_size;
	u64 max_stack;
	u64 max_events;
	bool inherit;
	bool overwrite;
	bool time;
	char *call_graph; /* "fp", "dwarf", "lbr", "no" as given */
};

struct event_spec {
	/* Set: type, config*, bp_*, exclude_*, precise_ip, pinned, exclusive; name, leader,
	 * nr_members, group_name, unit, scale, cpus. Where every occurrence counts (tracepoints,
	 * breakpoints, bpf-output) sample_period is 1, and what their records need is in sample_type. */
	struct evsel *evsel;
	struct event_terms terms;
	char *pmu;	   /* "cpu", "uprobe", ...: the folder in sysfs, or NULL */
	bool system_wide;  /* its PMU cannot count single threads (uncore): open it with pid -1 */
	bool max_precise;  /* P: the highest precise_ip that opens; the evsel has 3 */
	bool sample_read;  /* S: samples carry the values of the group */
	bool weak;	   /* W: if the group cannot be opened, open its events without a group */
	int cgroup;	   /* fd (owned) of the control group to count; -1: all threads */
	char *filter;	   /* of a tracepoint: the expression of filter.h; NULL: every hit counts */
	bool not_by_perf;  /* of a tracepoint: hits of the recorder's own threads do not count */
	bool levels_given; /* the user has chosen exclude_guest and exclude_host */
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

/* Appends an event without a name. Guests are excluded, as without modifiers. */
struct event_spec *event_list_add(struct event_list *list, u32 type, u64 config);

#endif
