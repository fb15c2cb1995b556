/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cache lines that several threads touch while one of them writes, by type and member:
 *
 *	struct stats { long hits, misses; };	thread 1 adds to hits, thread 2 to misses
 *
 * Each write takes the line away from the other thread. If they touch the same bytes, that is the price of sharing them; if
 * not, another layout would save it.
 */
#ifndef SHARING_SHARING_H
#define SHARING_SHARING_H

#include "base/intern.h"
#include "fields/fields.h"
#include "resolve/data_address.h"

/* What a thread shares a line with. */
enum sharing_kind {
	SHARING_SAME,	   /* the same bytes */
	SHARING_MEMBERS,   /* other bytes of the same object */
	SHARING_NEIGHBOUR, /* another object of the type */
	SHARING_OTHER,	   /* an object of another type, or of an unknown one */
	NR_SHARING_KINDS,
};

/* What threads do with one member, in all objects that are shared in one way. */
struct sharing_row {
	enum sharing_kind kind;
	bool typed; /* the type is known; @offset is that of the bytes in it */
	s64 offset;
	u32 type, member;		    /* texts: "struct stats", "struct stats +0x80 (hits)" */
	u64 period, samples, reads, writes; /* samples that read, and that write */
	u32 lines, objects;
	u32 threads;
	u32 cpus;  /* on which samples were taken; 0: not recorded */
	u32 spans; /* text: names of the spans; "": none */
	u32 who;   /* text: names of the threads */
	u64 group; /* the period of all rows with this kind and type */
};

/* Of one event: a count of page faults and the time of a timer do not add up. */
struct sharing {
	char *event; /* its name */
	struct lexicon *lexicon;
	const struct field *type, *member, *span; /* keys */
	GHashTable *touches;
	GArray *rows;	     /* struct sharing_row, the most time first; made by sharing_finish() */
	u64 period, samples; /* of all samples */
	u64 shared;	     /* period of all rows */
	u64 addresses[NR_ADDRESS_HOW];
	u32 line_size, nr_small; /* rows that were left out, because they have few samples */
};

/* What a sample must have (enum place_need). */
extern const u32 sharing_needs;

/* For samples of @event. Borrows @lexicon, whose types' names are taken. */
struct sharing *sharing_new(const char *event, struct lexicon *lexicon);
void sharing_free(struct sharing *sharing);
void sharing_take(struct sharing *sharing, const struct place *place);
/* Some of its samples have an address. */
bool sharing_has_addresses(const struct sharing *sharing);
/* The share of the time of all samples that the rows have, in percent. */
double sharing_share(const struct sharing *sharing);
/*
 * Where in a line objects of @type begin (its name as keys print it): adds what samples on them count to @weights, by the offset in the
 * line; it has line_size of them. Returns the number of these samples. Memory that processes share does not count.
 */
u64 sharing_begins(const struct sharing *sharing, const char *type, u64 *weights);
/* Once, after all samples. Rows of fewer than @least samples are left out. */
void sharing_finish(struct sharing *sharing, u32 least);

#endif
