/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control group of a thread in the hierarchy of the perf_event controller, as for perf's cgroup
 * events.
 */
#ifndef BPF_CGROUPS_H
#define BPF_CGROUPS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* NULL: this kernel's perf does not support control groups. */
static __always_inline struct cgroup_subsys_state *perf_css(struct task_struct *task)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state *css = 0;
	__u64 at = (__u64)set + bpf_core_field_offset(set->subsys);

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, perf_event_cgrp_id))
		return 0;
	at += sizeof(css) * bpf_core_enum_value(enum cgroup_subsys_id, perf_event_cgrp_id);
	bpf_probe_read_kernel(&css, sizeof(css), (void *)at);
	return css;
}

static __always_inline __u64 cgroup_of(struct task_struct *task)
{
	struct cgroup_subsys_state *css = perf_css(task);

	return css ? BPF_CORE_READ(css, cgroup, kn, id)
		   : BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
}

#endif
