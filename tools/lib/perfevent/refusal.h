/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains why the kernel refused a request, and what the user can do. A message names the event. If a sysctl, limit or
 * capability is the cause, it names that, its current value and the remedy.
 */
#ifndef PERFEVENT_REFUSAL_H
#define PERFEVENT_REFUSAL_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"
#include "perfevent/spec.h"

/* Is this the first user namespace? In others (rootless containers), capabilities do not permit perf and BPF. */
bool in_first_user_namespace(const struct kernel_paths *paths);

/* Is CAP_PERFMON or CAP_SYS_ADMIN effective here, in the first user namespace? */
bool may_see_kernel(const struct kernel_paths *paths);

/*
 * Sets @error for a refused perf_event_open() with errno @errnum. The text names the sysctl or capability, its value,
 * and the remedy.
 */
bool open_refusal(const struct kernel_paths *paths, const struct event_spec *spec, int errnum,
		  pid_t pid, int cpu, GError **error);

/* As above for EMFILE. @nr: how many open files the process needs. @whole_cpus: the event was for all threads of a CPU. */
bool files_refusal(const struct event_spec *spec, u64 nr, bool whole_cpus, GError **error);

/* As above for PERF_EVENT_IOC_SET_FILTER, with what is wrong with @filter. */
bool filter_refusal(const struct kernel_paths *paths, const struct event_spec *spec,
		    const char *filter, int errnum, GError **error);

/* As above for mmap() of rings of @pages pages. */
bool mmap_refusal(const struct kernel_paths *paths, u32 pages, int errnum, GError **error);

#endif
