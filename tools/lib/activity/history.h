/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts that each process had, by time.
 *
 * It takes the layout records of a recording, in any order. For each process, it keeps which layouts are valid from
 * which time on, and decodes the bytes of samples with them. The report (resolve/activity.h) and the last line of a
 * recording (record/tls/tally.h) both use it, so their counts agree.
 */
#ifndef ACTIVITY_HISTORY_H
#define ACTIVITY_HISTORY_H

#include "activity/layout.h"
#include "base/types.h"

struct activity_history;

/* A layout record: struct event_tls_layout of perfdata/event.h. */
struct activity_change {
	u32 pid;
	u32 state; /* enum activity_layout_state */
	u64 time;
	struct activity_layout layout; /* GONE: unused; PLACED: all; else the publisher */
};

/* A sample's section, see activity_decode(). */
struct activity_bytes {
	const u8 *data;
	u64 size, dyn_size;
	bool absent; /* samples of the event have no section */
};

struct activity_history *activity_history_new(void);
void activity_history_free(struct activity_history *h);

/* A PLACED change with an invalid layout is handled like NOWHERE. */
void activity_history_apply(struct activity_history *h, const struct activity_change *change);

/* Has any change been applied? */
bool activity_history_any(const struct activity_history *h);

/*
 * Decodes @bytes of a sample of process @pid at @time. State NONE: the process had no layout at that time. NOT_YET: it
 * had a variable whose location was not known. NOT_READ: it had a layout, but the event has no section; or the section says
 * that nobody looked for one. The activity refers to @process. Several threads may call it, as long as
 * none applies a change.
 */
void activity_history_find(const struct activity_history *h, u32 pid, u64 time,
			   const struct activity_bytes *bytes,
			   const struct activity_process *process, struct activity *activity);

#endif
