/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the call chain of a sample that has registers and a copy of the stack, but no finished call chain.
 *
 * The result has the form of a recorded chain: the kernel's part as recorded, PERF_CONTEXT_USER, then the user's part,
 * innermost first. The chainer looks up the mappings of the sample's process at the sample's time (machine/), takes the
 * rules of the mapped files (chains/objects.h) and unwinds (unwind/unwind.h). It never reads the live process.
 *
 *	objects = objects_new();		one for all threads
 *	c = chainer_new(machine, objects, 127);	one per thread
 *	if (chainer_takes(event->evsel))
 *		chainer_unwind(c, event, &chain);
 *
 * The machine must know all events before the sample (machine_seal()). It may get more events between two calls: the
 * chainer's cache for a process is valid as long as the process's maps do not change.
 */
#ifndef CHAINS_CHAINER_H
#define CHAINS_CHAINER_H

#include "base/types.h"
#include "unwind/unwind.h"

struct chainer;
struct dso;
struct event;
struct evsel;
struct machine;
struct objects;

/* Valid until the next call for the same chainer. */
struct unwound_chain {
	/* with PERF_CONTEXT_* markers; a caller's address is the last byte of its call */
	const u64 *ips;
	u32 nr_ips;
	u32 nr_user; /* the last entries of @ips: the user's part */
	/* false: the sample's own chain is used. It is longer, or there are no registers of user code */
	bool unwound;
	/* user frames from the sample's own chain, after those that unwinding found */
	u32 nr_spliced;
	/* Only for an unwound chain: */
	struct unwind_end end;
	/*
	 * UNWIND_CUT: the number of stack bytes, from the stack pointer up, that would reach the next caller. There may
	 * be more callers above it.
	 */
	u64 needed;
	/* nr_frames: the unwound frames, with which the user's part begins */
	const struct unwind_frame *frames;
	u32 nr_frames;
	/* in the outermost frame: the code that has no caller, or whose caller was not found */
	u64 last_ip;
};

/* The frame's address in a chain. */
static inline u64 unwind_frame_shown(const struct unwind_frame *f)
{
	return f->ip - !f->exact;
}

/* Do this event's samples have registers and stacks? */
bool chainer_takes(const struct evsel *evsel);

/* @max: limit of user frames. @machine and @objects must outlive the chainer. */
struct chainer *chainer_new(struct machine *machine, struct objects *objects, u32 max);
void chainer_free(struct chainer *c);

/* @event: a sample of an event that chainer_takes(). */
void chainer_unwind(struct chainer *c, const struct event *event, struct unwound_chain *out);

/* Prefetches the part of the stack that @event will probably need. @event is the next but one. */
void chainer_expect(const struct chainer *c, const struct event *event);

/* The file that contains the outermost frame of the last chain; NULL: not known. */
struct dso *chainer_last_dso(struct chainer *c);

/* How many steps found a cached rule (hits), and how many needed a look-up (misses). */
struct unwinder_stats chainer_stats(const struct chainer *c);

#endif
