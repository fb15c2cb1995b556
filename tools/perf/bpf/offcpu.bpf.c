// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records the times when a thread is off the CPU: how long it was blocked, how long it then waited
 * for a CPU, and who woke it.
 *
 *	sched_switch from it   it leaves the CPU: the time, its state, its activity, the bytes of its stack, the lock that it
 *			       waits for, the lock's owner and the owner's activity
 *	sched_waking           it is no longer blocked: the time, and the waker
 *	sched_wakeup           it is in a run queue: the time, if sched_waking came before it had left the CPU
 *	sched_wakeup_new       it was created, and waits for a CPU for the first time
 *	sched_switch to it     the wait is over: a long wait is reported, a short one is added to the sums
 *
 * At sched_switch from it, its memory is the current process's, so its activity, its user stack and the words of the lock
 * are read then, and kept in the thread's storage. The owner is a thread of the same process: its activity is read there,
 * too, and if it is off the CPU, its user stack. System call and kernel stack are read after the wait, and only if the wait
 * is long: a thread that is about to run still has the kernel stack that it slept with.
 *
 * Who had the CPU while a thread was in its run queue is reported before a long wait (cpu_runs.h).
 *
 * The waker of a long wait is reported at once, with its stack: so a wait that is not over has no copy of it.
 *
 * Example, thread 7 reads from a pipe that thread 8 writes to; times in ms:
 *
 *	10	sched_switch from 7	out = 10, state S; 7's stack and activity are copied
 *	40	sched_waking of 7	woken = 40; the waker is 8, with its stack and activity
 *	43	sched_switch to 7	in = 43: blocked 30, in the run queue 3: one record
 *
 * Which program may run at the same time for one thread? A thread leaves and comes on one CPU at a
 * time, and the switch to it follows its wake-up. Only sched_waking can be on another CPU while the
 * thread is still leaving (see offcpu_wakeup), and the visit at the end can meet a switch:
 * take_wait() lets one of them have the wait.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_tracing.h>

#include "bpf/completed.h"
#include "bpf/context.h"
#include "bpf/cpu_runs.h"
#include "bpf/current.h"
#include "bpf/file_lock.h"
#include "bpf/kernel_lock.h"
#include "bpf/messages.h"
#include "bpf/offcpu.h"
#include "bpf/peers.h"
#include "bpf/ready.h"
#include "bpf/user_place.h"
#include "bpf/wanted.h"
#include "bpf/work.h"

char LICENSE[] SEC("license") = "GPL";

#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_INTERRUPTIBLE   0x1
#define SIGKILL		     9
#define MOST_EARLY	     8192

const volatile bool has_stacks, has_tls;
const volatile __u64 threshold; /* ns; shorter waits are only summed */

__u64 lost;	 /* waits that did not fit into the ring, or whose begin was missed */
__u64 unplaced;	 /* waits whose end was missed: only their times are known, in the sums */
__u64 not_begun; /* threads without storage */
__u64 unrun;	 /* reports of who had a CPU that did not fit into the ring */
__u64 untaken;	 /* shorter waits for locks that did not fit into the ring */

/* For the passes over all threads, at the beginning and at the end. When true, no wait begins. */
bool at_end;
__u32 visit;
__u64 full;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);
} waits SEC(".maps");

/* The lock that a thread waits for, and what its owner did when the wait began. */
struct lock_seen {
	struct lock_wait lock;
	__u64 room; /* of read_user_regs() */
	__s32 owner_syscall;
	__u32 owner_stack_size;
	__u8 owner_at, owner_in_64_bit_code;
};

/* State of a thread. It is off the CPU if @out is not 0. */
struct wait_begun {
	__u64 out, woken;
	__u32 state;
	__u32 visited;
	__u32 seen; /* it has left a CPU before: whenever it comes, a wait must have begun */
	__u32 waker_pid, waker_tid, waker_context;
	__u8 killed, by_peer, unread, early; /* early: it had begun before the recording */
	char waker_comm[16];
	__u32 tls_size, owner_tls_size, stack_size;
	__u64 contended;  /* the kernel's lock that it did not get; 0: it waits for none */
	__u32 contention; /* the flags of lock:contention_begin */
	__u64 file_lock; /* its last request for a lock of a file that it did not get at once; 0: none */
	__u64 queued, moved; /* as in struct offcpu_record */
	__u32 cpu, cpu_before;
	struct offcpu_request request;
	__u64 work;	  /* as in struct offcpu_record */
	__u32 ready_size; /* of @ready; 0: it does not say why the thread was woken */
	struct offcpu_ready ready;
	struct polled polled;
	struct sent_messages sent;
	struct offcpu_message received; /* its time is 0: none has ended this wait */
	__u32 listed; /* the number under which it is in thread_list; 0: it is not */
	struct lock_seen seen_lock;
	struct offcpu_sums sums;
	__u8 tls[OFFCPU_TLS], owner_tls[OFFCPU_TLS];
	__u8 stack[OFFCPU_STACK];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wait_begun);
} waiting SEC(".maps");

/* Where the owner of the lock was when the thread began to wait, if its stack could be read. */
struct owner_place {
	struct offcpu_regs regs;
	__u8 stack[OFFCPU_STACK];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct owner_place);
} owner_places SEC(".maps");

/* Of a wait that had begun before the recording, by a program that can read its memory. */
struct early_wait {
	__u64 out; /* of the wait, as in struct wait_begun; set last */
	struct lock_seen seen;
	struct owner_place place;
	__u32 stack_size;
	__u8 stack[OFFCPU_STACK];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct early_wait);
} early_waits SEC(".maps");

__u32 nr_early; /* entries of early_waits: at most MOST_EARLY */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct offcpu_record);
	__uint(max_entries, 1);
} records SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct offcpu_took);
	__uint(max_entries, 1);
} tooks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct offcpu_waker);
	__uint(max_entries, 1);
} wakers SEC(".maps");

/* The recorder has not looked yet where the task's process has its activities, or does not look at it at all. */
static __always_inline bool is_unsought(struct task_struct *task)
{
	__u32 pid = pid_of(task);

	return pid && !(task->flags & PF_KTHREAD) && !bpf_map_lookup_elem(&plans, &pid);
}

/* Reads the bytes above the current thread's stack pointer. */
static __always_inline __u32 read_stack(__u8 *to, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	__u64 sp = 0;

	if (task->flags & PF_KTHREAD || bpf_probe_read_kernel(&sp, sizeof(sp), &regs->sp))
		return 0;
	return copy_user_stack(to, task, false, sp, task->thread.fsbase);
}

/*
 * Returns the start of the wait and clears it. So the switch and the pass at the end cannot both
 * report the wait.
 */
static __always_inline __u64 take_wait(struct wait_begun *w)
{
	return __sync_lock_test_and_set(&w->out, 0);
}

static __always_inline void add_up(struct wait_begun *w, __u64 out, __u64 now)
{
	__u64 woken = w->woken ? w->woken : now, blocked = woken - out;

	if (w->state & TASK_INTERRUPTIBLE)
		w->sums.sleep += blocked;
	else if (w->state & TASK_UNINTERRUPTIBLE)
		w->sums.disk += blocked;
	else
		w->sums.other += blocked;
	w->sums.queue += now - woken;
	w->sums.nr++;
}

/*
 * The kernel skips programs now and then: a thread that leaves the CPU, and whose wait is not over, has come without this
 * program. It came when it began to run, which its running time tells.
 */
static __always_inline void end_unseen(struct task_struct *task, struct wait_begun *w, __u64 now)
{
	__u64 out = take_wait(w), ran = task->se.sum_exec_runtime - task->se.prev_sum_exec_runtime;
	__u64 came = now - ran;

	if (!out || came <= out)
		return;
	if (w->woken > came)
		w->woken = came;
	add_up(w, out, came);
	__sync_fetch_and_add(&unplaced, 1);
}

static __always_inline __u8 where_is(struct task_struct *owner)
{
	__u32 state = BPF_CORE_READ(owner, __state);
	bool delayed = bpf_core_field_exists(owner->se.sched_delayed) &&
		       BPF_CORE_READ(owner, se.sched_delayed);

	if (BPF_CORE_READ(owner, on_cpu))
		return OFFCPU_OWNER_RUNNING;
	if (!state || (BPF_CORE_READ(owner, on_rq) && !delayed))
		return OFFCPU_OWNER_QUEUED;
	if (state & TASK_INTERRUPTIBLE)
		return OFFCPU_OWNER_ASLEEP;
	return state & TASK_UNINTERRUPTIBLE ? OFFCPU_OWNER_DISK : OFFCPU_OWNER_UNSEEN;
}

static __always_inline void clear_seen(struct lock_seen *seen)
{
	seen->lock.kind = LOCK_NONE;
	seen->owner_stack_size = 0;
	seen->owner_at = OFFCPU_OWNER_UNSEEN;
	seen->owner_syscall = -1;
}

/*
 * Where the owner of the lock is that @task waits for; both are of one process. The owner may get a CPU on another one while it
 * is read: then its number of runs is another one, and what was read does not count. @place NULL: only the system call.
 */
static __always_inline void note_owner_place(struct lock_seen *seen, struct owner_place *place,
					     struct task_struct *task, bool other,
					     struct task_struct *owner)
{
	__u64 runs = BPF_CORE_READ(owner, sched_info.pcount);
	struct pt_regs regs;
	__u32 size = 0;

	seen->owner_at = where_is(owner);
	if (seen->owner_at == OFFCPU_OWNER_RUNNING || !read_user_regs(&regs, owner, &seen->room))
		return;
	seen->owner_syscall = regs.orig_ax;
	seen->owner_in_64_bit_code = regs.cs == USER_PLACE_64;
	if (place) {
		take_user_regs(&place->regs, &regs);
		size = copy_user_stack(place->stack, task, other, regs.sp,
				       BPF_CORE_READ(owner, thread.fsbase));
	}
	if (BPF_CORE_READ(owner, on_cpu) || BPF_CORE_READ(owner, sched_info.pcount) != runs) {
		seen->owner_at = OFFCPU_OWNER_RUNNING;
		seen->owner_syscall = -1;
		return;
	}
	seen->owner_stack_size = size;
}

/* The owner's activity and place. It is another thread of the process: its memory is at hand. */
static __always_inline void note_near_owner(struct wait_begun *w, struct task_struct *task,
					    struct task_struct *owner)
{
	struct owner_place *place = 0;

	if (has_tls)
		w->owner_tls_size = read_activity_at(w->owner_tls, OFFCPU_TLS,
						     BPF_CORE_READ(owner, thread.fsbase));
	if (has_stacks)
		place = bpf_task_storage_get(&owner_places, task, 0,
					     BPF_LOCAL_STORAGE_GET_F_CREATE);
	note_owner_place(&w->seen_lock, place, task, false, owner);
}

/* The activity and the stack with which @owner has left its CPU. */
static __always_inline void copy_left(struct wait_begun *w, struct owner_place *place,
				      struct wait_begun *left)
{
	__u32 size = left->tls_size & (2 * OFFCPU_TLS - 1);

	if (size <= OFFCPU_TLS && !bpf_probe_read_kernel(w->owner_tls, size, left->tls))
		w->owner_tls_size = size;
	size = left->stack_size & (2 * OFFCPU_STACK - 1);
	if (place && size <= OFFCPU_STACK &&
	    !bpf_probe_read_kernel(place->stack, size, left->stack))
		w->seen_lock.owner_stack_size = size;
}

/*
 * The same of an owner in another process, whose memory is not at hand. If it is off the CPU, what was read when it left. @owner is a
 * reference, not a number: only with it the owner's storage is found.
 */
static __always_inline void note_far_owner(struct wait_begun *w, struct task_struct *task,
					   struct task_struct *owner)
{
	struct lock_seen *seen = &w->seen_lock;
	struct wait_begun *left = bpf_task_storage_get(&waiting, owner, 0, 0);
	struct owner_place *place = 0;
	struct pt_regs regs;
	__u64 out = left ? left->out : 0;

	seen->owner_at = where_is(owner);
	if (seen->owner_at == OFFCPU_OWNER_RUNNING || !read_user_regs(&regs, owner, &seen->room))
		return;
	seen->owner_syscall = regs.orig_ax;
	seen->owner_in_64_bit_code = regs.cs == USER_PLACE_64;
	if (has_stacks && out)
		place = bpf_task_storage_get(&owner_places, task, 0,
					     BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (place)
		take_user_regs(&place->regs, &regs);
	if (left && out)
		copy_left(w, place, left);
	if (BPF_CORE_READ(owner, on_cpu) || (left && left->out != out)) {
		seen->owner_at = OFFCPU_OWNER_RUNNING;
		seen->owner_syscall = -1;
		seen->owner_stack_size = w->owner_tls_size = 0;
	}
}

static __always_inline void note_file_lock(struct wait_begun *w, struct task_struct *task)
{
	struct task_struct *owner = look_at_file_lock(&w->seen_lock.lock, task, w->file_lock);

	if (!owner)
		return;
	if (owner->tgid == task->tgid)
		note_near_owner(w, task, owner);
	else
		note_far_owner(w, task, owner);
	bpf_task_release(owner);
}

/* The lock that the current thread waits for; its owner, the owner's activity and place. */
static __always_inline void note_lock(struct wait_begun *w, struct task_struct *task)
{
	struct task_struct *owner = 0;

	clear_seen(&w->seen_lock);
	w->owner_tls_size = 0;
	if (!w->state)
		return;
	if (w->file_lock && !w->contended) {
		note_file_lock(w, task);
		if (w->seen_lock.lock.kind != LOCK_NONE)
			return;
	}
	if (w->contended)
		owner = (struct task_struct *)look_at_kernel_lock(&w->seen_lock.lock, task,
								  w->contended, w->contention);
	else if (w->state & TASK_INTERRUPTIBLE && !(task->flags & PF_KTHREAD))
		owner = (struct task_struct *)look_at_lock(&w->seen_lock.lock, task, false);
	if (!owner)
		return;
	if (!(task->flags & PF_KTHREAD) && BPF_CORE_READ(owner, tgid) == task->tgid)
		note_near_owner(w, task, owner);
	else
		note_owner_place(&w->seen_lock, 0, task, false, owner);
}

static __always_inline __u32 cpu_of(struct task_struct *task)
{
	const struct task_struct___cpu *old = (const void *)task;

	return bpf_core_field_exists(task->thread_info.cpu) ? BPF_CORE_READ(task, thread_info.cpu)
							    : BPF_CORE_READ(old, cpu);
}

/* Makes the thread known as an owner of locks. A thread that executes a program may have another number then. */
static __always_inline void list_once(struct wait_begun *w, struct task_struct *task)
{
	if (w->listed == task->pid || task->flags & PF_KTHREAD)
		return;
	w->listed = task->pid;
	list_thread(task);
}

/*
 * The thread leaves its CPU, which still has its memory mapped. Order at the end: out is set last,
 * as find_unwoken() takes a thread with out for one whose members are all set.
 */
static __always_inline void leaves(struct task_struct *task, bool preempted, __u64 now)
{
	struct wait_begun *w;

	if (at_end || !counts(task))
		return;
	w = bpf_task_storage_get(&waiting, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!w) {
		__sync_fetch_and_add(&not_begun, 1);
		return;
	}
	end_unseen(task, w, now);
	w->state = preempted ? 0 : task->__state;
	w->woken = w->state ? 0 : now;
	w->waker_tid = w->waker_pid = w->waker_context = w->killed = w->early = w->by_peer = 0;
	w->ready_size = 0;
	w->request.disk[0] = 0;
	w->work = 0;
	w->received.time = 0;
	w->tls_size = has_tls ? read_activity(w->tls, OFFCPU_TLS) : 0;
	w->unread = has_tls && !w->tls_size && is_unsought(task);
	w->stack_size = has_stacks ? read_stack(w->stack, task) : 0;
	list_once(w, task);
	note_lock(w, task);
	note_polled(&w->polled, task);
	w->seen = 1;
	w->cpu = bpf_get_smp_processor_id();
	w->queued = w->moved = w->woken;
	w->out = now;
}

/*
 * Appends @size bytes at @from to @bytes, of which @used are used: at most @most, a power of two. Returns the number that is
 * used then. @before: the most that may have been used before, a power of two.
 */
static __always_inline __u32 append(__u8 *bytes, __u32 used, __u32 before, const void *from,
				    __u32 size, __u32 most)
{
	used &= 2 * before - 1;
	size &= 2 * most - 1;
	if (!size || size > most || used > before)
		return used;
	return bpf_probe_read_kernel(bytes + used, size, from) ? used : used + size;
}

/* A thread that was preempted keeps its messages until it waits. */
static __always_inline __u32 size_of_messages(const struct wait_begun *w)
{
	__u32 nr = w->sent.nr & (2 * OFFCPU_SENT - 1);

	return w->state ? (nr + !!w->received.time) * sizeof(w->received) : 0;
}

/* What was sent, then what was received. */
static __always_inline __u32 append_messages(struct offcpu_record *r, const struct wait_begun *w,
					     __u32 used)
{
	__u32 size = r->messages_size, received = w->received.time ? sizeof(w->received) : 0;

	if (!size)
		return used;
	used = append(r->bytes, used, 4 * OFFCPU_TLS, w->sent.of, size - received,
		      sizeof(w->sent.of) < 256 ? 256 : 512);
	return append(r->bytes, used, 4 * OFFCPU_TLS, &w->received, received, 64);
}

static __always_inline __u32 append_all(struct offcpu_record *r, const struct wait_begun *w,
					const __u8 *stack, struct owner_place *place)
{
	__u32 used = 0;

	used = append(r->bytes, used, OFFCPU_TLS, w->tls, r->tls_size, OFFCPU_TLS);
	used = append(r->bytes, used, OFFCPU_TLS, w->owner_tls, r->owner_tls_size, OFFCPU_TLS);
	used = append(r->bytes, used, 2 * OFFCPU_TLS, &w->ready, r->ready_size, OFFCPU_READY);
	used = append_messages(r, w, used);
	used = append(r->bytes, used, 4 * OFFCPU_TLS, stack, r->stack_size, OFFCPU_STACK);
	if (!place)
		r->owner_stack_size = 0;
	if (!r->owner_stack_size || !place)
		return used;
	__builtin_memcpy(&r->owner_regs, &place->regs, sizeof(r->owner_regs));
	return append(r->bytes, used, 2 * OFFCPU_STACK, place->stack, r->owner_stack_size,
		      OFFCPU_STACK);
}

static __always_inline void take_seen(struct offcpu_record *r, const struct lock_seen *seen)
{
	r->owner_stack_size = seen->owner_stack_size;
	r->owner_at = seen->owner_at;
	r->owner_syscall = seen->owner_syscall;
	r->owner_in_64_bit_code = seen->owner_in_64_bit_code;
	__builtin_memcpy(&r->lock, &seen->lock, sizeof(r->lock));
}

/* The lock, and the bytes behind the record: their number is the result. */
static __always_inline __u32 fill_rest(struct offcpu_record *r, struct task_struct *task,
				       struct wait_begun *w, __u64 out)
{
	struct early_wait *early = w->early ? bpf_task_storage_get(&early_waits, task, 0, 0) : 0;

	r->tls_size = w->tls_size;
	r->owner_tls_size = w->owner_tls_size;
	r->ready_size = w->ready_size;
	r->messages_size = r->kind == OFFCPU_SUMS ? 0 : size_of_messages(w);
	if (early && early->out == out) {
		r->stack_size = early->stack_size;
		take_seen(r, &early->seen);
		return append_all(r, w, early->stack, &early->place);
	}
	r->stack_size = w->stack_size;
	take_seen(r, &w->seen_lock);
	return append_all(r, w, w->stack,
			  r->owner_stack_size ? bpf_task_storage_get(&owner_places, task, 0, 0)
					      : 0);
}

/* Reports a wait from @out to @now. The thread is not running: at most it is being switched in. */
static __always_inline bool tell(struct task_struct *task, struct wait_begun *w, __u32 kind,
				 __u64 out, __u64 now)
{
	__u32 zero = 0, size;
	struct offcpu_record *r = bpf_map_lookup_elem(&records, &zero);

	if (!r)
		return false;
	r->kind = kind;
	r->out = out;
	r->woken = w->woken;
	r->in = now;
	r->queued = w->queued;
	r->moved = w->moved;
	r->cpu = w->cpu;
	r->cpu_before = w->cpu_before;
	__builtin_memcpy(&r->sums, &w->sums, sizeof(r->sums));
	r->waker_pid = w->waker_pid;
	r->waker_tid = w->waker_tid;
	r->waker_context = w->waker_context;
	__builtin_memcpy(&r->request, &w->request, sizeof(r->request));
	r->work = w->work;
	r->killed = w->killed;
	r->by_peer = w->by_peer;
	r->unread = w->unread;
	__builtin_memcpy(r->waker_comm, w->waker_comm, sizeof(r->waker_comm));
	look_at(&r->thread, task);
	r->thread.state = w->state;
	r->thread.on_cpu = r->thread.on_rq = 0;
	if (kind != OFFCPU_SUMS)
		look_at_stack(&r->thread, task);
	size = fill_rest(r, task, w, out) & (4 * OFFCPU_STACK - 1);
	if (size > sizeof(r->bytes) ||
	    bpf_ringbuf_output(&waits, r, __builtin_offsetof(struct offcpu_record, bytes) + size,
			       0))
		return false;
	if (r->messages_size)
		w->sent.nr = w->sent.next = 0;
	return true;
}

/* A thread of its own process, or any for a lock of the kernel or of a file, has ended the wait: so it has got the lock. */
static __always_inline bool has_taken(const struct wait_begun *w, struct task_struct *task)
{
	__u8 kind = w->seen_lock.lock.kind;

	bool shared = kind >= LOCK_KERNEL_MUTEX,
	     futex = kind >= LOCK_MUTEX && kind <= LOCK_WRITE && w->waker_pid == pid_of(task);

	return (shared || futex) && !w->killed && w->waker_context == SAMPLE_TLS_IN_TASK;
}

/* Tells the end of a shorter wait for a lock. */
static __always_inline void tell_taken(struct task_struct *task, struct wait_begun *w)
{
	__u32 zero = 0, size = w->tls_size;
	struct offcpu_took *t = bpf_map_lookup_elem(&tooks, &zero);

	if (!t || size > OFFCPU_TLS)
		return;
	t->kind = OFFCPU_TOOK;
	t->pid = pid_of(task);
	t->tid = tid_of(task);
	t->tls_size = size;
	t->unread = w->unread;
	t->woken = w->woken;
	__builtin_memcpy(&t->lock, &w->seen_lock.lock, sizeof(t->lock));
	bpf_probe_read_kernel(t->comm, sizeof(t->comm), task->comm);
	size &= 2 * OFFCPU_TLS - 1;
	if (size > OFFCPU_TLS)
		return;
	bpf_probe_read_kernel(t->tls, size, w->tls);
	if (bpf_ringbuf_output(&waits, t, __builtin_offsetof(struct offcpu_took, tls) + size, 0))
		__sync_fetch_and_add(&untaken, 1);
}

/* Reports the run, unless it has been; a run that is not over until @now. */
static __attribute__((noinline)) void tell_run(struct offcpu_run *run, __u64 now)
{
	__u32 size = run->tls_size & (2 * OFFCPU_RUN_TLS - 1);

	if (run->told_to && run->told_to >= run->to)
		return;
	if (size > OFFCPU_RUN_TLS)
		size = 0;
	run->told_to = run->to ? run->to : now;
	if (bpf_ringbuf_output(&waits, run, __builtin_offsetof(struct offcpu_run, tls) + size, 0))
		__sync_fetch_and_add(&unrun, 1);
}

/*
 * Reports the runs of @cpu between @since and @now, the newest one first. @other: it is not the present CPU, so its present run is told,
 * too, which has no activity yet. It is a function of its own because the kernel's verifier takes long for it.
 */
__attribute__((noinline)) int tell_runs(__u32 cpu, bool other, __u64 since, __u64 now)
{
	struct cpu_runs *r = bpf_map_lookup_elem(&cpu_runs, &cpu);
	__u32 newest;

	if (!r)
		return 0;
	newest = r->present - !other;
	for (__u32 i = 0; i < CPU_RUNS - 1; i++) {
		struct offcpu_run *run = run_at(r, newest - i);

		if (!run->kind || (run->to && run->to <= since))
			break;
		tell_run(run, now);
	}
	return 0;
}

/*
 * Reports who had the CPUs while the thread was in a run queue. A short time in it is not worth the cost.
 */
static __always_inline void tell_queue(struct wait_begun *w, __u64 now)
{
	__u32 cpu = bpf_get_smp_processor_id();

	if (!w->queued || !w->woken || now - w->woken < threshold) {
		w->queued = 0;
		return;
	}
	if (w->cpu != cpu) { /* it moved, and nobody saw when */
		w->cpu_before = w->cpu;
		w->cpu = cpu;
		w->queued = w->moved = now;
	}
	tell_runs(cpu, false, w->moved, now);
}

/*
 * The thread gets a CPU. It does not run yet, so its kernel stack is still that of the wait.
 *
 * Without an open wait: it was counted already (by the visit at the end), or the switch from it was
 * skipped. If it has left a CPU before, that is a lost wait.
 */
static __always_inline void comes(struct task_struct *task, __u64 now)
{
	struct wait_begun *w;
	__u64 out;

	if (!counts(task))
		return;
	w = bpf_task_storage_get(&waiting, task, 0, 0);
	out = w ? take_wait(w) : 0;
	if (!out) {
		if (w && w->seen && !at_end)
			__sync_fetch_and_add(&lost, 1);
		return;
	}
	if (now - out < threshold) {
		add_up(w, out, now);
		if (has_taken(w, task))
			tell_taken(task, w);
		return;
	}
	tell_queue(w, now);
	if (!tell(task, w, OFFCPU_WAIT, out, now))
		__sync_fetch_and_add(&lost, 1);
}

/*
 * Is the thread woken to end? If a process exits, or a signal ends it, the kernel gives each of its threads a SIGKILL, and
 * wakes them all: whoever called exit() has not ended their waits, which would have gone on otherwise.
 */
static __always_inline bool is_killed(const struct task_struct *task)
{
	return task->pending.signal.sig[0] >> (SIGKILL - 1) & 1;
}

/* Reports who has ended a long wait. It is the current thread. */
static __always_inline void tell_waker(void *ctx, struct wait_begun *w, struct task_struct *task,
				       struct task_struct *waker)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(waker), user;
	__u32 zero = 0, size = 0;
	struct offcpu_waker *r = bpf_map_lookup_elem(&wakers, &zero);
	long bytes;

	if (!r)
		return;
	r->kind = OFFCPU_WAKER;
	r->pid = w->waker_pid;
	r->tid = w->waker_tid;
	r->woken_tid = tid_of(task);
	r->out = w->out;
	r->woken = w->woken;
	__builtin_memcpy(r->comm, w->waker_comm, sizeof(r->comm));
	r->unsought = has_tls && is_unsought(waker);
	r->is_other = !counts(waker);
	r->tls_size = has_tls ? read_activity(r->bytes, OFFCPU_TLS) : 0;
	r->stack_size = r->nr_kernel = 0;
	size = r->tls_size & (2 * OFFCPU_TLS - 1);
	if (size > OFFCPU_TLS)
		return;
	if (has_stacks) {
		bytes = bpf_get_stack(ctx, r->kernel, sizeof(r->kernel), 0);
		r->nr_kernel = bytes > 0 ? (__u64)bytes / 8 : 0;
		if (!(waker->flags & PF_KTHREAD) &&
		    !bpf_probe_read_kernel(&user, sizeof(user), regs)) {
			take_user_regs(&r->regs, &user);
			r->in_64_bit_code = user.cs == USER_PLACE_64;
			r->stack_size = copy_user_stack(r->bytes + size, waker, false, user.sp,
							waker->thread.fsbase);
		}
	}
	size = (size + r->stack_size) & (2 * OFFCPU_STACK - 1);
	if (size > sizeof(r->bytes))
		return;
	bpf_ringbuf_output(&waits, r, __builtin_offsetof(struct offcpu_waker, bytes) + size, 0);
}

/* What has arrived for the thread. The time is set last: with it, the message counts. */
static __always_inline void note_received(struct wait_begun *w, struct task_struct *task,
					  struct file *ready)
{
	struct offcpu_message m;

	if (find_received(&m, ready ? ready : file_of_call(task), w->woken))
		__builtin_memcpy(&w->received, &m, sizeof(m));
}

/* Does @waker, which is in no interrupt, write to the other end of the socket @waits? */
static __always_inline bool is_at_other_end(struct task_struct *waker, struct file *waits)
{
	struct file *writes;

	if (!waits || (BPF_CORE_READ(waits, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return false;
	writes = file_of_call(waker);
	return writes && writes != waits && are_ends((__u64)writes, (__u64)waits);
}

/* Runs in the waker, or in an interrupt of any thread. */
static __always_inline void note_waker(void *ctx, struct wait_begun *w, struct task_struct *task)
{
	struct task_struct *waker = bpf_get_current_task_btf();
	struct file *ready = 0;

	w->killed = is_killed(task);
	if (w->killed)
		return;
	w->waker_pid = pid_of(waker);
	w->waker_tid = tid_of(waker);
	w->waker_context = find_context(SAMPLE_TLS_OWN_NONE, false);
	if (w->woken - w->out >= threshold)
		ready = find_ready(waker, task, &w->polled, w->waker_context <= SAMPLE_TLS_IN_TASK);
	if (w->waker_context == SAMPLE_TLS_IN_TASK && w->woken - w->out >= threshold)
		w->work = work_of(waker);
	if (w->waker_context > SAMPLE_TLS_IN_TASK) {
		struct offcpu_request *request = completed_for(task, w->woken);

		if (request)
			__builtin_memcpy(&w->request, request, sizeof(w->request));
	}
	if (ready) {
		look_at_ready(&w->ready, (__u64)ready);
		w->ready_size = sizeof(w->ready);
	}
	if (w->waker_context == SAMPLE_TLS_IN_SOFTIRQ && w->woken - w->out >= threshold)
		note_received(w, task, ready);
	if (w->waker_context == SAMPLE_TLS_IN_SOFTIRQ && are_peers(waker, task, ready)) {
		w->waker_context = SAMPLE_TLS_IN_TASK;
		w->by_peer = 1;
	} else if (w->waker_context == SAMPLE_TLS_IN_TASK && w->woken - w->out >= threshold) {
		w->by_peer = is_at_other_end(waker, ready ? ready : file_of_call(task));
	}
	bpf_get_current_comm(w->waker_comm, sizeof(w->waker_comm));
	if (w->waker_tid && w->woken - w->out >= threshold &&
	    w->waker_context <= SAMPLE_TLS_IN_TASK)
		tell_waker(ctx, w, task, waker);
}

/* The wait of a thread that left its CPU and that nobody has woken. */
static __always_inline struct wait_begun *find_unwoken(struct task_struct *task)
{
	struct wait_begun *w = counts(task) ? bpf_task_storage_get(&waiting, task, 0, 0) : 0;

	return w && w->out && !w->woken ? w : 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(offcpu_waking, struct task_struct *task)
{
	struct wait_begun *w = find_unwoken(task);

	if (!w)
		return 0;
	w->woken = bpf_ktime_get_ns();
	note_waker(ctx, w, task);
	return 0;
}

/*
 * If a waker comes while the thread is leaving the CPU, sched_waking finds no wait, because it
 * precedes sched_switch:
 *
 *	the thread, CPU 0                     the waker, CPU 1
 *	state = S                             sched_waking: nobody waits
 *	leaves the run queue, sched_switch    waits until the switch is over
 *	                                      puts it into a run queue: sched_wakeup
 */
SEC("tp_btf/sched_wakeup")
int BPF_PROG(offcpu_wakeup, struct task_struct *task)
{
	struct wait_begun *w = counts(task) ? bpf_task_storage_get(&waiting, task, 0, 0) : 0;

	if (!w || !w->out)
		return 0;
	w->queued = w->moved = bpf_ktime_get_ns();
	w->cpu = cpu_of(task);
	if (!w->woken)
		w->woken = w->queued;
	return 0;
}

/* A thread in a run queue is moved to that of another CPU. Before a wake-up puts it into one, this is called, too. */
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(offcpu_moved, struct task_struct *task, int cpu)
{
	struct wait_begun *w =
		task->on_rq && counts(task) ? bpf_task_storage_get(&waiting, task, 0, 0) : 0;
	__u64 now = bpf_ktime_get_ns();

	if (!w || !w->out || !w->queued)
		return 0;
	w->cpu_before = w->cpu;
	w->queued = w->moved; /* when it came to that CPU */
	w->moved = now;
	w->cpu = cpu;
	if (now - w->queued >= threshold)
		tell_runs(w->cpu_before, true, w->queued, now);
	return 0;
}

/* Its first wait for a CPU, which begins without a switch. */
SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(offcpu_made, struct task_struct *task)
{
	struct wait_begun *w;

	if (at_end || !counts(task))
		return 0;
	w = bpf_task_storage_get(&waiting, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!w)
		__sync_fetch_and_add(&not_begun, 1);
	if (!w || w->out)
		return 0;
	list_once(w, task);
	clear_seen(&w->seen_lock);
	w->owner_tls_size = 0;
	w->state = 0;
	w->woken = bpf_ktime_get_ns();
	w->cpu = cpu_of(task);
	w->queued = w->moved = w->woken;
	w->out = w->woken;
	return 0;
}

/* @from has had this CPU. Its activity has just been read, if it is recorded. */
static __always_inline void note_run(struct task_struct *from, struct task_struct *to, __u64 now)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_runs *r = bpf_map_lookup_elem(&cpu_runs, &cpu);
	struct wait_begun *w;

	if (!r || at_end)
		return;
	w = has_tls && counts(from) ? bpf_task_storage_get(&waiting, from, 0, 0) : 0;
	end_run(r, w && !w->unread ? w->tls : 0, w ? w->tls_size : 0, now);
	begin_run(r, cpu, to, now);
}

/* Attached after the programs for the end of a wait: whenever a wait begins, these are ready. */
SEC("tp_btf/sched_switch")
int BPF_PROG(offcpu_switch, bool preempt, struct task_struct *from, struct task_struct *to)
{
	__u64 now = bpf_ktime_get_ns();

	leaves(from, preempt, now);
	note_run(from, to, now);
	comes(to, now);
	return 0;
}

/* The thread did not get a lock of the kernel. It will leave its CPU, if it does not get it before. */
SEC("tp_btf/contention_begin")
int BPF_PROG(offcpu_contention, void *lock, unsigned int flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct wait_begun *w;

	if (at_end || !is_kernel_lock(flags) || !counts(task))
		return 0;
	w = bpf_task_storage_get(&waiting, task, 0, 0);
	if (!w)
		return 0;
	w->contended = (__u64)lock;
	w->contention = flags;
	return 0;
}

SEC("tp_btf/contention_end")
int BPF_PROG(offcpu_contended, void *lock, int result)
{
	struct wait_begun *w = bpf_task_storage_get(&waiting, bpf_get_current_task_btf(), 0, 0);

	if (w && w->contended == (__u64)lock)
		w->contended = 0;
	return 0;
}

/* A packet goes to a network device, perhaps of the current thread. */
SEC("tp_btf/net_dev_queue")
int BPF_PROG(offcpu_sent, struct sk_buff *skb)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct wait_begun *w;

	if (at_end || !BPF_CORE_READ(skb, sk) || !counts(task))
		return 0;
	w = bpf_task_storage_get(&waiting, task, 0, 0);
	if (w)
		note_sent(&w->sent, skb);
	return 0;
}

/* A request for a lock of a file has its answer. */
static __always_inline void note_file_request(__u64 lock, int result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct wait_begun *w = counts(task) ? bpf_task_storage_get(&waiting, task, 0, 0) : 0;

	if (w)
		w->file_lock = result == FILE_LOCK_DEFERRED ? lock : 0;
	if (!result && lock)
		note_taker(lock);
}

SEC("tp_btf/flock_lock_inode")
int BPF_PROG(offcpu_flock, struct inode *inode, struct file_lock *lock, int result)
{
	note_file_request(as_number(lock), result);
	return 0;
}

SEC("tp_btf/posix_lock_inode")
int BPF_PROG(offcpu_fcntl, struct inode *inode, struct file_lock *lock, int result)
{
	note_file_request(as_number(lock), result);
	return 0;
}

/* Children of a selected process are selected, too. The recorder would learn of them too late. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(offcpu_fork, struct task_struct *parent, struct task_struct *child)
{
	if (!want_child(parent, child))
		__sync_fetch_and_add(&not_begun, 1);
	/*
	 * Create the storage now: at the first switch it may fail, if another program uses storage
	 * on that CPU.
	 */
	if (counts(child))
		bpf_task_storage_get(&waiting, child, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	return 0;
}

/* Reports the sums when the thread ends. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(offcpu_exit, struct task_struct *task)
{
	struct wait_begun *w;

	unlist_thread(task);
	if (!counts(task))
		return 0;
	keep_tid(task);
	w = bpf_task_storage_get(&waiting, task, 0, 0);
	if (!w || (at_end && w->visited == visit))
		return 0;
	if (w->sums.nr && !tell(task, w, OFFCPU_SUMS, w->out, bpf_ktime_get_ns()))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}

/*
 * For a thread that is off the CPU at the beginning. The time before the recording does not count.
 */
static __always_inline void begin(struct task_struct *task, __u64 now)
{
	struct wait_begun *w;

	if (task->exit_state)
		return;
	w = bpf_task_storage_get(&waiting, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (w)
		list_once(w, task);
	if (!w || w->out || task->on_cpu)
		return;
	w->state = task->on_rq ? 0 : task->__state;
	w->woken = w->state ? 0 : now;
	w->unread = has_tls;
	w->early = 1;
	w->cpu = cpu_of(task);
	w->queued = w->moved = w->woken;
	w->out = now;
	if (!w->woken && task->on_rq) /* it was woken before its wait was stored */
		w->queued = w->moved = w->woken = now;
}

/* Reports the unfinished wait and the sums, in separate records. */
static __always_inline void end(struct task_struct *task, __u64 now)
{
	struct wait_begun *w = bpf_task_storage_get(&waiting, task, 0, 0);
	__u64 out;

	if (!w || w->visited == visit)
		return;
	out = take_wait(w);
	if (out && !tell(task, w, OFFCPU_OPEN, out, now)) {
		w->out = out;
		full++;
		return;
	}
	if (w->sums.nr && !tell(task, w, OFFCPU_SUMS, out, now)) {
		full++;
		return;
	}
	w->visited = visit;
}

SEC("iter/task")
int offcpu_visit(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	__u64 now = bpf_ktime_get_ns();

	if (!task || !counts(task))
		return 0;
	if (at_end)
		end(task, now);
	else
		begin(task, now);
	return 0;
}

/* What is read of a wait that had begun before: its lock, the lock's owner, and the user stacks of both. */
static __always_inline void read_early(struct early_wait *e, struct task_struct *task)
{
	struct task_struct *owner;
	struct pt_regs regs;

	clear_seen(&e->seen);
	owner = (struct task_struct *)look_at_lock(&e->seen.lock, task, true);
	if (owner)
		note_owner_place(&e->seen, has_stacks ? &e->place : 0, task, true, owner);
	e->stack_size = 0;
	if (has_stacks &&
	    !bpf_probe_read_kernel(&regs, sizeof(regs), (void *)bpf_task_pt_regs(task)))
		e->stack_size = copy_user_stack(e->stack, task, true, regs.sp, task->thread.fsbase);
}

/*
 * For a thread that sleeps since before the recording: reads its memory. If it has run meanwhile, what was read does not
 * count. All threads are in thread_list by now.
 */
SEC("iter.s/task")
int offcpu_look(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct early_wait *e;
	struct wait_begun *w;
	__u64 out, runs;

	if (!task || task->flags & PF_KTHREAD || !counts(task))
		return 0;
	w = bpf_task_storage_get(&waiting, task, 0, 0);
	out = w ? w->out : 0;
	if (!out || !w->early || !(w->state & TASK_INTERRUPTIBLE) || nr_early >= MOST_EARLY)
		return 0;
	runs = task->sched_info.pcount;
	e = bpf_task_storage_get(&early_waits, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!e)
		return 0;
	nr_early++;
	read_early(e, task);
	if (w->out == out && !task->on_cpu && task->sched_info.pcount == runs)
		e->out = out;
	return 0;
}
