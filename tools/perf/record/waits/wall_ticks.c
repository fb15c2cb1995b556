// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timer for each CPU that runs bpf/track.h's track_tick(): it samples the activity of the running
 * thread.
 *
 * The timer is a perf event of the CPU (cpu-clock) without a ring: only the BPF program sees its
 * overflows. It is needed because a pass cannot read the memory of a running thread, and because
 * the end of a run is no fair sample. A server clears its activity before it waits for the next
 * request:
 *
 *	|--- request 7: 2 ms ---|none|  switch: none      The ends of all runs say "none",
 *	|--- request 8: 2 ms ---|none|  switch: none      but a tick hits the requests
 *
 * The period is 4.637 ms, and not 4 or 5: a thread that is woken by a timer of 1, 4 or 10 ms would
 * have its ticks always at the same point of its work. exclude_idle stops the timer's samples on
 * idle CPUs, whose thread has no activity.
 *
 * A CPU that comes online later has no timer. Running time there has the activity that the end of
 * each run had.
 */
#include "record/waits/wall_ticks.h"

#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perfevent/paths.h"
#include "perfevent/proc.h"

/* ns of a CPU's time. No multiple or part of the periods that programs and kernels use. */
#define PERIOD 4637000

static void end_link(gpointer link)
{
	bpf_link__destroy(link);
}

/*
 * The link takes over the event's file descriptor: bpf_link__destroy() closes both. Without a link,
 * it is ours to close. NULL: there is no timer on this CPU.
 */
static struct bpf_link *start_on(const struct bpf_program *program, s32 cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD,
		.exclude_idle = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	struct bpf_link *link = fd < 0 ? NULL : bpf_program__attach_perf_event(program, fd);

	if (fd >= 0 && !link)
		close(fd);
	return link;
}

GPtrArray *wall_ticks_start(const struct bpf_program *program)
{
	GPtrArray *links = g_ptr_array_new_with_free_func(end_link);
	GArray *cpus = cpu_list_online(kernel_paths_host(), NULL);

	for (u32 i = 0; cpus && i < cpus->len; i++) {
		struct bpf_link *link = start_on(program, g_array_index(cpus, s32, i));

		if (link)
			g_ptr_array_add(links, link);
	}
	if (cpus)
		g_array_unref(cpus);
	return links;
}
