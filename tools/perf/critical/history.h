/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each thread did, as recorded: its stays off the CPU, and the ticks (samples) while it ran. Between two stays, a
 * thread ran. Who ended a stay, and who had the lock, are other threads of the same history; walk.h goes from one to
 * the other.
 *
 * This knows no files: texts and activities are numbers of the caller's. Times are ns on one clock. A stay takes 64
 * bytes, a tick 32. Beyond HISTORY_MOST of either, further ones are counted only.
 */
#ifndef CRITICAL_HISTORY_H
#define CRITICAL_HISTORY_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/wall.h"

#define HISTORY_MOST   16000000u
#define HISTORY_NOBODY UINT32_MAX /* no thread */

enum stay_kind {
	STAY_QUEUED,  /* waited for a CPU */
	STAY_BLOCKED, /* waited for something else */
};

/* How a blocked stay ended. */
enum stay_end {
	END_UNKNOWN,   /* nobody saw the waker */
	END_OPEN,      /* the wait was not over at the end of the recording */
	END_THREAD,    /* a thread ended it: stay.waker */
	END_TIMER,     /* a timer: the thread slept for a time */
	END_DISK,      /* an interrupt, while the thread waited for a disk */
	END_NETWORK,   /* an interrupt, while the thread waited for a socket */
	END_INTERRUPT, /* an interrupt of unknown kind: timer, network, device */
	END_KILLED,    /* the thread was killed */
	END_CHILD, /* the span waited, from stay.begun to stay.sent for its child, done by stay.waker */
	END_MESSAGE, /* what stay.waker sent at stay.sent arrived, perhaps from another host */
	NR_STAY_ENDS,
};

/* A piece of a wait with one owner, or the time in the run queue behind it. */
struct stay {
	u64 from, to;
	u64 sent;  /* of END_MESSAGE and END_CHILD */
	u64 begun; /* of END_CHILD */
	u32 thread;
	u32 object;	    /* text: what it waited for: "book.lock (mutex)", "CPU 2" */
	u32 owner, waker;   /* threads; HISTORY_NOBODY: none, or not known */
	u32 activity;	    /* of the thread */
	u32 owner_activity; /* of the owner while it had the lock; valid with an owner */
	u32 waker_activity; /* 0: nobody has read it */
	u8 kind;	    /* enum stay_kind */
	u8 end;		    /* enum stay_end */
	u8 owned;	    /* enum wall_owner: what is known of the owner */
	bool is_lock : 1;   /* also a CPU, if the recording tells which; the owner had it */
	bool retried : 1; /* a timeout ended it, and the thread waited again: who ended that is the waker */
	bool again : 1; /* the thread was woken in vain from a wait for the same before: a path through it takes both as one (walk.c) */
};

/* A sample of a running thread. */
struct tick {
	u64 time;
	u32 thread;
	u32 code, data; /* texts: function, member of a data type; data 0: none is known */
	u32 activity;
	u32 weight; /* ns that it stands for; > 0 */
	u32 cpu;    /* UINT32_MAX: not recorded */
};

struct history_thread {
	u32 source; /* number of the file: it covers the time from its first to its last record */
	u32 pid, tid;
	u32 name;	    /* text */
	u64 start, end;	    /* fork and exit; 0 and UINT64_MAX: not in the recording */
	bool recorded;	    /* it has stays or ticks */
	u32 stay, nr_stays; /* its part of the stays, after sealing */
	u32 tick, nr_ticks;
};

/* The thread @waker woke @thread at @time; adds what the stay itself does not say. */
struct wake {
	u64 time;
	u32 thread, waker, activity;
};

/*
 * What @from sent at @sent, with @activity, arrived at @time at @thread, and ended its wait. @is_child: that is not known, but @from did a child span
 * of what @thread waited for, from @begun to @sent (children.h).
 */
struct arrival {
	u64 time, sent, begun;
	u32 thread, from, activity;
	bool is_child;
};

struct history;

struct history *history_new(void);
void history_free(struct history *h);

/* Adds a thread; returns its number, dense from 0. */
u32 history_add_thread(struct history *h, const struct history_thread *thread);
/* The thread's name from now on. */
void history_name_thread(struct history *h, u32 thread, u32 name);
/* In any order. A stay that is empty, or longer than its time, is left out. */
void history_add_stay(struct history *h, const struct stay *stay);
void history_add_tick(struct history *h, const struct tick *tick);
void history_add_wake(struct history *h, const struct wake *wake);
/* Counts for a wait that no thread ended, or one that is not recorded. */
void history_add_arrival(struct history *h, const struct arrival *arrival);
/* Waits that were only added up: they have no time. */
void history_add_short(struct history *h, u64 ns);

/* Ends adding. Sorts; stays of a thread do not overlap afterwards. */
void history_seal(struct history *h);

/* After sealing. */
u32 history_nr_threads(const struct history *h);
const struct history_thread *history_thread_at(const struct history *h, u32 thread);
const struct stay *history_stays(const struct history *h, u32 *nr);
const struct tick *history_ticks(const struct history *h, u32 *nr);

/* The index among all stays of the thread's last one that begins before @time; -1: there is none. */
s64 history_last_stay(const struct history *h, u32 thread, u64 time);
/* The ticks of a thread in (@from, @to]: a tick stands for the time before it. */
const struct tick *history_ticks_in(const struct history *h, u32 thread, u64 from, u64 to, u32 *nr);
/* The thread's first tick after @time; if there is none, its last one. NULL: it has none. */
const struct tick *history_tick_behind(const struct history *h, u32 thread, u64 time);

/* The time that the records of the thread's file cover. */
void history_covered(const struct history *h, u32 thread, u64 *from, u64 *to);

struct history_counts {
	u64 stays, ticks; /* also those beyond HISTORY_MOST */
	u64 dropped;
	u64 short_ns;
};

const struct history_counts *history_counts(const struct history *h);

#endif
