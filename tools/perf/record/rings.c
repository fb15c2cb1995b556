// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which event writes into which ring. One ring per CPU, with -p of two threads and two events on
 * two CPUs:
 *
 *	                 CPU 0                      CPU 1
 *	cycles, tid 7    fd 10: mapped, ring 0      fd 12: mapped, ring 1
 *	cycles, tid 8    fd 11 -> ring 0            fd 13 -> ring 1
 *	faults, tid 7    fd 14 -> ring 0            ...
 *
 * The first descriptor of a CPU is mapped, the others are attached to it
 * (PERF_EVENT_IOC_SET_OUTPUT). So all records of a CPU are in one ring, in the order in which they
 * were made.
 *
 * The key of a ring is CPU and direction: events that overwrite write backward, and cannot share a
 * ring with others. With --per-thread the CPU is -1, and the thread takes its place. Numbers of
 * CPUs and of threads are never mixed: either all keys are CPUs, or none is.
 *
 * When all threads of a descriptor have ended, poll() returns POLLHUP for it for ever. Polling it
 * would spin. So each ring has one descriptor that is polled, and goes on to the next one at
 * POLLHUP. Rings whose descriptors have all ended are still drained.
 */
#include "record/rings.h"

#include <string.h>

#include "perfdata/evsel.h"
#include "record/base/options.h"
#include "record/renumbered.h"

struct rings_source {
	struct source source;
	struct recording *rec;
	u32 pages;
	GHashTable *by_key; /* s64 -> struct record_ring * */
};

static void ring_free(void *ptr)
{
	struct record_ring *ring = ptr;

	ring_close(&ring->ring);
	g_array_unref(ring->fds);
	g_free(ring);
}

static bool add_fd(struct rings_source *rs, int fd, s32 cpu, pid_t tid, bool backward,
		   GError **error)
{
	s64 key = (s64)(u32)(cpu >= 0 ? cpu : tid) << 1 | backward;
	struct record_ring *ring = g_hash_table_lookup(rs->by_key, &key);

	if (ring) {
		if (!ring_attach(&ring->ring, fd, error))
			return false;
		g_array_append_val(ring->fds, fd);
		return true;
	}
	ring = g_new0(struct record_ring, 1);
	if (!ring_open(&ring->ring, fd, rs->pages, backward, rs->rec->paths, error)) {
		g_free(ring);
		return false;
	}
	ring->cpu = cpu;
	ring->tid = cpu >= 0 ? -1 : tid;
	ring->fds = g_array_new(false, false, sizeof(int));
	g_array_append_val(ring->fds, fd);
	g_ptr_array_add(rs->rec->rings, ring);
	g_hash_table_insert(rs->by_key, g_memdup2(&key, sizeof(key)), ring);
	return true;
}

static bool add_event(struct rings_source *rs, const struct openset *set,
		      const struct open_target *target, u32 ev, bool backward, GError **error)
{
	for (u32 c = 0; c < target->nr_cpus; c++) {
		for (u32 t = 0; t < target->nr_tids; t++) {
			int fd = openset_fd(set, ev, c, t);

			if (fd >= 0 &&
			    !add_fd(rs, fd, target->cpus[c], target->tids[t], backward, error))
				return false;
		}
	}
	return true;
}

static bool rings_open(struct source *src, struct recording *rec, GError **error)
{
	struct rings_source *rs = container_of(src, struct rings_source, source);

	rs->rec = rec;
	g_ptr_array_set_free_func(rec->rings, ring_free);
	for (u32 ev = 0; ev < rec->events->specs->len; ev++) {
		bool backward = event_list_at(rec->events, ev)->evsel->attr.write_backward;

		if (!add_event(rs, rec->set, rec->target, ev, backward, error))
			return false;
	}
	for (u32 i = 0; i < rec->more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(rec->more_events, i);

		for (u32 ev = 0; ev < more->list.specs->len; ev++)
			if (!add_event(rs, more->set, more->target, ev, false, error))
				return false;
	}
	return true;
}

/*
 * Runs in the drainer's thread. The records are used where they are; outlet_put() copies them into
 * a buffer of the queue. ring_end() gives the room back to the kernel.
 */
static void drain_ring(struct rings_source *rs, u32 index, struct outlet *out)
{
	struct record_ring *ring = g_ptr_array_index(rs->rec->rings, index);
	const struct perf_event_header *record;
	struct renumbered *renumbered;

	if (!ring_begin(&ring->ring))
		return;
	/* After the head was read: it is set before a record with a new id is in the ring. */
	renumbered = g_atomic_pointer_get(&ring->renumbered);
	out->ring = index;
	while ((record = ring_next(&ring->ring))) {
		if (renumbered)
			record = renumbered_record(renumbered, record);
		outlet_put(out, record, record->size);
	}
	out->ring = OUTLET_NO_RING;
	ring_end(&ring->ring);
}

/*
 * Reads an overwriting ring. The kernel's output is paused meanwhile.
 *
 * A ring that overwrites has no reader's position: the kernel writes over what is old. So output is
 * paused while it is read. Records of this time are lost, and the kernel counts them.
 */
static void dump_ring(struct rings_source *rs, u32 index, struct outlet *out)
{
	struct record_ring *ring = g_ptr_array_index(rs->rec->rings, index);

	if (!ring_pause(&ring->ring, true, NULL))
		return;
	drain_ring(rs, index, out);
	ring_pause(&ring->ring, false, NULL);
}

static void rings_drain(struct source *src, struct outlet *out, bool last)
{
	struct rings_source *rs = container_of(src, struct rings_source, source);

	for (u32 i = 0; i < rs->rec->rings->len; i++) {
		struct record_ring *ring = g_ptr_array_index(rs->rec->rings, i);

		if (!ring->ring.backward)
			drain_ring(rs, i, out);
		else if (last)
			dump_ring(rs, i, out);
	}
}

/* One fd per live ring. */
static void rings_poll_fds(struct source *src, GArray *fds)
{
	const struct recording *rec = container_of(src, struct rings_source, source)->rec;

	for (u32 i = 0; i < rec->rings->len; i++) {
		const struct record_ring *ring = g_ptr_array_index(rec->rings, i);
		struct pollfd pfd = { .events = ring->ring.backward ? 0 : POLLIN };

		if (ring->ended)
			continue;
		pfd.fd = g_array_index(ring->fds, int, ring->polled);
		g_array_append_val(fds, pfd);
	}
}

/*
 * When an event's thread and all threads that inherited the event have ended, poll() always returns POLLHUP for its fd.
 * Then another fd of the same ring is polled. If none is left, the ring has ended.
 */
static void next_polled(struct record_ring *ring)
{
	if (++ring->polled == ring->fds->len) {
		ring->polled = 0;
		ring->ended = true;
	}
}

/* False: all recorded threads have ended. */
static bool rings_polled(struct source *src, const struct pollfd *fds, u32 nr)
{
	const struct recording *rec = container_of(src, struct rings_source, source)->rec;
	bool any = false;
	u32 at = 0;

	for (u32 i = 0; i < rec->rings->len; i++) {
		struct record_ring *ring = g_ptr_array_index(rec->rings, i);

		if (ring->ended)
			continue;
		if (at < nr && fds[at].revents & (POLLHUP | POLLERR | POLLNVAL))
			next_polled(ring);
		at++;
		any |= !ring->ended;
	}
	return any;
}

static void rings_close(struct source *src)
{
	struct rings_source *rs = container_of(src, struct rings_source, source);

	g_hash_table_unref(rs->by_key);
	g_free(rs);
}

static const struct source_ops rings_ops = {
	.name = "rings",
	.open = rings_open,
	.drain = rings_drain,
	.poll_fds = rings_poll_fds,
	.polled = rings_polled,
	.close = rings_close,
};

struct source *rings_source_new(u32 pages)
{
	struct rings_source *rs = g_new0(struct rings_source, 1);

	rs->source.ops = &rings_ops;
	rs->pages = pages;
	rs->by_key = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return &rs->source;
}
