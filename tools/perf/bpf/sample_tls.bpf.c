// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the bytes below the thread pointer at every sample of the events that this program is
 * attached to.
 *
 * The kernel runs a sampling event's program before it writes the sample. The sample's time,
 * address and call chain are fixed by then. The program writes its own record, which names the
 * sample, into the same ring. So both records are next to each other. The recorder merges them into
 * one sample (perf/record/tls/join.c).
 *
 * The thread pointer is the one in the kernel's task struct. It is correct if the kernel sets it
 * (arch_prctl, clone, exec), as C libraries do. If a program changes it with WRFSBASE, the value is
 * the one from when the thread last left the CPU.
 *
 * The recorder puts a plan for each process into a map when it has found the process's publishers.
 * If the plan has a source with a pointer, the program follows the pointer. Only here is this
 * exact: the interrupt has stopped the thread between two of its instructions. If a record says
 * that it is being changed, the sample's state is "updating". If it says that it is complete, the
 * program checks it again after the copy. Another thread might have written it, though no layout
 * permits that.
 *
 * A forked child has its parent's plan from its first instruction on. A program after exec has the
 * plan of its file, or the default. Tracepoints here do both, because the recorder learns of forks
 * and execs too late.
 *
 * All state that a loop carries from one round to the next is in the scratch memory. The verifier
 * does not track its contents, so it checks each round once, and not once for each path to it.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/context.h"
#include "bpf/node.h"
#include "bpf/numbers.h"
#include "bpf/plans.h"
#include "bpf/sample_tls.h"

char LICENSE[] SEC("license") = "GPL";

extern void *bpf_cast_to_kern_ctx(void *ctx) __ksym __weak;
extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

/* The output event of each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* Plans of programs, for the time from their exec on. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct sample_tls_program);
	__type(value, struct sample_tls_plan);
	__uint(max_entries, 4096);
} programs SEC(".maps");

/* OBI's map if it is pinned; else an empty map that is not read. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u64);
	__type(value, struct sample_tls_obi);
	__uint(max_entries, 1);
} obi SEC(".maps");

const volatile bool has_obi;

/* Set by tests/tools/tls_cost.c, which measures the cost without reading. */
const volatile bool no_reading;

/* Thread ids: the threads whose hits of tracepoints are read, unless all threads are. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, __u8);
	__uint(max_entries, 65536);
} targets SEC(".maps");

bool everyone;

#include "bpf/scratch.h"

static __always_inline void read_obi(struct scratch *scratch)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct sample_tls_obi *found = bpf_map_lookup_elem(&obi, &id);

	scratch->cut = scratch->missing = 0;
	if (!found)
		return;
	__builtin_memcpy(place(scratch, 0), found, sizeof(*found));
	close_entry(scratch, SAMPLE_TLS_OBI_NUMBER, SAMPLE_TLS_OBI_FORMAT, 0, SAMPLE_TLS_OK,
		    sizeof(*found));
}

/*
 * False for kernel threads, threads without a thread pointer, and processes known to publish
 * nothing.
 */
static __always_inline bool has_bytes(const struct sample_tls_plan *plan, __u64 tp)
{
	return tp && (!plan || plan->window || plan->nr || has_obi);
}

/*
 * A sample without a context is the task's. If there is nothing to read, a record with an empty
 * frame is written only for interrupts.
 */
static __always_inline __u32 read_sample(struct scratch *scratch,
					 const struct sample_tls_plan *plan, __u64 tp)
{
	struct sample_tls_frame *frame = (struct sample_tls_frame *)scratch->bytes;

	if (no_reading)
		return 0;
	if (has_bytes(plan, tp))
		return read_all(scratch, plan, tp) & OUTPUT_MASK;
	*(__u64 *)frame = 0;
	frame->size = sizeof(*frame);
	frame->version = SAMPLE_TLS_FRAME_VERSION;
	frame->context = scratch->context;
	return sizeof(*frame);
}

/*
 * If the thread's last hit had bytes, a hit without bytes needs a record, too. Otherwise its
 * samples would get the bytes of that hit.
 */
static __always_inline bool replaces_hit(const struct scratch *scratch, __u64 ip, __u32 tid)
{
	return ip == SAMPLE_TLS_HIT && scratch->hit_by == tid;
}

/*
 * Writes B for the sample or hit. Always returns 1: the kernel shall write the sample in any case.
 * 0 would drop it, and nothing would count it.
 *
 * A process that has no number in the recorder's pid namespace is not recorded.
 */
static __always_inline int emit(void *ctx, __u64 time, __u64 event, __u64 ip, __u8 context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 tp = task->thread.fsbase;
	__u32 pid = pid_of(task), tid = tid_of(task), zero = 0, size;
	const struct sample_tls_plan *plan = bpf_map_lookup_elem(&plans, &pid);
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &zero);
	bool bytes = has_bytes(plan, tp);

	if (!scratch || (!pid && task->pid))
		return 1;
	if (!bytes && context <= SAMPLE_TLS_IN_TASK && !replaces_hit(scratch, ip, tid))
		return 1;
	if (ip == SAMPLE_TLS_HIT)
		scratch->hit_by = bytes ? tid : 0;
	scratch->context = context;
	scratch->head.time = time;
	scratch->head.event = event;
	scratch->head.ip = ip;
	scratch->head.pid = pid;
	scratch->head.tid = tid;
	size = read_sample(scratch, plan, tp);
	/* Nothing was readable, for example in an exiting thread whose memory is gone. */
	scratch->head.unread = !size && !no_reading;
	if (scratch->head.unread)
		size = sizeof(struct sample_tls_frame);
	scratch->head.size = size;
	bpf_perf_event_output(ctx, &outputs, BPF_F_CURRENT_CPU, &scratch->head,
			      sizeof(scratch->head) + (size & OUTPUT_MASK));
	return 1;
}

static __always_inline bool is_user(const struct bpf_perf_event_data *ctx)
{
	return (ctx->regs.cs & 3) == 3;
}

/*
 * The same context as a pointer of which the verifier knows nothing but its type. For each pointer that is loaded by one that it
 * trusts, it searches all types of the kernel by name (3 to 9 ms) for the list of members that it may trust, too.
 */
static __always_inline struct bpf_perf_event_data_kern *kern_of(struct bpf_perf_event_data *ctx)
{
	return bpf_rdonly_cast(bpf_cast_to_kern_ctx(ctx),
			       bpf_core_type_id_kernel(struct bpf_perf_event_data_kern));
}

/* For kernels that show the program the coming sample (since Linux 6.2, which has both casts). */
SEC("perf_event")
int sample_tls_timed(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_data_kern *kern = kern_of(ctx);
	struct perf_event *event = kern->event;
	__u8 context = find_context(own_of(event), is_user(ctx));

	if (!(kern->data->sample_flags & PERF_SAMPLE_TIME))
		return emit(ctx, 0, 0, ctx->regs.ip, context);
	if (event->parent) /* inherited event: records name the original event */
		event = event->parent;
	return emit(ctx, kern->data->time, event->id, ctx->regs.ip, context);
}

SEC("perf_event")
int sample_tls_plain(struct bpf_perf_event_data *ctx)
{
	return emit(ctx, 0, 0, ctx->regs.ip, find_context(own_of_all, is_user(ctx)));
}

/*
 * For tracepoints: runs at every hit, in any thread, before the samples of the hit are written.
 * Their address is not known here.
 */
SEC("tracepoint")
int sample_tls_hit(void *ctx)
{
	__u32 tid = tid_of(bpf_get_current_task_btf());

	if (!everyone && !bpf_map_lookup_elem(&targets, &tid))
		return 1;
	return emit(ctx, 0, 0, SAMPLE_TLS_HIT, find_context(SAMPLE_TLS_OWN_NONE, false));
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(plan_forked, struct task_struct *parent, struct task_struct *child)
{
	__u32 from = pid_of(parent), to = pid_of(child);
	__u32 from_tid = tid_of(parent), to_tid = tid_of(child);
	struct sample_tls_plan *plan;
	__u8 *target = bpf_map_lookup_elem(&targets, &from_tid);

	if (target)
		bpf_map_update_elem(&targets, &to_tid, target, BPF_ANY);
	if (from == to)
		return 0;
	plan = bpf_map_lookup_elem(&plans, &from);
	if (plan)
		bpf_map_update_elem(&plans, &to, plan, BPF_ANY);
	else
		bpf_map_delete_elem(&plans, &to);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(plan_execed, struct task_struct *task, int old_pid, struct linux_binprm *binary)
{
	/* Not binary->file->f_inode: for each pointer that is taken so, the verifier searches all types of the kernel. */
	struct inode *inode = BPF_CORE_READ(binary, file, f_inode);
	struct sample_tls_program program = { .ino = BPF_CORE_READ(inode, i_ino),
					      .dev = BPF_CORE_READ(inode, i_sb, s_dev) };
	__u32 pid = pid_of(task), tid = tid_of(task), old_tid = own_ns ? tid : old_pid;
	struct sample_tls_plan *plan = bpf_map_lookup_elem(&programs, &program);
	__u8 *target = bpf_map_lookup_elem(&targets, &old_tid);

	/* If it was not the first thread, it gets the first thread's id now. */
	if (target && old_tid != tid) {
		bpf_map_update_elem(&targets, &tid, target, BPF_ANY);
		bpf_map_delete_elem(&targets, &old_tid);
	}
	if (plan)
		bpf_map_update_elem(&plans, &pid, plan, BPF_ANY);
	else
		bpf_map_delete_elem(&plans, &pid);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(plan_ends, struct task_struct *task)
{
	keep_tid(task);
	return 0;
}

/*
 * Deletes the plan when the task is freed. At its exit it is too early: the task is sampled until
 * its events end, and still has its memory. Without a plan, the sample would have the pointer, but
 * not the record that it points to.
 */
SEC("tp_btf/sched_process_free")
int BPF_PROG(plan_freed, struct task_struct *task)
{
	__u32 pid = freed_tid(task);

	bpf_map_delete_elem(&targets, &pid);
	if (task->pid == task->tgid)
		bpf_map_delete_elem(&plans, &pid);
	return 0;
}
