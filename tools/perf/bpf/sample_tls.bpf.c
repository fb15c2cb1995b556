// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bytes below a thread's pointer, at every sample of the events that this is attached to.
 *
 * The kernel runs a sampling event's program when the sample's time, address and call chain
 * are fixed and before it writes the sample. The program writes a record of its own into the
 * same ring, so the two stand next to each other there, and names in it the sample to come.
 * The recorder then makes one sample of both (perf/record/tls_join.c).
 *
 * The thread pointer is the one that the kernel keeps in the task. That is the live one as long
 * as it is set by the kernel (arch_prctl, clone, exec), as C libraries do; a program that
 * switches it with WRFSBASE is read at the pointer it had when it last left the CPU.
 *
 * How many bytes a process needs is put into a map by the recorder when it has found the
 * variable. A forked child has its parent's window from its first instruction on and an
 * exec'ed program starts with the default: tracepoints see to that here, because the recorder
 * hears of both too late.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/sample_tls.h"

char LICENSE[] SEC("license") = "GPL";

extern void *bpf_cast_to_kern_ctx(void *ctx) __ksym __weak;

/* The output event of each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* Of processes whose window is not the default one. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, sample_tls_window);
	__uint(max_entries, 16384);
} windows SEC(".maps");

/* Threads whose hits of tracepoints are looked at, by thread id, unless it is everyone's. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, __u8);
	__uint(max_entries, 65536);
} targets SEC(".maps");

bool everyone;

/* A size masked so fits into the scratch memory, which the verifier sees without following it. */
#define WINDOW_MASK (2 * SAMPLE_TLS_WINDOW_MAX - 8)

struct scratch {
	struct sample_tls_head head;
	__u8 bytes[WINDOW_MASK + 8];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct scratch);
	__uint(max_entries, 1);
} scratches SEC(".maps");

/*
 * Reads as much of the @window as there is: a read is all or nothing, and the page below the
 * one that the thread's block is in need not be there. Returns the bytes read.
 */
static __always_inline __u64 read_window(__u8 *bytes, __u64 tp, __u64 window)
{
	__u64 in_page = (((tp - 1) & 4095) + 1) & WINDOW_MASK;

	window &= WINDOW_MASK;
	if (bpf_probe_read_user(bytes, window, (void *)(tp - window)) == 0)
		return window;
	if (in_page >= window)
		return 0;
	if (bpf_probe_read_user(bytes, in_page, (void *)(tp - in_page)) == 0)
		return in_page;
	return 0;
}

static __always_inline int emit(void *ctx, __u64 time, __u64 event, __u64 ip)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 tp = task->thread.fsbase;
	__u32 pid = task->tgid, zero = 0;
	__u64 window = SAMPLE_TLS_WINDOW_DEFAULT, size;
	sample_tls_window *own;
	struct scratch *scratch;

	if (!tp) /* a kernel thread, or a program that has not set one up */
		return 1;
	own = bpf_map_lookup_elem(&windows, &pid);
	if (own)
		window = *own;
	scratch = bpf_map_lookup_elem(&scratches, &zero);
	if (!window || !scratch)
		return 1;
	scratch->head.time = time;
	scratch->head.event = event;
	scratch->head.ip = ip;
	scratch->head.pid = pid;
	scratch->head.tid = task->pid;
	size = read_window(scratch->bytes, tp, window);
	scratch->head.size = size;
	scratch->head.zero = 0;
	bpf_perf_event_output(ctx, &outputs, BPF_F_CURRENT_CPU, scratch,
			      sizeof(scratch->head) + (size & WINDOW_MASK));
	return 1;
}

/* Where the kernel shows a program the sample that it is about to write (since Linux 6.2). */
SEC("perf_event")
int sample_tls_timed(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_data_kern *kern = bpf_cast_to_kern_ctx(ctx);
	struct perf_event *event = kern->event;

	if (!(kern->data->sample_flags & PERF_SAMPLE_TIME))
		return emit(ctx, 0, 0, ctx->regs.ip);
	if (event->parent) /* a child inherited it: records name the one that was opened */
		event = event->parent;
	return emit(ctx, kern->data->time, event->id, ctx->regs.ip);
}

SEC("perf_event")
int sample_tls_plain(struct bpf_perf_event_data *ctx)
{
	return emit(ctx, 0, 0, ctx->regs.ip);
}

/*
 * On a tracepoint: runs at every hit, in whatever thread, before the samples that the hit
 * makes, whose address it does not know.
 */
SEC("tracepoint")
int sample_tls_hit(void *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();

	if (!everyone && !bpf_map_lookup_elem(&targets, &tid))
		return 1;
	return emit(ctx, 0, 0, SAMPLE_TLS_HIT);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(window_forked, struct task_struct *parent, struct task_struct *child)
{
	__u32 from = parent->tgid, to = child->tgid;
	__u32 from_tid = parent->pid, to_tid = child->pid;
	sample_tls_window *window;
	__u8 *target = bpf_map_lookup_elem(&targets, &from_tid);

	if (target)
		bpf_map_update_elem(&targets, &to_tid, target, BPF_ANY);
	if (from == to)
		return 0;
	window = bpf_map_lookup_elem(&windows, &from);
	if (window)
		bpf_map_update_elem(&windows, &to, window, BPF_ANY);
	else
		bpf_map_delete_elem(&windows, &to);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(window_execed, struct task_struct *task)
{
	__u32 pid = task->tgid;

	bpf_map_delete_elem(&windows, &pid);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(window_exited, struct task_struct *task)
{
	__u32 pid = task->tgid, tid = task->pid;

	bpf_map_delete_elem(&targets, &tid);
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&windows, &pid);
	return 0;
}
