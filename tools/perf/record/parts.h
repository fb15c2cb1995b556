/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a recorder share. Internal to recorder.c, opening.c, attaching.c,
 * collecting.c, notes.c. */
#ifndef RECORD_PARTS_H
#define RECORD_PARTS_H

#include <signal.h>

#include "record/closing.h"
#include "record/command.h"
#include "record/recorder.h"
#include "record/base/target.h"

struct recorder {
	const struct record_options *opts;
	int argc;
	char *const *argv;

	/* From opening on. */
	struct recording rec;
	struct event_list events;
	struct target target, side_target;
	u32 pages;
	u64 rate;
	struct command_process command;
	GPtrArray *more_sources, *more_stages; /* not asked for by options */

	/* While attached. */
	GPtrArray *consumers; /* struct consumer * */
	u32 nr_begun;	      /* of the consumers */
	struct file_consumer *file;
	GPtrArray *evsels; /* struct evsel *: as the consumers are told */
	struct perfdata_info *info;
	struct queue *queue;
	struct alerts alerts;
	struct collector *collector;
	struct drainer *drainer;

	/* What may end it. */
	sigset_t old_mask;
	int signal_fd, delay_fd, switch_fd;
	int ended_by; /* signal that ended the recording; 0 */
	struct closing_facts facts;
};

/* Keeps @text, which it takes over, for the user. */
void recorder_note(struct recorder *r, char *text);
/* Says what was kept so far, unless opts->quiet. */
void recorder_say_notes(struct recorder *r);

/* Signals come through r->signal_fd from now on; threads and commands made later inherit the mask. */
bool recorder_take_signals(struct recorder *r, GError **error);

#endif
