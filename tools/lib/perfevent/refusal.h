/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why did the kernel refuse, and what can be done about it? Every message names the event
 * and, where a sysctl, limit or capability decides, its present value and the way out.
 */
#ifndef PERFEVENT_REFUSAL_H
#define PERFEVENT_REFUSAL_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"
#include "perfevent/spec.h"

/* Capabilities in another user namespace (rootless containers) mean nothing to perf and BPF. */
bool in_first_user_namespace(const struct kernel_paths *paths);

/* Is CAP_PERFMON or CAP_SYS_ADMIN effective here, in the first user namespace? */
bool may_see_kernel(const struct kernel_paths *paths);

/* What stands between this process and what it asked, as an error whose text names the
 * sysctl or capability, its value, and what to do. @errnum is perf_event_open()'s. */
bool open_refusal(const struct kernel_paths *paths, const struct event_spec *spec, int errnum,
		  pid_t pid, int cpu, GError **error);

/* As above for mmap() of rings of @pages pages. */
bool mmap_refusal(const struct kernel_paths *paths, u32 pages, int errnum, GError **error);

#endif
