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
 * What there is to read in a process is put into a map by the recorder when it has found its
 * publishers: a plan. Where that has a source with a pointer, the program follows it, which only
 * here is exact: the thread whose memory it is stands still under this very interrupt, between
 * two of its instructions. A record that says of itself that it is being changed is taken for
 * that; what says it is whole is looked at once more after it was copied, for the case that
 * another thread writes it, which no layout provides for. A forked child has its parent's plan
 * from its first instruction on and an exec'ed program starts with what is known of its file, or
 * with the default: tracepoints see to that here, because the recorder hears of both too late.
 *
 * Everything that a loop carries from one round to the next is kept in the scratch memory, of
 * which the verifier knows nothing, so that it looks at each round once and not once for each
 * way that led there.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/context.h"
#include "bpf/node.h"
#include "bpf/sample_tls.h"

char LICENSE[] SEC("license") = "GPL";

extern void *bpf_cast_to_kern_ctx(void *ctx) __ksym __weak;

/* The output event of each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* Of processes of which anything is known. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, struct sample_tls_plan);
	__uint(max_entries, 16384);
} plans SEC(".maps");

/* Of programs of which something is known before they are executed. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct sample_tls_program);
	__type(value, struct sample_tls_plan);
	__uint(max_entries, 4096);
} programs SEC(".maps");

/* OBI's, where it is pinned; else an empty one that nobody looks into. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u64);
	__type(value, struct sample_tls_obi);
	__uint(max_entries, 1);
} obi SEC(".maps");

const volatile bool has_obi;

/* Set where the cost of all the rest is measured (tests/tools/tls_cost.c). */
const volatile bool no_reading;

/* Threads whose hits of tracepoints are looked at, by thread id, unless it is everyone's. */
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

/* Not kernel threads, programs that have not set one up, and processes known to publish nothing. */
static __always_inline bool has_bytes(const struct sample_tls_plan *plan, __u64 tp)
{
	return tp && (!plan || plan->window || plan->nr || has_obi);
}

/*
 * What of a sample says nothing of its context is the task's: a record with an empty frame tells
 * of interrupts where there is nothing else to tell.
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
 * A hit with nothing to read needs a record where the thread's last one had bytes: its samples would be
 * taken for samples of that one.
 */
static __always_inline bool replaces_hit(const struct scratch *scratch, __u64 ip, __u32 tid)
{
	return ip == SAMPLE_TLS_HIT && scratch->hit_by == tid;
}

static __always_inline int emit(void *ctx, __u64 time, __u64 event, __u64 ip, __u8 context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 tp = task->thread.fsbase;
	__u32 pid = task->tgid, zero = 0, size;
	const struct sample_tls_plan *plan = bpf_map_lookup_elem(&plans, &pid);
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &zero);
	bool bytes = has_bytes(plan, tp);

	if (!scratch)
		return 1;
	if (!bytes && context <= SAMPLE_TLS_IN_TASK && !replaces_hit(scratch, ip, task->pid))
		return 1;
	if (ip == SAMPLE_TLS_HIT)
		scratch->hit_by = bytes ? task->pid : 0;
	scratch->context = context;
	scratch->head.time = time;
	scratch->head.event = event;
	scratch->head.ip = ip;
	scratch->head.pid = pid;
	scratch->head.tid = task->pid;
	size = read_sample(scratch, plan, tp);
	/* Not even of a thread that ends, whose memory is gone. */
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

/* Where the kernel shows a program the sample that it is about to write (since Linux 6.2). */
SEC("perf_event")
int sample_tls_timed(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_data_kern *kern = bpf_cast_to_kern_ctx(ctx);
	struct perf_event *event = kern->event;
	__u8 context = find_context(own_of(event), is_user(ctx));

	if (!(kern->data->sample_flags & PERF_SAMPLE_TIME))
		return emit(ctx, 0, 0, ctx->regs.ip, context);
	if (event->parent) /* a child inherited it: records name the one that was opened */
		event = event->parent;
	return emit(ctx, kern->data->time, event->id, ctx->regs.ip, context);
}

SEC("perf_event")
int sample_tls_plain(struct bpf_perf_event_data *ctx)
{
	return emit(ctx, 0, 0, ctx->regs.ip, find_context(own_of_all, is_user(ctx)));
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
	return emit(ctx, 0, 0, SAMPLE_TLS_HIT, find_context(SAMPLE_TLS_OWN_NONE, false));
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(plan_forked, struct task_struct *parent, struct task_struct *child)
{
	__u32 from = parent->tgid, to = child->tgid;
	__u32 from_tid = parent->pid, to_tid = child->pid;
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
	struct inode *inode = binary->file->f_inode;
	struct sample_tls_program program = { .ino = inode->i_ino, .dev = inode->i_sb->s_dev };
	__u32 pid = task->tgid, tid = task->pid, old_tid = old_pid;
	struct sample_tls_plan *plan = bpf_map_lookup_elem(&programs, &program);
	__u8 *target = bpf_map_lookup_elem(&targets, &old_tid);

	/* Another thread than the first has the first one's id from now on. */
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

/*
 * Nobody will see it any more. Not at its exit: from there to the end of its events it is still sampled, its
 * memory is still there, and without a plan a pointer would be read without what it leads to.
 */
SEC("tp_btf/sched_process_free")
int BPF_PROG(plan_freed, struct task_struct *task)
{
	__u32 pid = task->pid;

	bpf_map_delete_elem(&targets, &pid);
	if (pid == task->tgid)
		bpf_map_delete_elem(&plans, &pid);
	return 0;
}
