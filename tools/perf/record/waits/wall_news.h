/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which threads are new, and which have ended: from FORK and EXIT records, for the next pass of thread states. The
 * collector's thread adds records, and the sampling thread takes what they say.
 */
#ifndef RECORD_WALL_NEWS_H
#define RECORD_WALL_NEWS_H

#include "perfdata/event.h"
#include "perfevent/open.h"
#include "record/waits/wall.h"
#include "record/waits/wall_account.h"

struct wall_news;

/*
 * The first news are @target's threads. @all: all processes are selected, and new threads are no news. @tells_ends: the
 * eye samples each thread when it ends, and EXIT records are no news.
 */
struct wall_news *wall_news_new(const struct kernel_paths *paths, const struct open_target *target,
				bool all, bool tells_ends);
void wall_news_free(struct wall_news *n);

/* Adds an EXIT record if @ended, else a FORK record. */
void wall_news_see(struct wall_news *n, const struct event_task *task, bool ended);

/* A pass at @time no longer found the thread. Its EXIT record may come, or not: see wall_look.left. */
void wall_news_miss(struct wall_news *n, u32 tid, u64 time);

/*
 * Selects the new threads in @eye, and ends the others in @account: also those that were missed before @heard, of which
 * an EXIT record would have come by now. Each is news once.
 */
void wall_news_take(struct wall_news *n, struct wall_eye *eye, struct wall_account *account,
		    u64 heard);

#endif
