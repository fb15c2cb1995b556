// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of each CPU the newest runs, ascending by their begin, which is also their name: a run is reported by each wait that saw it, and a
 * report may come after one of a later run. With room for four runs:
 *
 *	10 20 30 40		the begins of the runs that are there
 *	a run from 35		20 30 35 40	the oldest one is forgotten
 *	a run from 30		20 30 35 40	the new report takes the place of the old one
 *	a run from 15		20 30 35 40	it would be the oldest, and is not kept
 *
 * Pieces of a wait from 12 to 20, of the runs 8 [10, 14) and 9 [16, 18):
 *
 *	12 8, 14 not seen, 16 9, 18 not seen
 */
#include "record/waits/runs.h"

#include <linux/types.h>
#include <string.h>

#include "activity/layout.h"
#include "bpf/offcpu.h"
#include "bpf/sample_tls.h"

#define MOST_OF_CPU 128	 /* runs */
#define MOST_CPUS   8192 /* more than the kernel has */

struct cpu {
	struct offcpu_run *runs; /* ascending by time */
	u32 nr;
};

struct runs {
	GArray *cpus; /* struct cpu */
};

/* The activity of a thread whose process nobody has looked at. */
static const struct sample_tls_frame unread = { .size = sizeof(unread),
						.version = SAMPLE_TLS_FRAME_VERSION,
						.context = SAMPLE_TLS_IN_TASK,
						.unread = SAMPLE_TLS_UNREAD };

struct runs *runs_new(void)
{
	struct runs *r = g_new0(struct runs, 1);

	r->cpus = g_array_new(FALSE, TRUE, sizeof(struct cpu));
	return r;
}

void runs_free(struct runs *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->cpus->len; i++)
		g_free(g_array_index(r->cpus, struct cpu, i).runs);
	g_array_unref(r->cpus);
	g_free(r);
}

static struct cpu *cpu_of(struct runs *r, u32 number)
{
	struct cpu *cpu;

	if (number >= r->cpus->len)
		g_array_set_size(r->cpus, number + 1);
	cpu = &g_array_index(r->cpus, struct cpu, number);
	if (!cpu->runs)
		cpu->runs = g_new0(struct offcpu_run, MOST_OF_CPU);
	return cpu;
}

/* The place for the run that begins at @from; if there are too many, the oldest one is forgotten. NULL: this would be the oldest. */
static struct offcpu_run *make_room(struct cpu *cpu, u64 from)
{
	u32 at = cpu->nr;

	while (at && cpu->runs[at - 1].from > from)
		at--;
	if (at && cpu->runs[at - 1].from == from)
		return &cpu->runs[at - 1];
	if (cpu->nr == MOST_OF_CPU && !at)
		return NULL;
	if (cpu->nr == MOST_OF_CPU) {
		at--;
		memmove(cpu->runs, cpu->runs + 1, at * sizeof(*cpu->runs));
	} else {
		memmove(cpu->runs + at + 1, cpu->runs + at, (cpu->nr - at) * sizeof(*cpu->runs));
		cpu->nr++;
	}
	return &cpu->runs[at];
}

void runs_add(struct runs *r, const struct offcpu_run *run, u32 tls_size)
{
	struct offcpu_run *to;

	if (run->cpu >= MOST_CPUS || run->to < run->from)
		return;
	to = make_room(cpu_of(r, run->cpu), run->from);
	if (!to)
		return;
	memcpy(to, run, offsetof(struct offcpu_run, tls));
	to->tls_size = MIN(run->tls_size, MIN(tls_size, (u32)OFFCPU_RUN_TLS));
	memcpy(to->tls, run->tls, to->tls_size);
}

static struct lock_holder holder_of(const struct offcpu_run *run, u64 from)
{
	struct lock_holder h = { .time = from,
				 .state = run->tid	 ? WALL_OWNER_KNOWN
					  : run->foreign ? WALL_OWNER_STRANGER
							 : WALL_OWNER_IDLE,
				 .tid = run->tid,
				 .pid = run->pid,
				 .tls = run->tls,
				 .tls_size = run->tls_size };

	memcpy(h.comm, run->comm, sizeof(h.comm));
	h.comm[sizeof(h.comm) - 1] = 0;
	if (run->unread) {
		h.pid = 0;
		h.tls = (const u8 *)&unread;
		h.tls_size = sizeof(unread);
	}
	return h;
}

/*
 * One owner that is told in two pieces is one: after 8 from 12, the run 8 [14, 16) adds nothing. @first: the first piece of this wait,
 * because @pieces may begin with those of others.
 */
static void append(GArray *pieces, u32 first, const struct lock_holder *h)
{
	const struct lock_holder *before =
		pieces->len > first ? &g_array_index(pieces, struct lock_holder, pieces->len - 1)
				    : NULL;

	if (!before || before->state != h->state || before->tid != h->tid)
		g_array_append_vals(pieces, h, 1);
}

static void append_unseen(GArray *pieces, u32 first, u64 from, u64 to)
{
	const struct lock_holder h = { .time = from, .state = WALL_OWNER_UNSEEN };

	if (from < to)
		append(pieces, first, &h);
}

void runs_split(const struct runs *r, u32 number, u64 from, u64 to, GArray *pieces)
{
	static const struct cpu none;
	const struct cpu *cpu = number < r->cpus->len ? &g_array_index(r->cpus, struct cpu, number)
						      : &none;
	u32 first = pieces->len;
	u64 at = from;

	for (u32 i = 0; i < cpu->nr && at < to; i++) {
		const struct offcpu_run *run = &cpu->runs[i];
		u64 begin = MAX(run->from, at), end = MIN(run->to, to);
		struct lock_holder h;

		if (run->from >= to)
			break;
		if (end <= begin)
			continue;
		append_unseen(pieces, first, at, begin);
		h = holder_of(run, begin);
		append(pieces, first, &h);
		at = end;
	}
	append_unseen(pieces, first, at, to);
}
