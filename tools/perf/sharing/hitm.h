/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cache lines that loads found modified in another processor's cache, as events of hardware state it: upstream's tables of perf c2c.
 * For each line what its samples say, and for each place in it who accesses it, from where.
 *
 *	line 0x600040	6 HITM	  +0x00  alpha:10 in 0x401010 loads	6 HITM
 *				  +0x10  alpha:11 in 0x401030 stores
 */
#ifndef SHARING_HITM_H
#define SHARING_HITM_H

#include <glib.h>

#include "fields/fields.h"
#include "sharing/hitm_counts.h"
#include "sharing/line_id.h"

struct perfdata_info;

/* What lines are sorted by, and which lines are shown. */
enum hitm_display { HITM_BY_TOTAL, HITM_BY_LOCAL, HITM_BY_REMOTE, HITM_BY_PEER };

/* What makes rows of a line, besides the offset. */
enum hitm_coalesce {
	HITM_OF_PID = 1 << 0,
	HITM_OF_TID = 1 << 1,
	HITM_OF_CODE = 1 << 2,
	HITM_OF_DSO = 1 << 3,
};

struct hitm_options {
	enum hitm_display display;
	u32 coalesce;  /* bits of enum hitm_coalesce */
	u32 line_size; /* bytes */
	bool all;      /* show lines without such hits, too */
	bool sources;  /* find the lines of the source */
};

/* Samples of a line, or of a row of one. */
struct hitm_seen {
	struct hitm_counts counts;
	u64 phys;	  /* the last physical address */
	u64 phys_changes; /* how often it was another one than before */
	GArray *nodes;	  /* u32: NUMA nodes of the physical addresses, rising */
};

/* The weights of samples of one kind: the latency of loads. */
enum hitm_latency {
	LATENCY_REMOTE_HITM,
	LATENCY_LOCAL_HITM,
	LATENCY_REMOTE_PEER,
	LATENCY_LOCAL_PEER,
	LATENCY_LOAD, /* of other loads */
	NR_HITM_LATENCIES,
};

struct hitm_latencies {
	double sum[NR_HITM_LATENCIES];
	u64 nr[NR_HITM_LATENCIES];
};

/* A CPU on which a row's samples were taken. */
struct hitm_cpu {
	u32 cpu;
	s64 node;	  /* -1: not known */
	u64 hits, stores; /* hits as the display counts */
};

struct hitm_row {
	/* The key; parts that are not told apart are 0. */
	u64 offset; /* into the line */
	u64 va;	    /* of the code */
	u32 pid, tid, dso;
	u32 zero;
	/* Of the samples; keys, names and places of the first one. */
	struct hitm_seen seen;
	struct hitm_latencies latencies;
	GHashTable *cpus; /* by number: struct hitm_cpu * */
	u64 symbol, object, member;
	u32 source, comm;	 /* texts; source 0: not asked */
	const struct code *code; /* what accesses it; of the session */
	bool typed;		 /* the type is known ... */
	u64 type;		 /* ... its key */
	s64 type_offset;	 /* ... and the bytes in it */
};

struct hitm_line {
	struct line_id id;
	u64 address; /* in the process of the first sample */
	struct hitm_seen seen;
	GHashTable *all; /* struct hitm_row * */
	GPtrArray *rows; /* those to show, by offset; made by hitm_finish() */
};

struct hitm {
	struct hitm_options o;
	struct lexicon *lexicon;
	const struct perfdata_info *info;
	const struct field *symbol, *object, *member, *type; /* keys */
	GHashTable *cpu_nodes;				     /* u32 CPU -> node, by the header */
	GHashTable *all;				     /* struct hitm_line * */
	GPtrArray *events; /* const char *: names of the events that state accesses */
	struct hitm_counts total;
	bool has_levels; /* some sample states a level of cache or memory */
	/* Made by hitm_finish(). */
	GPtrArray *lines;	   /* struct hitm_line *: those to show, the most hits first */
	struct hitm_counts shared; /* of lines that have HITM or peer hits */
	u32 nr_shared;
};

/* Borrows @lexicon and @info, the header of the samples' file. The places need sharing_needs (sharing.h). */
struct hitm *hitm_new(const struct hitm_options *options, struct lexicon *lexicon,
		      const struct perfdata_info *info);
void hitm_free(struct hitm *hitm);
/* In the order of time. Samples of events that state no accesses are left out. */
void hitm_take(struct hitm *hitm, const struct place *place);
/* Once, after all samples. */
void hitm_finish(struct hitm *hitm);

/* What the display counts. */
u64 hitm_hits(const struct hitm *hitm, const struct hitm_counts *counts);
/* CPUs of a row, struct hitm_cpu *, by node and number. To be freed. */
GPtrArray *hitm_row_cpus(const struct hitm_row *row);

#endif
