/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sum of many critical paths, as a tree, with one sum for each class of instances:
 *
 *	waiting for book.lock (mutex)		NODE_WAIT
 *	    held by worker in report		NODE_OWNER
 *		running				NODE_RUNNING
 *		    scan			NODE_CODE
 *			struct item.next	NODE_DATA
 *		run queue			NODE_QUEUED
 *		    other had the CPU		NODE_CPU
 *		blocked in clock_nanosleep	NODE_WAIT
 *
 * Times of nodes are exact, except NODE_CODE, NODE_DATA and NODE_MEANWHILE: they are divided by the samples.
 */
#ifndef CRITICAL_PATH_TREE_H
#define CRITICAL_PATH_TREE_H

#include <glib.h>

#include "critical/doings.h"
#include "critical/walk.h"

enum path_class { CLASS_SLOW, CLASS_REST, NR_CLASSES };

enum path_kind {
	NODE_ROOT,
	NODE_BUSY, /* the thread worked for another span: text */
	NODE_RUNNING,
	NODE_CODE, /* text: the function */
	NODE_DATA, /* text: the member */
	NODE_QUEUED,
	NODE_CPU,	/* who had the CPU: text: the span, name; how: enum wall_owner */
	NODE_MEANWHILE, /* if that is not recorded: who ran then on any CPU: text: the span, name */
	NODE_WAIT,	/* text: what for; how: enum segment_why if it is the path's end, else 0 */
	NODE_OWNER,	/* name, text: the span; how: enum path_role */
	NODE_REASON,	/* how: enum segment_why */
	NODE_OTHERS,	/* more than PATH_TREE_MOST nodes */
};

/* What another thread has to do with a wait. */
enum path_role {
	ROLE_OWNER,	 /* it had the lock */
	ROLE_WAKER,	 /* it ended the wait */
	ROLE_READER,	 /* the same: the last one of the readers that had it */
	ROLE_SENDER,	 /* what it sent ended the wait */
	ROLE_CHILD,	 /* it did a child span meanwhile, and nothing tells more */
	ROLE_LAST_WAKER, /* it ended the last one of several waits for the same, which had timeouts */
	ROLE_RELEASER,	 /* it gave the lock up; since when it had it is not known */
};

#define PATH_TREE_MOST 100000u
#define PATH_NO_NODE   UINT32_MAX

struct path_tree_node {
	u8 kind; /* enum path_kind */
	u8 how;
	bool is_lock;		/* of NODE_WAIT: waits for a lock, */
	bool is_owned;		/* ... which is of a kind that has owners */
	u32 name, text;		/* of a thread; of anything else */
	u32 parent;		/* smaller than the node's own index */
	u64 ns[NR_CLASSES];	/* with the nodes below */
	u64 weight[NR_CLASSES]; /* of samples, of NODE_CODE, _DATA and _MEANWHILE */
	u32 samples;		/* of those */
	u32 first, next; /* after settling: the first below it, the next beside it; PATH_NO_NODE */
};

struct path_tree;

/* Borrows both. */
struct path_tree *path_tree_new(const struct history *history, const struct doings *doings);
void path_tree_free(struct path_tree *t);

/* Adds a segment of the path of @instance; UINT32_MAX: of no instance, so each activity is its own. */
void path_tree_add(struct path_tree *t, const struct path_segment *segment, u32 instance,
		   enum path_class class);

/*
 * Ends adding. Orders the nodes below each one: those first that have a larger share of the first class than of the second.
 * @whole: the time of all instances of each class.
 */
void path_tree_settle(struct path_tree *t, const u64 whole[NR_CLASSES]);

/* Node 0 is the root. */
u32 path_tree_nr(const struct path_tree *t);
const struct path_tree_node *path_tree_at(const struct path_tree *t, u32 i);

#endif
