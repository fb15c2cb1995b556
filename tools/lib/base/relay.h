/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ordered ring: several threads make, the caller takes in order. Pieces of work are numbered from 0, piece N is in
 * slot N % nr_slots. Threads make them in any order, each in its slot. The caller gets them by their numbers, so what it
 * does with them does not depend on the number of threads.
 *
 *	taken <= claimed <= filled <= taken + nr_slots
 *
 * Slots come from relay_ops.next() (any thread, one at a time), or from the caller (relay_put()).
 * Users: session/digest.c, session/printers.c.
 */
#ifndef BASE_RELAY_H
#define BASE_RELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

struct relay;

struct relay_ops {
	/* Fills @slot with the next piece; false: there is none. One thread at a time. NULL: relay_put() does. */
	bool (*next)(void *arg, void *slot);
	/* Makes the piece in @slot. Several threads at a time, each with its own slot and @worker. */
	void (*make)(void *arg, u32 worker, void *slot);
};

/*
 * @slots: @nr_slots of @slot_size bytes, of the caller, which frees them and their contents after relay_free().
 * @nr_workers includes the calling thread, which is worker 0. If others cannot be started, it does all the work.
 */
struct relay *relay_new(const struct relay_ops *ops, void *arg, void *slots, size_t slot_size,
			u32 nr_slots, u32 nr_workers);
/* Stops and joins the threads. NULL is allowed. */
void relay_free(struct relay *r);

/* Without next(): the slot that the caller may fill; relay_pending() must be below nr_slots. */
void *relay_slot(const struct relay *r);
/* Hands that slot out. */
void relay_put(struct relay *r);
/* How many slots were filled and not released yet. */
u64 relay_pending(struct relay *r);

/*
 * The oldest slot that was not released, when it is made. Meanwhile, the caller's thread makes slots, too. NULL: there
 * is none, or if not @wait: it is not made yet.
 */
void *relay_take(struct relay *r, bool wait);
/* Frees the slot that relay_take() returned for another piece. */
void relay_release(struct relay *r);

#endif
