/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded queue of buffers between the drainer, which empties the kernel's rings, and the
 * collector, which passes the records on. All memory is allocated at the start. When every buffer
 * is full, the drainer waits (this is counted), the rings fill up, and the kernel drops records and
 * counts them. So a slow disk costs records that are counted, and never memory.
 */
#ifndef RECORD_QUEUE_H
#define RECORD_QUEUE_H

#include "record/base/source.h"

/* A record is smaller than 64 KiB, so each fits into any buffer. */
#define QUEUE_BUFFER_MIN (64 * 1024)

struct queue;

struct queue_counts {
	u64 waits;     /* how often the drainer found no free buffer */
	u64 waited_ns; /* how long the drainer waited for one */
	u32 most_used; /* maximum number of full buffers */
	u32 nr_buffers;
};

/* Records of one ring that follow each other. */
struct queue_run {
	u32 ring;   /* or OUTLET_NO_RING */
	size_t end; /* end offset in the buffer; the run begins at the end of the previous run */
};

/* Information at the end of a buffer. */
struct queue_mark {
	bool round;	  /* a round has ended: all sources have been drained once */
	bool last;	  /* the last round of this file */
	bool then_switch; /* the next buffer belongs to a new file */
	u64 asked;	  /* recording.asked, before this round began */
	u64 wakes;	  /* wake-ups of the drainer so far */
	u64 began_ns;	  /* round: its start, CLOCK_MONOTONIC */
	u64 position; /* round: lower bound for the times of later records, as stated by the sources */
};

struct queue_buffer {
	size_t used; /* bytes of whole records */
	struct queue_mark mark;
	GArray *runs; /* struct queue_run */
	size_t size;
	u8 *data;
};

struct queue *queue_new(u32 nr_buffers, size_t buffer_size);
void queue_free(struct queue *q);

/* Producer: returns an empty buffer; waits until there is one. NULL after queue_abandon(). */
struct queue_buffer *queue_get(struct queue *q);
/* The same without waiting. NULL: there is none. */
struct queue_buffer *queue_try_get(struct queue *q);
/* Producer: hands over a filled buffer. */
void queue_push(struct queue *q, struct queue_buffer *buffer);
/* Producer: no push follows. The consumer gets the remaining buffers, then NULL. */
void queue_end(struct queue *q);

/* Consumer: returns the oldest filled buffer; waits until there is one. NULL: the queue has ended. */
struct queue_buffer *queue_pop(struct queue *q);
/* Consumer: gives the buffer back. */
void queue_return(struct queue *q, struct queue_buffer *buffer);
/* The consumer gives up. The producer no longer waits, and its records are dropped. */
void queue_abandon(struct queue *q);

struct queue_counts queue_counts(struct queue *q);

/* The producer's outlet: collects records in a buffer, and pushes the buffer when it is full. One put (mostly one
 * record) has at most QUEUE_BUFFER_MIN bytes. */
struct queue_outlet {
	struct outlet outlet;
	struct queue *queue;
	struct queue_buffer *buffer; /* being filled, or NULL */
	u64 records_size;	     /* bytes put so far */
};

void queue_outlet_init(struct queue_outlet *out, struct queue *q);
/* Pushes the buffer, if it has records. */
void queue_outlet_flush(struct queue_outlet *out);
/*
 * Pushes the buffered records with @mark at their end. If there are none, and @mark is not the last
 * of a file, the mark is dropped instead of waiting for space: a full queue already holds other
 * marks.
 */
void queue_outlet_mark(struct queue_outlet *out, const struct queue_mark *mark);

#endif
