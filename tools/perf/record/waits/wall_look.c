// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A look has pointers to texts, frames and bytes. Their owners differ:
 *
 *	a look from the eye		points into the ring's record and into texts of the present look: valid until
 *					the callback returns
 *	a look in the account		a deep copy (wall_look_copy()), released by wall_look_release()
 *	wall_look_without_wait()	a shallow copy without these pointers: nothing to release
 *
 * So only what wall_look_copy() has filled in may be given to wall_look_release().
 */
#include "record/waits/wall_look.h"

#include <glib.h>
#include <string.h>

struct wall_bytes wall_bytes_copy(const struct wall_bytes *b)
{
	return (struct wall_bytes){ g_memdup2(b->data, b->size), b->size, b->filled };
}

bool wall_bytes_equal(const struct wall_bytes *x, const struct wall_bytes *y)
{
	return x->size == y->size && x->filled == y->filled &&
	       (!x->size || !memcmp(x->data, y->data, x->size));
}

bool wall_bytes_are_whole(const struct wall_bytes *b)
{
	return b->size && b->filled == b->size;
}

void wall_look_copy(struct wall_look *to, const struct wall_look *from)
{
	*to = *from;
	to->wchan = g_strdup(from->wchan);
	to->file = g_strdup(from->file);
	to->connection = g_strdup(from->connection);
	to->tls = wall_bytes_copy(&from->tls);
	to->stack = wall_bytes_copy(&from->stack);
	to->unknown = (struct wall_bytes){ 0 };
	to->nr_frames = MIN(from->nr_frames, (u32)WALL_MAX_FRAMES);
	to->frames = g_memdup2(from->frames, to->nr_frames * sizeof(u64));
}

void wall_look_release(struct wall_look *look)
{
	g_free((char *)look->wchan);
	g_free((char *)look->file);
	g_free((char *)look->connection);
	g_free((u8 *)look->tls.data);
	g_free((u8 *)look->stack.data);
	g_free((u64 *)look->frames);
}

bool wall_look_is_asleep(const struct wall_look *look)
{
	return look->state != WALL_RUNNING && look->state != WALL_QUEUED &&
	       look->state != WALL_UNKNOWN;
}

/*
 * The comparison is made for each stretch and each kind of a window, so cheap and selective members
 * come first.
 *
 * place is a number that the account gives to each look that is not the same sleep place as the
 * look before. With equal numbers it is the same place, and texts and frames need no comparison.
 * Different numbers say nothing: a thread may come back to a place.
 *
 *	look 1	read(3) at A	place 1
 *	look 2	read(3) at A	place 1, by same: the eye recognized it
 *	look 3	futex at B	place 2
 *	look 4	read(3) at A	place 3; equal to look 1 only by the comparison of all members
 */
bool wall_look_is_of_kind(const struct wall_look *x, const struct wall_look *y)
{
	if (x->state != y->state || x->syscall != y->syscall || x->flags != y->flags ||
	    x->cgroup != y->cgroup || x->user != y->user || x->undecided != y->undecided ||
	    !wall_bytes_equal(&x->tls, &y->tls))
		return false;
	if (!wall_look_is_asleep(x))
		return true;
	if (x->sequence != y->sequence || memcmp(&x->lock, &y->lock, sizeof(x->lock)))
		return false;
	if (x->place && x->place == y->place)
		return true;
	return x->ip == y->ip && x->sp == y->sp && !memcmp(x->args, y->args, sizeof(x->args)) &&
	       x->nr_frames == y->nr_frames && !g_strcmp0(x->wchan, y->wchan) &&
	       !g_strcmp0(x->file, y->file) && !g_strcmp0(x->connection, y->connection) &&
	       (!x->nr_frames || !memcmp(x->frames, y->frames, x->nr_frames * sizeof(u64))) &&
	       wall_bytes_equal(&x->stack, &y->stack);
}

/*
 * WALL_LAST_CALL marks that the system call is not the present one: the thread is on its way, and
 * the call is the one that it was found in. The flag is compared by wall_look_is_of_kind(), so a
 * run in read() is not merged with a sleep in read().
 */
struct wall_look wall_look_without_wait(const struct wall_look *look, enum wall_state state)
{
	struct wall_look l = *look;

	l.state = (u8)state;
	l.wchan = l.file = l.connection = NULL;
	l.tls = l.stack = (struct wall_bytes){ 0 };
	l.nr_frames = 0;
	l.nr_regs = 0;
	l.lock = (struct wall_lock){ 0 };
	l.since = 0;
	l.undecided = false;
	l.flags &= (u8)~WALL_IN_IO;
	l.flags |= WALL_LAST_CALL;
	return l;
}

/*
 * Of a thread that sleeps at the same place again, the eye sends only the head of the record: state
 * and times. All else comes from the look before. A new member of that head (bpf/wall.h) that may
 * change must be added here.
 */
void wall_look_complete(struct wall_look *look, const struct wall_look *before)
{
	struct wall_look l = *before;

	l.time = look->time;
	l.exec = look->exec;
	l.delay = look->delay;
	l.sleeps = look->sleeps;
	l.runs = look->runs;
	l.merged = look->merged;
	l.since = look->since;
	l.sequence = look->sequence;
	l.state = look->state;
	l.flags = look->flags;
	l.same = true;
	*look = l;
}
