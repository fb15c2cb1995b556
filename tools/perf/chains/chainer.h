/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who called the sampled code, where the sample has registers and a copy of the stack instead of a finished call chain?
 *
 * A chainer takes such a sample and gives the whole chain, in the form that samples with finished chains have: the
 * kernel's part as it was recorded, PERF_CONTEXT_USER, the user's part innermost first. It looks up what was mapped in
 * the sample's process at the sample's time (machine/), takes the rules of the files there (chains/objects.h) and unwinds
 * (unwind/unwind.h). The live process is never asked.
 *
 *	objects = objects_new();		one for all
 *	c = chainer_new(machine, objects, 127);	one per thread
 *	if (chainer_takes(event->evsel))
 *		chainer_unwind(c, event, &chain);
 *
 * The machine must have been told all that is before the sample (machine_seal()). It may be told more between two
 * calls: what the chainer has learned of a process holds as long as nothing changes in the process's maps.
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

/* Good until the next call for the same chainer. */
struct unwound_chain {
	const u64 *ips; /* with PERF_CONTEXT_* markers. A caller's is the last byte of its call */
	u32 nr_ips;
	u32 nr_user; /* the last of them, which are the user's part */
	bool unwound; /* false: the sample's own chain; it has no registers of user code, or is longer */
	u32 nr_spliced; /* user frames that are the sample's own, behind those that the copy was enough for */
	/* Of an unwound chain: */
	struct unwind_end end;
	/*
	 * UNWIND_CUT: from the stack pointer up, so many bytes of stack would have led to the next caller.
	 * There may be more above that.
	 */
	u64 needed;
	const struct unwind_frame *frames; /* nr_frames: those of which the user's part begins */
	u32 nr_frames;
	u64 last_ip; /* of the outermost frame: the code that has no caller, or whose caller was not found */
};

/* The address that stands for the frame in a chain. */
static inline u64 unwind_frame_shown(const struct unwind_frame *f)
{
	return f->ip - !f->exact;
}

/* Do this event's samples have registers and stacks? */
bool chainer_takes(const struct evsel *evsel);

/* @max: frames of user code at most. Both must live longer. */
struct chainer *chainer_new(struct machine *machine, struct objects *objects, u32 max);
void chainer_free(struct chainer *c);

/* @event: a sample of an event that chainer_takes(). */
void chainer_unwind(struct chainer *c, const struct event *event, struct unwound_chain *out);

/* @event is the next but one: fetches the part of its stack that will probably be needed. */
void chainer_expect(const struct chainer *c, const struct event *event);

/* The file that the outermost frame of the last chain lies in; NULL: none is known. */
struct dso *chainer_last_dso(struct chainer *c);

/* How often a rule was found at the first look (hits), or had to be looked up. */
struct unwinder_stats chainer_stats(const struct chainer *c);

#endif
