/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts that each process had, by time.
 *
 * It takes the layout records of a recording, in any order, keeps for each process which layouts are
 * valid from which time on, and decodes a sample's bytes by them. The report (resolve/activity.h) and
 * the closing line of a recording (record/tls/tally.h) both use it, so their counts agree.
 */
#ifndef ACTIVITY_HISTORY_H
#define ACTIVITY_HISTORY_H

#include "activity/layout.h"
#include "base/types.h"

struct activity_history;

/* What a layout record says: struct event_tls_layout of perfdata/event.h. */
struct activity_change {
	u32 pid;
	u32 state; /* enum activity_layout_state */
	u64 time;
	struct activity_layout layout; /* of GONE nothing, else its publisher; the rest of PLACED */
};

/* A sample's section, see activity_decode(). */
struct activity_bytes {
	const u8 *data;
	u64 size, dyn_size;
};

struct activity_history *activity_history_new(void);
void activity_history_free(struct activity_history *h);

/* A PLACED with a layout that is not valid is taken for NOWHERE. */
void activity_history_apply(struct activity_history *h, const struct activity_change *change);

/* Whether anything was ever applied. */
bool activity_history_any(const struct activity_history *h);

/*
 * What @bytes of a sample of process @pid at @time say. State NONE where the process had no
 * layout at that time, NOT_YET where it had a variable whose place was not known. @process is
 * passed on in the activity. Safe in several threads as long as none applies.
 */
void activity_history_find(const struct activity_history *h, u32 pid, u64 time,
			   const struct activity_bytes *bytes,
			   const struct activity_process *process, struct activity *activity);

#endif
