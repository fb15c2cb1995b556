/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds stacks while they are recorded (record --call-graph live). The kernel records registers, a copy of the stack,
 * and the call chain by frame pointers. The file gets ordinary call chains, which any perf can read, and no stacks.
 *
 *	collector --> stage: holds records back, a round of the recorder at a time
 *	                |  ^
 *	           jobs v  | samples with chains
 *	              workers: threads; each process belongs to one worker
 *
 * A sample is unwound only when all earlier mappings are known. That is one round later: the recorder empties one ring
 * after the other, so the record of a mapping may come after the sample that needs it. Each worker has its own machine
 * and gets all side records, so workers do not wait for each other.
 *
 * Records keep their order. The output chain is the longer one of frame-pointer chain and unwound chain
 * (chains/chainer.h). If the copy of the stack ends too early, the chain is continued with the callers of the thread's
 * last complete chain, from a frame that both have (same address, same stack pointer).
 *
 * Each thread has its own size of stack copies (sizes.h), if a BPF program can set it (record/stack_source.h).
 *
 * Rounds that wait for unwinding take at most LIVE_WAITING bytes. Samples beyond that are late. A late sample keeps its
 * frame-pointer chain and is counted. With options.late it is written with its stack instead, as a sample of another
 * event. With options.wait no sample is late: the collector waits.
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
		*stacks; /* record/stack_source.h: sets the size of copies per thread; or NULL */
	struct source *late; /* live/late.h: writes late samples with their stacks; or NULL */
	bool wait;	     /* wait if the limit is reached: no sample is late */
	u64 waiting;	     /* limit of waiting bytes; 0: LIVE_WAITING */
	bool no_stitch;	     /* do not continue cut stacks */
	bool user_regs;	     /* samples keep their registers in the output */
	u32 nr_workers;	     /* 0: depends on the number of CPUs */
	const struct dso_options *dso;
	/*
	 * Called from time to time by the collector's thread. @last: the final call, before the end of the file is
	 * written. May be NULL.
	 */
	void (*progress)(u64 stacks, u64 to_root, bool last);
};

struct live;

struct live *live_new(const struct live_options *options);
/* Call it after the recorder with this stage is closed. */
void live_free(struct live *l);

/* Ends the threads. Call it after the recording and before the recorder is closed. */
void live_stop(struct live *l);

/* The stage for recorder_add_stage(). recorder_add_consumer() gets the records of what existed at the start. */
struct stage *live_stage(struct live *l);
struct consumer *live_consumer(struct live *l);

struct live_counts {
	struct chain_ends ends;
	u64 stitched; /* cut stacks that were continued; @ends counts them as cut */
	u64 to_root;  /* stacks that reached the root, with the stitched ones */
	u64 kept;     /* samples with the frame-pointer chain: it was longer, or no user code ran */
	u64 late;     /* not unwound because the limit was reached */
	u64 sized;    /* stacks copied with a size set for their thread */
	u64 copied;   /* sum of the sizes of all copies */
	u64 resized;  /* changes of a thread's size */
};

/* After live_stop(). */
struct live_counts live_counts(const struct live *l);

#endif
