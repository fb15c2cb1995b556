/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes records of what existed before the recording: threads with their names, maps and namespaces, the kernel and its
 * modules, control groups. Their time is 0 unless one is set, so they sort before all others. Processes may end while
 * they are being read; these are left out.
 */
#ifndef RECORD_SYNTH_H
#define RECORD_SYNTH_H

#include "perfevent/paths.h"
#include "perfevent/proc.h"
#include "record/buildids.h"
#include "record/base/source.h"

struct synth {
	const struct kernel_paths *paths;
	const struct evsel *evsel; /* its trailer is appended to the records */
	struct outlet *out;
	struct buildids *buildids; /* gets the mapped files; NULL: no build-ids */
	bool build_ids_in_maps;	   /* put all build-ids into the records */
	bool data;		   /* also maps without execute permission */
	bool no_maps;		   /* no maps of processes */
	bool namespaces;
	u64 time;      /* of the records */
	GError *error; /* the first record that could not be made */
};

/* The kernel's text, if it is known (end > 0), and its modules. */
void synth_kernel(struct synth *s, const struct kernel_map *map);

/* A process with all its threads and maps. */
void synth_process(struct synth *s, pid_t pid);

/* Every process. */
void synth_all(struct synth *s);

/* Only the name of a process. For a command before its exec(). */
void synth_comm(struct synth *s, pid_t pid);

void synth_cgroups(struct synth *s);

/* Puts the build-id of the mapped file into @ev (MMAP, MMAP2), if it is requested and known. */
void synth_set_build_id(struct synth *s, struct event *ev, bool kernel);

#endif
