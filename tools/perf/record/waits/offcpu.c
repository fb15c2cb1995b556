// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of --off-cpu: each wait of a thread is a sample, and none is polled for.
 * bpf/offcpu.bpf.c observes switches and wake-ups; here its records become samples.
 *
 * Example: a thread leaves its CPU at 10 ms, is woken at 40 ms, and gets a CPU at 43 ms.
 *
 *	record OFFCPU_WAIT: out 10, woken 40, in 43
 *	sample of offcpu-time	at 40 ms, period 30 ms, state S (asleep)	with stack, activity, waker
 *	sample of offcpu-time	at 43 ms, period 3 ms, in the run queue: for each thread that had the CPU meanwhile one (runs.h)
 *	sample of offcpu-waker	at 40 ms, of the thread that woke it, addr = the woken thread (others.h)
 *
 * A wait for a lock that changed hands meanwhile has several samples of the first kind, one for each owner (owners.h).
 *
 * A thread that was preempted was not blocked (woken = out), so it has the second sample only.
 * Waits below the threshold come as sums of a thread, one record for all (OFFCPU_SUMS), when the
 * thread or the recording ends.
 *
 * The order of the file: the record of a wait is made when it is over, so the sample at woken is
 * late by the time in the run queue. The position promises one second (LATEST_QUEUED); older
 * wake-ups are dated forward to it, with the period unchanged (offcpu_drain()).
 *
 * Threads: the drainer empties the ring by drain(), and the main thread at the end by disable().
 * Both hold the lock. The clock is first asked by enable(), as a short recording has no drain() before
 * disable(); and from then on by the drainer.
 *
 * The closing line states waits, waits that were added up, open waits, losses, waits without their
 * place, and threads that had no storage. A thread's waits plus its running time are its time in
 * the recording, unless that line says otherwise.
 */
#include "record/waits/offcpu.h"

#include <asm/perf_regs.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "activity/layout.h"
#include "base/clock.h"
#include "bpf/offcpu.h"
#include "bpf/offcpu.skel.h"
#include "bpf/sample_tls.h"
#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"
#include "perfdata/write/encode.h"
#include "perfevent/cgroups.h"
#include "record/base/kernel_types.h"
#include "record/base/options.h"
#include "record/base/pid_namespace.h"
#include "record/base/queue.h"
#include "record/tls/count.h"
#include "record/tls/source.h"
#include "record/waits/deadlocks.h"
#include "record/waits/others.h"
#include "record/waits/owners.h"
#include "record/waits/request.h"
#include "record/waits/runs.h"
#include "record/waits/socket_users.h"
#include "record/waits/wall.h"
#include "record/waits/wall_calls.h"
#include "record/waits/wall_cgroups.h"
#include "record/waits/wall_clock.h"
#include "record/waits/wall_conn.h"
#include "record/waits/wall_files.h"
#include "record/waits/wall_put.h"
#include "record/waits/wall_sample.h"
#include "record/waits/wall_thread.h"
#include "record/waits/work_names.h"

#define LATEST_QUEUED 1000000000ull /* ns */
#define MOST_RUNS     1000	    /* visits of all threads, if the ring is too small for one */

#define REGS                                                                                       \
	(1ull << PERF_REG_X86_BX | 1ull << PERF_REG_X86_BP | 1ull << PERF_REG_X86_SP |             \
	 1ull << PERF_REG_X86_IP | 1ull << PERF_REG_X86_R12 | 1ull << PERF_REG_X86_R13 |           \
	 1ull << PERF_REG_X86_R14 | 1ull << PERF_REG_X86_R15)

struct offcpu {
	struct source source;
	const struct record_options *opts;
	const struct kernel_paths *paths;
	const struct source *tls; /* NULL: activities are not requested */
	struct recording *rec;
	struct evsel *waits;
	struct offcpu_bpf *skel;
	struct ring_buffer *ring;
	struct wall_files *files;

	/* Protected by the lock: the ring is emptied by the drainer, and at the end. */
	GMutex lock;
	struct wall_clock_keeper *keeper; /* of the drainer's thread */
	struct wall_clock clock;
	u64 position; /* lower bound for the times of later samples, by the recording's clock */
	GByteArray *made;
	struct others *others;
	struct owners *owners; /* of locks */
	struct runs *runs;     /* who had the CPUs */
	struct socket_users *sockets;
	struct work_names *works;
	char *kallsyms;
	struct deadlocks *deadlocks;
	char *deadlocked; /* what deadlocks_find() has found, and in words; NULL: nothing */
	char *deadlock_words;
	GArray *pieces; /* struct lock_holder: of the present wait */
	u64 nr_waits, nr_open, nr_short;
};

static struct offcpu *offcpu(struct source *src)
{
	return container_of(src, struct offcpu, source);
}

/* Are all processes recorded? */
static bool counts_all(const struct offcpu *o)
{
	return o->rec->target->nr_tids == 1 && o->rec->target->tids[0] == -1;
}

static u64 by_clock(const struct offcpu *o, u64 kernel)
{
	return kernel + (u64)o->clock.from_kernel;
}

/* One wait, as the program has reported it. */
struct told {
	const struct offcpu_record *r;
	struct wall_bytes tls, owner_tls, ready, messages, stack, owner_stack; /* r->bytes */
	u64 waker_sample, owner_sample; /* their numbers; 0: none */
	struct wall_message sent[WALL_MOST_MESSAGES];
	u8 nr_sent; /* and what was received */
};

static bool in_interrupt(const struct offcpu_record *r)
{
	return r->waker_context > SAMPLE_TLS_IN_TASK;
}

/* Duration of the block, ns, without the time in the run queue; or 0. */
static u64 blocked(const struct offcpu_record *r)
{
	return (r->woken ?: r->in) - r->out;
}

static void make(struct offcpu *o, const struct wall_look *look, enum wall_state state, u64 end,
		 u64 length)
{
	struct wall_look of = *look;

	of.state = (u8)state;
	if (length)
		wall_sample_make(&of, end, length, o->waits, o->made);
}

/* Activities that nobody has read. */
static const struct sample_tls_frame unsought = { .size = sizeof(unsought),
						  .version = SAMPLE_TLS_FRAME_VERSION,
						  .context = SAMPLE_TLS_IN_TASK,
						  .unread = SAMPLE_TLS_UNSOUGHT },
				     unread = { .size = sizeof(unread),
						.version = SAMPLE_TLS_FRAME_VERSION,
						.context = SAMPLE_TLS_IN_TASK,
						.unread = SAMPLE_TLS_UNREAD };
static const struct wall_bytes not_read = { (const u8 *)&unread, sizeof(unread), sizeof(unread) };

G_STATIC_ASSERT((u32)LOCK_FUTEX == WALL_LOCK_FUTEX && (u32)LOCK_MUTEX == WALL_LOCK_MUTEX &&
		(u32)LOCK_TIMED == WALL_LOCK_TIMED && (u32)LOCK_PI == WALL_LOCK_PI &&
		(u32)LOCK_ROBUST == WALL_LOCK_ROBUST && (u32)LOCK_READ == WALL_LOCK_READ &&
		(u32)LOCK_WRITE == WALL_LOCK_WRITE && (u32)LOCK_THREAD == WALL_LOCK_THREAD &&
		(u32)LOCK_KERNEL_MUTEX == WALL_LOCK_KERNEL_MUTEX &&
		(u32)LOCK_KERNEL_READ == WALL_LOCK_KERNEL_READ &&
		(u32)LOCK_KERNEL_WRITE == WALL_LOCK_KERNEL_WRITE &&
		(u32)LOCK_MMAP_READ == WALL_LOCK_MMAP_READ &&
		(u32)LOCK_MMAP_WRITE == WALL_LOCK_MMAP_WRITE &&
		(u32)LOCK_FILE_READ == WALL_LOCK_FILE_READ &&
		(u32)LOCK_FILE_WRITE == WALL_LOCK_FILE_WRITE);
G_STATIC_ASSERT((u32)LOCK_OWNER_NONE == WALL_OWNER_NONE &&
		(u32)LOCK_OWNER_KNOWN == WALL_OWNER_KNOWN &&
		(u32)LOCK_OWNER_READERS == WALL_OWNER_READERS &&
		(u32)LOCK_OWNER_UNREADABLE == WALL_OWNER_UNREADABLE &&
		(u32)LOCK_OWNER_STRANGER == WALL_OWNER_STRANGER &&
		(u32)LOCK_OWNER_UNSEEN == WALL_OWNER_UNSEEN);

/* A lock that is handed from thread to thread. */
static bool is_handed_on(u8 kind)
{
	return (kind >= WALL_LOCK_MUTEX && kind <= WALL_LOCK_WRITE) || wall_lock_is_shared(kind);
}

/* The process whose address the lock has; 0: it is the kernel's. */
static u32 space_of(u8 kind, u32 pid)
{
	return wall_lock_is_shared(kind) ? 0 : pid;
}

/* @is_unread: nobody has read its activity. */
static void finish_owner(struct lock_holder *owner, const char *comm, bool is_unread)
{
	memcpy(owner->comm, comm, sizeof(owner->comm));
	owner->comm[sizeof(owner->comm) - 1] = 0;
	if (is_unread) {
		owner->tls = not_read.data;
		owner->tls_size = not_read.size;
	}
}

/* The owner whom the thread saw when it began to wait. */
static struct lock_holder first_owner(const struct told *t)
{
	const struct offcpu_record *r = t->r;
	struct lock_holder owner = { .time = r->out,
				     .tid = r->lock.owner_tid,
				     .pid = r->lock.owner_pid,
				     .state = r->lock.owner,
				     .tls = t->owner_tls.data,
				     .tls_size = t->owner_tls.size };

	finish_owner(&owner, r->lock.comm, r->unread && owner.state == WALL_OWNER_KNOWN);
	return owner;
}

/* The thread that ended the wait, of the same process but for shared locks; 0: none, or not in task context. */
static u32 releaser_of(const struct offcpu_record *r)
{
	bool near = r->waker_pid == r->thread.pid || wall_lock_is_shared(r->lock.kind);

	return !r->killed && r->waker_context == SAMPLE_TLS_IN_TASK && near ? r->waker_tid : 0;
}

/* A reader that got the lock is one of those that have it; any other thread has it alone. */
static void set_taken(u8 kind, struct lock_holder *owner)
{
	owner->state = wall_lock_is_readers(kind) ? WALL_OWNER_READERS : WALL_OWNER_KNOWN;
	if (wall_lock_is_readers(kind))
		owner->tls_size = 0;
}

/* What this wait tells about the owners of its lock, for the waits of others. */
static void remember_owners(struct offcpu *o, const struct told *t)
{
	const struct offcpu_record *r = t->r;
	struct lock_holder seen = first_owner(t);

	if (!is_handed_on(r->lock.kind))
		return;
	if (seen.state == WALL_OWNER_KNOWN)
		owners_add(o->owners, space_of(r->lock.kind, r->thread.pid), r->lock.va, &seen);
	if (r->kind != OFFCPU_WAIT || !releaser_of(r))
		return;
	seen = (struct lock_holder){ .time = r->woken,
				     .tid = r->thread.tid,
				     .pid = r->thread.pid,
				     .tls = t->tls.data,
				     .tls_size = t->tls.size,
				     .giver = releaser_of(r),
				     .given = t->waker_sample };
	finish_owner(&seen, r->thread.comm, r->unread);
	set_taken(r->lock.kind, &seen);
	owners_add(o->owners, space_of(r->lock.kind, r->thread.pid), r->lock.va, &seen);
}

/* The same for a shorter wait, whose start is not told. */
static void take_taken(struct offcpu *o, const void *data, size_t size)
{
	struct offcpu_took t = { 0 };
	struct lock_holder owner;

	memcpy(&t, data, MIN(size, sizeof(t)));
	if (!is_handed_on(t.lock.kind))
		return;
	owner = (struct lock_holder){ .time = t.woken,
				      .tid = t.tid,
				      .pid = t.pid,
				      .tls = t.tls,
				      .tls_size = MIN(t.tls_size, (u32)OFFCPU_TLS) };
	finish_owner(&owner, t.comm, t.unread);
	set_taken(t.lock.kind, &owner);
	owners_add(o->owners, space_of(t.lock.kind, t.pid), t.lock.va, &owner);
}

/* Fills o->pieces with the owners of the lock during the wait, until @to. */
static void find_owners(struct offcpu *o, const struct told *t, u64 to)
{
	const struct offcpu_record *r = t->r;
	struct owned_wait wait = {
		.pid = space_of(r->lock.kind, r->thread.pid),
		.tid = r->thread.tid,
		.va = r->lock.va,
		.first = first_owner(t),
		.to = to,
		/* A reader may be woken by another reader. */
		.releaser = wall_lock_is_readers(r->lock.kind) ? 0 : releaser_of(r),
		.released = t->waker_sample,
	};

	if (is_handed_on(r->lock.kind)) {
		owners_split(o->owners, &wait, o->pieces);
		return;
	}
	g_array_set_size(o->pieces, 0);
	g_array_append_val(o->pieces, wait.first);
}

static enum wall_state owner_state(const struct offcpu_record *r)
{
	static const u8 states[] = { [OFFCPU_OWNER_UNSEEN] = WALL_UNKNOWN,
				     [OFFCPU_OWNER_RUNNING] = WALL_RUNNING,
				     [OFFCPU_OWNER_QUEUED] = WALL_QUEUED,
				     [OFFCPU_OWNER_ASLEEP] = WALL_SLEEP,
				     [OFFCPU_OWNER_DISK] = WALL_DISK };

	return r->owner_at < ARRAY_SIZE(states) ? states[r->owner_at] : WALL_UNKNOWN;
}

/* The sample that shows where the owner was when the wait began. Returns its number; 0: its place is not known. */
static u64 make_owner(struct offcpu *o, const struct told *t, u64 time, u64 period)
{
	const struct offcpu_record *r = t->r;
	const struct other owner = {
		.pid = r->lock.owner_pid,
		.tid = r->lock.owner_tid,
		.waits = r->thread.tid,
		.time = time,
		.period = period,
		.regs = (const u64 *)&r->owner_regs,
		.in_32_bit_code = !r->owner_in_64_bit_code,
		.stack = t->owner_stack.data,
		.stack_size = t->owner_stack.size,
		.tls = t->owner_tls.data,
		.tls_size = t->owner_tls.size,
	};

	return owner.stack_size ? others_owner(o->others, &owner, o->made) : 0;
}

static struct wall_edge edge_without_owner(const struct told *t)
{
	return (struct wall_edge){ .waker_sample = t->waker_sample,
				   .owner_syscall = -1,
				   .open = t->r->kind == OFFCPU_OPEN };
}

/* What a piece of the wait has to do with other threads. The first one's owner was seen when the wait began. */
static struct wall_edge edge_of(struct offcpu *o, const struct told *t,
				const struct lock_holder *owner, u64 time, u64 period)
{
	struct wall_edge edge = edge_without_owner(t);
	bool is_first = owner->time == t->r->out && t->r->lock.owner == WALL_OWNER_KNOWN;

	if (owner->state != WALL_OWNER_KNOWN)
		return edge;
	if (is_first) {
		edge.owner_state = owner_state(t->r);
		edge.owner_syscall = t->r->owner_syscall;
		edge.owner_sample = make_owner(o, t, time, period);
		edge.owner_moment = edge.owner_sample ? WALL_OWNER_BEGIN : WALL_OWNER_NEVER;
	}
	if (!edge.owner_sample && owner->left) {
		edge.owner_sample = owner->left;
		edge.owner_moment = WALL_OWNER_END;
	}
	return edge;
}

/* The last sample of a blocked time has them. */
static void add_messages(struct wall_look *look, const struct told *t)
{
	look->edge.nr_messages = t->nr_sent;
	look->messages = t->sent;
}

/* The sample of a part of the blocked time, with one owner. */
static void make_piece(struct offcpu *o, const struct told *t, const struct wall_look *look,
		       const struct lock_holder *owner, u64 to, bool is_last)
{
	struct wall_look of = *look;
	bool known = owner->state == WALL_OWNER_KNOWN;
	u64 time = MAX(by_clock(o, to), o->position);

	of.lock.owner = owner->state;
	of.lock.owner_tid = known ? owner->tid : 0;
	of.owner = known ? owner->comm : NULL;
	if (wall_lock_is_files(of.lock.kind))
		of.lock.va = (u32)t->r->thread.inode | (u64)(known ? owner->pid : 0) << 32;
	if (known && owner->pid != look->pid &&
	    !(wall_lock_is_files(of.lock.kind) && owner->tls_size))
		of.owner_tls = not_read;
	else if (known)
		of.owner_tls = (struct wall_bytes){ owner->tls, owner->tls_size, owner->tls_size };
	of.edge = edge_of(o, t, owner, time, to - owner->time);
	if (is_last)
		add_messages(&of, t);
	make(o, &of, look->state, time, to - owner->time);
}

/* The samples of a wait for no lock: one, or for a request to a disk one for each part of the request's life. */
static void make_unlocked(struct offcpu *o, const struct told *t, const struct wall_look *look)
{
	const struct offcpu_record *r = t->r;
	struct request_part parts[REQUEST_PARTS];
	u32 nr = request_parts(&r->request, r->out, r->woken ?: r->in, parts);

	for (u32 i = 0; i < nr; i++) {
		const struct request_part *part = &parts[i];
		g_autofree char *ready = *part->where ? g_strconcat(look->ready, part->where, NULL)
						      : NULL;
		struct wall_look of = *look;

		of.ready = ready ?: look->ready;
		if (i + 1 == nr)
			add_messages(&of, t);
		make(o, &of, look->state, MAX(by_clock(o, part->to), o->position),
		     part->to - part->from);
	}
}

/* A wait that is not over, with the last one of o->pieces. */
static void note_stuck(struct offcpu *o, const struct offcpu_record *r)
{
	const struct lock_holder *owner =
		&g_array_index(o->pieces, struct lock_holder, o->pieces->len - 1);
	struct stuck stuck = {
		.pid = r->thread.pid,
		.tid = r->thread.tid,
		.own_tid = r->thread.inner_tid ?: r->thread.tid,
		.runs = r->thread.runs,
		.lock = { .va = r->lock.va,
			  .owner_tid = owner->tid,
			  .kind = r->lock.kind,
			  .owner = owner->state },
	};

	g_strlcpy(stuck.comm, r->thread.comm, sizeof(stuck.comm));
	deadlocks_add(o->deadlocks, &stuck);
}

/* The samples of the blocked time: one, or for a lock that changed hands one for each owner. */
static void make_blocked(struct offcpu *o, const struct told *t, struct wall_look *look)
{
	const struct offcpu_record *r = t->r;
	u64 to = r->woken ?: r->in;

	look->has_edge = true;
	look->edge = edge_without_owner(t);
	if (!r->lock.kind) {
		make_unlocked(o, t, look);
		return;
	}
	look->lock = (struct wall_lock){ .va = r->lock.va, .kind = r->lock.kind };
	find_owners(o, t, to);
	for (u32 i = 0; i < o->pieces->len; i++) {
		const struct lock_holder *owner = &g_array_index(o->pieces, struct lock_holder, i);

		bool is_last = i + 1 == o->pieces->len;

		make_piece(o, t, look, owner, is_last ? to : owner[1].time, is_last);
	}
	look->lock = (struct wall_lock){ 0 };
	remember_owners(o, t);
	if (r->kind == OFFCPU_OPEN && !r->woken)
		note_stuck(o, r);
}

/* Fills o->pieces with who had the CPUs while the thread was in a run queue: from its wake-up until @r->in. */
static void find_cpu_owners(struct offcpu *o, const struct offcpu_record *r, u64 from)
{
	u64 moved = CLAMP(r->moved, from, r->in), queued = CLAMP(r->queued, from, moved);
	struct lock_holder unseen = { .time = from, .state = WALL_OWNER_UNSEEN };

	g_array_set_size(o->pieces, 0);
	if (!r->queued) {
		g_array_append_val(o->pieces, unseen);
		return;
	}
	if (queued > from) {
		unseen.time = from;
		g_array_append_val(o->pieces, unseen);
	}
	if (moved > queued)
		runs_split(o->runs, r->cpu_before, queued, moved, o->pieces);
	if (r->in > moved)
		runs_split(o->runs, r->cpu, moved, r->in, o->pieces);
}

/* The CPU whose run queue the thread was in at @time. False: not known. */
static bool cpu_at(const struct offcpu_record *r, u64 time, u32 *cpu)
{
	bool known = !r->queued || time >= r->queued;

	*cpu = time >= r->moved ? r->cpu : r->cpu_before;
	return known;
}

/* The samples of the time in the run queue, one for each thread that had the CPU. */
static void make_queued(struct offcpu *o, const struct told *t, const struct wall_look *look,
			u64 from)
{
	const struct offcpu_record *r = t->r;

	if (from >= r->in)
		return;
	find_cpu_owners(o, r, from);
	for (u32 i = 0; i < o->pieces->len; i++) {
		const struct lock_holder *h = &g_array_index(o->pieces, struct lock_holder, i);
		u64 to = i + 1 < o->pieces->len ? h[1].time : r->in;
		struct wall_look of = *look;
		bool known = h->state == WALL_OWNER_KNOWN;
		u32 cpu;

		if (cpu_at(r, h->time, &cpu))
			of.lock = (struct wall_lock){ .va = cpu | (u64)h->pid << 32,
						      .kind = WALL_LOCK_CPU,
						      .owner = h->state,
						      .owner_tid = known ? h->tid : 0 };
		of.owner = known ? h->comm : NULL;
		if (known)
			of.owner_tls = (struct wall_bytes){ h->tls, h->tls_size, h->tls_size };
		of.edge = edge_without_owner(t);
		of.ready = NULL;
		make(o, &of, WALL_QUEUED, MAX(by_clock(o, to), o->position), to - h->time);
	}
}

/*
 * The samples of one wait: blocked, then in the run queue. @look is changed: the second one has another start of its state.
 */
static void make_wait(struct offcpu *o, const struct told *t, struct wall_look *look)
{
	const struct offcpu_record *r = t->r;
	u64 woken = r->woken ?: r->in;

	look->since = by_clock(o, r->out);
	look->nr = 1;
	look->killed = r->killed;
	look->waker_pid = r->waker_pid;
	look->waker_tid = r->waker_tid;
	look->waker = r->waker_tid ? r->waker_comm : NULL;
	if (in_interrupt(r)) /* on an idle CPU, its thread has the number 0 */
		look->flags |= WALL_IRQ_WAKER;
	look->stack = t->stack;
	look->tls = r->unread ? not_read : t->tls;
	make_blocked(o, t, look);
	look->since = MAX(by_clock(o, woken), o->position);
	make_queued(o, t, look, woken);
}

/*
 * Samples of added-up waits. They have neither place nor activity: each wait had its own.
 *
 * Their time is the end of the thread or of the recording, and a period may reach back to before
 * the thread's last sample.
 */
static void make_sums(struct offcpu *o, const struct offcpu_record *r, const struct wall_look *of)
{
	struct wall_look look = {
		.pid = of->pid,
		.tid = of->tid,
		.cgroup = of->cgroup,
		.inner_pid = of->inner_pid,
		.inner_tid = of->inner_tid,
		.syscall = -1,
		.nr = (u32)MIN(r->sums.nr, UINT32_MAX),
	};
	u64 in = by_clock(o, r->in);

	if (r->tls_size || r->unread)
		look.tls = not_read;
	make(o, &look, WALL_SLEEP, in, r->sums.sleep);
	make(o, &look, WALL_DISK, in, r->sums.disk);
	make(o, &look, WALL_UNKNOWN, in, r->sums.other);
	make(o, &look, WALL_QUEUED, in, r->sums.queue);
}

/* A wait has ended: the sample of the thread that ended it. The wait's own samples come when the thread has a CPU. */
static void take_waker(struct offcpu *o, const struct offcpu_waker *w, size_t bytes)
{
	u32 tls = MIN(w->tls_size, (u32)MIN(bytes, (size_t)OFFCPU_TLS));
	struct other waker = {
		.pid = w->pid,
		.tid = w->tid,
		.waits = w->woken_tid,
		.time = MAX(by_clock(o, w->woken), o->position),
		.period = w->woken - w->out,
		.kernel = (const u64 *)w->kernel,
		.nr_kernel = MIN(w->nr_kernel, (u32)OFFCPU_FRAMES),
		.regs = w->stack_size ? (const u64 *)&w->regs : NULL,
		.in_32_bit_code = !w->in_64_bit_code,
		.stack = w->bytes + tls,
		.stack_size = MIN(w->stack_size, (u32)(bytes - tls)),
		.tls = w->bytes,
		.tls_size = tls,
	};

	if (w->unsought) {
		waker.tls = (const u8 *)&unsought;
		waker.tls_size = sizeof(unsought);
	}
	others_waker(o->others, &waker, w->woken, w->is_other ? w->comm : NULL, o->made);
}

/* Does the recording leave the thread out? */
static bool is_other(const struct offcpu *o, u32 pid, u32 tid)
{
	u32 key = o->opts->tids ? tid : pid;
	u8 value;

	return !counts_all(o) &&
	       bpf_map_lookup_elem(bpf_map__fd(o->skel->maps.wanted), &key, &value);
}

/* The waker of a wait of which only a part was blocked, and that part is short: its place was not read. */
static void make_waker(struct offcpu *o, const struct offcpu_record *r)
{
	const struct other waker = {
		.pid = r->waker_pid,
		.tid = r->waker_tid,
		.waits = r->thread.tid,
		.time = MAX(by_clock(o, r->woken), o->position),
		.period = blocked(r),
		.tls = not_read.data,
		.tls_size = o->waits->attr.sample_type & PERF_SAMPLE_TLS_USER ? not_read.size : 0,
	};

	others_waker(o->others, &waker, r->woken,
		     is_other(o, r->waker_pid, r->waker_tid) ? r->waker_comm : NULL, o->made);
}

/* The next @size bytes, as far as they are there. */
static struct wall_bytes next_bytes(const u8 **at, const u8 *end, u32 size)
{
	u32 there = (u32)MIN((size_t)(end - *at), (size_t)size);
	struct wall_bytes bytes = { *at, there, there };

	*at += there;
	return bytes;
}

/* Of the descriptor that became ready, as /proc names files: "pipe:[4711]", "anon_inode:[eventfd]". NULL: there is none. */
static char *ready_text(const struct offcpu *o, const struct offcpu_ready *ready)
{
	if (!ready->mode && !*ready->name)
		return NULL;
	if (S_ISSOCK(ready->mode))
		return socket_users_tell(o->sockets, &ready->socket,
					 wall_conn_text(&ready->socket, ready->inode))
			       ?: g_strdup_printf("socket:[%" PRIu64 "]", (u64)ready->inode);
	if (S_ISFIFO(ready->mode) && !*ready->name)
		return g_strdup_printf("pipe:[%" PRIu64 "]", (u64)ready->inode);
	return g_strconcat(ready->name[0] == '[' ? "anon_inode:" : "", ready->name, NULL);
}

/* All 0, if there is none. */
static struct offcpu_ready ready_of(const struct told *t)
{
	struct offcpu_ready ready = { 0 };

	if (t->ready.filled >= sizeof(ready))
		memcpy(&ready, t->ready.data, sizeof(ready));
	ready.name[sizeof(ready.name) - 1] = 0;
	return ready;
}

/* Who has the two ends of the socket for which the thread waited. */
static void see_ends(struct offcpu *o, const struct offcpu_record *r,
		     const struct offcpu_ready *ready)
{
	bool is_ready = S_ISSOCK(ready->mode);
	const struct wall_bpf_socket *s = is_ready ? &ready->socket : &r->thread.socket;

	if (!is_ready && !S_ISSOCK(r->thread.mode))
		return;
	socket_users_see(o->sockets, s, is_ready ? ready->inode : r->thread.inode, r->thread.pid,
			 r->thread.comm);
	if (r->by_peer)
		socket_users_see_peer(o->sockets, s, r->waker_pid, r->waker_comm);
}

/* "work flush_to_ldisc": what a thread of the kernel did that ended the wait. NULL: it was none, or not known. */
static char *work_text(struct offcpu *o, const struct offcpu_record *r)
{
	const char *name = r->work ? work_names_find(o->works, r->work) : NULL;

	return name ? g_strdup_printf("work %s", name) : NULL;
}

/* What the thread has sent and received, by the recording's clock. */
static void take_messages(const struct offcpu *o, struct told *t)
{
	u32 nr = t->messages.filled / (u32)sizeof(struct offcpu_message);

	for (u32 i = 0; i < MIN(nr, (u32)WALL_MOST_MESSAGES); i++) {
		struct wall_message *to = &t->sent[i];
		struct offcpu_message m;

		memcpy(&m, t->messages.data + i * sizeof(m), sizeof(m));
		*to = (struct wall_message){ .time = by_clock(o, m.time),
					     .end = m.end,
					     .family = m.family,
					     .local_port = m.local_port,
					     .remote_port = m.remote_port,
					     .received = m.received };
		memcpy(to->local, m.local, sizeof(to->local));
		memcpy(to->remote, m.remote, sizeof(to->remote));
		t->nr_sent++;
	}
}

static void take_wait(struct offcpu *o, const struct offcpu_record *r, size_t bytes)
{
	const u8 *at = r->bytes, *end = r->bytes + MIN(bytes, sizeof(r->bytes));
	struct told t = { .r = r };
	g_autofree char *ready = NULL;
	struct offcpu_ready file;
	struct wall_texts texts;
	struct wall_look look;

	t.tls = next_bytes(&at, end, r->tls_size);
	t.owner_tls = next_bytes(&at, end, r->owner_tls_size);
	t.ready = next_bytes(&at, end, r->ready_size);
	t.messages = next_bytes(&at, end, r->messages_size);
	t.stack = next_bytes(&at, end, r->stack_size);
	t.owner_stack = next_bytes(&at, end, r->owner_stack_size);
	take_messages(o, &t);
	wall_thread_look(&r->thread, &o->clock, o->files, &texts, &look);
	file = ready_of(&t);
	if (r->kind != OFFCPU_SUMS)
		see_ends(o, r, &file);
	look.connection = texts.connection =
		socket_users_tell(o->sockets, &r->thread.socket, texts.connection);
	look.ready = ready = ready_text(o, &file) ?: request_text(&r->request) ?: work_text(o, r);
	if (r->kind == OFFCPU_SUMS) {
		o->nr_short += r->sums.nr;
		make_sums(o, r, &look);
	} else {
		o->nr_waits += r->kind == OFFCPU_WAIT;
		o->nr_open += r->kind == OFFCPU_OPEN;
		t.waker_sample = others_woke(o->others, r->thread.tid, r->woken);
		if (!t.waker_sample && r->waker_tid && !in_interrupt(r)) {
			make_waker(o, r);
			t.waker_sample = others_woke(o->others, r->thread.tid, r->woken);
		}
		make_wait(o, &t, &look);
	}
	wall_texts_clear(&texts);
}

/*
 * Runs under the lock, within empty_ring(). Records are cut behind the bytes that they have. The ring aligns them to 8.
 */
static int take(void *arg, void *data, size_t size)
{
	const size_t waker = offsetof(struct offcpu_waker, bytes);
	const size_t wait = offsetof(struct offcpu_record, bytes);
	const size_t run = offsetof(struct offcpu_run, tls);
	struct offcpu *o = arg;
	u32 kind = 0;

	memcpy(&kind, data, MIN(size, sizeof(kind)));
	if (kind == OFFCPU_RUN && size >= run)
		runs_add(o->runs, data, (u32)(size - run));
	else if (kind == OFFCPU_TOOK)
		take_taken(o, data, size);
	else if (kind == OFFCPU_WAKER && size >= waker)
		take_waker(o, data, size - waker);
	else if (kind <= OFFCPU_SUMS && size >= wait)
		take_wait(o, data, size - wait);
	return 0;
}

/* Must hold the lock. */
static void empty_ring(struct offcpu *o)
{
	ring_buffer__consume(o->ring);
}

static bool offcpu_prepare(struct source *src, struct recording *rec, GError **error)
{
	struct offcpu *o = offcpu(src);

	o->rec = rec;
	o->waits = recording_add_evsel(rec, OFFCPU_EVENT);
	o->waits->attr.sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
	if (rec->opts->callgraph.mode != CALLGRAPH_NONE && !rec->opts->kernel_callchains) {
		o->waits->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		o->waits->attr.sample_regs_user = REGS;
		o->waits->attr.sample_stack_user = OFFCPU_STACK;
	}
	others_prepare(o->others, rec, o->waits);
	return true;
}

/* Tells the program where the count of nested contexts is: it detects wakers in interrupts by it. */
static void tell_count(struct offcpu_bpf *skel, const struct btf *btf)
{
	skel->rodata->has_count =
		tls_count_find(btf, &skel->rodata->count_from_rq, &skel->rodata->current_from_rq);
}

/*
 * Shares the map of plans with the source of activities. Without it, or if the map cannot be
 * shared, waits have no activities.
 */
static void take_activities(struct offcpu *o)
{
	int plans = o->tls ? tls_source_plans_fd(o->tls) : -1;

	if (plans < 0 || bpf_map__reuse_fd(o->skel->maps.plans, plans))
		return;
	o->skel->rodata->has_tls = true;
	o->waits->attr.sample_type |= PERF_SAMPLE_TLS_USER;
	o->waits->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
	others_take_activities(o->others);
}

/*
 * Leaves out the programs that this kernel cannot run. Without a tracepoint, what it tells is not known: those of contention came
 * with Linux 5.19. A program reads another process's memory by bpf_copy_from_user_task() (5.18): without it, locks of waits that had
 * begun before are not read.
 */
static void choose_programs(struct offcpu_bpf *skel, const struct btf *btf)
{
	const struct {
		struct bpf_program *program;
		const char *tracepoint;
	} programs[] = {
		{ skel->progs.offcpu_inserted, "btf_trace_block_rq_insert" },
		{ skel->progs.offcpu_issued, "btf_trace_block_rq_issue" },
		{ skel->progs.offcpu_merged, "btf_trace_block_rq_merge" },
		{ skel->progs.offcpu_completed, "btf_trace_block_rq_complete" },
		{ skel->progs.offcpu_sent, "btf_trace_net_dev_queue" },
		{ skel->progs.offcpu_flock, "btf_trace_flock_lock_inode" },
		{ skel->progs.offcpu_fcntl, "btf_trace_posix_lock_inode" },
		{ skel->progs.offcpu_contention, "btf_trace_contention_begin" },
		{ skel->progs.offcpu_contended, "btf_trace_contention_begin" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(programs); i++)
		bpf_program__set_autoload(programs[i].program,
					  btf__find_by_name_kind(btf, programs[i].tracepoint,
								 BTF_KIND_TYPEDEF) > 0);
	bpf_program__set_autoload(skel->progs.offcpu_look,
				  btf__find_by_name_kind(btf, "bpf_copy_from_user_task",
							 BTF_KIND_FUNC) > 0);
}

/* What depends on the running kernel: it is read once. */
static void suit_kernel(struct offcpu_bpf *skel)
{
	struct btf *btf = btf__load_vmlinux_btf();

	choose_programs(skel, btf);
	tell_count(skel, btf);
	btf__free(btf);
}

static int load(struct offcpu *o, const GArray *cgroups)
{
	int err;

	o->skel = offcpu_bpf__open();
	if (!o->skel)
		return errno;
	o->skel->rodata->all = counts_all(o);
	o->skel->rodata->by_tid = o->opts->tids != NULL;
	o->skel->rodata->self = pid_namespace_self();
	o->skel->rodata->own_ns = pid_namespace_own();
	o->skel->rodata->threshold = o->opts->off_cpu.threshold;
	o->skel->rodata->has_stacks = o->waits->attr.sample_type & PERF_SAMPLE_STACK_USER;
	for (u32 i = 0; i < ARRAY_SIZE(o->skel->rodata->has_fd); i++)
		o->skel->rodata->has_fd[i] = wall_call_has_fd((s32)i);
	o->skel->rodata->by_cgroup = cgroups->len;
	suit_kernel(o->skel);
	bpf_map__set_max_entries(o->skel->maps.cpu_runs, (u32)MAX(libbpf_num_possible_cpus(), 1));
	take_activities(o);
	err = -(wall_cgroups_prepare(o->skel->maps.wanted_cgroups, cgroups)
			?: offcpu_bpf__load(o->skel)
			?: wall_cgroups_fill(o->skel->maps.wanted_cgroups, cgroups));
	if (err)
		return err;
	o->ring = ring_buffer__new(bpf_map__fd(o->skel->maps.waits), take, o, NULL);
	return o->ring ? 0 : errno;
}

static void want_target(struct offcpu *o)
{
	const struct open_target *t = o->rec->target;
	u8 one = 1;

	for (u32 i = 0; !counts_all(o) && i < t->nr_tids; i++) {
		u32 id = o->opts->tids ? (u32)t->tids[i] : wall_process_of(o->paths, t->tids[i]);

		bpf_map_update_elem(bpf_map__fd(o->skel->maps.wanted), &id, &one, BPF_ANY);
	}
}

static bool offcpu_open(struct source *src, struct recording *rec, GError **error)
{
	struct offcpu *o = offcpu(src);
	g_autoptr(GArray) cgroups = g_array_new(FALSE, FALSE, sizeof(u64));
	int err;

	if (o->opts->cgroups && !cgroups_ids(o->paths, o->opts->cgroups, cgroups, error))
		return false;
	libbpf_set_print(NULL);
	err = load(o, cgroups);
	if (err)
		return kernel_bpf_failed("--off-cpu", "Linux 5.15", err, error);
	want_target(o);
	return true;
}

/*
 * Runs the iterator program for each thread.
 *
 * The iterator visits threads while others run: a thread that changes its state meanwhile is
 * handled by the switch programs, which are attached already. A thread that is created meanwhile
 * has its own event (sched_wakeup_new).
 */
static int visit_all(const struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	char nothing[64];
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	int err = fd < 0 ? errno : 0;

	while (fd >= 0 && read(fd, nothing, sizeof(nothing)) > 0)
		;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

static void set_clock(struct offcpu *o)
{
	struct wall_clock_keeper *keeper = wall_clock_new(o->opts, o->paths, NULL);

	g_mutex_lock(&o->lock);
	if (keeper)
		wall_clock_keep(keeper, &o->clock);
	g_mutex_unlock(&o->lock);
	wall_clock_free(keeper);
}

/*
 * First attaches the programs, then visits the threads that already wait: so no wait is missed in between. Then looks at the
 * locks that they wait for: now all threads are known as owners.
 */
static bool offcpu_enable(struct source *src, GError **error)
{
	struct offcpu *o = offcpu(src);
	int err;

	set_clock(o);
	bpf_program__set_autoattach(o->skel->progs.offcpu_visit, false);
	bpf_program__set_autoattach(o->skel->progs.offcpu_look, false);
	err = -offcpu_bpf__attach(o->skel);
	if (!err)
		err = visit_all(o->skel->progs.offcpu_visit);
	if (!err && bpf_program__autoload(o->skel->progs.offcpu_look))
		visit_all(o->skel->progs.offcpu_look);
	return !err || error_set_errno(error, err, "--off-cpu");
}

static void find_deadlocks(struct offcpu *o)
{
	GString *words = g_string_new(NULL);

	g_mutex_lock(&o->lock);
	o->deadlocked = deadlocks_find(o->deadlocks, o->paths, words);
	o->deadlock_words = g_string_free(words, FALSE);
	g_mutex_unlock(&o->lock);
}

/*
 * The end. Open waits and sums of all threads are written by a visit of all threads. If they do not
 * fit into the ring, the visit is repeated after the ring was emptied: @visit numbers the whole of
 * these visits, so that no thread is written twice.
 *
 * The last drain() comes after this, and puts what was made here.
 */
static bool offcpu_disable(struct source *src, GError **error)
{
	struct offcpu *o = offcpu(src);

	if (!o->skel || !o->skel->bss || o->skel->bss->at_end)
		return true;
	/* From now on no wait begins. A wait that ends during the visit is reported at its end. */
	o->skel->bss->at_end = true;
	o->skel->bss->visit++;
	for (u32 i = 0; i < MOST_RUNS; i++) {
		o->skel->bss->full = 0;
		visit_all(o->skel->progs.offcpu_visit);
		g_mutex_lock(&o->lock);
		empty_ring(o);
		g_mutex_unlock(&o->lock);
		if (!o->skel->bss->full)
			break;
	}
	find_deadlocks(o);
	offcpu_bpf__detach(o->skel);
	return true;
}

/*
 * The program reports a wake-up when the thread gets a CPU. So the sample of a wake-up is late by the time in the run queue,
 * and the pieces of a wait are late by all that follows them. What is older than the position that was stated before is
 * dated forward to it: that is LATEST_QUEUED before the last time when the ring was emptied.
 *
 * The next position is taken before the ring is read: what the program writes while we read is not older, unless it waited
 * for longer.
 */
static void offcpu_drain(struct source *src, struct outlet *out, bool last)
{
	struct offcpu *o = offcpu(src);
	u64 next;

	g_mutex_lock(&o->lock);
	if (!o->keeper)
		o->keeper = wall_clock_new(o->opts, o->paths, NULL);
	if (o->keeper)
		wall_clock_keep(o->keeper, &o->clock);
	next = clock_ns(CLOCK_MONOTONIC) + (u64)o->clock.from_monotonic - LATEST_QUEUED;
	empty_ring(o);
	wall_put(out, o->made);
	o->position = next;
	g_mutex_unlock(&o->lock);
}

static void offcpu_conclude(struct source *src, struct perfdata_info *info)
{
	struct offcpu *o = offcpu(src);

	g_mutex_lock(&o->lock);
	if (o->deadlocked)
		perfdata_info_add_note(info, OFFCPU_DEADLOCKS_NOTE, o->deadlocked);
	g_mutex_unlock(&o->lock);
}

static u64 offcpu_position(struct source *src)
{
	struct offcpu *o = offcpu(src);
	u64 position;

	g_mutex_lock(&o->lock);
	position = o->position;
	g_mutex_unlock(&o->lock);
	return position;
}

static char *offcpu_summary(struct source *src)
{
	struct offcpu *o = offcpu(src);
	GString *text = g_string_new(NULL);

	g_string_printf(text,
			"off the CPU: %" PRIu64 " waits, %" PRIu64
			" shorter ones added up, %" PRIu64 " not over at the end",
			o->nr_waits, o->nr_short, o->nr_open);
	if (o->skel->bss->lost + o->skel->bss->full)
		g_string_append_printf(text, ", %" PRIu64 " LOST",
				       (u64)(o->skel->bss->lost + o->skel->bss->full));
	if (o->skel->bss->unplaced)
		g_string_append_printf(text, ", %" PRIu64 " of them without their places",
				       (u64)o->skel->bss->unplaced);
	if (o->skel->bss->not_begun)
		g_string_append_printf(text, ", %" PRIu64 " not seen",
				       (u64)o->skel->bss->not_begun);
	if (o->skel->bss->untaken)
		g_string_append_printf(text, ", %" PRIu64 " changes of locks' owners LOST",
				       (u64)o->skel->bss->untaken);
	if (o->skel->bss->unrun)
		g_string_append_printf(text, ", %" PRIu64 " times LOST who had a CPU",
				       (u64)o->skel->bss->unrun);
	if (o->skel->bss->unlisted)
		g_string_append_printf(text, ", %" PRIu64 " threads not known as owners of locks",
				       (u64)o->skel->bss->unlisted);
	if (o->deadlocked)
		g_string_append_printf(text, ", DEADLOCK: each waits for a lock of the next: %s",
				       o->deadlock_words);
	return g_string_free(text, FALSE);
}

static void offcpu_close(struct source *src)
{
	struct offcpu *o = offcpu(src);

	ring_buffer__free(o->ring);
	offcpu_bpf__destroy(o->skel);
	wall_clock_free(o->keeper);
	wall_files_free(o->files);
	g_byte_array_unref(o->made);
	others_free(o->others);
	deadlocks_free(o->deadlocks);
	g_free(o->deadlocked);
	g_free(o->deadlock_words);
	owners_free(o->owners);
	runs_free(o->runs);
	socket_users_free(o->sockets);
	work_names_free(o->works);
	g_free(o->kallsyms);
	g_array_unref(o->pieces);
	g_mutex_clear(&o->lock);
	g_free(o);
}

struct source *offcpu_source_new(const struct record_options *opts,
				 const struct kernel_paths *paths, const struct source *tls)
{
	static const struct source_ops ops = {
		.name = "off-cpu",
		.prepare = offcpu_prepare,
		.open = offcpu_open,
		.enable = offcpu_enable,
		.drain = offcpu_drain,
		.disable = offcpu_disable,
		.position = offcpu_position,
		.conclude = offcpu_conclude,
		.summary = offcpu_summary,
		.close = offcpu_close,
	};
	struct offcpu *o = g_new0(struct offcpu, 1);

	o->source.ops = &ops;
	o->opts = opts;
	o->paths = paths;
	o->tls = tls;
	o->files = wall_files_new(paths->proc);
	o->made = g_byte_array_new();
	o->others = others_new();
	o->deadlocks = deadlocks_new();
	o->owners = owners_new();
	o->runs = runs_new();
	o->sockets = socket_users_new();
	o->kallsyms = g_build_filename(paths->proc, "kallsyms", NULL);
	o->works = work_names_new(o->kallsyms);
	o->pieces = g_array_new(FALSE, FALSE, sizeof(struct lock_holder));
	g_mutex_init(&o->lock);
	return &o->source;
}
