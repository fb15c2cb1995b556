/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounded queue of buffers between the thread that empties the kernel's rings and the one that
 * writes the file. All memory is taken at the start. When every buffer is full the drainer
 * waits, which is counted; meanwhile the kernel's rings fill up, and what they have no room for
 * the kernel counts. So a slow disk costs records that somebody counted, never memory.
 */
#ifndef RECORD_QUEUE_H
#define RECORD_QUEUE_H

#include "record/source.h"

/* A record is smaller than 64 KiB, so each fits into any buffer. */
#define QUEUE_BUFFER_MIN (64 * 1024)

struct queue;

struct queue_counts {
	u64 waits;     /* times that the drainer found no free buffer */
	u64 waited_ns; /* and how long it stood */
	u32 most_used; /* buffers that were full at once */
	u32 nr_buffers;
};

struct queue_buffer {
	size_t used;	  /* bytes of whole records */
	bool then_switch; /* the next buffer belongs into a new file */
	u64 wakes;	  /* of the producer so far, as its outlet says */
	size_t size;
	u8 *data;
};

struct queue *queue_new(u32 nr_buffers, size_t buffer_size);
void queue_free(struct queue *q);

/* An empty buffer for the producer; waits while there is none. NULL after queue_abandon(). */
struct queue_buffer *queue_get(struct queue *q);
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
	u64 wakes;		     /* the owner's count, told with each buffer */
};

void queue_outlet_init(struct queue_outlet *out, struct queue *q);
/* Pushes what was gathered. With @then_switch also when that is nothing. */
void queue_outlet_flush(struct queue_outlet *out, bool then_switch);

#endif
