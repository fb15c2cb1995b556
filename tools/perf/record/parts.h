/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the recorder: recorder.c, opening.c, attaching.c, collecting.c, enabling.c, commanding.c,
 * notes.c.
 */
#ifndef RECORD_PARTS_H
#define RECORD_PARTS_H

#include <signal.h>

#include "record/closing.h"
#include "record/command.h"
#include "record/control.h"
#include "record/recorder.h"
#include "record/base/target.h"

struct recorder {
	const struct record_options *opts;
	int argc;
	char *const *argv;

	/* Valid from opening on. */
	struct recording rec;
	struct event_list events;
	struct target target, side_target;
	bool refused;	   /* no event is permitted on the target, or few_files (refused.h) */
	bool few_files;	   /* refused for want of descriptors */
	bool only_command; /* refused, but the command's side records are permitted */
	u32 pages;
	u64 rate;
	bool filtered; /* filters that depend on the recorder's threads were set */
	struct command_process command;
	GPtrArray *more_sources, *more_stages; /* added by the caller */

	/* Valid while attached. */
	GPtrArray *consumers; /* struct consumer * */
	u32 nr_begun;	      /* number of consumers whose begin() was called */
	struct file_consumer *file;
	GPtrArray *evsels; /* struct evsel *: as passed to the consumers */
	struct perfdata_info *info;
	struct queue *queue;
	struct alerts alerts;
	struct collector *collector;
	struct drainer *drainer;

	/* Signals that may end the recording. */
	sigset_t old_mask;
	int signal_fd, delay_fd, switch_fd;
	u64 began_ns;	 /* monotonic clock: when collecting began */
	u32 nr_switched; /* of the times of --delay, those that have passed */
	struct control control;
	u32 nr_refused; /* wrong commands that were reported */
	bool stopped;	/* by a command of --control */
	int ended_by;	/* signal that ended the recording; 0 */
	struct closing_facts facts;
};

/* Keeps a note for the user. Takes over @text. */
void recorder_note(struct recorder *r, char *text);
/* Prints the notes so far, unless opts->quiet. */
void recorder_say_notes(struct recorder *r);

/* From now on signals arrive at r->signal_fd. Threads and commands created later inherit the mask. */
bool recorder_take_signals(struct recorder *r, GError **error);

bool recorder_enable_sources(struct recorder *r, GError **error);
/* --exclude-perf: when the threads of all sources run. The kernel takes one filter for an event. */
bool recorder_leave_out_own(struct recorder *r, GError **error);
/* As upstream: with --delay, the states of the events that the user cannot see. */
void recorder_say_events(const struct recorder *r, const char *state);
/* Starts or stops the counting of events, while collecting, and says so. */
bool recorder_switch(struct recorder *r, bool on, GError **error);
/* Does what the commands that have arrived ask for. */
bool recorder_take_commands(struct recorder *r, GError **error);

#endif
