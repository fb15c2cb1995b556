/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens events: one fd for each event, CPU and thread.
 *
 * The caller chooses the attributes. If the kernel refuses them, because it is too old or does not permit them, this
 * module tries weaker ones. It stores the change in the evsel's attributes and name, and keeps a note for the caller to
 * print:
 *
 *   precise_ip of :P       lowered step by step
 *   cycles without a PMU   becomes cpu-clock
 *   kernel mode forbidden  the event becomes :u
 *   unknown to the kernel  each feature in use is probed, newest first, and the missing
 *                          ones are left out; those without which the recording is not what
 *                          the user asked for (page sizes, clock, TLS...) refuse instead
 *   a weak group (W)       is taken apart
 *   too many open files    the soft limit is raised to the hard one, and that to what is needed, if permitted
 *
 * It maps no rings (perfevent/ring.h).
 */
#ifndef PERFEVENT_OPEN_H
#define PERFEVENT_OPEN_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/features.h"
#include "perfevent/paths.h"
#include "perfevent/spec.h"

struct open_target {
	const s32 *cpus; /* {-1}: one fd per thread, for any CPU */
	u32 nr_cpus;
	const pid_t *tids; /* {-1}: all threads on the CPUs */
	u32 nr_tids;
	unsigned long
		flags; /* PERF_FLAG_PID_CGROUP where tids are cgroup fds; FD_CLOEXEC is added */
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

/* How many files this process may have to open at once if an openset of it has @nr_fds fds: more than are open now. */
u64 openset_files(u64 nr_fds);

/*
 * The fd of event @ev on target->cpus[@cpu] for target->tids[@tid]; -1 where none was opened (a PMU that does not count
 * there, a thread that was gone).
 */
int openset_fd(const struct openset *set, u32 ev, u32 cpu, u32 tid);

/* Notes for the user about weakened attributes; empty if there are none. */
const GPtrArray *openset_notes(const struct openset *set);

/* The features that the kernel lacks and that were cleared: bits 1u << enum kernel_feature (features.h). */
u32 openset_missing(const struct openset *set);

/* Fills evsel->ids with the kernel's id of each fd, CPU by CPU, thread by thread within. */
bool openset_read_ids(struct openset *set, GError **error);

/*
 * CPU target->cpus[@cpu] was offline, and the kernel took the set's events off it for good. Opens them there again, each
 * in place of the one before: with its fd, ring and filter, and it counts if that did. All must have rings. What was
 * counted before stays in openset_count(). The new events have other ids than evsel->ids: @new_id is told each, with
 * that of the event before, when no record has it yet. BPF programs are not set again. False with @error: some of the
 * events are not there.
 */
typedef void openset_id_fn(u64 id, u64 before, void *arg);
bool openset_reopen(struct openset *set, u32 cpu, openset_id_fn *new_id, void *arg, GError **error);

/* Starts or stops counting on all events. (enable_on_exec is independent of this.) */
bool openset_enable(const struct openset *set, GError **error);
bool openset_disable(const struct openset *set, GError **error);

/* The same for event @ev alone. */
bool openset_switch(const struct openset *set, u32 ev, bool on, GError **error);

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
 * Parses the argument of -F: a number, or "max". If it is above the machine's limit, *rate is the limit and *warning is
 * a message, which the caller frees; otherwise *warning is NULL. With @strict, a rate above the limit is an error.
 */
bool sample_rate_parse(const struct kernel_paths *paths, const char *text, bool strict, u64 *rate,
		       char **warning, GError **error);

#endif
