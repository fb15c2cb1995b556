/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who were the processes of a pinned recording (pinned.h), and what had they mapped? Its BPF programs write forks, names,
 * exec(), ends and mappings into arrays (bpf/follow.h), which are pinned in the recording's directory:
 *
 *	tasks, mappings, counts    the arrays
 *	link-pinned_...            the programs
 *
 * So a reader needs no living process. What was there at the beginning is in the image; what lives is in /proc.
 */
#ifndef DETACHED_PROCESSES_H
#define DETACHED_PROCESSES_H

#include <glib.h>
#include <sys/types.h>

#include "base/error.h"
#include "record/synth.h"

struct pinned_bpf;

/* Bytes that it takes. */
u64 processes_size(void);

/* For a kernel that does not load the programs: before loading. */
void processes_leave_out(struct pinned_bpf *skel);

/*
 * Begins to follow these processes (pid_t) and what they start, or with NULL all. Pins what it needs in the directory @path.
 */
bool processes_follow(const char *path, struct pinned_bpf *skel, const GArray *pids,
		      GError **error);

/* How many that live had to make room for others. */
u64 processes_lost(const char *path);

struct processes_told {
	GHashTable *
		since; /* pid -> u64: when its present program began, ns; absent: before the recording */
	GHashTable *no_file; /* char *: mapped files that are not there any more, or replaced */
};
struct processes_told *processes_told_new(void);
void processes_told_free(struct processes_told *told);

/*
 * Puts what was written down as records into s->out; build-ids are those of files that are still the mapped ones. Nothing
 * where the recording has no such arrays.
 */
void processes_tell(const char *path, struct synth *s, struct processes_told *told);

#endif
