// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/clusters.h"

#include <string.h>

#include "base/table.h"
#include "hist/tuples.h"
#include "machine/machine.h"
#include "session/named.h"
#include "session/session.h"

/*
 * Of threads. Those of further names are one stratum: they are not alike, so differences between them seem to be larger than
 * they are, and less is certain.
 */
#define MOST_STRATA 32u

struct cluster_stratum {
	bool requests;
	u32 nr; /* threads so far */
};

struct clusters {
	enum clusters_kind kind;
	struct lexicon *lexicon;
	const struct field *comm;
	struct tuples *names;		     /* key of "comm", is it the first thread -> number */
	struct tuples *threads;		     /* thread -> number */
	struct tuples *requests;	     /* two words of an id -> number */
	GArray *of_threads;		     /* u32 by number of the thread: cluster */
	GArray *of_names;		     /* u32 by number of the name: stratum + 1 */
	GArray *strata;			     /* struct cluster_stratum */
	u32 request_stratum;		     /* + 1; 0: none yet */
	u32 nr_requests[CLUSTERS_A_STRATUM]; /* in its clusters */
};

struct clusters *clusters_new(enum clusters_kind kind, struct lexicon *lexicon)
{
	struct clusters *c = g_new0(struct clusters, 1);

	c->kind = kind;
	c->lexicon = lexicon;
	c->comm = fields_find("comm_nodigit", FIELD_NORMAL, NULL);
	c->names = tuples_new(2);
	c->threads = tuples_new(1);
	c->requests = tuples_new(2);
	c->of_threads = g_array_new(FALSE, FALSE, sizeof(u32));
	c->of_names = g_array_new(FALSE, TRUE, sizeof(u32));
	c->strata = g_array_new(FALSE, TRUE, sizeof(struct cluster_stratum));
	return c;
}

void clusters_free(struct clusters *c)
{
	if (!c)
		return;
	tuples_free(c->names);
	tuples_free(c->threads);
	tuples_free(c->requests);
	g_array_unref(c->of_threads);
	g_array_unref(c->of_names);
	g_array_unref(c->strata);
	g_free(c);
}

u32 clusters_needs(enum clusters_kind kind)
{
	switch (kind) {
	case CLUSTERS_REQUESTS:
		return NEED_THREAD | NEED_COMM | NEED_ACTIVITY;
	case CLUSTERS_THREADS:
		return NEED_THREAD | NEED_COMM;
	default:
		return 0;
	}
}

static struct cluster_stratum *stratum_at(const struct clusters *c, u32 i)
{
	return &g_array_index(c->strata, struct cluster_stratum, i);
}

static u32 add_stratum(struct clusters *c, bool requests)
{
	const struct cluster_stratum new = { .requests = requests };

	g_array_append_val(c->strata, new);
	return c->strata->len - 1;
}

/* The next cluster of a stratum, in turn. */
static u32 next_of(struct clusters *c, u32 stratum)
{
	return stratum * CLUSTERS_A_STRATUM + stratum_at(c, stratum)->nr++ % CLUSTERS_A_STRATUM;
}

static u32 stratum_of(struct clusters *c, const struct place *place)
{
	const struct thread *thread = place->thread;
	const u64 words[] = { c->comm->key(c->comm, c->lexicon, place),
			      thread && thread->pid == thread->tid };
	u32 id = MIN(tuples_id(c->names, words), MOST_STRATA - 1), *known;

	if (id >= c->of_names->len)
		g_array_set_size(c->of_names, id + 1);
	known = &g_array_index(c->of_names, u32, id);
	if (!*known)
		*known = add_stratum(c, false) + 1;
	return *known - 1;
}

u32 clusters_of_thread(struct clusters *c, const struct place *place)
{
	const u64 who = place->thread ? place->thread->id : UINT32_MAX;
	u32 id, cluster;

	if (c->kind == CLUSTERS_ONE) {
		if (!c->strata->len)
			add_stratum(c, false);
		return 0;
	}
	id = tuples_id(c->threads, &who);
	if (id == c->of_threads->len) {
		cluster = next_of(c, stratum_of(c, place));
		g_array_append_val(c->of_threads, cluster);
	}
	return g_array_index(c->of_threads, u32, id);
}

/* The outermost span that is known. */
static void root_of(const struct clusters *c, const struct activity *a, u64 id[2])
{
	const struct spans *spans = session_spans(c->lexicon->session);
	const struct span *span = named_span(spans, a, a->span_id), *root = span;

	for (u32 i = 0; span && i < SPANS_MAX_DEPTH; i++) {
		root = span;
		span = spans_parent(spans, span);
	}
	if (root) {
		id[0] = root->id;
		id[1] = root->trace;
	} else {
		memcpy(id, a->has & ACTIVITY_HAS_ROOT ? a->root_span : a->span_id,
		       sizeof(a->span_id));
	}
}

/* The sample's request: its trace. Libraries that publish labels may leave the trace out. False: it has none. */
static bool request_of(const struct clusters *c, const struct place *place, u64 id[2])
{
	const struct activity *a = place->activity;

	id[0] = id[1] = 0;
	if (c->kind != CLUSTERS_REQUESTS || !activity_has_ids(a))
		return false;
	memcpy(id, a->trace_id, 2 * sizeof(*id));
	if (!id[0] && !id[1])
		root_of(c, a, id);
	return true;
}

/*
 * By chance, not in turn: how many requests with samples a cluster gets is to vary as it does for requests drawn at random, because
 * those without samples are not seen.
 */
s32 clusters_of_request(struct clusters *c, const struct place *place)
{
	u64 id[2];
	u32 at, number;

	if (!request_of(c, place, id))
		return -1;
	if (!c->request_stratum)
		c->request_stratum = add_stratum(c, true) + 1;
	/* The last step spreads ids that differ in their last byte only. */
	at = table_fold(table_mix(table_mix(table_mix(0, id[0]), id[1]), 1)) % CLUSTERS_A_STRATUM;
	number = tuples_nr(c->requests);
	c->nr_requests[at] += tuples_id(c->requests, id) == number;
	return (s32)((c->request_stratum - 1) * CLUSTERS_A_STRATUM + at);
}

u32 clusters_nr_strata(const struct clusters *c)
{
	return c->strata->len;
}

bool clusters_is_of_requests(const struct clusters *c, u32 stratum)
{
	return stratum_at(c, stratum)->requests;
}

u32 clusters_nr_requests(const struct clusters *c, u32 cluster)
{
	return c->nr_requests[cluster % CLUSTERS_A_STRATUM];
}
