// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How one sampling event becomes events of several sizes. A record's sample_stack_user is a
 * property of the event, the same for all threads. So for each CPU there are up to
 * SAMPLE_STACK_CLASSES more events, which never count; the program writes by one of them:
 *
 *	class 0: 512 bytes   class 1: 1024   class 2: 2048   ...   last class: the size that was asked for
 *
 *	sample of cycles, thread 7	the program looks up the class of 7: 2
 *					output by event [cpu][2]: the kernel writes a whole sample with 2048 bytes
 *					the program returns 0: the kernel does not write the sample of cycles
 *
 * The output event has the same sample_type, so its record has all fields that the user's event
 * would have. What the kernel cannot fill in for such an event (the period, for one) is in the raw
 * data.
 *
 * live/sizes.c decides the class of each thread, from what unwinding needed; stack_source_resize()
 * tells the program.
 *
 * If the program cannot be used, the kernel copies one size for all, and the recording is the same
 * otherwise. Program and output events go together: once one event runs the program, and another
 * cannot, off makes the program let all samples through.
 */
#include "record/stack_source.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bpf/sample_stack.h"
#include "bpf/sample_stack.skel.h"
#include "perfdata/evsel.h"
#include "record/config.h"
#include "record/base/options.h"
#include "record/base/pid_namespace.h"

_Static_assert(STACK_SIZE_LEAST == 1u << SAMPLE_STACK_SHIFT, "class 0");

/* Fields of the program's samples. The kernel fills them in. */
#define GIVEN                                                                                      \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |                    \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |    \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR |                  \
	 PERF_SAMPLE_CGROUP | PERF_SAMPLE_IDENTIFIER)

struct stack_source {
	struct source source;
	struct sample_stack_bpf *skel; /* NULL: not used */
	struct evsel *evsel;
	GArray *fds; /* int: the events of all classes and CPUs */
	GArray *ids; /* u64: the ids of these events */
	u32 nr_classes;
	u64 own_id;    /* of the user's event */
	u64 lost_told; /* lost samples that are in the file, or in earlier parts of it */
};

static struct stack_source *of(const struct source *src)
{
	return container_of((struct source *)src, struct stack_source, source);
}

/* The smallest class that holds @size bytes; the largest if none does. */
static u32 class_of(const struct stack_source *s, u32 size)
{
	u32 class = 0;

	while (class < s->nr_classes - 1 && size > STACK_SIZE_LEAST << class)
		class ++;
	return class;
}

/*
 * Can the program write this event's samples? Only fields that the kernel fills in for an output
 * event (GIVEN), of one event, which no other program uses.
 */
static bool by_program(const struct recording *rec)
{
	const struct perf_event_attr *attr;

	if (rec->opts->tls.layout || rec->opts->overwrite || rec->events->specs->len != 1)
		return false;
	attr = &event_list_at(rec->events, 0)->evsel->attr;
	return attr->type != PERF_TYPE_TRACEPOINT && attr->type != PERF_TYPE_BREAKPOINT &&
	       attr->sample_type & PERF_SAMPLE_STACK_USER && !(attr->sample_type & ~(u64)GIVEN) &&
	       attr->sample_stack_user > STACK_SIZE_LEAST;
}

/* Requests ids in records: samples of the program's events are in the same rings. */
static bool prepare(struct source *src, struct recording *rec, GError **error)
{
	if (by_program(rec))
		config_identify(rec->events);
	return true;
}

/* Returns 0 or an errno. */
static int load(struct stack_source *s, const struct recording *rec)
{
	u32 nr_cpus = 0;
	int err;

	for (u32 i = 0; i < rec->rings->len; i++) {
		const struct record_ring *ring = g_ptr_array_index(rec->rings, i);

		nr_cpus = MAX(nr_cpus, (u32)ring->cpu + 1);
	}
	libbpf_set_print(NULL);
	s->skel = sample_stack_bpf__open();
	if (!s->skel)
		return errno;
	s->skel->rodata->first_class = s->nr_classes - 1;
	s->skel->rodata->own_ns = pid_namespace_own();
	err = -bpf_map__set_max_entries(s->skel->maps.outputs, nr_cpus * SAMPLE_STACK_CLASSES);
	return err ?: -sample_stack_bpf__load(s->skel);
}

/* The copy of the model that the program's samples have, with stacks of @size bytes. */
static struct evsel *output_evsel(const struct evsel *model, u32 size)
{
	struct evsel *evsel = evsel_copy_as_output(model, model->attr.sample_type);
	struct perf_event_attr *attr = &evsel->attr;

	attr->sample_regs_user = model->attr.sample_regs_user;
	attr->sample_regs_intr = model->attr.sample_regs_intr;
	attr->sample_max_stack = model->attr.sample_max_stack;
	attr->sample_stack_user = size;
	attr->exclude_callchain_kernel = model->attr.exclude_callchain_kernel;
	attr->exclude_callchain_user = model->attr.exclude_callchain_user;
	return evsel;
}

static int open_output(struct stack_source *s, const struct record_ring *ring,
		       const struct evsel *model, u32 class)
{
	u32 most = model->attr.sample_stack_user, at;
	struct evsel *evsel =
		output_evsel(model, class == s->nr_classes - 1 ? most : STACK_SIZE_LEAST << class);
	int fd = evsel_sys_open(evsel, -1, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	u64 id;

	evsel_free(evsel);
	if (fd < 0)
		return -fd;
	g_array_append_val(s->fds, fd);
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return errno;
	g_array_append_val(s->ids, id);
	at = (u32)ring->cpu * SAMPLE_STACK_CLASSES + class;
	if (bpf_map_update_elem(bpf_map__fd(s->skel->maps.outputs), &at, &fd, BPF_ANY))
		return errno;
	return ring_attach(&ring->ring, fd, NULL) ? 0 : EINVAL;
}

static int open_outputs(struct stack_source *s, const struct recording *rec,
			const struct evsel *model)
{
	int err = 0;

	for (u32 i = 0; i < rec->rings->len; i++)
		for (u32 class = 0; class < s->nr_classes && !err; class ++)
			err = open_output(s, g_ptr_array_index(rec->rings, i), model, class);
	return err;
}

/*
 * A program is set on each descriptor. If one fails, those before have it already, and cannot get
 * rid of it before they are closed: off switches it off.
 */
static int set_program(const struct stack_source *s, const struct recording *rec)
{
	int program = bpf_program__fd(s->skel->progs.sample_stack);

	for (u32 c = 0; c < rec->target->nr_cpus; c++) {
		for (u32 t = 0; t < rec->target->nr_tids; t++) {
			int fd = openset_fd(rec->set, 0, c, t);

			if (fd < 0 || !ioctl(fd, PERF_EVENT_IOC_SET_BPF, program))
				continue;
			s->skel->bss->off = true;
			return errno;
		}
	}
	return 0;
}

static bool one_cpu_each(const struct recording *rec)
{
	for (u32 i = 0; i < rec->rings->len; i++)
		if (((const struct record_ring *)g_ptr_array_index(rec->rings, i))->cpu < 0)
			return false;
	return rec->rings->len;
}

static void let_go(struct stack_source *s)
{
	for (u32 i = 0; i < s->fds->len; i++)
		close(g_array_index(s->fds, int, i));
	g_array_set_size(s->fds, 0);
	g_array_set_size(s->ids, 0);
}

/* On failure the kernel makes the copies, all of one size. */
static bool open_source(struct source *src, struct recording *rec, GError **error)
{
	struct stack_source *s = of(src);
	const struct evsel *model;
	int err;

	if (!rec->set || !by_program(rec) || !one_cpu_each(rec))
		return true;
	model = event_list_at(rec->events, 0)->evsel;
	s->nr_classes = SAMPLE_STACK_CLASSES;
	s->nr_classes = class_of(s, model->attr.sample_stack_user) + 1;
	err = load(s, rec) ?: open_outputs(s, rec, model) ?: set_program(s, rec);
	if (err) {
		let_go(s);
		if (rec->opts->verbose)
			g_ptr_array_add(rec->notes,
					g_strdup_printf("stacks: all copies have one size, because "
							"the BPF program cannot be used here: %s",
							g_strerror(err)));
		return true;
	}
	s->evsel = output_evsel(model, model->attr.sample_stack_user);
	g_free(s->evsel->ids);
	s->evsel->nr_ids = s->ids->len;
	s->evsel->ids = g_memdup2(s->ids->data, s->ids->len * sizeof(u64));
	s->own_id = model->nr_ids ? model->ids[0] : 0;
	return true;
}

/*
 * Samples that the program could not write count as lost samples of the user's event.
 *
 * The kernel counts from the start of the recording, and a reader adds up the records. So each record
 * has what was lost since the one before: at the end of each part, when a reader asks, and at the end.
 */
static void put_lost(struct source *src, struct outlet *out, bool last)
{
	struct stack_source *s = of(src);
	struct event event = { .type = PERF_RECORD_LOST_SAMPLES };
	u64 lost = 0;
	struct {
		u64 value, lost;
	} count;

	if (!last || !s->evsel || !(s->evsel->attr.read_format & PERF_FORMAT_LOST))
		return;
	for (u32 i = 0; i < s->fds->len; i++)
		if (read(g_array_index(s->fds, int, i), &count, sizeof(count)) == sizeof(count))
			lost += count.lost;
	if (lost <= s->lost_told)
		return;
	event.id.id = event.lost.id = s->own_id;
	event.lost.lost = lost - s->lost_told;
	s->lost_told = lost;
	outlet_event(out, &event, s->evsel, NULL);
}

static void close_source(struct source *src)
{
	struct stack_source *s = of(src);

	let_go(s);
	g_array_unref(s->fds);
	g_array_unref(s->ids);
	evsel_free(s->evsel);
	sample_stack_bpf__destroy(s->skel);
	g_free(s);
}

struct source *stack_source_new(void)
{
	static const struct source_ops ops = {
		.name = "stacks",
		.prepare = prepare,
		.open = open_source,
		.drain = put_lost,
		.close = close_source,
	};
	struct stack_source *s = g_new0(struct stack_source, 1);

	s->source.ops = &ops;
	s->fds = g_array_new(FALSE, FALSE, sizeof(int));
	s->ids = g_array_new(FALSE, FALSE, sizeof(u64));
	return &s->source;
}

const struct evsel *stack_source_evsel(const struct source *src)
{
	return of(src)->evsel;
}

u64 stack_source_period(const void *raw, u32 size)
{
	struct sample_stack_head head = { 0 };

	if (size >= sizeof(head))
		memcpy(&head, raw, sizeof(head));
	return head.period;
}

struct sample_more_stack stack_source_more(const void *raw, u32 size)
{
	const u32 at = offsetof(struct sample_stack_more, bytes);
	struct sample_more_stack more = { 0 };

	if (size < at + sizeof(u64)) /* the kernel pads raw data with up to 7 bytes */
		return more;
	memcpy(&more.address, (const u8 *)raw + offsetof(struct sample_stack_more, address),
	       sizeof(more.address));
	more.size = (size - at) / sizeof(u64) * sizeof(u64);
	more.data = (const u8 *)raw + at;
	return more;
}

void stack_source_resize(struct source *src, u32 tid, u32 size)
{
	struct stack_source *s = of(src);
	u32 class;

	if (!s->evsel)
		return;
	class = class_of(s, size);
	bpf_map_update_elem(bpf_map__fd(s->skel->maps.classes), &tid, &class, BPF_ANY);
}
