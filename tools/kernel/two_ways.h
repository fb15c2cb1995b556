/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recordings of two_ways.c: which samples and records came out, and which id each sample has?
 */
#ifndef TWO_WAYS_H
#define TWO_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE 4096u

/* The variable that is looked for in the windows. */
extern _Thread_local volatile uint64_t id;

/* NOT_AT_ALL: samples without a window. */
enum way {
	AT_SAMPLE,
	AT_RETURN,
	NOT_AT_ALL,
};
extern const char *const way_names[];

struct sample {
	bool kernel, complete; /* complete: all bytes of the window were read */
	uint32_t pid, tid;
	uint64_t time;	 /* CLOCK_MONOTONIC */
	uint64_t cookie; /* AT_RETURN; 0 where no record follows */
	uint64_t size;	 /* of the window; 0 where there is none */
	uint64_t id;	 /* where @complete */
};

/* UNSET: the thread has not set its variable. */
enum verdict {
	RIGHT,
	WRONG,
	UNSET,
};

struct counts {
	unsigned int samples, kernel, records; /* records: those with deferred windows */
	unsigned int right, wrong, unset;
	unsigned int none, partial, lost;
	uint64_t bytes; /* of all records */
};

/* BY_TIME: 5,000 times a second of CPU time. */
enum trigger {
	BY_TIME,
	AT_SWITCHES,
	AT_FAULTS,
};

struct recording;

/* The thread pointer of the calling thread, at which its window ends. */
uintptr_t window_end(void);

/* The size of the smallest window that has the variable. */
uint16_t window_size(void);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t now(void);

/*
 * Samples the calling thread and its descendants, with windows of @size bytes. NULL and errno where
 * the kernel does not want to.
 */
struct recording *recording_open(enum way way, enum trigger trigger, uint16_t size);

void recording_stop(struct recording *r);

/* Joins samples and records, and adds to @c what @judge says of the samples' ids. */
void recording_count(struct recording *r, enum verdict (*judge)(const struct sample *),
		     struct counts *c);

void recording_free(struct recording *r);

/*
 * Prints what a sample costs in each way: in instructions, under QEMU's -icount shift=0. The cheaper
 * way has its own "ok" line.
 */
void print_costs(void);

#endif
