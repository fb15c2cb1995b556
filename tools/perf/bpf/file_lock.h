/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the lock of a file (flock(), fcntl()) that the current thread waits for, and who has it. The tracepoints of the group
 * filelock tell each request with its result:
 *
 *	result		meaning
 *	0		the thread has got the lock, or has given it up (type F_UNLCK)
 *	1 (DEFERRED)	it will leave its CPU, until it is woken; then it asks again
 *
 * While the thread sleeps, its request points to what is in its way: a lock, or the request of another thread that waits for
 * longer. So the pointers are followed until there is a lock:
 *
 *	request of 9 -> request of 8 -> lock of 7
 *
 * A lock knows its process only, not the thread that took it. So whoever gets a lock is noted, by the lock's file, owner and start.
 * Without a note, because the lock is older than the recording, the process's only thread is the owner.
 */
#ifndef BPF_FILE_LOCK_H
#define BPF_FILE_LOCK_H

#include "bpf/find_lock.h"

#define FILE_LOCK_DEFERRED 1
#define FILE_LOCK_TAKERS   16384
#define FILE_LOCK_DEPTH	   16 /* requests in the way of requests */
#define FILE_IS_FLOCK	   2u /* FL_FLOCK */
#define FILE_READ_LOCK	   0  /* F_RDLCK */
#define FILE_NO_LOCK	   2  /* F_UNLCK */

extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;

struct file_lock_key {
	__u64 inode, owner, start;
};

struct file_lock_taker {
	__s32 tid; /* in the initial namespace */
	__u32 reserved;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, struct file_lock_key);
	__type(value, struct file_lock_taker);
	__uint(max_entries, FILE_LOCK_TAKERS);
} file_lock_takers SEC(".maps");

/* Memory of a map, in which a pointer becomes a number: the verifier lets no pointer into a function that takes a number. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, __u64);
	__uint(max_entries, 1);
} file_lock_room SEC(".maps");

static __always_inline __u64 as_number(struct file_lock *lock)
{
	__u32 zero = 0;
	volatile __u64 *room = bpf_map_lookup_elem(&file_lock_room, &zero);

	if (!room || !lock)
		return 0;
	*room = (__u64)lock;
	return *room;
}

/* The members of a lock or request; before Linux 6.9 they have other names. */
struct file_lock_facts {
	__u64 blocker; /* 0: none */
	__u64 owner, file, start, end;
	__u64 sleeper; /* the first task in its wait queue; 0: none */
	__u32 flags;
	__s32 pid;
	__u8 type;
};

/* The task that sleeps in the queue with this head. */
static __always_inline __u64 first_sleeper(struct list_head *head)
{
	struct list_head *first = BPF_CORE_READ(head, next);
	__u64 offset = bpf_core_field_offset(struct wait_queue_entry, entry);

	if (!first || first == head)
		return 0;
	return (__u64)BPF_CORE_READ((struct wait_queue_entry *)((__u64)first - offset), private);
}

/* A global function, as others here: the verifier checks it once, not in each state of its callers. */
__attribute__((noinline)) int read_file_lock(struct file_lock_facts *f, __u64 at)
{
	struct file_lock *lock = (struct file_lock *)at;
	struct file_lock___6_8 *old = (struct file_lock___6_8 *)at;

	if (!f)
		return 0;
	f->start = BPF_CORE_READ(lock, fl_start);
	f->end = BPF_CORE_READ(lock, fl_end);
	if (bpf_core_field_exists(old->fl_blocker)) {
		f->blocker = (__u64)BPF_CORE_READ(old, fl_blocker);
		f->owner = (__u64)BPF_CORE_READ(old, fl_owner);
		f->file = (__u64)BPF_CORE_READ(old, fl_file);
		f->flags = BPF_CORE_READ(old, fl_flags);
		f->pid = BPF_CORE_READ(old, fl_pid);
		f->type = BPF_CORE_READ(old, fl_type);
		f->sleeper = first_sleeper(&old->fl_wait.head);
		return 0;
	}
	f->blocker = (__u64)BPF_CORE_READ(lock, c.flc_blocker);
	f->owner = (__u64)BPF_CORE_READ(lock, c.flc_owner);
	f->file = (__u64)BPF_CORE_READ(lock, c.flc_file);
	f->flags = BPF_CORE_READ(lock, c.flc_flags);
	f->pid = BPF_CORE_READ(lock, c.flc_pid);
	f->type = BPF_CORE_READ(lock, c.flc_type);
	f->sleeper = first_sleeper(&lock->c.flc_wait.head);
	return 0;
}

static __always_inline struct file_lock_key key_of_lock(const struct file_lock_facts *f)
{
	struct file *file = (struct file *)f->file;
	struct file_lock_key key = { .inode = (__u64)BPF_CORE_READ(file, f_inode),
				     .owner = f->owner,
				     .start = f->start };

	return key;
}

/* The current thread has got the lock, or has given it up. */
static __always_inline void note_taker(__u64 lock)
{
	struct file_lock_taker taker = { .tid = bpf_get_current_task_btf()->pid };
	struct file_lock_facts f;
	struct file_lock_key key;

	read_file_lock(&f, lock);
	key = key_of_lock(&f);
	if (f.type == FILE_NO_LOCK)
		bpf_map_delete_elem(&file_lock_takers, &key);
	else
		bpf_map_update_elem(&file_lock_takers, &key, &taker, BPF_ANY);
}

/* The lock that is in the way of a request; false: there are too many requests between them, or the lock is gone. */
static __always_inline bool find_blocker(struct file_lock_facts *f, __u64 at)
{
	for (__u32 i = 0; i < FILE_LOCK_DEPTH; i++) {
		read_file_lock(f, at);
		if (!f->blocker)
			return i > 0;
		at = f->blocker;
	}
	return false;
}

/* The thread that has the lock, in the initial namespace; 0: not known. */
static __always_inline __s32 taker_of(const struct file_lock_facts *lock)
{
	struct file_lock_key key = key_of_lock(lock);
	struct file_lock_taker *taker = bpf_map_lookup_elem(&file_lock_takers, &key);

	return taker ? taker->tid : 0;
}

/*
 * Locks of parts of a file (fcntl()) are different locks: @request tells the part. Without the low three bits, which no address of the
 * kernel's has.
 */
static __always_inline __u64 name_of_lock(const struct file_lock_facts *request)
{
	struct file *file = (struct file *)request->file;
	__u64 inode = (__u64)BPF_CORE_READ(file, f_inode);

	if (request->flags & FILE_IS_FLOCK)
		return inode;
	return inode ^ (request->start * 0x9e3779b97f4a7c15ull) ^
	       (request->end * 0xc2b2ae3d27d4eb4full);
}

/*
 * The lock that @task waits for by the request at @request. Returns the owner's task, to be released; NULL: none is known. The
 * request may be gone, and its memory may be something else's: then @task does not sleep in its queue.
 */
static __always_inline struct task_struct *look_at_file_lock(struct lock_wait *lock,
							     struct task_struct *task, __u64 at)
{
	struct file_lock_facts request, held;
	struct task_struct *owner;
	__s32 tid;

	read_file_lock(&request, at);
	if (request.sleeper != (__u64)task || !find_blocker(&held, at))
		return 0;
	lock->va = name_of_lock(&request);
	lock->kind = request.type == FILE_READ_LOCK ? LOCK_FILE_READ : LOCK_FILE_WRITE;
	lock->owner = LOCK_OWNER_STRANGER;
	lock->owner_tid = 0;
	lock->comm[0] = 0;
	if (!bpf_task_from_pid)
		return 0;
	tid = taker_of(&held);
	owner = bpf_task_from_pid(tid ? tid : held.pid);
	if (!owner)
		return 0;
	if (tid ? owner->tgid == held.pid : BPF_CORE_READ(owner, signal, nr_threads) == 1) {
		name_owner(lock, owner);
		return owner;
	}
	lock->owner = LOCK_OWNER_UNSEEN;
	bpf_task_release(owner);
	return 0;
}

#endif
