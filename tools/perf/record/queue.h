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
	u64 waits;     /* times that the drainer found no free buffer */
	u64 waited_ns; /* and how long it stood */
	u32 most_used; /* buffers that were full at once */
	u32 nr_buffers;
};

/* Records of one ring that follow each other. */
struct queue_run {
	u32 ring;   /* or OUTLET_NO_RING */
	size_t end; /* where in the buffer it ends; it begins where the one before ends */
};

/* What a buffer ends with besides its last record. */
struct queue_mark {
	bool round;	  /* the sources have been emptied once */
	bool last;	  /* and that was the last time for this file */
	bool then_switch; /* the next buffer belongs into a new file */
	u64 wakes;	  /* of the drainer so far */
	u64 began_ns;	  /* round: CLOCK_MONOTONIC, when the emptying began */
	u64 position; /* round: no record behind it has an earlier time, as far as sources say */
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

/* An empty buffer for the producer; waits while there is none. NULL after queue_abandon(). */
struct queue_buffer *queue_get(struct queue *q);
/* The same without waiting: NULL while there is none. */
struct queue_buffer *queue_try_get(struct queue *q);
/* Hands a filled one over. */
void queue_push(struct queue *q, struct queue_buffer *buffer);
/* No push will follow: the consumer gets what is there, then NULL. */
void queue_end(struct queue *q);

/* The oldest filled buffer; waits while there is none. NULL when all is done. */
struct queue_buffer *queue_pop(struct queue *q);
/* Gives it back, empty. */
void queue_return(struct queue *q, struct queue_buffer *buffer);
/* The consumer gives up: producers no longer wait, and what they put is dropped. */
void queue_abandon(struct queue *q);

struct queue_counts queue_counts(struct queue *q);

/* The producer's end: gathers records in a buffer and pushes it when it is full. What is put at
 * once (mostly one record) has at most QUEUE_BUFFER_MIN bytes. */
struct queue_outlet {
	struct outlet outlet;
	struct queue *queue;
	struct queue_buffer *buffer; /* being filled, or NULL */
	u64 records_size;	     /* bytes put so far */
};

void queue_outlet_init(struct queue_outlet *out, struct queue *q);
/* Pushes what was gathered, if anything was. */
void queue_outlet_flush(struct queue_outlet *out);
/*
 * Pushes the gathered records with @mark at their end. If there are none, and @mark is not the last
 * of a file, the mark is dropped instead of waiting for space: a full queue already holds other
 * marks.
 */
void queue_outlet_mark(struct queue_outlet *out, const struct queue_mark *mark);

#endif
