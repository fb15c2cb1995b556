/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the lock of the kernel that the current thread waits for, and who has it. The tracepoint lock:contention_begin
 * (Linux 5.19) says which lock the thread did not get; the thread then leaves its CPU, until lock:contention_end:
 *
 *	flags	lock			owner
 *	MUTEX	struct mutex		owner, without its three low bits
 *	WRITE	struct rw_semaphore	the same, if bit 0 is not set: then readers have it
 *	READ	the same
 *
 * With SPIN, the thread does not sleep. Others (PERCPU, RT) have no owner that could be read like these.
 */
#ifndef BPF_KERNEL_LOCK_H
#define BPF_KERNEL_LOCK_H

#include "bpf/find_lock.h"

#define CONTENTION_SPIN	  1u
#define CONTENTION_READ	  2u
#define CONTENTION_WRITE  4u
#define CONTENTION_RT	  8u
#define CONTENTION_PERCPU 16u
#define CONTENTION_MUTEX  32u
#define MUTEX_HAS_WAITERS 1ull
#define RWSEM_HAS_WAITERS 2ull /* of count */
#define OWNER_FLAGS	  7ull
#define OWNER_IS_READER	  1ull

/* Can its owner be read? */
static __always_inline bool is_kernel_lock(__u32 flags)
{
	return !(flags & (CONTENTION_SPIN | CONTENTION_RT | CONTENTION_PERCPU)) &&
	       flags & (CONTENTION_READ | CONTENTION_WRITE | CONTENTION_MUTEX);
}

static __always_inline __u8 kernel_lock_kind(__u64 va, __u32 flags, struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	bool writes = flags & CONTENTION_WRITE;

	if (flags & CONTENTION_MUTEX)
		return LOCK_KERNEL_MUTEX;
	if (mm && va == (__u64)&mm->mmap_lock)
		return writes ? LOCK_MMAP_WRITE : LOCK_MMAP_READ;
	return writes ? LOCK_KERNEL_WRITE : LOCK_KERNEL_READ;
}

/*
 * Reads the word that names the owner. False: nobody waits for the lock. The kernel skips programs now and then, also at
 * contention_end; then the thread waits for something else. A kernel with real-time locks has other members.
 */
static __always_inline bool read_owner_word(__u64 va, __u32 flags, __u64 *word)
{
	struct mutex *mutex = (struct mutex *)va;
	struct rw_semaphore *sem = (struct rw_semaphore *)va;

	if (flags & CONTENTION_MUTEX) {
		if (!bpf_core_field_exists(mutex->owner))
			return false;
		*word = BPF_CORE_READ(mutex, owner.counter);
		return *word & MUTEX_HAS_WAITERS;
	}
	if (!bpf_core_field_exists(sem->owner) || !bpf_core_field_exists(sem->count))
		return false;
	*word = BPF_CORE_READ(sem, owner.counter);
	return BPF_CORE_READ(sem, count.counter) & RWSEM_HAS_WAITERS;
}

/* Returns the owner's task; 0: none is known. */
static __always_inline __u64 look_at_kernel_lock(struct lock_wait *lock, struct task_struct *task,
						 __u64 va, __u32 flags)
{
	__u64 word = 0, owner;

	if (!read_owner_word(va, flags, &word))
		return 0;
	lock->va = va;
	lock->kind = kernel_lock_kind(va, flags, task);
	lock->owner_tid = 0;
	lock->comm[0] = 0;
	owner = word & ~OWNER_FLAGS;
	if (!(flags & CONTENTION_MUTEX) && word & OWNER_IS_READER) {
		lock->owner = LOCK_OWNER_READERS;
		return 0;
	}
	lock->owner = LOCK_OWNER_STRANGER;
	if (!owner || !BPF_CORE_READ((struct task_struct *)owner, pid))
		return 0;
	name_owner(lock, (struct task_struct *)owner);
	return owner;
}

#endif
