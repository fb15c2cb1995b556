/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of thread states: the event "wall" of perf record --wall. A sample states what a thread did during an
 * interval. The interval ends at the sample's time, and its length is the sample's period. The intervals of a thread do
 * not overlap and have no gaps. Several intervals of the same kind may be added up in one sample. Layout of the
 * sample's raw data, little endian:
 *
 *	struct wall_raw, then texts, each with a NUL behind it: wchan, file, connection, waker; of
 *	LATENCY_SYSCALL_EVENT also the call's result
 *
 * That is version 3. A sample of a thread that waits for a lock has version 4, and so has each wait of record --off-cpu.
 * There the result and the name of the lock's owner always follow, and after their texts the owner's activity:
 * lock.activity_size bytes, in the format of PERF_SAMPLE_TLS_USER's data. Waits of record --off-cpu then have struct
 * wall_edge, and behind it a text: of several descriptors for which the thread waited, the one that became ready; of a disk, the request that ended the wait: "disk vda, read, in the device". Behind
 * it are edge.nr_messages of struct wall_message. Older recordings end before one of them.
 *
 * The event "offcpu-time" of record --off-cpu has the same behind upstream's fields: perfdata/offcpu.h.
 *
 * Source: Documentation/formats/perf-data-extensions.md.
 */
#ifndef PERFDATA_WALL_H
#define PERFDATA_WALL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

#define WALL_EVENT	     "wall"
#define WALL_VERSION	     4
#define WALL_VERSION_NO_LOCK 3

/*
 * A sample of the waker: the thread that ended a wait of "offcpu-time" (perfdata/offcpu.h), with the waker's stack and
 * activity. The period is the blocked time of the woken thread, addr is the woken thread.
 */
#define OFFCPU_WAKER_EVENT "offcpu-waker"

/*
 * The same of the owner of the lock that a thread began to wait for, if the owner was off the CPU then: where it was. The
 * period is the time that the lock was the owner's during the wait.
 */
#define OFFCPU_OWNER_EVENT "offcpu-owner"

/*
 * The raw data of samples of these two events: the sample's number in the recording, by which the waits refer to it. Older
 * recordings have none. The size makes the data, with its u32 size before it, a multiple of 8 bytes.
 */
struct wall_beside {
	u64 number;
	u32 zero;
} __attribute__((packed));

/*
 * A note of the file's header (perfdata_info_note()): the threads that wait for each other at the end of the recording, as
 * "8 9, 11 12": a thread waits for a lock that the next one has, the last one for one that the first has.
 */
#define OFFCPU_DEADLOCKS_NOTE "offcpu.deadlocks"

/*
 * Calls and requests that ended, of record --latency-of: struct wall_raw and its texts; period is the whole duration.
 */
#define LATENCY_SYSCALL_EVENT  "syscall-latency"
#define LATENCY_BLOCK_IO_EVENT "block-io-latency"

/* Do samples of the event with that name stand for intervals that end at the sample's time? */
bool wall_is_stretch(const char *event);

enum wall_state {
	WALL_UNKNOWN,
	WALL_RUNNING, /* on a CPU */
	WALL_QUEUED,  /* waits for a CPU */
	WALL_SLEEP,   /* S */
	WALL_DISK,    /* D */
	WALL_STOPPED, /* T */
	WALL_TRACED,  /* t */
	WALL_ZOMBIE,  /* Z, X */
	WALL_IDLE,    /* I: a thread of the kernel without work */
	WALL_FROZEN,  /* by a control group */
	WALL_NR_STATES,
};

enum wall_flag {
	WALL_IN_IO = 1 << 0,	 /* the kernel counts the wait as one for I/O */
	WALL_KERNEL = 1 << 1,	 /* a thread of the kernel */
	WALL_LAST_CALL = 1 << 2, /* on a CPU: the system call is its last one, and may be over */
	WALL_FROM_PROC = 1 << 3, /* read from /proc: what is missing there is missing here */
	WALL_NO_CALL = 1 << 4,	 /* the system call could not be read */
	WALL_WAKING = 1 << 5,	 /* it has been woken, and is not yet in a run queue */
	WALL_MIGRATING = 1 << 6, /* on its way to another CPU */
	WALL_IRQ_WAKER = 1 << 7, /* an interrupt woke it: the waker is who was interrupted */
};

/* The lock that a thread waits for, as far as the system call and the lock's words tell. */
enum wall_lock_kind {
	WALL_LOCK_NONE, /* the thread waits for no lock */
	WALL_LOCK_FUTEX, /* a futex whose word names no owner: condition, semaphore, barrier, others */
	WALL_LOCK_MUTEX, /* a pthread mutex: normal, recursive, errorcheck or adaptive */
	WALL_LOCK_TIMED, /* the same by a call with a timeout; it may also be a futex of another kind */
	WALL_LOCK_PI,	  /* a futex with priority inheritance; its word names the owner */
	WALL_LOCK_ROBUST, /* a futex whose word names the owner: a robust mutex, and musl's mutexes */
	WALL_LOCK_READ,	  /* a pthread rwlock, to read */
	WALL_LOCK_WRITE,  /* a pthread rwlock, to write */
	WALL_LOCK_THREAD, /* the end of a thread: pthread_join() */
	/* Of the kernel: the address is a kernel's. */
	WALL_LOCK_KERNEL_MUTEX,
	WALL_LOCK_KERNEL_READ, /* an rw_semaphore */
	WALL_LOCK_KERNEL_WRITE,
	WALL_LOCK_MMAP_READ, /* the mmap_lock of the thread's own process, also an rw_semaphore */
	WALL_LOCK_MMAP_WRITE,
	/*
	 * A CPU: the thread is in its run queue, and the owner is who ran there. The address is the CPU's number, and in its high 32 bits the
	 * owner's process, if its activity was read; else 0.
	 */
	WALL_LOCK_CPU,
	/*
	 * Of a file, by flock() or fcntl(): to read, together with others, or to write. The address is the low 32 bits of the inode's number,
	 * and in its high 32 bits the owner's process, as above.
	 */
	WALL_LOCK_FILE_READ,
	WALL_LOCK_FILE_WRITE,
	WALL_NR_LOCKS,
};

static inline bool wall_lock_is_kernels(u8 kind)
{
	return kind >= WALL_LOCK_KERNEL_MUTEX && kind <= WALL_LOCK_MMAP_WRITE;
}

static inline bool wall_lock_is_files(u8 kind)
{
	return kind == WALL_LOCK_FILE_READ || kind == WALL_LOCK_FILE_WRITE;
}

/* Threads of several processes may want it. */
static inline bool wall_lock_is_shared(u8 kind)
{
	return wall_lock_is_kernels(kind) || wall_lock_is_files(kind);
}

/* One of several may have it. */
static inline bool wall_lock_is_readers(u8 kind)
{
	return kind == WALL_LOCK_READ || kind == WALL_LOCK_KERNEL_READ ||
	       kind == WALL_LOCK_MMAP_READ || kind == WALL_LOCK_FILE_READ;
}

/* What is known of the lock's owner during the sample's interval. */
enum wall_owner {
	WALL_OWNER_NONE,       /* this kind of lock has none */
	WALL_OWNER_KNOWN,      /* owner_tid */
	WALL_OWNER_READERS,    /* of an rwlock: readers have it, and it does not say which */
	WALL_OWNER_UNREADABLE, /* the lock's memory could not be read */
	WALL_OWNER_STRANGER,   /* what the lock says is no thread of the process */
	WALL_OWNER_CHANGED,    /* the lock changed hands, and nobody saw when */
	WALL_OWNER_IDLE,       /* of a CPU: it was idle, and took time to start */
	WALL_OWNER_UNSEEN,     /* of a CPU or a file: nobody saw who took it */
	WALL_NR_OWNERS,
};

struct wall_lock {
	u64 va;		   /* of the lock; of WALL_LOCK_FUTEX and _TIMED, of its word */
	u32 owner_tid;	   /* in the recorder's pid namespace; 0: not known */
	u8 kind;	   /* enum wall_lock_kind */
	u8 owner;	   /* enum wall_owner */
	u16 activity_size; /* bytes of the owner's activity */
};

/* What wall_edge.owner_sample shows. */
enum wall_owner_moment {
	WALL_OWNER_NEVER, /* there is none */
	WALL_OWNER_BEGIN, /* where the owner was when the wait began: of OFFCPU_OWNER_EVENT */
	WALL_OWNER_END,	  /* where it gave the lock up: of OFFCPU_WAKER_EVENT */
	WALL_NR_MOMENTS,
};

/* What a wait has to do with other threads. Numbers are those of struct wall_beside; 0: there is no such sample. */
struct wall_edge {
	u64 owner_sample;
	u64 waker_sample;
	s32 owner_syscall; /* in which the owner was when the wait began; -1: in none, or not known */
	u8 owner_state;	 /* enum wall_state, when the wait began; WALL_UNKNOWN: nobody has looked */
	u8 owner_moment; /* enum wall_owner_moment */
	u8 open;	 /* 1: the wait was not over at the end of the recording */
	u8 nr_messages;	 /* at most WALL_MOST_MESSAGES */
};

#define WALL_MOST_MESSAGES 8

/*
 * On a TCP connection: what the thread has sent before the wait, since the wait before, or what ended the wait. Both ends count the same
 * bytes: who received what is behind the byte @end - 1 has received it from who sent that. IPv4 addresses are the first four bytes.
 */
struct wall_message {
	u64 time;   /* of the recording's clock; of what was sent, not later than it arrived */
	u32 end;    /* TCP's sequence number of the byte behind it */
	u16 family; /* AF_INET or AF_INET6 */
	u16 local_port, remote_port;
	u8 received; /* 1: it ended the wait; 0: it was sent */
	u8 zero[5];
	u8 local[16], remote[16];
};

struct wall_raw {
	u8 version;
	u8 state;    /* enum wall_state */
	u8 flags;    /* enum wall_flag */
	u8 killed;   /* 1: the wait ended because the thread is killed. It has no waker */
	s32 syscall; /* its number; -1: none */
	u64 args[6];
	u64 in_state; /* ns that the thread has been in the state; at least the period */
	u64 cgroup;   /* id; 0: not known */
	u64 sequence; /* of the thread's call or request, counted with --latency-of; 0: not known */
	u32 nr;	      /* stretches that are added up in the sample; 0: not counted */
	u32 user;     /* effective user id + 1; 0: not known */
	u32 inner_pid,
		inner_tid; /* in the thread's own pid namespace, if that is another; else 0 */
	u32 waker_pid, waker_tid; /* who ended the wait; 0: not known */
	/* Since version 3. */
	u32 pid_ns; /* id of the thread's pid namespace; 0: not known */
	u32 reserved2;
	struct wall_lock lock; /* since version 4 */
};

static inline u32 wall_cpu(const struct wall_lock *lock)
{
	return (u32)lock->va;
}

/* The process of the owner; 0: not recorded. It is that of the waiting thread for the locks of a process's memory. */
static inline u32 wall_lock_owner_pid(const struct wall_lock *lock)
{
	bool told = lock->kind == WALL_LOCK_CPU || wall_lock_is_files(lock->kind);

	return told ? (u32)(lock->va >> 32) : 0;
}

#define WALL_SIZE_2 offsetof(struct wall_raw, pid_ns) /* in version 2 */
#define WALL_SIZE_3 offsetof(struct wall_raw, lock)   /* in version 3 */

#endif
