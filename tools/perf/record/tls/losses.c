// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may be missing after the kernel dropped records, and since when.
 *
 *	ring 2	sample t=500, LOST 12, sample t=700
 *	ring 3	sample t=900
 *
 * The lost records of ring 2 are from between 500 and 700. Rings are read one after the other, so
 * the newest time of all samples (900) would be wrong: times are kept per ring. A library that
 * /proc/PID/maps shows, and whose record is missing, counts from 500 on.
 *
 * Which processes? With BPF, samples show which ones matter. A process without samples so far is
 * remembered with its time, and searched when its first sample comes (unsampled).
 */
#include "record/tls/losses.h"

#include "base/clock.h"
#include "perfevent/proc.h"

#define SEARCH_PERIOD_NS 1000000000ull

struct tls_losses {
	const struct kernel_paths *paths;
	bool of_mappings, of_records; /* since the last search */
	u64 since;		      /* valid if one of them is set; in the samples' clock */
	GHashTable
		/* pid -> u64 *: processes without a sample since the loss; not searched yet */
		*unsampled;
	GArray *ring_times; /* u64 by ring: time of the newest passed sample */
	u64 searched_ns;    /* CLOCK_MONOTONIC of the last search */
};

static GHashTable *new_unsampled(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

struct tls_losses *tls_losses_new(const struct kernel_paths *paths)
{
	struct tls_losses *l = g_new0(struct tls_losses, 1);

	l->paths = paths;
	l->unsampled = new_unsampled();
	l->ring_times = g_array_new(FALSE, TRUE, sizeof(u64));
	return l;
}

void tls_losses_free(struct tls_losses *l)
{
	if (!l)
		return;
	g_hash_table_destroy(l->unsampled);
	g_array_unref(l->ring_times);
	g_free(l);
}

void tls_losses_sample(struct tls_losses *l, u32 ring, u64 time)
{
	u64 *newest;

	if (l->ring_times->len <= ring)
		g_array_set_size(l->ring_times, ring + 1);
	newest = &g_array_index(l->ring_times, u64, ring);
	*newest = MAX(*newest, time);
}

static void note_loss(struct tls_losses *l, bool *lost, u64 since)
{
	if ((!l->of_mappings && !l->of_records) || since < l->since)
		l->since = since;
	*lost = true;
}

/*
 * A ring's lost records come after all its passed samples. Other rings may have passed newer
 * records. Before the first sample the time is unknown; 0 means before the recording.
 */
void tls_losses_of_ring(struct tls_losses *l, u32 ring)
{
	u64 newest = ring < l->ring_times->len ? g_array_index(l->ring_times, u64, ring) : 0;

	note_loss(l, &l->of_records, MAX(newest, 1));
}

void tls_losses_of_mappings(struct tls_losses *l, u64 since)
{
	note_loss(l, &l->of_mappings, since);
}

/* One search of the maps. */
struct lost_search {
	struct tls_finder *finder;
	const struct tls_tally *sampled;
};

static bool has_samples(const struct lost_search *s, u32 pid)
{
	return !s->sampled || tls_tally_has(s->sampled, pid);
}

/* Searches a process again if its first sample came after the search for lost records. */
static gboolean search_sampled(gpointer pid, gpointer since, gpointer arg)
{
	const struct lost_search *s = arg;

	if (!has_samples(s, GPOINTER_TO_UINT(pid)))
		return FALSE;
	tls_finder_missed(s->finder, GPOINTER_TO_UINT(pid), *(const u64 *)since);
	return TRUE;
}

/* @before: the processes of the previous search. */
static void search_later(struct tls_losses *l, GHashTable *before, u32 pid)
{
	gpointer key = GUINT_TO_POINTER(pid);
	const u64 *since = g_hash_table_lookup(before, key) ?: &l->since;

	g_hash_table_insert(l->unsampled, key, g_memdup2(since, sizeof(*since)));
}

/*
 * First the processes that wait for their first sample. Then, at most once a second, all processes
 * if something was lost since. A process that waits keeps the earliest time, also over several
 * losses.
 */
void tls_losses_search(struct tls_losses *l, struct tls_finder *finder,
		       const struct tls_tally *sampled, bool mappings_of_all)
{
	struct lost_search s = { finder, sampled };
	u64 now = clock_ns(CLOCK_MONOTONIC);
	g_autoptr(GHashTable) before = NULL;
	g_autoptr(GArray) pids = NULL;

	g_hash_table_foreach_remove(l->unsampled, search_sampled, &s);
	if ((!l->of_mappings && !l->of_records) || now < l->searched_ns + SEARCH_PERIOD_NS)
		return;
	before = g_steal_pointer(&l->unsampled);
	l->unsampled = new_unsampled();
	pids = proc_pids(l->paths, NULL);
	for (guint i = 0; pids && i < pids->len; i++) {
		u32 pid = (u32)g_array_index(pids, pid_t, i);
		bool has = has_samples(&s, pid);

		if (l->of_records && has)
			tls_finder_missed(finder, pid, l->since);
		else if (l->of_records)
			search_later(l, before, pid);
		if (l->of_mappings && (mappings_of_all || has))
			tls_finder_missed_data(finder, pid, l->since);
	}
	l->of_mappings = l->of_records = false;
	l->searched_ns = now;
}
