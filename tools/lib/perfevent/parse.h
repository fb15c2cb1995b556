/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the argument of -e into events with attributes and groups.
 *
 * Nothing is opened here; see perfevent/open.h. Attributes that the recorder chooses (sample_type, read_format,
 * sampling rate, inherit, mmap, comm...) stay zero. The recorder sets them from its options, then from the event's own
 * terms (struct event_terms), which have priority.
 *
 * Grammar (names as upstream's perf-record(1) and perf-list(1)):
 *
 *   text     = item { "," item }
 *   item     = event [ ":" modifiers ] | [ name ] "{" event { "," event } "}" [ ":" modifiers ]
 *   event    = software, hardware, cache or sysfs event name [ "/" terms "/" ]
 *            | rHEX | TYPE ":" CONFIG
 *            | PMU "/" terms "/"                      format/ and events/ of the PMU in sysfs
 *            | system ":" name                        tracepoints, globs in both parts
 *            | "mem:" ADDR [ "/" LEN ] [ ":" rwx ]    breakpoint
 *   terms    = [ term { "," term } ]
 *   term     = config[1-4]=N name=TEXT period=N freq=N call-graph=MODE stack-size=N max-stack=N
 *            | inherit no-inherit overwrite no-overwrite time=0|1 nr=N cpu=LIST
 *            | format term of the PMU [ "=" N ] | event of the PMU | rHEX
 *   modifiers = u k h G H (levels)  p..ppp P (precise)  S D W e I
 *
 * Levels are as in upstream 6.1: without modifiers, guests are excluded. An event's modifiers replace all levels. A
 * group's modifiers are added to those of its events.
 */
#ifndef PERFEVENT_PARSE_H
#define PERFEVENT_PARSE_H

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"
#include "perfevent/spec.h"

/*
 * Appends the events of @text; call it once per -e. On failure @list is unchanged, and the message has two lines: the
 * text, and a mark under the error with an explanation and, if there is one, the most similar name. Errors:
 * PERF_ERROR_USAGE, PERF_ERROR_ABSENT (unknown name), and for tracepoints what tracepoint.h reports.
 */
bool event_list_parse(struct event_list *list, const struct kernel_paths *paths, const char *text,
		      GError **error);

/* The event of a command line without -e: cycles:P. */
bool event_list_default(struct event_list *list, const struct kernel_paths *paths, GError **error);

/* One software event that carries only side records ("dummy:u", which stays idle). */
struct event_spec *event_list_add_dummy(struct event_list *list);

/*
 * Iterates over all names for -e: for `perf list` and for proposing similar names. Calls @fn for each name until it
 * returns false; then the result is false.
 */
enum event_names {
	EVENT_NAMES_HARDWARE = 1 << 0,
	EVENT_NAMES_SOFTWARE = 1 << 1,
	EVENT_NAMES_CACHE = 1 << 2,
	EVENT_NAMES_PMU = 1 << 3,
	EVENT_NAMES_TRACEPOINT = 1 << 4,
	EVENT_NAMES_PLAIN = EVENT_NAMES_HARDWARE | EVENT_NAMES_SOFTWARE | EVENT_NAMES_CACHE |
			    EVENT_NAMES_PMU,
	EVENT_NAMES_ALL = EVENT_NAMES_PLAIN | EVENT_NAMES_TRACEPOINT,
};

struct event_name {
	const char *name;  /* "cpu-cycles", "msr/tsc/", "sched:sched_switch" */
	const char *alias; /* "cycles", "tsc"; NULL */
	const char *kind;  /* "Hardware event": const text */
};
typedef bool (*event_name_fn)(const struct event_name *name, void *arg);

/* @kinds: bits of enum event_names. Tracepoints are left out where tracefs cannot be read. */
bool event_names_each(const struct kernel_paths *paths, u32 kinds, event_name_fn fn, void *arg);

#endif
