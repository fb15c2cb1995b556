/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which thread sent what ended a wait, perhaps on another host? Both ends of a TCP connection count the same bytes, so what was received
 * up to byte 1500 was sent by the thread that sent up to byte 1500 on the other end. No clocks are compared for that.
 *
 * So the clocks can be: nothing arrives before it was sent. For hosts A and B, with B's clock ahead by d:
 *
 *	A sent at 100, B received at 1250 (by its own clock)	d is at most 1150
 *	B sent at 1300, A received at 180			d is at least 1120
 *
 *	messages_clocks()	B is ahead by 1135, give or take 15: half of the time that both messages took
 *
 * Of many messages, the fastest one each way counts. Times are ns.
 */
#ifndef CRITICAL_MESSAGES_H
#define CRITICAL_MESSAGES_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/wall.h"

#define MESSAGES_MOST 2000000u /* of each direction: 128 MB */

struct messages;

struct messages *messages_new(void);
void messages_free(struct messages *m);

/* @message is of a recording on @host (a number from 0), from or to @thread with @activity. Beyond MESSAGES_MOST they are left out. */
void messages_add(struct messages *m, const struct wall_message *message, u32 host, u32 thread,
		  u32 activity, u64 time);

/*
 * A span of @from_host waited from @sent to @received. Meanwhile, @host worked for it, from @begun to @ended by its own clock: as if a message had gone there
 * and back. It counts only where the two hosts have no messages both ways.
 */
void messages_add_call(struct messages *m, u32 from_host, u32 host, u64 sent, u64 begun, u64 ended,
		       u64 received);

/* Ends adding. */
void messages_seal(struct messages *m);

/* What was sent, and arrived. */
struct message_pair {
	u64 sent, received;
	u32 from_host, to_host;
	u32 from, to; /* threads */
	u32 activity; /* of the sender */
};

/* After sealing: each message that was received, with who sent it, as far as that is recorded. */
typedef void message_fn(const struct message_pair *pair, void *arg);
void messages_each_pair(const struct messages *m, message_fn *fn, void *arg);

/* The clock of a host. */
struct message_clock {
	bool by_calls; /* not by messages */
	bool no_fit;   /* not known: there are calls, but they contradict each other */
	bool is_known; /* compared with that of host @with, and so with the first one's */
	u32 with;
	u32 there, back; /* messages from @with, and to it */
	s64 ahead;	 /* of @with's clock */
	u64 error; /* ahead is right within it; UINT64_MAX: messages went only one way, and it is not known at all */
	s64 correction; /* to be added to times of this host: then they are by the first one's clock */
};

/* Of @nr hosts, from 0. The first one's clock is never corrected. To free. */
struct message_clock *messages_clocks(const struct messages *m, u32 nr);

/* How far corrected times of @host may be from the first one's clock; UINT64_MAX: it is not known. */
u64 messages_error(const struct message_clock *clocks, u32 host);

#endif
