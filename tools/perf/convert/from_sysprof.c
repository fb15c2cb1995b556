// SPDX-License-Identifier: GPL-2.0-or-later
#include "convert/from_sysprof.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The registers of a StackUser frame, in the order of linux/asm/perf_regs.h: ax to ip, r8 to r15. */
#define STACK_REGS_MASK 0xff01ffull
#define STACK_REGS_NR	17
#define COMM_SIZE	16
/*
 * Limit of forks whose child has no other frame yet. A child that never gets one is a thread. At this limit all such
 * forks are forgotten, for long recordings.
 */
#define MAX_PENDING 65536

struct pending_fork {
	u32 parent;
	u64 time;
};

struct from_sysprof {
	struct evsel *evsels[FROM_SYSPROF_EVSELS];
	GHashTable *pending; /* child -> struct pending_fork *: no other record of it yet */
	GHashTable *threads; /* tid -> pid, if they differ */
	GHashTable *sampled; /* pids that had a sample, or were forked during the recording */
	u64 passed_over[SYSPROF_TYPE_MAX + 1]; /* by type; the last entry: unknown types */
	char comm[COMM_SIZE];
	GArray *ips; /* u64: chain of a sample that had no marker */
};

static struct evsel *new_evsel(u32 idx, const char *name)
{
	struct evsel *e = evsel_new();
	u64 id = idx + 1;

	e->idx = idx;
	e->leader = idx;
	e->nr_members = 1;
	e->name = g_strdup(name);
	e->ids = g_memdup2(&id, sizeof(id));
	e->nr_ids = 1;
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	e->attr.sample_period = 1;
	e->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	e->attr.read_format = PERF_FORMAT_ID;
	e->attr.sample_id_all = 1;
	e->attr.use_clockid = 1;
	e->attr.clockid = CLOCK_MONOTONIC;
	return e;
}

struct from_sysprof *from_sysprof_new(void)
{
	struct from_sysprof *f = g_new0(struct from_sysprof, 1);
	struct evsel *chains = new_evsel(FROM_SYSPROF_CHAINS, "sysprof");
	struct evsel *stacks = new_evsel(FROM_SYSPROF_STACKS, "sysprof-stacks");

	chains->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	stacks->attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				    PERF_SAMPLE_STACK_USER;
	stacks->attr.sample_regs_user = STACK_REGS_MASK;
	stacks->attr.sample_stack_user = 65528;
	f->evsels[FROM_SYSPROF_CHAINS] = chains;
	f->evsels[FROM_SYSPROF_STACKS] = stacks;
	f->pending = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	f->threads = g_hash_table_new(NULL, NULL);
	f->sampled = g_hash_table_new(NULL, NULL);
	f->ips = g_array_new(FALSE, FALSE, sizeof(u64));
	return f;
}

void from_sysprof_free(struct from_sysprof *f)
{
	if (!f)
		return;
	for (u32 i = 0; i < FROM_SYSPROF_EVSELS; i++)
		evsel_free(f->evsels[i]);
	g_hash_table_unref(f->pending);
	g_hash_table_unref(f->threads);
	g_hash_table_unref(f->sampled);
	g_array_unref(f->ips);
	g_free(f);
}

struct evsel *const *from_sysprof_evsels(const struct from_sysprof *f)
{
	return f->evsels;
}

static gpointer key(s32 pid)
{
	return GUINT_TO_POINTER((u32)pid + 1);
}

static struct event event_of(const struct from_sysprof *f, const struct sysprof_frame *frame,
			     u32 type)
{
	u64 time = (u64)MAX(frame->time, 1);

	return (struct event){
		.type = type,
		.misc = PERF_RECORD_MISC_USER,
		.evsel = f->evsels[FROM_SYSPROF_CHAINS],
		.id = { .pid = (u32)frame->pid,
			.tid = (u32)frame->pid,
			.cpu = frame->cpu < 0 ? 0 : (u32)frame->cpu,
			.time = time,
			.id = f->evsels[FROM_SYSPROF_CHAINS]->ids[0],
			.has_time = true },
	};
}

/* Frames before the process's first sample get the time of the recording's start. */
static void date(const struct from_sysprof *f, s32 pid, struct event *ev)
{
	if (!g_hash_table_contains(f->sampled, key(pid)))
		ev->id.time = 0;
}

/* @pid is a process. Emits the fork that made it, if that is still pending. */
static u32 tell_fork(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	struct pending_fork *fork = g_hash_table_lookup(f->pending, key(frame->pid));

	if (!fork)
		return 0;
	*ev = event_of(f, frame, PERF_RECORD_FORK);
	ev->id.time = fork->time;
	ev->task = (struct event_task){ .pid = (u32)frame->pid,
					.ppid = fork->parent,
					.tid = (u32)frame->pid,
					.ptid = fork->parent,
					.time = fork->time };
	g_hash_table_remove(f->pending, key(frame->pid));
	g_hash_table_add(f->sampled, key(frame->pid));
	return 1;
}

static u32 take_fork(struct from_sysprof *f, const struct sysprof_frame *frame)
{
	const void *process = g_hash_table_lookup(f->threads, key(frame->pid));
	struct pending_fork fork = { process ? GPOINTER_TO_UINT(process) - 1 : (u32)frame->pid,
				     (u64)MAX(frame->time, 1) };

	if (g_hash_table_size(f->pending) >= MAX_PENDING)
		g_hash_table_remove_all(f->pending);
	g_hash_table_remove(f->threads, key(frame->child));
	g_hash_table_replace(f->pending, key(frame->child), g_memdup2(&fork, sizeof(fork)));
	return 0;
}

static u32 take_exit(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	const void *process = g_hash_table_lookup(f->threads, key(frame->pid));
	u32 pid = process ? GPOINTER_TO_UINT(process) - 1 : (u32)frame->pid;

	if (g_hash_table_remove(f->pending, key(frame->pid)))
		return 0;
	*ev = event_of(f, frame, PERF_RECORD_EXIT);
	ev->id.pid = pid;
	ev->task = (struct event_task){ .pid = pid,
					.ppid = pid,
					.tid = (u32)frame->pid,
					.ptid = (u32)frame->pid,
					.time = ev->id.time };
	g_hash_table_remove(f->threads, key(frame->pid));
	return 1;
}

/*
 * "/usr/bin/python3 -m x" -> "python3". Names of kernel threads and unusual names are not changed. All are cut to the
 * kernel's limit.
 */
static void comm_of(const char *cmdline, char comm[COMM_SIZE])
{
	size_t size = strcspn(cmdline, " ");
	const char *from = cmdline, *slash = memrchr(cmdline, '/', size);

	if (cmdline[0] == '/' && slash)
		from = slash + 1;
	g_strlcpy(comm, from, MIN((size_t)(cmdline + size - from) + 1, (size_t)COMM_SIZE));
}

static u32 take_process(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	*ev = event_of(f, frame, PERF_RECORD_COMM);
	date(f, frame->pid, ev);
	comm_of(frame->cmdline, f->comm);
	ev->comm = (struct event_comm){ (u32)frame->pid, (u32)frame->pid, f->comm, false };
	return 1;
}

static void take_build_id(const char *hex, struct event *ev)
{
	struct event_mmap *m = &ev->mmap;
	size_t size = strlen(hex) / 2;

	if (strlen(hex) % 2 || size > sizeof(m->build_id) || !size)
		return;
	for (size_t i = 0; i < size; i++) {
		int high = g_ascii_xdigit_value(hex[2 * i]),
		    low = g_ascii_xdigit_value(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return;
		m->build_id[i] = (u8)(high << 4 | low);
	}
	m->build_id_size = (u8)size;
	m->has_build_id = true;
	ev->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
}

static u32 take_map(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	const struct sysprof_map *map = &frame->map;

	if (map->end <= map->start)
		return 0;
	*ev = event_of(f, frame, PERF_RECORD_MMAP2);
	date(f, frame->pid, ev);
	ev->mmap = (struct event_mmap){ .pid = (u32)frame->pid,
					.tid = (u32)frame->pid,
					.start = map->start,
					.len = map->end - map->start,
					.pgoff = map->offset,
					.prot = PROT_READ | PROT_EXEC,
					.flags = MAP_PRIVATE,
					.ino = map->inode,
					.has_inode = true,
					.filename = *map->filename ? map->filename : "//anon" };
	if (map->build_id)
		take_build_id(map->build_id, ev);
	return 1;
}

/* At a thread's first sample, emits the fork that made it. So the thread has its process's name. */
static u32 tell_thread(struct from_sysprof *f, const struct sysprof_frame *frame, s32 tid,
		       struct event *ev)
{
	const struct pending_fork *fork = g_hash_table_lookup(f->pending, key(tid));

	if (tid < 0 || tid == frame->pid || g_hash_table_contains(f->threads, key(tid)))
		return 0;
	*ev = event_of(f, frame, PERF_RECORD_FORK);
	date(f, frame->pid, ev);
	if (fork)
		ev->id.time = fork->time;
	ev->id.tid = (u32)tid;
	ev->task = (struct event_task){ .pid = (u32)frame->pid,
					.ppid = (u32)frame->pid,
					.tid = (u32)tid,
					.ptid = (u32)frame->pid,
					.time = ev->id.time };
	g_hash_table_insert(f->threads, key(tid), key(frame->pid));
	g_hash_table_remove(f->pending, key(tid));
	return 1;
}

static struct event sample_of(const struct from_sysprof *f, const struct sysprof_frame *frame,
			      u32 evsel, s32 tid)
{
	struct event ev = event_of(f, frame, PERF_RECORD_SAMPLE);

	ev.evsel = f->evsels[evsel];
	ev.id.id = ev.evsel->ids[0];
	ev.id.tid = (u32)(tid < 0 ? frame->pid : tid);
	ev.sample = (struct sample){ .type = ev.evsel->attr.sample_type,
				     .pid = ev.id.pid,
				     .tid = ev.id.tid,
				     .cpu = ev.id.cpu,
				     .time = ev.id.time,
				     .id = ev.id.id,
				     .period = 1 };
	return ev;
}

/* Finds the first address that is no marker, and the mode that the marker before it gives. */
static void find_ip(struct event *ev)
{
	struct sample *s = &ev->sample;

	for (u64 i = 0; i < s->nr_ips; i++) {
		if (s->ips[i] < (u64)PERF_CONTEXT_MAX) {
			s->ip = s->ips[i];
			break;
		}
		if (s->ips[i] == (u64)PERF_CONTEXT_KERNEL)
			ev->misc = PERF_RECORD_MISC_KERNEL;
		else if (s->ips[i] == (u64)PERF_CONTEXT_USER)
			ev->misc = PERF_RECORD_MISC_USER;
	}
	s->misc = ev->misc;
}

static u32 take_sample(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	const u64 user = (u64)PERF_CONTEXT_USER;

	g_hash_table_add(f->sampled, key(frame->pid));
	*ev = sample_of(f, frame, FROM_SYSPROF_CHAINS, frame->sample.tid);
	ev->sample.ips = frame->sample.addrs;
	ev->sample.nr_ips = frame->sample.nr;
	if (frame->sample.nr && frame->sample.addrs[0] < (u64)PERF_CONTEXT_MAX) {
		g_array_set_size(f->ips, 0);
		g_array_append_val(f->ips, user);
		g_array_append_vals(f->ips, frame->sample.addrs, frame->sample.nr);
		ev->sample.ips = (const u64 *)f->ips->data;
		ev->sample.nr_ips = f->ips->len;
	}
	find_ip(ev);
	return 1;
}

static u32 take_stack(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	const struct sysprof_stack *stack = &frame->stack;
	const u32 ip = 8; /* in the frame's order of registers */

	g_hash_table_add(f->sampled, key(frame->pid));
	*ev = sample_of(f, frame, FROM_SYSPROF_STACKS, stack->tid);
	ev->sample.misc = ev->misc;
	if (stack->nr_regs < STACK_REGS_NR)
		return 1; /* still a sample, but no chain can be made from it */
	ev->sample.ip = stack->regs[ip];
	ev->sample.user_regs = (struct sample_regs){ stack->abi, STACK_REGS_MASK, stack->regs };
	ev->sample.user_stack = (struct sample_bytes){ stack->size, stack->bytes, stack->size };
	return 1;
}

static u32 take(struct from_sysprof *f, const struct sysprof_frame *frame, struct event *ev)
{
	switch (frame->type) {
	case SYSPROF_SAMPLE:
		return take_sample(f, frame, ev);
	case SYSPROF_STACK_USER:
		return take_stack(f, frame, ev);
	case SYSPROF_MAP:
		return take_map(f, frame, ev);
	case SYSPROF_PROCESS:
		return take_process(f, frame, ev);
	case SYSPROF_FORK:
		return take_fork(f, frame);
	case SYSPROF_EXIT:
		return take_exit(f, frame, ev);
	case SYSPROF_TIMESTAMP:
		return 0;
	default:
		f->passed_over[MIN(frame->type, (u32)SYSPROF_TYPE_MAX)]++;
		return 0;
	}
}

u32 from_sysprof_events(struct from_sysprof *f, const struct sysprof_frame *frame,
			struct event events[FROM_SYSPROF_MOST])
{
	bool of_process = frame->type == SYSPROF_SAMPLE || frame->type == SYSPROF_STACK_USER ||
			  frame->type == SYSPROF_MAP || frame->type == SYSPROF_PROCESS;
	u32 nr = of_process ? tell_fork(f, frame, events) : 0;

	if (frame->type == SYSPROF_SAMPLE)
		nr += tell_thread(f, frame, frame->sample.tid, &events[nr]);
	else if (frame->type == SYSPROF_STACK_USER)
		nr += tell_thread(f, frame, frame->stack.tid, &events[nr]);
	return nr + take(f, frame, &events[nr]);
}

char *from_sysprof_passed_over(const struct from_sysprof *f)
{
	GString *out = g_string_new(NULL);

	for (u32 type = 0; type <= SYSPROF_TYPE_MAX; type++) {
		const char *name = sysprof_type_name(type);

		if (f->passed_over[type])
			g_string_append_printf(out, "%s%" G_GUINT64_FORMAT " %s",
					       out->len ? ", " : "", f->passed_over[type],
					       name ? name : "of unknown types");
	}
	return g_string_free(out, !out->len);
}
