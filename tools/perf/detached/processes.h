/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the processes of a pinned recording (pinned.h) and their mappings. The recording's BPF
 * programs write forks, names, exec() and exits (bpf/follow_tasks.h) and mappings (bpf/follow.h)
 * into arrays, which are pinned in the recording's directory:
 *
 *	tasks, mappings, counts    the arrays
 *	link-pinned_...            the programs
 *
 * So ended processes are known, too. The state at the start is in the image; the state of living
 * processes is in /proc.
 */
#ifndef DETACHED_PROCESSES_H
#define DETACHED_PROCESSES_H

#include <glib.h>
#include <sys/types.h>

#include "base/error.h"
#include "record/synth.h"

struct pinned_bpf;
struct process_map;
struct process_task;

/* Size of the arrays in bytes. @all: of a recording of all processes, else of some. */
u64 processes_size(bool all);
/* Sets the sizes of the arrays, before loading. */
void processes_choose_size(struct pinned_bpf *skel, bool all);
/* Size of the arrays of the recording in directory @path; 0: it has none. */
u64 processes_taken(const char *path);

/* Removes the programs before loading, for kernels that do not support them. */
void processes_leave_out(struct pinned_bpf *skel);

/*
 * Starts to follow the processes @pids (pid_t) and their children; NULL: all processes. Pins the
 * arrays and links in directory @path.
 */
bool processes_follow(const char *path, struct pinned_bpf *skel, const GArray *pids,
		      GError **error);

/* Number of living threads and mappings whose slots were taken for others. */
u64 processes_lost(const char *path);

struct processes_told {
	GHashTable *
		/* pid -> u64: start of its present program, ns; absent: before the recording */
		since;
	GHashTable *no_file; /* char *: mapped files that were deleted or replaced */
};
struct processes_told *processes_told_new(void);
void processes_told_free(struct processes_told *told);

/* The arrays in memory, which the programs may be writing to. */
struct processes_slots {
	const struct process_task *tasks;
	const struct process_map *maps;
	u64 nr_tasks, nr_maps;
};
void processes_tell_slots(const struct processes_slots *slots, struct synth *s,
			  struct processes_told *told);

/*
 * Puts the arrays' contents as records into s->out. Build-ids are only those of files that are
 * unchanged since they were mapped. Does nothing if the recording has no such arrays.
 */
void processes_tell(const char *path, struct synth *s, struct processes_told *told);

#endif
