/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the lock that a thread waits for, and who has it. The thread is in the system call futex(). If it is just leaving its
 * CPU, its memory is at hand; otherwise a program that may sleep reads it (@other in all functions). The call's operation and the words at its address tell the kind of lock (glibc 2.25 and
 * later, x86-64):
 *
 *	operation	value			lock		owner's tid
 *	LOCK_PI						the word's low 30 bits
 *	WAIT		bit 31 is set		robust mutex	the word's low 30 bits
 *	WAIT		2			mutex		8 bytes behind the word
 *	WAIT_BITSET	2			the same with a timeout; or an rwlock: a writer waits for readers at
 *						__wrphase_futex
 *	WAIT_BITSET	3			rwlock: a reader waits at __wrphase_futex, the writer's tid is 16 bytes behind;
 *						a writer at __writers_futex, and it is 12 bytes behind
 *	WAIT_BITSET	the tid, not private	pthread_join()	the word itself
 *	else						a futex without an owner: condition, semaphore, barrier
 *
 * Other programs put other things there, so a number is believed only if a thread of the process has it: each thread is
 * listed by its process and by its number in its own pid namespace, which is the one that its locks have.
 */
#ifndef BPF_FIND_LOCK_H
#define BPF_FIND_LOCK_H

#include "bpf/locks.h"
#include "bpf/numbers.h"
#include "bpf/read_of.h"

#define SYS_FUTEX		 202
#define FUTEX_OP_WAIT		 0
#define FUTEX_OP_LOCK_PI	 6
#define FUTEX_OP_WAIT_BITSET	 9
#define FUTEX_OP_WAIT_REQUEUE_PI 11
#define FUTEX_OP_LOCK_PI2	 13
#define FUTEX_OP_PRIVATE	 128
#define FUTEX_OP_MASK		 127
#define FUTEX_WORD_WAITERS	 0x80000000u
#define FUTEX_WORD_TID		 0x3fffffffu
#define LOCK_TAKEN_CONTENDED	 2 /* a mutex with waiters */
#define LOCK_WRITE_PHASE	 3 /* an rwlock that a writer has, with waiters */
#define LOCK_THREADS		 65536

__u64 unlisted; /* threads that did not fit into the list: as owners they are not known */

/* The address is not a reference: the thread may have ended since. */
struct listed_thread {
	__u64 task;
	__u32 pid; /* task->pid: another one is another thread */
	__u32 reserved;
};

struct listed_key {
	__u32 tgid; /* in the initial namespace */
	__u32 tid;  /* in the thread's own */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct listed_key);
	__type(value, struct listed_thread);
	__uint(max_entries, LOCK_THREADS);
} thread_list SEC(".maps");

static __always_inline struct listed_key list_key(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct listed_key key = { .tgid = task->tgid };
	struct upid *at = (struct upid *)number_at((__u64)pid, BPF_CORE_READ(pid, level));

	bpf_core_read(&key.tid, sizeof(key.tid), &at->nr);
	return key;
}

static __always_inline void list_thread(struct task_struct *task)
{
	struct listed_thread thread = { .task = (__u64)task, .pid = task->pid };
	struct listed_key key = list_key(task);

	if (bpf_map_update_elem(&thread_list, &key, &thread, BPF_ANY))
		__sync_fetch_and_add(&unlisted, 1);
}

static __always_inline void unlist_thread(struct task_struct *task)
{
	struct listed_key key = list_key(task);

	bpf_map_delete_elem(&thread_list, &key);
}

/* The thread of @task's process with that number in its own namespace; 0: none is known. */
static __always_inline __u64 find_thread(struct task_struct *task, __u32 tid)
{
	struct listed_key key = { .tgid = task->tgid, .tid = tid };
	struct listed_thread *thread = tid ? bpf_map_lookup_elem(&thread_list, &key) : 0;
	struct task_struct *found;

	if (!thread)
		return 0;
	found = (struct task_struct *)thread->task;
	if (BPF_CORE_READ(found, pid) != thread->pid || BPF_CORE_READ(found, tgid) != task->tgid ||
	    BPF_CORE_READ(found, exit_state))
		return 0;
	return thread->task;
}

static __always_inline bool read_lock_call(struct task_struct *task, struct call_args *call)
{
	return read_call_args(task, call) && call->orig_ax == SYS_FUTEX;
}

/* The words from the futex on: 8, 12 and 16 bytes behind it the owner may be. */
#define LOCK_WORDS 5

static __always_inline bool read_lock_words(struct task_struct *task, bool other, __u64 va,
					    __u32 *words)
{
	__builtin_memset(words, 0, LOCK_WORDS * sizeof(*words));
	return peek_of(task, other, words, LOCK_WORDS * sizeof(*words), va) ||
	       peek_of(task, other, words, sizeof(*words), va);
}

/* An rwlock that a writer has. Returns the writer; out: the lock's start. */
static __always_inline __u64 find_writer(struct lock_wait *lock, struct task_struct *task,
					 const __u32 *words)
{
	__u64 writer = find_thread(task, words[4]);

	lock->kind = LOCK_READ;
	if (writer) {
		lock->va -= 8;
		return writer;
	}
	writer = find_thread(task, words[3]);
	lock->kind = writer ? LOCK_WRITE : LOCK_FUTEX;
	lock->va -= writer ? 12 : 0;
	return writer;
}

/* The bits of an rwlock's first word. */
#define RWLOCK_WRITE_PHASE  1
#define RWLOCK_WRITE_LOCKED 2
#define RWLOCK_READERS	    3 /* the number of readers begins at this bit */

/*
 * Does a writer wait for the readers of an rwlock? The first writer waits at __wrphase_futex, others at __writers_futex. The
 * words of the lock, with one reader and two writers that wait:
 *
 *	0 __readers  1 __writers  2 __wrphase_futex  3 __writers_futex  4, 5 unused  6 __cur_writer
 *	0xa	     0		  2		     3			0, 0	     0
 */
static __always_inline bool is_read_locked(struct lock_wait *lock, struct task_struct *task,
					   bool other, __u32 value)
{
	__u64 start = lock->va - (value == LOCK_TAKEN_CONTENDED ? 8 : 12);
	__u32 words[7];

	if (!peek_of(task, other, words, sizeof(words), start) || words[4] || words[5] ||
	    words[6] || !(words[0] & RWLOCK_WRITE_LOCKED) || words[0] & RWLOCK_WRITE_PHASE ||
	    !(words[0] >> RWLOCK_READERS) || words[2] & 1 || !(words[3] & 1))
		return false;
	lock->va = start;
	lock->kind = LOCK_WRITE;
	return true;
}

/* Returns the owner's task; 0: none. */
static __always_inline __u64 find_owner(struct lock_wait *lock, struct task_struct *task,
					const struct call_args *call, const __u32 *words)
{
	__u32 op = call->si & FUTEX_OP_MASK, value = call->dx;
	__u64 owner;

	if (op == FUTEX_OP_LOCK_PI || op == FUTEX_OP_LOCK_PI2) {
		lock->kind = LOCK_PI;
		return find_thread(task, words[0] & FUTEX_WORD_TID);
	}
	lock->kind = LOCK_FUTEX;
	if (value & FUTEX_WORD_WAITERS) {
		owner = find_thread(task, words[0] & FUTEX_WORD_TID);
		lock->kind = owner ? LOCK_ROBUST : LOCK_FUTEX;
		return owner;
	}
	if (value == LOCK_TAKEN_CONTENDED) {
		owner = find_thread(task, words[2]);
		if (op == FUTEX_OP_WAIT)
			lock->kind = LOCK_MUTEX;
		else if (owner)
			lock->kind = LOCK_TIMED;
		return owner;
	}
	if (op != FUTEX_OP_WAIT_BITSET)
		return 0;
	if (value == LOCK_WRITE_PHASE)
		return find_writer(lock, task, words);
	if (call->si & FUTEX_OP_PRIVATE || value != words[0])
		return 0;
	owner = find_thread(task, value);
	lock->kind = owner ? LOCK_THREAD : LOCK_FUTEX;
	return owner;
}

static __always_inline void name_owner(struct lock_wait *lock, struct task_struct *owner)
{
	lock->owner = LOCK_OWNER_KNOWN;
	lock->owner_tid = own_ns ? own_number((__u64)BPF_CORE_READ(owner, thread_pid))
				 : BPF_CORE_READ(owner, pid);
	lock->owner_pid =
		own_ns ? own_number((__u64)BPF_CORE_READ(owner, signal, pids[PIDTYPE_TGID]))
		       : BPF_CORE_READ(owner, tgid);
	BPF_CORE_READ_INTO(&lock->comm, owner, comm);
}

/*
 * The lock that @task waits for, or the current thread is going to. Returns the task of its owner; 0: none is known.
 */
static __always_inline __u64 look_at_lock(struct lock_wait *lock, struct task_struct *task,
					  bool other)
{
	__u32 words[LOCK_WORDS], op;
	struct call_args call;
	__u64 owner;

	lock->kind = LOCK_NONE;
	lock->owner = LOCK_OWNER_NONE;
	if (!read_lock_call(task, &call))
		return 0;
	op = call.si & FUTEX_OP_MASK;
	if (op != FUTEX_OP_WAIT && op != FUTEX_OP_WAIT_BITSET && op != FUTEX_OP_LOCK_PI &&
	    op != FUTEX_OP_LOCK_PI2 && op != FUTEX_OP_WAIT_REQUEUE_PI)
		return 0;
	lock->va = call.di;
	lock->owner_tid = 0;
	lock->comm[0] = 0;
	lock->kind = LOCK_FUTEX;
	lock->owner = LOCK_OWNER_UNREADABLE;
	if (!read_lock_words(task, other, call.di, words))
		return 0;
	owner = find_owner(lock, task, &call, words);
	if (!owner) {
		bool bitset = op == FUTEX_OP_WAIT_BITSET &&
			      (call.dx == LOCK_TAKEN_CONTENDED || call.dx == LOCK_WRITE_PHASE);

		lock->owner = lock->kind == LOCK_FUTEX ? LOCK_OWNER_NONE : LOCK_OWNER_STRANGER;
		if (bitset && is_read_locked(lock, task, other, call.dx))
			lock->owner = LOCK_OWNER_READERS;
		return 0;
	}
	name_owner(lock, (struct task_struct *)owner);
	return owner;
}

#endif
