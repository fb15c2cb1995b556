/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds equal samples. Most recordings have the same place many times: one address, one call chain, one activity. It is
 * expensive to resolve a place, and cheap to compare the bytes that define it. So each sample gets two numbers, by
 * those bytes, and only the first sample with a number is resolved:
 *
 *	where	event, process, mode, address; the call chain and the bytes of activities, if requested; and the
 *		window of time in which nothing changed that is known of the process (machine_window(),
 *		activities_window())
 *	who	the thread, its name, the CPU, if requested
 *
 * Numbers are dense from 0, in the order in which their first samples come.
 */
#ifndef SESSION_GATHER_H
#define SESSION_GATHER_H

#include "base/types.h"

struct activities;
struct gather;
struct machine;
struct sample_head;

struct gathered {
	u32 where, who;
};

/* The parts of a place that are requested. */
struct gather_options {
	bool threads, comms, cpus, chains, activities;
	bool kernel_chains; /* chains of samples of the kernel */
	bool apart;	    /* places of two threads are two */
	const struct entries
		*entries; /* places at these addresses differ by their callers; NULL: none */
};

/*
 * Both must be complete. Then several threads may gather at the same time, each with its own numbers.
 */
struct gather *gather_new(struct machine *machine, struct activities *activities,
			  const struct gather_options *options);
void gather_free(struct gather *g);

/* Numbers @samples, in order, each with an evsel; fills @out. */
void gather_take(struct gather *g, const struct sample_head *samples, u32 nr, struct gathered *out);

/* Memory of the numbers in bytes; gather_empty() starts again. */
size_t gather_size(const struct gather *g);
void gather_empty(struct gather *g);

#endif
