/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the activity of a sample's thread: the request for which the thread worked.
 *
 *	layout record   the place where a process keeps its activity, from a time on; a process can have several places
 *	process record  the facts that a process publishes about itself
 *	sample          the bytes below the thread pointer, and the bytes to which pointers there point
 *
 * The activity is decoded from all three. The records are sufficient: the recorder also writes them for forks, execs
 * and exits, so no other state of the machine is needed.
 */
#ifndef RESOLVE_ACTIVITY_H
#define RESOLVE_ACTIVITY_H

#include "activity/history.h"
#include "activity/layout.h"
#include "activity/process.h"
#include "base/types.h"

struct event;
struct event_tls_layout;
struct sample;
struct activities;

/* The change that a layout record makes. */
struct activity_change activity_change_of(const struct event_tls_layout *record);

struct activities *activities_new(void);
void activities_free(struct activities *a);

/*
 * Stores @event if it is a layout or process record; ignores others. The records may come in any order of time.
 */
void activities_apply(struct activities *a, const struct event *event);

/* True if there are layout records. Without any, all activities are "none". */
bool activities_any(const struct activities *a);

/*
 * The facts that process @pid had published about itself at @time; NULL: unknown. Valid as long as @a. An activity from
 * activities_find() has them as its `process`.
 */
const struct activity_process *activities_process(const struct activities *a, u32 pid, u64 time);

/*
 * The activity of @sample of process @pid at @time. State NONE if the sample has no bytes, or the process no layout
 * at that time; NOT_YET if its variable's address was unknown then. Thread-safe while no thread applies records.
 */
void activities_find(const struct activities *a, const struct sample *sample, u32 pid, u64 time,
		     struct activity *activity);

/*
 * Narrows [*@from, *@to) to the window around @time in which equal bytes of a sample of process @pid have the same
 * meaning. Thread-safe after activities_settle().
 */
void activities_settle(struct activities *a);
void activities_window(const struct activities *a, u32 pid, u64 time, u64 *from, u64 *to);

#endif
