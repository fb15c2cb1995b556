// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf's clock cannot be read by a system call: it is the scheduler's clock, which is close to
 * CLOCK_MONOTONIC but has another zero point and rate. But each record has a time of it. So the
 * thread makes a record and looks at the time:
 *
 *	before = CLOCK_MONOTONIC		1000.000 100 s
 *	prctl(PR_SET_NAME), its own name	the kernel writes a COMM record, with perf's time 400.000 102
 *	after = CLOCK_MONOTONIC			1000.000 104 s
 *	offset = 400.000 102 - 1000.000 102 = -600 s, exact to half of the 4 us between before and after
 *
 * The thread may be interrupted in between, so the shortest of five tries counts. It is repeated
 * once a second, because the clocks drift.
 *
 * A second question is what a time namespace adds (timens_offsets). clock_gettime() tells the time
 * with it, BPF programs and perf records without it.
 *
 * The event is of the thread that opened it (pid 0). If another thread calls wall_clock_keep(), no
 * record comes, and the offset stays as it is.
 */
#include "record/waits/wall_clock.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "perfdata/evsel.h"
#include "perfevent/open.h"
#include "perfevent/ring.h"

#define INTERVAL 1000000000ull /* ns between two comparisons of the clocks */

struct wall_clock_keeper {
	bool given;
	clockid_t id; /* of --clockid */
	int fd;	      /* an event of the thread that called wall_clock_new() */
	s64 in_namespace, given_in_namespace; /* namespace_offset() of CLOCK_MONOTONIC and @id */
	char name[16];			      /* of that thread */
	u64 compared; /* time of the last comparison, CLOCK_MONOTONIC; 0: none yet */
	struct ring ring;
};

/* What this process's time namespace adds to clock @id. The times of the kernel's records are without it. */
static s64 namespace_offset(const struct kernel_paths *paths, clockid_t id)
{
	g_autofree char *path = g_build_filename(paths->proc, "self/timens_offsets", NULL);
	const char *name = id == CLOCK_BOOTTIME ? "boottime" : "monotonic", *line;
	g_autofree char *text = NULL;
	long long s, ns;

	if (id != CLOCK_MONOTONIC && id != CLOCK_MONOTONIC_RAW && id != CLOCK_BOOTTIME)
		return 0;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	line = strstr(text, name);
	if (!line || sscanf(line + strlen(name), "%lld %lld", &s, &ns) != 2)
		return 0;
	return s * (s64)NS_PER_S + ns;
}

/* With attr.comm, and sample_id_all with only TIME: the time is the last word of a COMM record. */
static int open_event(GError **error)
{
	struct evsel *evsel = evsel_new_dummy();
	int fd;

	evsel->attr.comm = 1;
	evsel->attr.exclude_kernel = 1;
	evsel->attr.exclude_hv = 1;
	fd = evsel_sys_open(evsel, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	evsel_free(evsel);
	if (fd < 0)
		error_set_errno(error, -fd, "an event for the time");
	return fd;
}

struct wall_clock_keeper *wall_clock_new(const struct record_options *opts,
					 const struct kernel_paths *paths, GError **error)
{
	struct wall_clock_keeper *k = g_new0(struct wall_clock_keeper, 1);

	k->fd = -1;
	prctl(PR_GET_NAME, k->name);
	k->given = opts->clock_given;
	k->id = opts->clockid;
	k->in_namespace = namespace_offset(paths, CLOCK_MONOTONIC);
	k->given_in_namespace = namespace_offset(paths, k->id);
	k->fd = open_event(k->given ? NULL : error);
	if (k->fd >= 0 && ring_open(&k->ring, k->fd, 1, false, paths, k->given ? NULL : error))
		return k;
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
	if (k->given)
		return k;
	g_free(k);
	return NULL;
}

void wall_clock_free(struct wall_clock_keeper *k)
{
	if (!k)
		return;
	if (k->fd >= 0) {
		ring_close(&k->ring);
		close(k->fd);
	}
	g_free(k);
}

/*
 * Makes a record and returns its time; 0: no record came.
 *
 * The thread keeps its name: the kernel writes a record also if the name is not new. The trailer
 * of a COMM record is only TIME (open_event()), so the time is the last word.
 */
static u64 ask_perf(struct wall_clock_keeper *k)
{
	const struct perf_event_header *h;
	u64 time = 0;

	prctl(PR_SET_NAME, k->name);
	if (!ring_begin(&k->ring))
		return 0;
	while ((h = ring_next(&k->ring)))
		if (h->type == PERF_RECORD_COMM)
			time = *(const u64 *)((const u8 *)h + h->size - sizeof(u64));
	ring_end(&k->ring);
	return time;
}

/* Sets the offset of perf's clock, or else of the given one, from CLOCK_MONOTONIC. */
static void compare(struct wall_clock_keeper *k, bool perf, s64 *offset)
{
	u64 best = UINT64_MAX;

	/* The shortest try is the most exact: it was interrupted least. */
	for (u32 i = 0; i < 5; i++) {
		u64 before = clock_ns(CLOCK_MONOTONIC);
		u64 time = perf ? ask_perf(k) : clock_ns(k->id) - (u64)k->given_in_namespace;
		u64 after = clock_ns(CLOCK_MONOTONIC);

		if (!time || after - before >= best)
			continue;
		best = after - before;
		*offset = (s64)(time - (before + (after - before) / 2));
	}
}

/*
 * Three clocks from two comparisons. perf: perf's clock minus CLOCK_MONOTONIC. Without --clockid,
 * the recording's clock is perf's. Where perf's clock cannot be asked (no event is permitted), the
 * last known offset is kept: at the start 0.
 */
static void set_offsets(struct wall_clock_keeper *k, struct wall_clock *clock)
{
	s64 perf = clock->from_monotonic - clock->from_sched;

	if (k->fd >= 0)
		compare(k, true, &perf);
	if (k->given)
		compare(k, false, &clock->from_monotonic);
	else
		clock->from_monotonic = perf;
	clock->from_sched = clock->from_monotonic - perf;
	clock->from_kernel = clock->from_monotonic + k->in_namespace;
}

void wall_clock_keep(struct wall_clock_keeper *k, struct wall_clock *clock)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);

	if (k->compared && now < k->compared + INTERVAL)
		return;
	set_offsets(k, clock);
	k->compared = now;
}
