// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mailbox between two threads. The collector's thread puts news in while records pass it; the
 * sampling thread takes all of them before a pass.
 *
 * An EXIT record comes up to HEARD_LATE after the end, and thread ids are used again. Example by
 * /proc:
 *
 *	100 ms	thread 815 ends: an EXIT record in the ring of its CPU
 *	105 ms	a new thread gets the number 815: a FORK record
 *	120 ms	a pass finds 815. Its creation time differs: the account has ended the old thread
 *	140 ms	the drainer has read the ring; the collector puts the EXIT of 100 ms in
 *	170 ms	before the next pass, the EXIT is taken. It must not end the new thread
 *
 * is_of_one_before() finds this: the fork is younger than the exit, and the thread that the account
 * knows was created by that fork.
 *
 * A thread that executes a program, and is not its process's first, takes the first one's number
 * and never has an EXIT record for its own. The pass no longer finds the old number
 * (wall_news_miss()). It is ended once no EXIT record can come any more.
 */
#include "record/waits/wall_news.h"

#include <glib.h>

#include "record/waits/wall_put.h"

#define START_LAG 20000000ull /* ns: creation times from /proc may be too early by this */

struct one {
	u32 pid, tid;
};

struct exit {
	u32 tid;
	u64 time;
};

/*
 * Arrays grow as far as there are news between two passes. Times are of the recording's clock, ns.
 */
struct wall_news {
	bool all, tells_ends;
	GMutex lock;   /* of all below */
	GArray *begun; /* struct one: newly selected processes or threads */
	GArray *exits; /* struct exit */
	GArray *missed; /* struct exit, by time: only for the sampling thread, as wall_news_take() is */
	GHashTable *forks; /* tid -> u64: time of its last FORK record; empty with tells_ends */
};

struct wall_news *wall_news_new(const struct kernel_paths *paths, const struct open_target *target,
				bool all, bool tells_ends)
{
	struct wall_news *n = g_new0(struct wall_news, 1);

	n->all = all;
	n->tells_ends = tells_ends;
	g_mutex_init(&n->lock);
	n->begun = g_array_new(FALSE, FALSE, sizeof(struct one));
	n->exits = g_array_new(FALSE, FALSE, sizeof(struct exit));
	n->missed = g_array_new(FALSE, FALSE, sizeof(struct exit));
	n->forks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (u32 i = 0; !all && i < target->nr_tids; i++) {
		pid_t tid = target->tids[i];
		struct one one = { wall_process_of(paths, tid), (u32)tid };

		g_array_append_val(n->begun, one);
	}
	return n;
}

void wall_news_free(struct wall_news *n)
{
	if (!n)
		return;
	g_array_unref(n->begun);
	g_array_unref(n->exits);
	g_array_unref(n->missed);
	g_hash_table_unref(n->forks);
	g_mutex_clear(&n->lock);
	g_free(n);
}

void wall_news_see(struct wall_news *n, const struct event_task *task, bool ended)
{
	struct exit e = { task->tid, task->time };
	struct one new = { task->pid, task->tid };

	g_mutex_lock(&n->lock);
	if (ended && !n->tells_ends)
		g_array_append_val(n->exits, e);
	if (!ended && !n->all)
		g_array_append_val(n->begun, new);
	if (!ended && !n->tells_ends)
		g_hash_table_insert(n->forks, GUINT_TO_POINTER(task->tid),
				    g_memdup2(&task->time, sizeof(task->time)));
	g_mutex_unlock(&n->lock);
}

/*
 * Takes the whole array and leaves an empty one, so that the lock is held for a moment only. The
 * account is changed without the lock.
 */
static GArray *take_all(struct wall_news *n, GArray **array, guint size)
{
	GArray *taken;

	g_mutex_lock(&n->lock);
	taken = *array;
	*array = g_array_new(FALSE, FALSE, size);
	g_mutex_unlock(&n->lock);
	return taken;
}

/*
 * EXIT records arrive late. The tid may belong to a new thread by then. True if a pass has already seen the new thread:
 * the old thread's end is then already reported.
 */
static bool is_of_one_before(struct wall_news *n, const struct wall_account *account,
			     const struct exit *e)
{
	const struct wall_look *known = wall_account_look(account, e->tid);
	const u64 *fork;
	bool before;

	g_mutex_lock(&n->lock);
	fork = g_hash_table_lookup(n->forks, GUINT_TO_POINTER(e->tid));
	before = fork && *fork > e->time && known && known->start + START_LAG >= *fork;
	if (fork && *fork <= e->time)
		g_hash_table_remove(n->forks, GUINT_TO_POINTER(e->tid));
	g_mutex_unlock(&n->lock);
	return before;
}

void wall_news_miss(struct wall_news *n, u32 tid, u64 time)
{
	struct exit e = { tid, time };

	g_array_append_val(n->missed, e);
}

/* A later pass may have found it again, or another thread with its id. */
static void end_missed(struct wall_news *n, struct wall_account *account, u64 heard)
{
	u32 nr = 0;

	for (; nr < n->missed->len; nr++) {
		const struct exit *e = &g_array_index(n->missed, struct exit, nr);
		const struct wall_look *known = wall_account_look(account, e->tid);

		if (e->time >= heard)
			break;
		if (known && known->state != WALL_ZOMBIE)
			wall_account_exit(account, e->tid, e->time);
	}
	g_array_remove_range(n->missed, 0, nr);
}

void wall_news_take(struct wall_news *n, struct wall_eye *eye, struct wall_account *account,
		    u64 heard)
{
	g_autoptr(GArray) begun = take_all(n, &n->begun, sizeof(struct one));
	g_autoptr(GArray) exits = take_all(n, &n->exits, sizeof(struct exit));

	for (u32 i = 0; i < begun->len; i++) {
		const struct one *o = &g_array_index(begun, struct one, i);

		eye->ops->want(eye, o->pid, o->tid);
	}
	for (u32 i = 0; i < exits->len; i++) {
		const struct exit *e = &g_array_index(exits, struct exit, i);

		if (!is_of_one_before(n, account, e))
			wall_account_exit(account, e->tid, e->time);
	}
	end_missed(n, account, heard);
}
