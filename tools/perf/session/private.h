/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of a session. */
#ifndef SESSION_PRIVATE_H
#define SESSION_PRIVATE_H

#include "base/progress.h"
#include "chains/ends.h"
#include "machine/machine.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/samples.h"
#include "resolve/activity.h"
#include "resolve/context.h"
#include "resolve/data.h"
#include "resolve/locks.h"
#include "session/beside.h"
#include "session/charging.h"
#include "session/entries.h"
#include "session/filter.h"
#include "session/kept.h"
#include "session/session.h"

/* What the files that are read as one share. */
struct session_set {
	GPtrArray *files; /* struct session *: they own the set together, the first one frees it */
	struct spans *spans;	 /* NULL without files of them */
	struct objects *objects; /* of call chains */
	bool has_wall;		 /* all files tell the time of day */
	struct time_span span;	 /* that percentages of --time are of */
	struct progress_watch watch;
};

/* One recording: what its threads share. Only the thread that opened it changes it, except where stated. */
struct session_file {
	struct perfdata *pd;
	struct dsos *dsos;
	struct machine *machine;
	struct packed *packed; /* NULL without packed files */
	s64 to_wall;	       /* from the file's clock to the time of day; 0 for a file alone */
	GArray *switched; /* the time ranges of --switch-on and --switch-off; NULL: not given */
	struct activities *activities;
	struct entries *entries; /* sampled first instructions of functions; NULL: not needed */
	struct deferred *deferred;
	struct group_reads *group_reads;
	GPtrArray *head; /* of a pipe: raw records read at opening, to be handed out again */
	bool passed;	 /* a pipe was read */
	bool announced;	 /* session_expect_types() has read the first samples */
	struct kept_samples *kept; /* of a pipe whose samples are kept; else NULL */
	bool unsealed;		   /* the machine has taken in something since the last look-up */
	struct session_counts counts;
	u32 nr_known_ids; /* build-ids of the header that the dsos were told */
};

/* One thread's view of a file: the options, and all that remembers answers. Made where first needed. */
struct session {
	struct session_set *set;
	struct session_file *file;
	struct session *whole; /* whose view this one is (session_view_new()); NULL: nobody's */
	u32 index;	       /* in set->files */
	struct session_options options;
	struct resolver *resolver;
	struct filter *filter;
	struct contexts *contexts;
	struct data_types *data_types;
	struct charging *charging;
	struct lock_names *lock_names;
	struct beside *beside;
	struct chained *chained;
	struct chain_ends ends; /* of the samples handed out in the last pass with chains */
};

/* The header's table of build-ids; on a pipe it grows as its records come by. */
void session_tell_build_ids(struct session *s);

/* Begins to show how far a pass is; whether it is to be left, with @error set. */
void session_progress(const struct session *s, struct progress *progress, const char *title);
/* Maximum memory in bytes for the numbers (gather.h) of all readers. */
size_t session_numbers_size(const struct session *s);

bool session_is_stopped(const struct progress *progress, GError **error);

/*
 * The part of @event that --time and --cpu keep: @event itself, or a part of a stretch of time, stored in @room. NULL:
 * nothing.
 */
const struct event *session_counted(const struct session *s, const struct event *event,
				    struct event *room);
/* The same for a head, changed in place. False: nothing is kept. */
bool session_counts_head(const struct session *s, struct sample_head *head);

/*
 * The place of a sample, with room for what it is of at @activity, and enum session_filtered bits of
 * why it is not to be shown.
 */
u32 session_place(struct session *s, const struct event *event, u32 needs, struct place *place,
		  struct activity *activity);
/* The answers about data types; made when first asked for. */
struct data_types *session_types(struct session *s);

/*
 * If @needs have data types or what waited: announces the code in the first samples of a file. This is a pass over them.
 */
bool session_expect_types(struct session *s, u32 needs, GError **error);

/* Back to the first record, for a pass that is given @want. */
bool session_start_pass(struct session *s, enum perfdata_want want, GError **error);

/*
 * The records of a file that is no pipe, as session_each_event() hands them out, but as they lie there. @raw
 * is valid as long as the session if it @stays, else during the call.
 */
typedef bool session_record_fn(const struct perf_event_header *raw, u64 foff, bool stays, void *arg,
			       GError **error);
bool session_each_record(struct session *s, bool by_time, session_record_fn *fn, void *arg,
			 GError **error);

/*
 * The same session for one thread more: what threads can share is @s's, the resolver, filters and all
 * else that remembers answers are its own. For places of files only; with data types only after
 * session_expect_types(). To be freed before @s. NULL with @error.
 */
struct session *session_view_new(struct session *s, GError **error);
void session_view_free(struct session *view);

/* Reads the part that is needed before any query: the head of a pipe, the side records of a file. */
bool session_read_head(struct session *s, GError **error);
/* @quiet: show no progress, because another thread reads another file. */
bool session_read_sideband(struct session *s, bool quiet, GError **error);

/* sidebands.c: the side records of all files, several at a time. */
bool session_read_sidebands(struct session *first, GError **error);

#endif
