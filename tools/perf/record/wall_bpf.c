// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

#include "bpf/wall.h"
#include "bpf/wall.skel.h"
#include "record/wall.h"
#include "record/wall_calls.h"
#include "record/wall_files.h"

/* A pass that finds the ring full is run again after it was read: this often at most. */
#define MOST_RUNS 1000

/* Of the kernel's words for a state. */
#define TASK_INTERRUPTIBLE   0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED	     0x4
#define TASK_TRACED	     0x8
#define TASK_IDLE	     0x402
#define TASK_FROZEN	     0x8000
#define JOBCTL_TRAP_FREEZE   (1u << 23)
#define PF_KTHREAD	     0x200000

struct bpf_eye {
	struct wall_eye eye;
	struct wall_bpf *skel;
	struct ring_buffer *ring;
	struct wall_files *files;
	const struct wall_clock *clock;
	u32 pass;
	/* During a pass. */
	wall_look_fn *fn;
	void *arg;
};

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

/* The order of the questions matters: of what is not yet off its CPU the state may be that to come. */
static enum wall_state state_of(const struct wall_bpf_thread *t)
{
	if (t->exit_state)
		return WALL_ZOMBIE;
	if (t->on_cpu)
		return WALL_RUNNING;
	if (!t->state || (t->on_rq && !t->delayed))
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

/*
 * When the state began, by the scheduler's clock, which is perf's. A thread went to sleep when it had used up what it
 * ran since it got the CPU:
 *
 *	|--- asleep ---|-- in the queue --|--- ran: exec - exec_before ---|--- asleep --> now
 *	                                  arrival
 */
static u64 since(const struct wall_bpf_thread *t, enum wall_state state)
{
	if (state == WALL_QUEUED)
		return t->queued;
	if (state == WALL_RUNNING || !t->arrival)
		return t->arrival;
	if (t->on_cpu) /* it is just ending */
		return 0;
	return t->arrival + (t->exec - t->exec_before);
}

/* The sum of a thread on a CPU is brought up to date by ticks only: what came since it got the CPU counts, too. */
static u64 executed(const struct wall_bpf_thread *t, u64 time)
{
	if (!t->on_cpu || !t->arrival || time <= t->arrival)
		return t->exec;
	return MAX(t->exec, t->exec_before + (time - t->arrival));
}

/* The sum has a wait when it is over: one that goes on counts, too. */
static u64 waited(const struct wall_bpf_thread *t, u64 time)
{
	if (!t->queued || time <= t->queued)
		return t->delay;
	return t->delay + (time - t->queued);
}

static char *endpoint_text(const struct wall_bpf_thread *t, const u8 *address, u16 port)
{
	char text[INET6_ADDRSTRLEN] = "?";

	inet_ntop(t->family, address, text, sizeof(text));
	return t->family == AF_INET6 ? g_strdup_printf("[%s]:%u", text, port)
				     : g_strdup_printf("%s:%u", text, port);
}

static char *connection_text(const struct wall_bpf_thread *t)
{
	g_autofree char *local = NULL, *remote = NULL;

	if (!t->family)
		return NULL;
	local = endpoint_text(t, t->local, t->local_port);
	if (!t->remote_port)
		return g_strdup(local);
	remote = endpoint_text(t, t->remote, t->remote_port);
	return g_strdup_printf("%s->%s", local, remote);
}

static void hand_on(struct bpf_eye *e, const struct wall_bpf_thread *t)
{
	enum wall_state state = state_of(t);
	g_autofree char *connection = connection_text(t);
	struct wall_look look = {
		.pid = t->pid,
		.tid = t->tid,
		.made = t->start,
		.start = t->start + (u64)e->clock->from_monotonic,
		.time = t->time + (u64)e->clock->from_monotonic,
		.exec = executed(t, t->time + (u64)e->clock->from_monotonic),
		.delay = waited(t, t->time + (u64)e->clock->from_monotonic),
		.runs = t->runs,
		.sleeps = t->sleeps,
		.since = since(t, state),
		.ip = t->ip,
		.tp = t->tp,
		.cgroup = t->cgroup,
		.syscall = t->syscall >= 0 && t->syscall < INT32_MAX ? (s32)t->syscall : -1,
		.state = (u8)state,
		.flags = (t->in_io ? WALL_IN_IO : 0) | (t->flags & PF_KTHREAD ? WALL_KERNEL : 0) |
			 (state == WALL_RUNNING ? WALL_LAST_CALL : 0),
		.file = t->mode ? wall_files_name(e->files, t->pid, t->args[0], t->dev, t->inode)
				: NULL,
		.connection = connection,
		.frames = (const u64 *)t->frames,
		.nr_frames = MIN(t->nr_frames, WALL_BPF_FRAMES),
	};

	memcpy(look.args, t->args, sizeof(look.args));
	memcpy(look.comm, t->comm, sizeof(look.comm));
	look.comm[sizeof(look.comm) - 1] = 0;
	e->fn(&look, e->arg);
}

static int take_look(void *arg, void *data, size_t size)
{
	struct wall_bpf_thread t = { 0 };

	if (size < offsetof(struct wall_bpf_thread, frames) || size > sizeof(t))
		return 0;
	memcpy(&t, data, size);
	hand_on(arg, &t);
	return 0;
}

static bool run(struct bpf_eye *e, struct wall_pass *pass, GError **error)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	const struct wall_bpf__bss *bss = e->skel->bss;
	int err = bpf_prog_test_run_opts(bpf_program__fd(e->skel->progs.look), &opts);

	if (err)
		return error_set_errno(error, -err, "looking at all threads");
	pass->seen += bss->result.seen;
	pass->looked += bss->result.looked;
	pass->skipped = bss->result.skipped;
	pass->faults += bss->result.faults;
	pass->lost = bss->result.full;
	pass->unseen = bss->unseen_ends;
	ring_buffer__consume(e->ring);
	return true;
}

static bool bpf_pass(struct wall_eye *eye, wall_look_fn *fn, void *arg, struct wall_pass *pass,
		     GError **error)
{
	struct bpf_eye *e = container_of(eye, struct bpf_eye, eye);

	*pass = (struct wall_pass){ 0 };
	e->fn = fn;
	e->arg = arg;
	e->skel->bss->pass = ++e->pass ?: ++e->pass;
	for (u32 i = 0; i < MOST_RUNS; i++)
		if (!run(e, pass, error) || !pass->lost)
			break;
	return !error || !*error;
}

static void bpf_want(struct wall_eye *eye, u32 pid)
{
	struct bpf_eye *e = container_of(eye, struct bpf_eye, eye);
	u8 one = 1;

	bpf_map_update_elem(bpf_map__fd(e->skel->maps.wanted), &pid, &one, BPF_ANY);
}

static void bpf_close(struct wall_eye *eye)
{
	struct bpf_eye *e = container_of(eye, struct bpf_eye, eye);

	ring_buffer__free(e->ring);
	wall_bpf__destroy(e->skel);
	wall_files_free(e->files);
	g_free(e);
}

static int load(struct bpf_eye *e, bool all)
{
	int err;

	e->skel = wall_bpf__open();
	if (!e->skel)
		return errno;
	e->skel->rodata->all = all;
	e->skel->rodata->self = (u32)getpid();
	for (u32 i = 0; i < ARRAY_SIZE(e->skel->rodata->has_fd); i++)
		e->skel->rodata->has_fd[i] = wall_call_has_fd((s32)i);
	err = -wall_bpf__load(e->skel);
	if (err)
		return err;
	err = -wall_bpf__attach(e->skel);
	if (err)
		return err;
	e->ring = ring_buffer__new(bpf_map__fd(e->skel->maps.looks), take_look, e, NULL);
	return e->ring ? 0 : errno;
}

struct wall_eye *wall_bpf_open(bool all, const struct wall_clock *clock, GError **error)
{
	static const struct wall_eye_ops ops = {
		.name = "bpf",
		.tells_ends = true,
		.pass = bpf_pass,
		.want = bpf_want,
		.close = bpf_close,
	};
	struct bpf_eye *e = g_new0(struct bpf_eye, 1);
	libbpf_print_fn_t print = libbpf_set_print(say_nothing);
	int err;

	e->eye.ops = &ops;
	e->clock = clock;
	e->files = wall_files_new("/proc");
	err = load(e, all);
	libbpf_set_print(print);
	if (!err)
		return &e->eye;
	bpf_close(&e->eye);
	if (err == EPERM || err == EACCES)
		error_set(error, PERF_ERROR_PERMISSION,
			  "BPF needs root, or CAP_BPF and CAP_PERFMON");
	else
		error_set(error, PERF_ERROR_UNSUPPORTED,
			  "this kernel does not take the BPF program (Linux 6.7 does): %s",
			  g_strerror(err));
	return NULL;
}
