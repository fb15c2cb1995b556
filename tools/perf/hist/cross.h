/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cross table: relates all keys of the samples to each other. With the table, a reader can add up any part of a
 * recording without the file. Example: the samples of one span and one structure between two times.
 *
 *	frames	one call tree of all samples, outermost function first
 *	sites	instructions, with the data that they access
 *	groups	samples that agree in event, frame, site and all keys (struct field)
 *	moments	how much of a group fell into a slice of time, of the baseline's samples apart
 *
 * The table's size is bounded and does not depend on the number of samples: cross_settle() merges small entries. The
 * totals stay exact: the samples of a small frame are added to its caller, and a small site or value becomes number 0,
 * "(others)".
 */
#ifndef HIST_CROSS_H
#define HIST_CROSS_H

#include <glib.h>

#include "fields/fields.h"
#include "resolve/place.h"
#include "typeflow/typeflow.h"

/* maximum number that is kept of each; 0: the default */
struct cross_limits {
	u32 frames, sites, values; /* values: of each key */
	u32 groups;
	u32 slices;  /* of time, from the first to the last sample */
	u32 moments; /* if there are more, slices become longer */
};

struct cross_options {
	struct session *session;
	struct lexicon *lexicon;
	const GPtrArray *fields; /* const struct field *: the keys */
	/*
	 * Index of the first baseline file: the files before it are compared with it and the later ones.
	 */
	u32 nr_files;
	bool compared;	/* frames are the same if their functions' names are (fields/identity.h) */
	bool no_inline; /* inlined calls are not shown as frames */
	bool no_unresolved; /* leave out what has no symbol */
	bool memory;	    /* a sample's period is its weight */
	struct cross_limits limits;
};

struct cross_sum {
	u64 samples, period;
};

/*
 * Number 0 is the root, without code; a parent has a smaller number than its children. A frame with @state has no code
 * either: below it are samples of this thread state whose call chains were not recorded, so that their functions do not
 * stand beside those that start threads.
 */
struct cross_frame {
	u32 parent;
	const struct code *code; /* one of those that it stands for */
	const char *state;	 /* NULL: a frame of code */
	struct cross_sum now;	 /* of samples in it or in its callees */
};

/* Number 0 is "(others)", without code. */
struct cross_site {
	const struct code *code;
	struct access access;
	struct cross_sum now;
};

/* A key's value; number 0 is "(others)". */
struct cross_value {
	u64 key;
	struct cross_sum now, before;
};

struct cross_group {
	u32 event; /* id in the lexicon's texts: the event's name */
	u32 frame, site;
	struct cross_sum now, before;
};

struct cross_moment {
	u32 group;
	u32 slice; /* from the first one on */
	struct cross_sum sum;
};

struct cross_times {
	GArray *moments; /* struct cross_moment, by group and slice */
	u64 first_ns;	 /* start of slice 0 */
	u32 nr_slices;
};

struct cross {
	struct cross_options options;
	u32 needs; /* enum place_need */
	/* As they are after cross_settle(). */
	GArray *frames;	      /* struct cross_frame */
	GArray *sites;	      /* struct cross_site */
	GPtrArray *values;    /* GArray of struct cross_value, by key */
	GArray *groups;	      /* struct cross_group */
	GArray *group_values; /* u32: for each group, the number of its value for each key */
	struct cross_times now, before;
	u64 slice_ns; /* of both */
	u64 folded;   /* samples with a key or site "(others)", or with removed frames */
	struct cross_own *own;
};

/* The objects in @options must outlive the table. */
struct cross *cross_new(const struct cross_options *options);
void cross_free(struct cross *cross);

/* Adds a sample that has what cross->needs asks for, see session_each_sample(). */
void cross_take(struct cross *cross, const struct place *place, u32 filtered);

/* When all have been taken. */
void cross_settle(struct cross *cross);

#endif
