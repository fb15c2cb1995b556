/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was a sample's thread working for?
 *
 * The file's layout records say where, and from when on, each process keeps its activity (in
 * several places, perhaps); its process records say what it states of itself. A sample has the
 * bytes below its thread pointer and those behind pointers there. This puts them together. The records are
 * complete in themselves: for forks, execs and ends the recorder writes records of their own, so
 * nothing else of the machine's state is asked.
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

/* What a layout record changes. */
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
 * What process @pid has published about itself at @time; NULL: unknown. Valid as long as @a. An activity from
 * activities_find() has it as its `process`.
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
