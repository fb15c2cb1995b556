// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's numbers of a thread, made into a look. Clocks: time and start are CLOCK_MONOTONIC;
 * arrival and queued are of the scheduler's clock, which is perf's own. Both become the
 * recording's.
 *
 * Example, a sleeping thread. It got the CPU at 40 ms (arrival). Its running time was 10 ms then
 * (exec_before) and is 14 ms now (exec), so it ran for 4 ms. So it has slept since 44 ms, and no
 * probe was needed to note that. If the kernel does not count the time of interrupts as running time, the
 * start is too early by the time that interrupts took from this run.
 *
 * Example, a running thread. It got the CPU at 40 ms with exec_before 10 ms, and now is 47 ms. exec
 * is still 10 ms, because the next tick has not come. Its running time is 10 + (47 - 40) = 17 ms.
 */
#include "record/waits/wall_thread.h"

#include <glib.h>
#include <linux/types.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/wall.h"
#include "record/waits/wall_calls.h"
#include "record/waits/wall_conn.h"
#include "record/waits/wall_files.h"

/* Bits and values of the kernel's task_struct. */
#define TASK_INTERRUPTIBLE   0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED	     0x4
#define TASK_TRACED	     0x8
#define TASK_WAKING	     0x200
#define TASK_IDLE	     0x402
#define TASK_FROZEN	     0x8000
#define ON_RQ_MIGRATING	     2
#define JOBCTL_TRAP_FREEZE   (1u << 23)
#define PF_KTHREAD	     0x200000

/*
 * on_cpu is checked before state: a thread may set its next state while it is still on its CPU.
 *
 * delayed: since Linux 6.12, the scheduler may leave a thread that went to sleep in the run queue
 * for a while. It sleeps all the same, although on_rq is set. JOBCTL_TRAP_FREEZE: stopped by the
 * freezer of control groups (version 2). TASK_FROZEN: by any freezer, since Linux 6.1.
 */
static enum wall_state state_of(const struct wall_bpf_thread *t)
{
	if (t->exit_state)
		return WALL_ZOMBIE;
	if (t->on_cpu)
		return WALL_RUNNING;
	if (!t->state || t->state & TASK_WAKING || (t->on_rq && !t->delayed))
		return WALL_QUEUED;
	if (t->jobctl & JOBCTL_TRAP_FREEZE || t->state & TASK_FROZEN)
		return WALL_FROZEN;
	if (t->state & TASK_STOPPED)
		return WALL_STOPPED;
	if (t->state & TASK_TRACED)
		return WALL_TRACED;
	if ((t->state & TASK_IDLE) == TASK_IDLE)
		return WALL_IDLE;
	if (t->state & TASK_UNINTERRUPTIBLE)
		return WALL_DISK;
	return t->state & TASK_INTERRUPTIBLE ? WALL_SLEEP : WALL_UNKNOWN;
}

static u8 flags_of(const struct wall_bpf_thread *t, enum wall_state state)
{
	u32 flags = 0;

	if (t->in_io)
		flags |= WALL_IN_IO;
	if (t->flags & PF_KTHREAD)
		flags |= WALL_KERNEL;
	if (state == WALL_RUNNING)
		flags |= WALL_LAST_CALL;
	if (t->state & TASK_WAKING)
		flags |= WALL_WAKING;
	if (t->on_rq == ON_RQ_MIGRATING)
		flags |= WALL_MIGRATING;
	return (u8)flags;
}

/* A time by the scheduler's clock, by the recording's clock. 0 is no time. */
static u64 by_clock(const struct wall_clock *clock, u64 time)
{
	return time ? time + (u64)clock->from_sched : 0;
}

/*
 * Start of the state. A sleep began when the thread had got the CPU
 * (arrival) and then run for exec - exec_before:
 *
 *	|--- asleep ---|-- in the queue --|--- ran: exec - exec_before ---|--- asleep --> now
 *	                                  arrival
 */
static u64 since(const struct wall_bpf_thread *t, enum wall_state state, u64 time, u64 arrival,
		 u64 queued)
{
	if (state == WALL_QUEUED)
		return queued;
	if (state == WALL_RUNNING || !arrival)
		return arrival;
	if (t->on_cpu) /* it is exiting now */
		return time;
	return arrival + (t->exec - t->exec_before);
}

/* The kernel updates the sum of a running thread only at ticks. So the time since it got the CPU is added. */
static u64 executed(const struct wall_bpf_thread *t, u64 time, u64 arrival)
{
	if (!t->on_cpu || !arrival || time <= arrival)
		return t->exec;
	return MAX(t->exec, t->exec_before + (time - arrival));
}

/* The sum contains only waits that are over. So the present wait is added. */
static u64 waited(const struct wall_bpf_thread *t, u64 time, u64 queued)
{
	if (!queued || time <= queued)
		return t->delay;
	return t->delay + (time - queued);
}

static char *connection_text(const struct wall_bpf_thread *t)
{
	return S_ISSOCK(t->mode) ? wall_conn_text(&t->socket, t->inode) : NULL;
}

/*
 * The file of the call's descriptor, or the futex. The descriptor is looked up in /proc later than
 * the program saw the file: if it was closed and opened again in between, device and inode still
 * say which file was meant, but the name is the new one's. The name is kept by device and inode, so
 * this happens only at the first look at a file.
 */
static char *text_of_file(const struct wall_bpf_thread *t, struct wall_files *files)
{
	const char *name;

	if (t->mode) {
		name = wall_files_name(files, t->pid, t->args[0], t->dev, t->inode);
		if (!name && (S_ISFIFO(t->mode) || S_ISSOCK(t->mode))) /* as /proc calls it */
			return g_strdup_printf("%s:[%llu]", S_ISFIFO(t->mode) ? "pipe" : "socket",
					       t->inode);
		return g_strdup(name);
	}
	return wall_call_futex_text((s32)t->syscall, t->args[0]);
}

void wall_texts_clear(struct wall_texts *texts)
{
	g_clear_pointer(&texts->file, g_free);
	g_clear_pointer(&texts->connection, g_free);
}

/*
 * Three sizes are valid: up to cgroup (same: only the head), up to frames, and with the frames that
 * are used. What was not sent is 0, because the caller has cleared @thread.
 */
bool wall_thread_read(const void *data, size_t size, struct wall_bpf_thread *thread)
{
	if (size < offsetof(struct wall_bpf_thread, cgroup))
		return false;
	memcpy(thread, data, MIN(size, sizeof(*thread)));
	if (size < offsetof(struct wall_bpf_thread, frames) && !thread->same)
		return false;
	thread->nr_frames = MIN(thread->nr_frames, (u32)WALL_BPF_FRAMES);
	return true;
}

/* In the order of the bits of wall_eye_ops.regs. */
static void take_registers(const struct wall_bpf_thread *t, struct wall_look *look)
{
	const u64 regs[] = { t->bx, t->bp, t->sp, t->ip, t->r12, t->r13, t->r14, t->r15 };

	if (!t->sp)
		return;
	look->nr_regs = ARRAY_SIZE(regs);
	look->in_32_bit_code = !t->in_64_bit_code;
	memcpy(look->regs, regs, sizeof(regs));
}

void wall_thread_look(const struct wall_bpf_thread *t, const struct wall_clock *clock,
		      struct wall_files *files, struct wall_texts *texts, struct wall_look *look)
{
	enum wall_state state = state_of(t);
	u64 time = t->time + (u64)clock->from_kernel;
	u64 arrival = by_clock(clock, t->arrival), queued = by_clock(clock, t->queued);
	bool awake = state == WALL_RUNNING || state == WALL_QUEUED; /* no sample has texts then */

	texts->file = t->same || awake ? NULL : text_of_file(t, files);
	texts->connection = t->same || awake ? NULL : connection_text(t);
	*look = (struct wall_look){
		.pid = t->pid,
		.tid = t->tid,
		.made = t->start,
		.start = t->start + (u64)clock->from_kernel,
		.time = time,
		.exec = executed(t, time, arrival),
		.delay = waited(t, time, queued),
		.runs = t->runs,
		.merged = t->merged,
		.sleeps = t->sleeps,
		.since = since(t, state, time, arrival, queued),
		.ip = t->ip,
		.sp = t->sp,
		.tp = t->tp,
		.cgroup = t->cgroup,
		.sequence = t->sequence,
		.user = t->user,
		.inner_pid = t->inner_pid,
		.inner_tid = t->inner_tid,
		.pid_ns = t->pid_ns,
		.syscall = t->syscall >= 0 && t->syscall < INT32_MAX ? (s32)t->syscall : -1,
		.state = (u8)state,
		.flags = flags_of(t, state),
		.file = texts->file,
		.connection = texts->connection,
		.frames = (const u64 *)t->frames,
		.nr_frames = MIN(t->nr_frames, (u32)WALL_BPF_FRAMES),
		.same = t->same,
		.left = t->left,
		.moment = t->moment,
		.missed = t->missed,
		.arrived = arrival,
		.exec_then = t->exec_before,
	};
	take_registers(t, look);
	memcpy(look->args, t->args, sizeof(look->args));
	memcpy(look->comm, t->comm, sizeof(look->comm));
	look->comm[sizeof(look->comm) - 1] = 0;
}
