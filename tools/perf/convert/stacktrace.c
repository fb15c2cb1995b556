// SPDX-License-Identifier: GPL-2.0-or-later
#include "convert/stacktrace.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "chains/objects.h"
#include "convert/from_sysprof.h"
#include "machine/machine.h"
#include "pass/stack_tally.h"
#include "perfevent/paths.h"
#include "perfevent/proc.h"
#include "sysprof/reader.h"

#define FLUSH_SIZE (64u << 10)

struct stacktrace {
	const struct stacktrace_options *options;
	struct stacktrace_counts *counts;
	int fd;
	const char *name;
	GByteArray *out; /* not written yet */
	struct from_sysprof *from;
	struct dsos *dsos;
	struct machine *machine;
	struct objects *objects;
	struct chainer *chainer;
	struct stack_tally *tally;
	GHashTable *mapped; /* pids with mappings from the capture or from /proc */
	bool foreign;
	bool unsealed;
};

static bool write_out(struct stacktrace *s, GError **error)
{
	if (!file_write_fd(s->fd, s->out->data, s->out->len))
		return error_set_errno(error, errno, "%s: write", s->name);
	g_byte_array_set_size(s->out, 0);
	return true;
}

static void tell_machine(struct stacktrace *s, const struct event *ev)
{
	if (ev->type == PERF_RECORD_MMAP2)
		g_hash_table_add(s->mapped, GUINT_TO_POINTER(ev->mmap.pid + 1));
	if (ev->type == PERF_RECORD_FORK && ev->task.pid != ev->task.ppid)
		g_hash_table_add(s->mapped, GUINT_TO_POINTER(ev->task.pid + 1));
	machine_apply(s->machine, ev);
	s->unsealed = true;
}

struct live_maps {
	struct stacktrace *s;
	const struct event *sample;
};

static bool add_live_map(const struct proc_map *map, void *arg)
{
	const struct live_maps *live = arg;
	struct event ev = { .type = PERF_RECORD_MMAP2,
			    .misc = PERF_RECORD_MISC_USER,
			    .id = live->sample->id };

	ev.id.time = 0;
	ev.mmap = (struct event_mmap){ .pid = live->sample->id.pid,
				       .tid = live->sample->id.pid,
				       .start = map->start,
				       .len = map->end - map->start,
				       .pgoff = map->pgoff,
				       .prot = map->prot,
				       .filename = map->name };
	tell_machine(live->s, &ev);
	return true;
}

static void add_live_name(struct stacktrace *s, const struct event *sample)
{
	g_autofree char *name = file_text("/proc/%u/comm", sample->id.pid);
	struct event ev = { .type = PERF_RECORD_COMM, .id = sample->id };

	if (!name)
		return;
	ev.id.time = 0;
	ev.comm = (struct event_comm){ sample->id.pid, sample->id.pid, name, false };
	tell_machine(s, &ev);
}

/* Reads mappings from /proc, if the capture has none for the process. (eu-stacktrace does that for all processes.) */
static void look_into_proc(struct stacktrace *s, const struct event *sample)
{
	struct live_maps live = { s, sample };

	if (!g_hash_table_add(s->mapped, GUINT_TO_POINTER(sample->id.pid + 1)))
		return;
	add_live_name(s, sample);
	proc_maps(kernel_paths_host(), (pid_t)sample->id.pid, false, add_live_map, &live, NULL);
}

static void tell_sample(struct stacktrace *s, const struct event *ev,
			const struct unwound_chain *chain)
{
	const struct thread *thread;

	if (!s->options->tell)
		return;
	thread = machine_thread(s->machine, ev->id.pid, ev->id.tid, ev->id.time, NULL);
	fprintf(s->options->tell, "pid %u (%s): unwound %u frames: %s\n", ev->id.pid,
		machine_comm(s->machine, thread, ev->id.time), chain->nr_user,
		chain->unwound ? unwind_why_text(chain->end.why) : "no registers of user code");
}

static void unwind(struct stacktrace *s, const struct sysprof_frame *frame, const struct event *ev)
{
	struct sysprof_frame made = {
		.type = SYSPROF_SAMPLE, .cpu = frame->cpu, .pid = frame->pid, .time = frame->time
	};
	struct unwound_chain chain;

	look_into_proc(s, ev);
	if (s->unsealed)
		machine_seal(s->machine);
	s->unsealed = false;
	chainer_unwind(s->chainer, ev, &chain);
	stack_tally_add(s->tally, ev->id.pid, &chain, chainer_last_dso(s->chainer));
	tell_sample(s, ev, &chain);
	made.sample = (struct sysprof_sample){ frame->stack.tid, chain.nr_ips, chain.ips };
	sysprof_frame_encode(&made, s->out);
}

static void take(struct stacktrace *s, const struct sysprof_frame *frame)
{
	bool unwinds = s->options->mode == STACKTRACE_UNWIND && !s->foreign;
	bool is_stack = frame->type == SYSPROF_STACK_USER;
	struct event events[FROM_SYSPROF_MOST];
	u32 nr = unwinds ? from_sysprof_events(s->from, frame, events) : 0;

	s->counts->frames++;
	s->counts->stacks += is_stack;
	for (u32 i = 0; i < nr; i++)
		if (events[i].type != PERF_RECORD_SAMPLE)
			tell_machine(s, &events[i]);
	if (unwinds && is_stack)
		unwind(s, frame, &events[nr - 1]);
	else if (s->options->mode != STACKTRACE_NONE)
		g_byte_array_append(s->out, frame->raw, frame->size);
}

static bool run(struct stacktrace *s, struct sysprof_reader *reader, GError **error)
{
	struct sysprof_frame frame;
	int got;

	g_byte_array_append(s->out, sysprof_header_of(reader)->raw, SYSPROF_HEADER);
	while ((got = sysprof_next(reader, &frame, error)) > 0) {
		take(s, &frame);
		if ((s->out->len >= FLUSH_SIZE || sysprof_may_wait(reader)) && !write_out(s, error))
			return false;
	}
	/* Frames before a damaged one are valid: write them. */
	return write_out(s, got < 0 ? NULL : error) && got == 0;
}

bool stacktrace_run(struct sysprof_reader *reader, int fd, const char *name,
		    const struct stacktrace_options *options, struct stacktrace_counts *counts,
		    GError **error)
{
	struct stacktrace s = { .options = options, .counts = counts, .fd = fd, .name = name };
	bool good;

	*counts = (struct stacktrace_counts){ 0 };
	s.foreign = sysprof_header_of(reader)->foreign;
	s.out = g_byte_array_new();
	s.from = from_sysprof_new();
	s.dsos = dsos_new(&(struct dso_options){ 0 });
	s.machine = machine_new(s.dsos);
	s.objects = objects_new();
	s.chainer = chainer_new(s.machine, s.objects, options->max_stack);
	s.tally = stack_tally_new();
	s.mapped = g_hash_table_new(NULL, NULL);
	good = run(&s, reader, error);
	if (options->tell && options->mode == STACKTRACE_UNWIND) {
		struct unwinder_stats steps = chainer_stats(s.chainer);

		stack_tally_add_steps(s.tally, &steps);
		stack_tally_print_elfutils(s.tally, s.machine, options->tell);
		stack_tally_print(s.tally, s.machine, options->tell);
	}
	g_hash_table_unref(s.mapped);
	stack_tally_free(s.tally);
	chainer_free(s.chainer);
	objects_free(s.objects);
	machine_free(s.machine);
	dsos_free(s.dsos);
	from_sysprof_free(s.from);
	g_byte_array_unref(s.out);
	return good;
}
