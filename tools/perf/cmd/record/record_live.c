// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record/record_live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/percent.h"
#include "live/late.h"
#include "record/stack_source.h"

/*
 * A status line on a terminal, which is overwritten. The cursor stays at its start, so the command's output replaces
 * it.
 */
static void show_progress(u64 stacks, u64 to_root, bool last)
{
	if (last)
		dprintf(STDERR_FILENO, "\r\033[K");
	else if (stacks)
		dprintf(STDERR_FILENO, "\r%" PRIu64 " stacks unwound, %.1f %% to the root\033[K\r",
			stacks, percent_of(to_root, stacks));
}

/*
 * Stacks of sleeping threads are copied with -g, too, because the kernel does not follow their frame pointers.
 */
static bool unwinds(const struct record_options *options)
{
	enum callgraph_mode mode = options->callgraph.mode;

	return mode == CALLGRAPH_LIVE || ((options->wall.hz || options->off_cpu.given) &&
					  mode != CALLGRAPH_NONE && mode != CALLGRAPH_DWARF);
}

struct live *record_live_new(const struct record_options *options, struct recorder *r,
			     struct open_files *held)
{
	const struct dso_options dso = { .buildid_dir = getenv("PERF_BUILDID_DIR"), .held = held };
	struct source *stacks, *late = NULL;
	struct live *live;

	if (!unwinds(options))
		return NULL;
	stacks = stack_source_new();
	recorder_add_source(r, stacks);
	if (options->live_late == LIVE_LATE_STACKS) {
		late = late_source_new();
		recorder_add_source(r, late);
	}
	live = live_new(&(struct live_options){
		.stacks = stacks,
		.late = late,
		.wait = options->live_late == LIVE_LATE_WAIT,
		.no_stitch = options->no_stitch,
		.user_regs = options->user_regs != 0,
		.dso = &dso,
		.progress = !options->quiet && isatty(STDERR_FILENO) ? show_progress : NULL,
	});
	recorder_add_stage(r, live_stage(live));
	recorder_add_consumer(r, live_consumer(live));
	return live;
}

/* Prints one line: how many stacks reached the root, and why the others did not. */
static void say_counts(const struct live_counts *counts, bool late)
{
	const struct chain_ends *ends = &counts->ends;

	if (ends->stacks)
		fprintf(stderr, "[ perf record: %" PRIu64 " stacks unwound, %.1f %% to the root",
			ends->stacks, percent_of(counts->to_root, ends->stacks));
	else
		fprintf(stderr, "[ perf record: no stack had to be unwound");
	if (counts->stitched)
		fprintf(stderr, " (%" PRIu64 " completed from the thread's previous stack)",
			counts->stitched);
	for (u32 why = 0; why < UNWIND_NR_WHYS; why++) {
		u64 nr = ends->by_why[why] - (why == UNWIND_CUT ? counts->stitched : 0);

		if (why != UNWIND_ROOT && nr)
			fprintf(stderr, ", %.1f %% %s", percent_of(nr, ends->stacks),
				unwind_why_text(why));
	}
	if (counts->kept)
		fprintf(stderr, ", %" PRIu64 " by frame pointers or only in the kernel",
			counts->kept);
	if (counts->late)
		fprintf(stderr, ", %" PRIu64 " not unwound because the queue was full%s",
			counts->late, late ? ", their stacks were written" : "");
	if (counts->sized)
		fprintf(stderr, ", copies of %" PRIu64 " bytes on average",
			counts->copied / counts->sized);
	fprintf(stderr, " ]\n");
}

void record_live_end(struct live *live, const struct record_options *options, bool say)
{
	struct live_counts counts;

	if (!live)
		return;
	live_stop(live);
	counts = live_counts(live);
	if (say)
		say_counts(&counts, options->live_late == LIVE_LATE_STACKS);
}
