// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples all threads each time it runs: their state, their system call and its start, and their
 * kernel stack. There are three ways to visit the threads. The loader takes the first one that the
 * kernel supports:
 *
 *	look_listed  visits the threads that left a CPU since the last run, listed by sched_switch, and
 *		     those that run now. A thread that sleeps all the time costs nothing
 *	look_all     an open-coded iterator over all tasks (Linux 6.7), inside one RCU section. A thread
 *		     that has not run costs a comparison. Also used for the first run, and when the
 *		     list was full
 *	look_next    the iterator that is read from a file (iter/task), for older kernels
 *
 * The programs do not sleep, so they do not read user memory.
 *
 * A pass and what happens at the same time on other CPUs:
 *
 *	pass (one CPU)				other CPUs
 *	visits thread 7: asleep, runs 57
 *						7 wakes up, runs, sleeps: runs 58; is listed for the next pass
 *	the record says runs 57			the next pass finds runs 58: a new look
 *
 *	visits thread 8: runs
 *						8 exits: last_look() writes a record of its end
 *	its record says "running", after	the recorder drops the older look, by its time
 *	the record of the end
 *
 * So a look need not be atomic: whatever changes during it is in a later look, or in a record of
 * the end. Only one pass runs at a time, so scratch, present and result need no lock. cpus, lists
 * and nr_listed are written by all CPUs.
 *
 * Two hashes decide how much work a look is. place: where the thread sleeps; equal to the last one,
 * the look has only times. nap: the same, reachable by the id alone, without a reference to the
 * thread.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_tracing.h>

#include "bpf/latency.h"
#include "bpf/threads.h"
#include "bpf/wanted.h"

char LICENSE[] SEC("license") = "GPL";

#define ROOM_FOR_ENDS	   (1 << 19)
#define ALL_THREADS	   1 /* BPF_TASK_ITER_ALL_THREADS */
#define EXIT_DEAD	   0x10
#define TASK_INTERRUPTIBLE 0x1

extern int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *task,
			     unsigned int flags) __ksym __weak;
extern struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it) __ksym __weak;
extern void bpf_iter_task_destroy(struct bpf_iter_task *it) __ksym __weak;
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym __weak;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym __weak;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym __weak;
extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;
extern void bpf_rcu_read_lock(void) __ksym __weak;
extern void bpf_rcu_read_unlock(void) __ksym __weak;
/* Newer headers of libbpf declare this one, so it must be the same. */
extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

const volatile __u32 nr_cpus;
const volatile __u32 ring_size;
/* Activities are followed: each change of one has a record (bpf/track.h). Then a pass sends no partial records. */
const volatile bool tracked;
const volatile __u32 latency_of; /* enum latency_of: what latency.bpf.c measures */
/*
 * A thread that ran and sleeps at the same place again is not sent at once: its sums have all that
 * is new, and are sent by the next pass that has sending set.
 */
const volatile bool merge;

/* Number of the pass of each run; 0: none. */
__u32 pass;
__u32 sending; /* this pass sends the threads of pending, too */
struct wall_bpf_pass result;
__u64 unseen_ends; /* ends of threads that did not fit into the ring */

/*
 * Threads that left a CPU during a pass; even and odd passes have separate lists. nr_listed may
 * exceed WALL_BPF_LIST. A thread may be listed several times: the check for duplicates is cheap,
 * uses only the thread id, and finds most of them.
 */
struct wall_bpf_listed lists[2][WALL_BPF_LIST];
__u32 nr_listed[2];

/* At the index of their thread ids. Unused if !merge. */
struct wall_bpf_nap naps[WALL_BPF_LIST];

/* Threads with something to send. */
__u32 pending[WALL_BPF_LIST];
__u32 nr_pending;

struct wall_bpf_cpu cpus[WALL_BPF_CPUS];

/* Per thread: when it was sampled, its number of runs then, and where it slept. */
struct seen {
	__u64 runs;
	__u64 place; /* 0: not known */
	__u32 pass;
	__u32 asleep;
	__u32 merged; /* runs that were not sent */
	__u32 tid;    /* its id, as it was sent */
	__u32 ended;  /* last_look was there */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct seen);
} known SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 22); /* the loader may make it larger */
} looks SEC(".maps");

#include "bpf/track.h"

/*
 * The record that is being built. It is too large for the stack. Only one program runs at a time.
 */
struct wall_bpf_thread scratch;

/*
 * Facts about scratch's thread while the record is built. They are in static memory, because the verifier takes values
 * read back from there as unknown. On the stack, it would check each combination as a state of its own.
 */
static struct {
	struct user_call call;
	__u64 place; /* its hash; 0: the thread is sampled completely each time */
	__u64 nap;   /* the same if it is of a call */
	bool in_call, asleep;
	volatile __u64
		group; /* volatile: read back it is a number. The verifier forbids to count with a pointer */
} present;

/*
 * False: the ring is full. Some room is reserved for threads that end meanwhile: they cannot be
 * sampled again.
 *
 * A pass that stops here is run again after the recorder has read the ring. s->pass of the thread
 * is not set then, so it is visited again.
 */
static __always_inline bool hand_on(struct wall_bpf_thread *l)
{
	__u32 size = FRAMES_OFFSET + (l->nr_frames & (WALL_BPF_FRAMES * 2 - 1)) * sizeof(__u64);

	if (l->same)
		size = HEAD_OF_LOOK;
	if (size > sizeof(*l))
		size = sizeof(*l);
	if (bpf_ringbuf_query(&looks, BPF_RB_AVAIL_DATA) > ring_size - ROOM_FOR_ENDS)
		return false;
	return bpf_ringbuf_output(&looks, l, size, BPF_RB_NO_WAKEUP) == 0;
}

/* Adds the thread to the list of the present pass. */
static __always_inline void list(const struct task_struct *task)
{
	__u32 now = pass, i = __sync_fetch_and_add(&nr_listed[now & 1], 1);
	struct wall_bpf_listed *to = &lists[now & 1][i & (WALL_BPF_LIST - 1)];

	if (i >= WALL_BPF_LIST)
		return;
	to->task = (__u64)task;
	to->tid = task->pid;
}

/*
 * The thread waits in a call or for a request. Marks it, so that its duration is reported at its
 * end.
 */
static __always_inline void catch (struct wall_bpf_thread *l, struct task_struct *task)
{
	struct latency_call *c;
	struct latency_request *q;

	if (latency_of == LATENCY_OF_NOTHING || l->on_cpu || l->on_rq || l->exit_state)
		return;
	c = bpf_task_storage_get(&calls, task, 0, 0);
	if (!c)
		return;
	if (latency_of == LATENCY_OF_SYSCALL && c->entered) {
		l->sequence = c->caught = c->sequence;
		c->state = l->state;
	}
	if (latency_of == LATENCY_OF_BLOCK_IO && c->request && l->in_io) {
		q = bpf_map_lookup_elem(&requests, &c->request);
		if (!q || q->tid != l->tid || q->sequence != c->sequence)
			return;
		l->sequence = q->sequence;
		q->caught = 1;
		q->state = l->state;
	}
}

/*
 * One round of a multiplicative hash. Two places with the same hash would be taken for one: 64 bits
 * make that unlikely enough.
 */
static __always_inline __u64 mix(__u64 hash, __u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

/* Hash of what a sleep has besides its place. */
static __always_inline __u64 hash_of_state(const struct task_struct *task)
{
	__u64 in_io = BPF_CORE_READ_BITFIELD(task, in_iowait);

	present.group = (__u64)BPF_CORE_READ(task, cgroups);
	return mix(mix(task->__state | in_io << 32, task->jobctl), present.group);
}

/*
 * Hash of the place where a thread sleeps: the system call with its arguments, the position in the
 * program, the file, the state. Not 0. If a thread sleeps interruptibly and has the same hash as
 * before, its kernel stack is taken to be the same, and is not walked. (The depth of the stack
 * cannot be compared: the kernel begins the stack at a random offset.) The file is known by its
 * inode, too: one that was opened later may be at the address of one that was closed.
 */
static __always_inline __u64 place_of(const struct task_struct *task, const struct user_call *call)
{
	const struct pt_regs *r = &call->regs;
	const struct file *file = call->file;
	__u64 hash = hash_of_state(task);

	hash = mix(mix(mix(hash, r->ip), r->sp), r->orig_ax);
	hash = mix(mix(mix(hash, r->di), r->si), r->dx);
	hash = mix(mix(mix(hash, r->r10), r->r8), r->r9);
	hash = mix(mix(mix(hash, r->bx), r->bp), r->r12);
	hash = mix(mix(mix(hash, r->r13), r->r14), r->r15);
	if (file)
		hash = mix(hash, BPF_CORE_READ(file, f_inode, i_ino));
	return mix(hash, (__u64)file) | 1;
}

/* Hash of the stack in scratch. Neither inlined nor static, so that the verifier checks the loop only once. */
__noinline __u64 hash_of_frames(__u64 hash)
{
	for (__u32 i = 0; i < WALL_BPF_FRAMES; i++)
		if (i < scratch.nr_frames)
			hash = mix(hash, scratch.frames[i]);
	return hash;
}

/*
 * The same for all other sleeps: uninterruptible ones, and threads of the kernel. Here the stack
 * was walked.
 */
static __always_inline __u64 place_by_stack(const struct wall_bpf_thread *l,
					    struct task_struct *task)
{
	__u64 hash = mix(mix(hash_of_state(task), l->ip), l->sp);

	hash = mix(mix(mix(mix(hash, l->syscall), l->args[0]), l->args[1]), l->args[2]);
	hash = mix(mix(mix(hash, l->args[3]), l->args[4]), l->args[5]);
	return hash_of_frames(hash) | 1;
}

/* True: the thread is sent by a later pass. @merged: the thread's number of runs that were not sent. */
static __always_inline bool put_off(__u32 tid, __u32 *merged)
{
	__u32 i = nr_pending;

	if (!merge || sending)
		return false;
	if (!*merged) {
		if (i >= WALL_BPF_LIST)
			return false;
		pending[i & (WALL_BPF_LIST - 1)] = tid;
		nr_pending = i + 1;
	}
	++*merged;
	return true;
}

static __always_inline struct wall_bpf_nap *nap_of(__u32 tid)
{
	return &naps[tid & (WALL_BPF_LIST - 1)];
}

/* Runs of the thread that were not sent. */
static __always_inline __u32 merged_of(const struct seen *s, __u32 tid)
{
	const struct wall_bpf_nap *nap = nap_of(tid);

	return s->merged + (nap->tid == tid ? nap->merged : 0);
}

/*
 * Cheap, as it is asked of each thread in look_all: a thread that was asleep, and has not got a CPU
 * since, has the same look. pcount counts how often it got one.
 */
static __always_inline bool has_nothing_new(const struct seen *s, struct task_struct *task)
{
	const struct wall_bpf_nap *nap = nap_of(task->pid);
	__u64 runs = nap->tid == task->pid ? nap->runs : s->runs;

	return s->asleep && runs == task->sched_info.pcount && !task->on_cpu && !task->on_rq &&
	       !(sending && merged_of(s, task->pid));
}

static __always_inline void all_sent(struct seen *s, __u32 tid)
{
	struct wall_bpf_nap *nap = nap_of(tid);

	s->merged = 0;
	if (nap->tid == tid)
		nap->merged = 0;
}

/* The thread is gone. */
static __always_inline void forget_nap(__u32 tid)
{
	struct wall_bpf_nap *nap = nap_of(tid);

	if (nap->tid == tid)
		nap->tid = nap->merged = 0;
}

/*
 * After a look at the thread. @place: where it sleeps in its call; 0: it does not.
 *
 * Two ids may share an entry (id modulo WALL_BPF_LIST). An entry with runs that were not sent
 * belongs to its thread until they are sent.
 */
static __always_inline void note_nap(struct task_struct *task, __u64 place)
{
	__u32 tid = task->pid;
	struct wall_bpf_nap *nap = nap_of(tid);

	if (!merge || (nap->tid != tid && ((nap->tid && nap->merged) || !place)))
		return;
	if (nap->tid != tid)
		nap->merged = 0;
	nap->task = (__u64)task;
	nap->regs = (__u64)bpf_task_pt_regs(task);
	nap->place = place;
	nap->runs = scratch.runs;
	nap->tid = tid;
	nap->pass = pass;
}

/*
 * True: the listed thread sleeps where it slept before, and is put off. The memory at its address
 * may be another's by now: such memory has no thread with this id, or not these registers.
 */
static __always_inline bool naps_on(const struct wall_bpf_listed *at)
{
	struct wall_bpf_nap *nap = nap_of(at->tid);
	struct user_call *call = &present.call;
	struct task_struct *task;
	__u64 runs;

	if (!merge || sending || nap->tid != at->tid || nap->task != at->task || !nap->place)
		return false;
	if (nap->pass == pass)
		return true;
	task = bpf_rdonly_cast((void *)at->task, bpf_core_type_id_kernel(struct task_struct));
	if (task->pid != at->tid || task->on_cpu || task->on_rq || task->exit_state ||
	    !(task->__state & TASK_INTERRUPTIBLE))
		return false;
	runs = task->sched_info.pcount;
	if (runs != nap->runs) {
		if (!read_call(call, task, (const struct pt_regs *)nap->regs) ||
		    place_of(task, call) != nap->place || !put_off(at->tid, &nap->merged))
			return false;
		result.looked++;
	}
	nap->runs = runs;
	nap->pass = pass;
	result.seen++;
	return true;
}

/*
 * A thread that executes a program gets the id of its process's first thread, which has ended. Tells the end of its id
 * before. A pass may be the first to see the new one.
 */
static __always_inline void tell_left(struct task_struct *task, struct seen *s)
{
	__u32 before = s->tid, tid = tid_of(task);
	struct wall_bpf_thread *l;

	s->tid = tid;
	if (!before || before == tid)
		return;
	l = bpf_ringbuf_reserve(&looks, HEAD_OF_LOOK, 0);
	if (!l) {
		__sync_fetch_and_add(&unseen_ends, 1);
		return;
	}
	look_at_state(l, task);
	look_at_times(l, task);
	l->tid = before;
	l->left = l->same = 1;
	bpf_ringbuf_submit(l, BPF_RB_NO_WAKEUP);
}

/* Fills scratch and present. False: the thread is sent later. */
static __always_inline bool look_again(struct seen *s, struct task_struct *task)
{
	struct wall_bpf_thread *l = &scratch;

	look_at_state(l, task);
	if (s->ended) /* what it still does, such as closing files, is not told */
		l->exit_state = EXIT_DEAD;
	present.place = 0;
	present.in_call = find_call(l, task, &present.call);
	present.asleep = !(l->on_cpu | l->on_rq | l->exit_state);
	if (present.in_call && present.asleep && l->state & TASK_INTERRUPTIBLE)
		present.place = place_of(task, &present.call);
	present.nap = present.place;
	if (!tracked && present.place && present.place == s->place) {
		l->same = 1;
	} else {
		look_at_place(l, task, present.in_call ? &present.call : 0);
		look_at_stack(l, task);
		if (!present.place && present.asleep) {
			present.place = place_by_stack(l, task);
			l->same = !tracked && present.place == s->place;
		}
	}
	if (l->same && put_off(task->pid, &s->merged))
		return false;
	if (tracked && !present.asleep)
		track_next(task);
	look_at_times(l, task);
	l->merged = merged_of(s, task->pid);
	catch (l, task);
	return true;
}

/* @chosen: counts() was true of the thread. */
static __always_inline void consider(struct task_struct *task, bool chosen)
{
	struct seen *s;

	if (!chosen && !counts(task)) {
		result.skipped++;
		return;
	}
	s = bpf_task_storage_get(&known, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!s) {
		result.faults++;
		return;
	}
	if (s->pass == pass)
		return;
	result.seen++;
	tell_left(task, s);
	if (!has_nothing_new(s, task)) {
		if (look_again(s, task)) {
			if (!hand_on(&scratch)) {
				result.seen--;
				result.full++;
				return;
			}
			all_sent(s, task->pid);
		}
		result.looked++;
		result.faults += scratch.faults;
		s->runs = scratch.runs;
		s->place = present.place;
		s->asleep = present.asleep;
		note_nap(task, present.nap);
		if (scratch.exit_state) /* no event tells when its parent collects its status */
			list(task);
	}
	s->pass = pass;
}

/*
 * consider() for programs with a loop. Neither inlined nor static, so that the verifier checks it once, and not in each state
 * of the loop: the load takes a tenth of the time. @tid: in the initial namespace. A number, because kernels before 6.9
 * accept no thread here. False: there is no such thread.
 */
__noinline int consider_one(__u32 tid, bool chosen)
{
	struct task_struct *task = bpf_task_from_pid(tid);

	if (!task)
		return false;
	consider(task, chosen);
	bpf_task_release(task);
	return true;
}

SEC("syscall")
int look_all(void *unused)
{
	struct bpf_iter_task it;
	struct task_struct *task;

	__builtin_memset(&result, 0, sizeof(result));
	bpf_rcu_read_lock();
	bpf_iter_task_new(&it, 0, ALL_THREADS);
	while ((task = bpf_iter_task_next(&it)))
		consider_one(task->pid, false);
	bpf_iter_task_destroy(&it);
	bpf_rcu_read_unlock();
	return 0;
}

/* Those that were listed in pass @last, that run now, that wait to be sent; 0: none, or nothing new. */
__noinline __u32 nth_tid(__u32 n, __u32 last, __u32 nr, __u32 running)
{
	const struct wall_bpf_listed *listed = &lists[last & 1][n & (WALL_BPF_LIST - 1)];

	if (n < nr)
		return naps_on(listed) ? 0 : listed->tid;
	n -= nr;
	if (n < running)
		return cpus[n & (WALL_BPF_CPUS - 1)].running;
	return pending[(n - running) & (WALL_BPF_LIST - 1)];
}

SEC("syscall")
int look_listed(void *unused)
{
	__u32 last = (pass - 1) & 1, running = nr_cpus < WALL_BPF_CPUS ? nr_cpus : WALL_BPF_CPUS;
	__u32 nr = nr_listed[last] < WALL_BPF_LIST ? nr_listed[last] : WALL_BPF_LIST;
	__u32 all = nr + running + (sending ? nr_pending : 0);
	struct bpf_iter_num it;
	int *i;

	__builtin_memset(&result, 0, sizeof(result));
	bpf_iter_num_new(&it, 0, all);
	while ((i = bpf_iter_num_next(&it))) {
		__u32 n = *i, tid = nth_tid(n, last, nr, running);

		if (!tid)
			continue;
		if (!consider_one(tid, n < nr && !by_cgroup))
			forget_nap(tid);
	}
	bpf_iter_num_destroy(&it);
	return 0;
}

/* The reader of the iterator has set result to zero. */
SEC("iter/task")
int look_next(struct bpf_iter__task *ctx)
{
	if (ctx->task)
		consider(ctx->task, false);
	return 0;
}

/* Runs at each switch: it must use few instructions and few cache lines. */
SEC("tp_btf/sched_switch")
int BPF_PROG(switched, bool preempt, struct task_struct *from, struct task_struct *to)
{
	struct wall_bpf_cpu *cpu = &cpus[bpf_get_smp_processor_id() & (WALL_BPF_CPUS - 1)];
	__u32 tid = from->pid;
	__u64 *recent = &cpu->recent[tid & (WALL_BPF_RECENT - 1)];
	__u64 now = (__u64)tid << 32 | pass;

	cpu->running = to->pid;
	if (!tid || *recent == now)
		return 0;
	*recent = now;
	if (counts(from))
		list(from);
	return 0;
}

/*
 * Samples a thread at its end: its counters are gone at the next pass, and a thread that lived
 * between two passes would be missed. It runs on the thread's own CPU, so its counters do not
 * change meanwhile.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(last_look, struct task_struct *task)
{
	struct wall_bpf_thread *l;
	struct seen *s;

	if (!counts(task))
		return 0;
	forget_nap(task->pid);
	keep_tid(task);
	s = bpf_task_storage_get(&known, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (s)
		s->ended = 1;
	if (tracked && track(task, WALL_BPF_END, false))
		return 0;
	l = bpf_ringbuf_reserve(&looks, FRAMES_OFFSET, 0);
	if (!l) {
		__sync_fetch_and_add(&unseen_ends, 1);
		return 0;
	}
	look_at(l, task);
	l->exit_state = EXIT_DEAD;
	bpf_ringbuf_submit(l, BPF_RB_NO_WAKEUP);
	return 0;
}

/* The new id of a thread that executes a program, and its sums at that time. Runs on the thread's own CPU. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(took_first_id, struct task_struct *task, __s32 old_pid)
{
	struct wall_bpf_thread *l;
	struct seen *s;

	if (old_pid == task->pid || !counts(task))
		return 0;
	forget_nap(old_pid);
	s = bpf_task_storage_get(&known, task, 0, 0);
	if (s)
		tell_left(task, s);
	l = bpf_ringbuf_reserve(&looks, FRAMES_OFFSET, 0);
	if (!l) {
		__sync_fetch_and_add(&unseen_ends, 1);
		return 0;
	}
	look_at(l, task);
	bpf_ringbuf_submit(l, BPF_RB_NO_WAKEUP);
	return 0;
}

/* Children of a selected process are selected, too. The recorder would learn of them too late. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(wanted_forked, struct task_struct *parent, struct task_struct *child)
{
	if (!want_child(parent, child))
		__sync_fetch_and_add(&unseen_ends, 1);
	return 0;
}
