/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What existed before recording began, as records: threads with their names, maps and namespaces,
 * the kernel and its modules, control groups. Unless a time is set it is 0, so they come before all others. What
 * vanishes while it is being read is left out; that is normal.
 */
#ifndef RECORD_SYNTH_H
#define RECORD_SYNTH_H

#include "perfevent/paths.h"
#include "perfevent/proc.h"
#include "record/buildids.h"
#include "record/base/source.h"

struct synth {
	const struct kernel_paths *paths;
	const struct evsel *evsel; /* whose trailer the records get */
	struct outlet *out;
	struct buildids *buildids; /* that are told of what is mapped; NULL: none are wanted */
	bool build_ids_in_maps;	   /* all of them are put into the records */
	bool data;		   /* also maps that cannot be executed */
	bool no_maps;		   /* of processes */
	bool namespaces;
	u64 time;      /* of the records */
	GError *error; /* the first record that could not be made */
};

/* The kernel's text, where it is known (end above 0), and modules. */
void synth_kernel(struct synth *s, const struct kernel_map *map);

/* A process with all its threads and maps. */
void synth_process(struct synth *s, pid_t pid);

/* Every process. */
void synth_all(struct synth *s);

/* Only the name of a process: of a command whose exec() is still to come. */
void synth_comm(struct synth *s, pid_t pid);

void synth_cgroups(struct synth *s);

/* Puts the build-id of what is mapped into @ev (MMAP, MMAP2), where it is wanted and known. */
void synth_set_build_id(struct synth *s, struct event *ev, bool kernel);

#endif
