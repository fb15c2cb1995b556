// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The slow load follows pointers through a few lines in random order. Before each round, all lines are flushed from the
 * caches. So 128 KiB are enough, where a chain that is larger than the caches needs 30 MB and more; and lines of other
 * programs stay in the shared cache. The flushes have code of their own: their samples do not count.
 */
#include "perfevent/slow_loop.h"

#include <emmintrin.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "perfevent/features.h"
#include "perfevent/ring.h"

#define NR_LINES 512
/* More than a line, so that a prefetch of the neighbouring line does not help. */
#define STRIDE	   256
#define RING_PAGES 2

/* About 10,000 samples per second: 0.1 ms, or as many cycles at 2.5 GHz. */
#define PERIOD_NS     100000
#define PERIOD_CYCLES 250000

/* Addresses of the loop's instructions. */
struct slow_loop {
	u64 load, after, end;
};

/* Follows NR_LINES pointers. Returns the last one. out: @loop. */
static const void *follow(const void *line, struct slow_loop *loop)
{
	u64 left = NR_LINES, sum = 0;

	asm volatile("lea 1f(%%rip), %[load]\n\t"
		     "lea 2f(%%rip), %[after]\n\t"
		     "lea 3f(%%rip), %[end]\n"
		     "1:\tmov (%[line]), %[line]\n"
		     "2:\tadd $1, %[sum]\n\t"
		     "dec %[left]\n\t"
		     "jnz 1b\n"
		     "3:"
		     : [line] "+r"(line), [left] "+r"(left), [sum] "+r"(sum),
		       [load] "=&r"(loop->load), [after] "=&r"(loop->after), [end] "=&r"(loop->end)
		     :
		     : "cc", "memory");
	return line;
}

/* Makes one ring of pointers through all lines, in random order. */
static void link_lines(char *lines)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	u32 order[NR_LINES] = { 0 };

	for (u32 i = 0; i < NR_LINES; i++) {
		u32 at = (u32)g_rand_int_range(rand, 0, (gint32)i + 1);

		order[i] = order[at];
		order[at] = i;
	}
	for (u32 i = 0; i < NR_LINES; i++) {
		const char *next = lines + (size_t)order[(i + 1) % NR_LINES] * STRIDE;

		memcpy(lines + (size_t)order[i] * STRIDE, &next, sizeof(next));
	}
}

static void flush_lines(const char *lines)
{
	for (u32 i = 0; i < NR_LINES; i++)
		_mm_clflush(lines + (size_t)i * STRIDE);
	_mm_mfence();
}

static int open_event(enum skid_kind kind, GError **error)
{
	struct evsel *evsel = skid_kind_evsel(kind);
	struct perf_event_attr *attr = &evsel->attr;
	int fd;

	attr->sample_type = PERF_SAMPLE_IP;
	attr->sample_period = kind == SKID_CYCLES ? PERIOD_CYCLES : PERIOD_NS;
	attr->exclude_kernel = attr->exclude_hv = true;
	fd = evsel_sys_open(evsel, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	evsel_free(evsel);
	if (fd < 0)
		error_set_errno(error, -fd, "%s", skid_kind_name(kind));
	return fd;
}

static void count(struct ring *ring, const struct slow_loop *loop, struct skid_measure *out)
{
	const struct perf_event_header *record;
	u64 ip;

	if (!ring_begin(ring))
		return;
	while ((record = ring_next(ring))) {
		if (record->type != PERF_RECORD_SAMPLE ||
		    record->size < sizeof(*record) + sizeof(ip))
			continue;
		memcpy(&ip, record + 1, sizeof(ip));
		if (ip < loop->load || ip >= loop->end)
			continue;
		out->nr++;
		out->nr_at += ip == loop->load;
		out->nr_after += ip == loop->after;
	}
	ring_end(ring);
}

bool slow_loop_measure(enum skid_kind kind, const struct kernel_paths *paths, const gint *stop,
		       struct skid_measure *out, GError **error)
{
	u64 end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + SLOW_LOOP_CPU_NS;
	int fd = open_event(kind, error);
	struct slow_loop loop;
	struct ring ring;
	const void *line;
	char *lines;

	if (fd < 0)
		return false;
	if (!ring_open(&ring, fd, RING_PAGES, false, paths, error)) {
		close(fd);
		return false;
	}
	lines = g_aligned_alloc(NR_LINES, STRIDE, STRIDE);
	link_lines(lines);
	*out = (struct skid_measure){ 0 };
	for (line = lines; out->nr < SLOW_LOOP_SAMPLES && !(stop && g_atomic_int_get(stop)) &&
			   clock_ns(CLOCK_THREAD_CPUTIME_ID) < end;) {
		flush_lines(lines);
		line = follow(line, &loop);
		count(&ring, &loop, out);
	}
	ring_close(&ring);
	close(fd);
	g_aligned_free(lines);
	return true;
}
