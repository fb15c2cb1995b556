// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides which recordings BPF can carry. Also linked in a build without BPF: the user is told
 * first which option is not supported.
 */
#include <string.h>
#include <unistd.h>

#include "detached/pinned.h"
#include "perfevent/parse.h"
#include "record/base/pid_namespace.h"

/*
 * An option that the program does not support: a field of the options, supported only if 0, and its
 * name for messages.
 */
struct not_carried {
	size_t at, size;
	const char *option;
};

#define FIELD(field, option)                                                                       \
	{                                                                                          \
		offsetof(struct record_options, field),                                            \
			sizeof(((struct record_options *)0)->field), option                        \
	}

static const struct not_carried not_carried[] = {
	FIELD(command, "a command"),
	FIELD(output, "--output"),
	FIELD(tls.layout, "--sample-tls"),
	FIELD(wall.hz, "--wall"),
	FIELD(off_cpu.given, "--off-cpu"),
	FIELD(wall.latency_of, "--latency-of"),
	FIELD(count_given, "-c"),
	FIELD(per_thread, "--per-thread"),
	FIELD(no_inherit, "--no-inherit"),
	FIELD(delayed, "--delay"),
	FIELD(user_regs, "--user-regs"),
	FIELD(intr_regs, "--intr-regs"),
	FIELD(user_callchains, "--user-callchains"),
	FIELD(kernel_callchains, "--kernel-callchains"),
	FIELD(branches, "--branch-filter"),
	FIELD(transaction, "--transaction"),
	FIELD(data_source, "--sample-mem-info"),
	FIELD(running_time, "--running-time"),
	FIELD(data, "--data"),
	FIELD(weight, "--weight"),
	FIELD(phys_data, "--phys-data"),
	FIELD(data_page_size, "--data-page-size"),
	FIELD(code_page_size, "--code-page-size"),
	FIELD(stat, "--stat"),
	FIELD(no_samples, "--no-samples"),
	FIELD(all_user, "--all-user"),
	FIELD(all_kernel, "--all-kernel"),
	FIELD(all_cgroups, "--all-cgroups"),
	FIELD(namespaces, "--namespaces"),
	FIELD(switch_events, "--switch-events"),
	FIELD(clock_given, "--clockid"),
	FIELD(overwrite, "--overwrite"),
	FIELD(realtime, "--realtime"),
	FIELD(zstd_level, "--compression-level"),
};

static bool is_given(const struct record_options *opts, const struct not_carried *option)
{
	static const u8 nothing[16];

	return memcmp((const u8 *)opts + option->at, nothing, option->size) != 0;
}

static bool refuse(const char *option, GError **error)
{
	return error_set(error, PERF_ERROR_USAGE,
			 "--carrier=bpf supports one event, running code, and call chains by frame "
			 "pointers: %s needs --carrier=keeper",
			 option);
}

/* The program does not write the fields of a tracepoint. */
static bool check_event(const struct record_options *opts, GError **error)
{
	const struct kernel_paths *paths = kernel_paths_host();
	struct event_list events;
	bool fine = true;

	event_list_init(&events);
	for (u32 i = 0; fine && opts->events && i < opts->events->len; i++)
		fine = event_list_parse(&events, paths, g_ptr_array_index(opts->events, i), error);
	if (fine && events.specs->len > 1)
		fine = refuse("more than one event", error);
	if (fine && events.specs->len &&
	    event_list_at(&events, 0)->evsel->attr.type == PERF_TYPE_TRACEPOINT)
		fine = refuse("a tracepoint", error);
	event_list_release(&events);
	return fine;
}

bool pinned_can_carry(const struct detached_options *detached, const struct record_options *opts,
		      GError **error)
{
	if (detached->on_crash)
		return refuse("--on-crash", error);
	if (detached->triggers)
		return refuse("--trigger", error);
	if (opts->callgraph.mode > CALLGRAPH_FP)
		return refuse("other --call-graph", error);
	for (size_t i = 0; i < ARRAY_SIZE(not_carried); i++)
		if (is_given(opts, &not_carried[i]))
			return refuse(not_carried[i].option, error);
	/* The program writes the numbers of the initial namespace. */
	if (pid_namespace_own())
		return error_set(error, PERF_ERROR_USAGE,
				 "--carrier=bpf does not work in a container's pid namespace: use "
				 "--carrier=keeper");
	return check_event(opts, error);
}

bool pinned_is_chosen(const struct detached_options *detached, const struct record_options *opts)
{
	g_autofree char *dir = pinned_dir();

	return !geteuid() && dir && (opts->all_cpus || opts->cpus) &&
	       pinned_can_carry(detached, opts, NULL);
}
