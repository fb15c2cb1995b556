// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the time to unwind the stacks of a recording (record --call-graph dwarf), without reading the file and without
 * symbols.
 *
 *	unwind_bench [-n N] FILE...
 *
 * Prints a line per file: stacks; frames; ns per frame with empty caches; ns per frame in the best of PASSES further
 * passes; the share of steps whose rule was cached. With -n only N stacks from the middle of the recording are used, for
 * example so few that their copies fit into the processor's caches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chains/chainer.h"
#include "chains/ends.h"
#include "chains/objects.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"

#define PASSES	   50
#define FRAMES_MAX 127

struct recorded {
	struct dsos *dsos;
	struct machine *machine;
	GArray *samples;   /* struct event */
	GPtrArray *copies; /* copies of their records */
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static void take_samples(struct recorded *r, struct perfdata *pd)
{
	struct event ev, copy;

	perfdata_rewind(pd, NULL);
	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	while (perfdata_next(pd, &ev, NULL) > 0) {
		if (ev.type != PERF_RECORD_SAMPLE || !ev.evsel || !chainer_takes(ev.evsel))
			continue;
		g_ptr_array_add(r->copies, g_memdup2(ev.raw, ev.size));
		if (perfdata_decode(pd, r->copies->pdata[r->copies->len - 1], 0, &copy, NULL))
			g_array_append_val(r->samples, copy);
	}
}

static bool take(struct recorded *r, struct perfdata *pd)
{
	struct event ev;
	int got;

	r->dsos = dsos_new(&(struct dso_options){ 0 });
	r->machine = machine_new(r->dsos);
	r->samples = g_array_new(FALSE, FALSE, sizeof(struct event));
	r->copies = g_ptr_array_new_with_free_func(g_free);
	perfdata_want(pd, PERFDATA_WANT_SIDEBAND);
	while ((got = perfdata_next(pd, &ev, NULL)) > 0)
		machine_apply(r->machine, &ev);
	machine_seal(r->machine);
	if (got == 0)
		take_samples(r, pd);
	return got == 0 && r->samples->len;
}

static double pass(const struct recorded *r, struct chainer *c, struct chain_ends *ends)
{
	u64 start = now_ns();

	*ends = (struct chain_ends){ 0 };
	for (u32 i = 0; i < r->samples->len; i++) {
		struct unwound_chain chain;

		if (i + 1 < r->samples->len)
			chainer_expect(c, &g_array_index(r->samples, struct event, i + 1));
		chainer_unwind(c, &g_array_index(r->samples, struct event, i), &chain);
		chain_ends_add(ends, &chain);
	}
	return (double)(now_ns() - start) / (double)MAX(ends->frames, 1);
}

/* Keeps only @most samples, from the middle. */
static void keep_some(struct recorded *r, u32 most)
{
	u32 front = r->samples->len > most ? (r->samples->len - most) / 2 : 0;

	g_array_remove_range(r->samples, 0, front);
	g_array_set_size(r->samples, MIN(r->samples->len, most));
}

static bool measure(const char *path, u32 most)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = perfdata_open(path, &error);
	struct objects *objects = objects_new();
	struct recorded r;
	struct chain_ends ends;
	struct chainer *c;
	double first, best;
	u64 hits;

	if (!pd || !take(&r, pd)) {
		fprintf(stderr, "%s: %s\n", path, error ? error->message : "no stacks in it");
		return false;
	}
	keep_some(&r, most);
	c = chainer_new(r.machine, objects, FRAMES_MAX);
	first = pass(&r, c, &ends);
	best = first;
	hits = chainer_stats(c).hits;
	for (u32 i = 0; i < PASSES; i++) {
		double ns = pass(&r, c, &ends);

		best = MIN(best, ns);
	}
	hits = (chainer_stats(c).hits - hits) / PASSES;
	printf("%s: %llu stacks, %llu frames, first %.1f ns a frame, warm %.1f, hits %.1f %%\n",
	       path, (unsigned long long)ends.stacks, (unsigned long long)ends.frames, first, best,
	       100.0 * (double)hits / (double)MAX(ends.frames, 1));
	chainer_free(c);
	objects_free(objects);
	machine_free(r.machine);
	dsos_free(r.dsos);
	g_array_unref(r.samples);
	g_ptr_array_unref(r.copies);
	perfdata_close(pd);
	return true;
}

int main(int argc, char **argv)
{
	bool some = argc > 3 && !strcmp(argv[1], "-n"), good = argc > 1;
	u32 most = some ? (u32)strtoul(argv[2], NULL, 10) : UINT32_MAX;

	for (int i = some ? 3 : 1; i < argc; i++)
		good &= measure(argv[i], most);
	return !good;
}
