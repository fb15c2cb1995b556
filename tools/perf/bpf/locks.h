/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lock that a thread waits for: read by bpf/find_lock.h, for the recorder (record/waits/offcpu.c). */
#ifndef BPF_LOCKS_H
#define BPF_LOCKS_H

/* Same values as enum wall_lock_kind and enum wall_owner of perfdata/wall.h; record/waits/offcpu.c compares them. */
enum lock_kind {
	LOCK_NONE,
	LOCK_FUTEX,
	LOCK_MUTEX,
	LOCK_TIMED,
	LOCK_PI,
	LOCK_ROBUST,
	LOCK_READ,
	LOCK_WRITE,
	LOCK_THREAD,
	LOCK_KERNEL_MUTEX,
	LOCK_KERNEL_READ,
	LOCK_KERNEL_WRITE,
	LOCK_MMAP_READ,
	LOCK_MMAP_WRITE,
	LOCK_FILE_READ = 15,
	LOCK_FILE_WRITE,
};

enum lock_owner {
	LOCK_OWNER_NONE,
	LOCK_OWNER_KNOWN,
	LOCK_OWNER_READERS,
	LOCK_OWNER_UNREADABLE,
	LOCK_OWNER_STRANGER,
	LOCK_OWNER_UNSEEN = 7,
};

struct lock_wait {
	__u64 va;
	__u32 owner_tid; /* in the recorder's pid namespace */
	__u8 kind, owner;
	__u16 reserved;
	__u32 owner_pid; /* the owner's process, in the same namespace */
	__u32 reserved2;
	char comm[16]; /* of the owner */
};

#endif
