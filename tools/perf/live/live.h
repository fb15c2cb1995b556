/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds stacks while they are recorded (record --call-graph live): the kernel gives registers, a copy of the stack and the
 * chain that it found by frame pointers; the file gets ordinary call chains, as any perf reads them, and no stacks.
 *
 *	collector --> stage: holds records back, a round of the drainer at a time
 *	                |  ^
 *	           jobs v  | samples with chains
 *	              workers, threads of their own; a process belongs to one of them
 *
 * A sample is unwound only when all that was mapped before it is known, which is one round later: rings are emptied one after
 * the other, so the record of a mapping may come behind the sample that needs it. Each worker has a machine of its own
 * and is told all side records, so that none waits for another.
 *
 * Records come out in the order in which they came in. Of frame-pointer and unwound chain the longer one is
 * taken (chains/chainer.h). A stack that the copy cuts off is continued with what the thread's last whole chain had above the
 * same frame (same address, same stack pointer).
 *
 * How much is copied of a stack is each thread's own (sizes.h), where a BPF program can have it so (record/stack_source.h).
 *
 * Rounds that are not unwound yet wait, up to LIVE_WAITING bytes. What comes beyond that is not unwound: such a sample
 * keeps the chain by frame pointers and is counted; with options.late it is written with its stack, as a sample of another event. With
 * options.wait the collector waits instead.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include "chains/ends.h"
#include "dso/dsos.h"
#include "record/base/consumer.h"
#include "record/base/stage.h"

#define LIVE_WAITING (32u << 20)

struct live_options {
	struct source
		*stacks; /* record/stack_source.h: adapts the size of copies by thread; or NULL */
	struct source *late; /* live/late.h: late samples are written with their stacks; or NULL */
	bool wait;	     /* rather wait than leave samples without unwinding */
	u64 waiting;	     /* bytes that may wait; 0: LIVE_WAITING */
	bool no_stitch;	     /* cut stacks stay cut */
	bool user_regs;	     /* the samples keep their registers */
	u32 nr_workers;	     /* 0: by the number of CPUs */
	const struct dso_options *dso;
	/* Called now and then while recording, by the collector's thread; @last: before what a file ends with. May be NULL. */
	void (*progress)(u64 stacks, u64 to_root, bool last);
};

struct live;

struct live *live_new(const struct live_options *options);
/* After the recorder that has its stage. */
void live_free(struct live *l);

/* Ends the threads: after the recording, before the recorder is closed. */
void live_stop(struct live *l);

/* To be added to a recorder: recorder_add_stage(), and recorder_add_consumer() for what existed at the start. */
struct stage *live_stage(struct live *l);
struct consumer *live_consumer(struct live *l);

struct live_counts {
	struct chain_ends ends;
	u64 stitched; /* cut stacks that were continued; they count as cut in ends */
	u64 to_root;  /* stacks that reached the root, stitched ones too */
	u64 kept; /* samples with the chain by frame pointers: it was longer, or there was no user code */
	u64 late;    /* not unwound because too many waited */
	u64 sized;   /* stacks whose copy had their thread's own size */
	u64 copied;  /* bytes that there was room for in all copies */
	u64 resized; /* how often a thread got another size */
};

/* After live_stop(). */
struct live_counts live_counts(const struct live *l);

#endif
