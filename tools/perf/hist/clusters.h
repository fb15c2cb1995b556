/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which samples depend on each other? Those of a thread do, because it does one thing for a while, and those of a request do,
 * because requests are of different sizes. Such samples are a cluster. How much a row's sum varies from cluster to cluster says
 * how certain it is (compare/judge.c).
 *
 * Clusters vary around a mean if they are alike, and those are a stratum: threads whose names differ in numbers only, or all requests. A stratum has at most
 * CLUSTERS_A_STRATUM clusters. With more threads or requests, each cluster gets several of them: threads in turn, requests by a hash of their id.
 *
 *	200 threads		cluster 0 has thread 0, 64, 128, 192, cluster 1 has 1, 65, 129, 193...
 *	100,000 requests	each has about 1,560 of them
 *
 * That keeps sums small and loses little: sums of independent parts vary as much as their parts do together, so a variance can
 * be told from 64 sums as from 100,000 parts, with 63 degrees of freedom: an interval of 95 % by Student's distribution is then
 * 2 % wider than with any number.
 */
#ifndef HIST_CLUSTERS_H
#define HIST_CLUSTERS_H

#include <glib.h>

#include "fields/fields.h"
#include "resolve/place.h"

#define CLUSTERS_A_STRATUM 64u

/* What is a cluster. */
enum clusters_kind {
	CLUSTERS_NOT_WANTED, /* nothing is counted */
	CLUSTERS_ONE,	     /* all samples are one */
	CLUSTERS_THREADS,
	CLUSTERS_REQUESTS, /* where samples have one: those of a trace; the others by thread */
};

struct clusters;

/* Borrows @lexicon. */
struct clusters *clusters_new(enum clusters_kind kind, struct lexicon *lexicon);
void clusters_free(struct clusters *c);

/* enum place_need: what the two functions need of a place. */
u32 clusters_needs(enum clusters_kind kind);

/*
 * The cluster of a sample is that of its request, or if it has none (-1), that of its thread. Its stratum is the number /
 * CLUSTERS_A_STRATUM. The first function reads only the place's activity, the second one only its thread and comm.
 */
s32 clusters_of_request(struct clusters *c, const struct place *place);
u32 clusters_of_thread(struct clusters *c, const struct place *place);

u32 clusters_nr_strata(const struct clusters *c);

/* True: the stratum is that of requests. */
bool clusters_is_of_requests(const struct clusters *c, u32 stratum);

/* The number of requests with samples in a cluster of such a stratum. */
u32 clusters_nr_requests(const struct clusters *c, u32 cluster);

#endif
