/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From descriptions to open event fds: which fd counts event E on CPU C for thread T?
 *
 * The attributes are the caller's. This module opens them, and where a kernel is older or
 * stricter than asked, it takes back what can be taken back, writes the change into the
 * evsel's attributes and name, and keeps a note for the caller to print:
 *
 *   precise_ip of :P       lowered step by step
 *   cycles without a PMU   becomes cpu-clock
 *   kernel mode forbidden  the event becomes :u
 *   unknown to the kernel  each feature in use is probed, newest first, and the missing
 *                          ones are left out; those without which the recording is not what
 *                          the user asked for (page sizes, clock, TLS...) refuse instead
 *   a weak group (W)       is taken apart
 *   too many open files    the soft limit is raised to the hard one
 *
 * It maps no rings (perfevent/ring.h).
 */
#ifndef PERFEVENT_OPEN_H
#define PERFEVENT_OPEN_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/parse.h"

struct open_target {
	const s32 *cpus; /* {-1}: any CPU, one fd per thread */
	u32 nr_cpus;
	const pid_t *tids; /* {-1}: every thread of the CPUs */
	u32 nr_tids;
	unsigned long
		flags; /* PERF_FLAG_PID_CGROUP where tids are cgroup fds; FD_CLOEXEC is added */
};

/* What kernels learnt over time and a recording can ask for, newest first. */
enum kernel_feature {
	KERNEL_TLS_USER,       /* PERF_SAMPLE_TLS_USER */
	KERNEL_INHERIT_READ,   /* 6.12: inherit and PERF_SAMPLE_READ together */
	KERNEL_READ_LOST,      /* 6.0: PERF_FORMAT_LOST */
	KERNEL_BUILD_ID,       /* 5.12: build ids in MMAP2 */
	KERNEL_WEIGHT_STRUCT,  /* 5.12 */
	KERNEL_CODE_PAGE_SIZE, /* 5.11 */
	KERNEL_DATA_PAGE_SIZE, /* 5.11 */
	KERNEL_TEXT_POKE,      /* 5.9 */
	KERNEL_CGROUP_SAMPLE,  /* 5.7: PERF_SAMPLE_CGROUP */
	KERNEL_CGROUP,	       /* 5.7: CGROUP records */
	KERNEL_BPF_EVENT,      /* 5.0 */
	KERNEL_KSYMBOL,	       /* 5.0 */
	KERNEL_PHYS_ADDR,      /* 4.14 */
	KERNEL_NAMESPACES,     /* 4.12 */
	KERNEL_WRITE_BACKWARD, /* 4.7 */
	KERNEL_CONTEXT_SWITCH, /* 4.3 */
	KERNEL_CLOCKID,	       /* 4.1 */
	KERNEL_COMM_EXEC,      /* 3.16 */
	KERNEL_MMAP2,	       /* 3.16 */
	KERNEL_CLOEXEC,	       /* 3.14: PERF_FLAG_FD_CLOEXEC */
	NR_KERNEL_FEATURES,
};

struct openset;

/*
 * Opens every event of @list on every CPU and thread of @target, groups with their
 * leader's fd. Changes evsel attributes and names where it fell back. A thread that ended
 * meanwhile is left out (its fds are -1) unless it was the only one.
 * @list, @target with its arrays and @paths must outlive the set. NULL with @error naming event, cause
 * and the ways out.
 */
struct openset *openset_open(struct event_list *list, const struct open_target *target,
			     const struct kernel_paths *paths, GError **error);
void openset_close(struct openset *set);

/* The fd of event @ev on target->cpus[@cpu] for target->tids[@tid]; -1 where none was opened (a PMU that does not
 * count there, a thread that was gone). */
int openset_fd(const struct openset *set, u32 ev, u32 cpu, u32 tid);

/* Sentences for the user about what was taken back; empty when all was as asked. */
const GPtrArray *openset_notes(const struct openset *set);

/* A set bit (1u << enum kernel_feature) per feature that was taken back. */
u32 openset_missing(const struct openset *set);

/* Fills evsel->ids with the kernel's id of each fd, CPU by CPU, thread by thread within. */
bool openset_read_ids(struct openset *set, GError **error);

/* Starts or stops counting on all events (not on enable_on_exec's behalf). */
bool openset_enable(const struct openset *set, GError **error);
bool openset_disable(const struct openset *set, GError **error);

/* PERF_EVENT_IOC_SET_FILTER on every fd of event @ev. */
bool openset_filter(const struct openset *set, u32 ev, const char *filter, GError **error);

/* Sum over fds of event @ev of its count and, where read_format has LOST, of lost samples. */
struct event_count {
	u64 value;
	u64 enabled_ns;
	u64 running_ns;
	u64 lost;
	bool has_lost;
};
bool openset_count(const struct openset *set, u32 ev, struct event_count *out, GError **error);

/*
 * Does perf_event_open() take this feature here? Opens a dummy event on the caller itself. A
 * refusal for any other reason than not knowing the feature counts as yes.
 */
bool kernel_can(enum kernel_feature feature);
const char *kernel_feature_name(enum kernel_feature feature);  /* "PERF_FORMAT_LOST" */
const char *kernel_feature_since(enum kernel_feature feature); /* "Linux 6.0" */

/* Do these attributes ask for it? */
bool kernel_feature_used(enum kernel_feature feature, const struct evsel *evsel);

/*
 * The syscall itself: the evsel's attributes as bytes (config3, config4 and
 * sample_tls_user included). Returns the fd or -errno.
 */
int evsel_sys_open(const struct evsel *evsel, pid_t pid, int cpu, int group_fd,
		   unsigned long flags);

/*
 * The rate that -F @text asks: a number, or "max". Above the machine's limit: *rate is the
 * limit and *warning (to be freed, NULL otherwise) says so; with @strict that is an error.
 */
bool sample_rate_parse(const struct kernel_paths *paths, const char *text, bool strict, u64 *rate,
		       char **warning, GError **error);

/* What stands between this process and what it asked, as an error whose text names the
 * sysctl or capability, its value, and what to do. @errnum is perf_event_open()'s. */
bool open_refusal(const struct kernel_paths *paths, const struct event_spec *spec, int errnum,
		  pid_t pid, int cpu, GError **error);

/* As above for mmap() of rings of @pages pages. */
bool mmap_refusal(const struct kernel_paths *paths, u32 pages, int errnum, GError **error);

#endif
