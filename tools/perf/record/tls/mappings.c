// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An event of its own for data mappings, on each CPU, in rings that only this file reads.
 *
 * Why not the recording's rings? attr.mmap_data makes a record of each mmap() of data. A program
 * that allocates by mmap() makes thousands of them per second; they would take room from samples,
 * and make the file larger.
 *
 * The rings are not waited for: wakeup_watermark is out of reach, and the collector's thread reads
 * them once a round. If they overflow in between, a LOST record says so, and the maps of the
 * processes are read instead (tls/losses.h).
 *
 * inherit: children of the given threads are followed, too. The kernel does not map a ring for an
 * inherited event that is not bound to a CPU, so there is one event for each thread and CPU.
 */
#include "record/tls/mappings.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <unistd.h>

#include "base/cursor.h"
#include "perfevent/open.h"
#include "perfevent/ring.h"

#define RING_PAGES	  16
#define RING_PAGES_OF_ALL 64 /* if the mappings of all processes are recorded */
#define MAX_CPUS	  4096

struct cpu_ring {
	GArray *fds; /* int: the first event's ring is mapped; the others write into it */
	struct ring ring;
};

struct tls_mappings {
	GArray *rings; /* struct cpu_ring */
};

static int open_on(const struct evsel *model, pid_t tid, s32 cpu)
{
	struct evsel *evsel = evsel_new_dummy();
	int fd;

	evsel->attr.mmap_data = 1;
	evsel->attr.inherit = tid != -1;
	evsel->attr.watermark = 1;
	evsel->attr.wakeup_watermark = 0x7fffffff; /* no wake-ups: the ring is read at intervals */
	evsel->attr.use_clockid = model->attr.use_clockid;
	evsel->attr.clockid = model->attr.clockid;
	fd = evsel_sys_open(evsel, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	evsel_free(evsel);
	return fd;
}

/* If the limit of locked memory is too low, a smaller ring is mapped. */
static bool map_ring(struct cpu_ring *r, int fd, bool of_all, const struct kernel_paths *paths)
{
	return (of_all && ring_open(&r->ring, fd, RING_PAGES_OF_ALL, false, paths, NULL)) ||
	       ring_open(&r->ring, fd, RING_PAGES, false, paths, NULL);
}

static void close_fd(void *fd)
{
	close(*(int *)fd);
}

/* False: the CPU is offline, no thread exists any more, or it is not permitted. */
static bool open_ring(struct cpu_ring *r, const struct evsel *model, const pid_t *tids, u32 nr,
		      s32 cpu, const struct kernel_paths *paths)
{
	*r = (struct cpu_ring){ .fds = g_array_new(FALSE, FALSE, sizeof(int)) };
	g_array_set_clear_func(r->fds, close_fd);
	for (u32 i = 0; i < nr; i++) {
		int fd = open_on(model, tids[i], cpu);

		if (fd < 0)
			continue;
		g_array_append_val(r->fds, fd);
		if (r->fds->len > 1 ? !ring_attach(&r->ring, fd, NULL)
				    : !map_ring(r, fd, tids[i] == -1, paths))
			g_array_set_size(r->fds, r->fds->len - 1);
	}
	if (r->fds->len)
		return true;
	g_array_unref(r->fds);
	return false;
}

struct tls_mappings *tls_mappings_new(const struct evsel *model, const pid_t *tids, u32 nr,
				      const struct kernel_paths *paths)
{
	struct tls_mappings *m = g_new0(struct tls_mappings, 1);
	long nr_cpus = MIN(sysconf(_SC_NPROCESSORS_CONF), MAX_CPUS);

	m->rings = g_array_new(FALSE, FALSE, sizeof(struct cpu_ring));
	for (s32 cpu = 0; cpu < nr_cpus; cpu++) {
		struct cpu_ring r;

		if (open_ring(&r, model, tids, nr, cpu, paths))
			g_array_append_val(m->rings, r);
	}
	if (m->rings->len)
		return m;
	tls_mappings_free(m);
	return NULL;
}

void tls_mappings_free(struct tls_mappings *m)
{
	if (!m)
		return;
	for (guint i = 0; i < m->rings->len; i++) {
		struct cpu_ring *r = &g_array_index(m->rings, struct cpu_ring, i);

		ring_close(&r->ring);
		g_array_unref(r->fds);
	}
	g_array_unref(m->rings);
	g_free(m);
}

/* {header; u32 pid, tid; u64 addr, len, pgoff; char name[]; u64 time} */
static void read_record(const struct perf_event_header *record, tls_mapping_fn fn, void *arg)
{
	struct cursor c = cursor_of(record, record->size);
	u64 start, size, time;
	const char *name;
	u32 pid;

	if (record->type != PERF_RECORD_MMAP || record->size < sizeof(*record) + sizeof(time))
		return;
	cursor_bytes(&c, sizeof(*record));
	pid = cursor_u32(&c);
	cursor_u32(&c);
	start = cursor_u64(&c);
	size = cursor_u64(&c);
	cursor_u64(&c);
	name = cursor_string(&c);
	c = cursor_of((const u8 *)record + record->size - sizeof(time), sizeof(time));
	time = cursor_u64(&c);
	if (name && pid != (u32)-1)
		fn(pid, start, size, name, time, arg);
}

bool tls_mappings_drain(struct tls_mappings *m, tls_mapping_fn fn, void *arg)
{
	bool all = true;

	for (guint i = 0; m && i < m->rings->len; i++) {
		struct ring *ring = &g_array_index(m->rings, struct cpu_ring, i).ring;
		const struct perf_event_header *record;

		if (!ring_begin(ring))
			continue;
		while ((record = ring_next(ring))) {
			all &= record->type != PERF_RECORD_LOST;
			read_record(record, fn, arg);
		}
		ring_end(ring);
	}
	return all;
}
