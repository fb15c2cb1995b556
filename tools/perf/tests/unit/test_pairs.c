// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums by pair of numbers, and the clusters that samples are of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "activity/layout.h"
#include "hist/clusters.h"
#include "hist/pairs.h"
#include "machine/machine.h"
#include "tests/unit/forged.h"

/* The sums again: pair -> samples, added up one by one. */
struct check {
	GHashTable *samples, *period;
	u64 nr;
};

static void add_to(GHashTable *sums, u64 key, u64 value)
{
	u64 *known = g_hash_table_lookup(sums, &key);

	if (known)
		*known += value;
	else
		g_hash_table_insert(sums, g_memdup2(&key, sizeof(key)),
				    g_memdup2(&value, sizeof(value)));
}

static void take_back(const struct pair *pair, void *arg)
{
	struct check *c = arg;
	u64 key = (u64)pair->where << 32 | pair->who;

	add_to(c->samples, key, 0 - pair->samples);
	add_to(c->period, key, 0 - pair->period);
	c->nr++;
}

static void assert_zero(GHashTable *sums)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, sums);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		assert_int_equal(*(u64 *)value, 0);
	g_hash_table_unref(sums);
}

/* Numbers come in order of appearance, as those of samples do. @wheres and @whos: at most. */
static void check_sums(u64 nr, u64 wheres, u64 whos)
{
	struct check c = { g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
			   g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free), 0 };
	struct pairs *pairs = pairs_new();
	u64 state = nr * wheres + whos, distinct, where_seen = 0, who_seen = 0;

	for (u64 done = 0, some; done < nr; done += some) {
		struct pair batch[40];

		some = MIN(nr - done, 1 + forged_draw(&state, 40));
		for (u64 i = 0; i < some; i++) {
			u64 where = forged_draw(&state, MIN(where_seen + 1, wheres));
			u64 who = forged_draw(&state, MIN(who_seen + 1, whos)),
			    key = where << 32 | who;

			where_seen = MAX(where_seen, where + 1);
			who_seen = MAX(who_seen, who + 1);
			batch[i] = (struct pair){ (u32)where, (u32)who, 1 + i % 3,
						  forged_draw(&state, 1000) };
			add_to(c.samples, key, batch[i].samples);
			add_to(c.period, key, batch[i].period);
		}
		pairs_add(pairs, batch, (u32)some);
	}
	distinct = g_hash_table_size(c.samples);
	pairs_each(pairs, take_back, &c);
	assert_int_equal(c.nr, distinct);
	assert_zero(c.samples);
	assert_zero(c.period);
	pairs_free(pairs);
}

static void sums_are_those_of_the_pairs(void **state)
{
	check_sums(1, 1, 1);
	check_sums(20000, 300, 1);
	check_sums(20000, 300, 16);
	check_sums(30000, 1000, 60);
	check_sums(30000, 100, 1000); /* more threads than a matrix has columns */
	check_sums(60000, 30000, 30); /* so sparse that the matrix stops to grow */
	check_sums(200000, 5000, 17);
}

static void pairs_that_are_not_there_are_not_told(void **state)
{
	struct check c = { g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
			   g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free), 0 };
	struct pairs *pairs = pairs_new();

	pairs_each(pairs, take_back, &c);
	assert_int_equal(c.nr, 0);
	g_hash_table_unref(c.samples);
	g_hash_table_unref(c.period);
	pairs_free(pairs);
}

static u32 thread_cluster(struct clusters *c, u32 id, bool first, const char *comm)
{
	const struct thread thread = { .id = id, .pid = 10, .tid = first ? 10 : 100 + id };
	const struct place place = { .thread = &thread, .comm = comm };

	assert_int_equal(clusters_of_request(c, &place), -1);
	return clusters_of_thread(c, &place);
}

static void threads_of_one_name_are_clusters_of_one_stratum(void **state)
{
	struct lexicon *lexicon = lexicon_new(NULL);
	struct clusters *c = clusters_new(CLUSTERS_THREADS, lexicon);
	u32 nr[CLUSTERS_A_STRATUM] = { 0 };
	u32 first = thread_cluster(c, 0, true, "shop");

	for (u32 i = 1; i <= 200; i++) {
		u32 cluster = thread_cluster(c, i, false, "shop");

		assert_int_not_equal(cluster / CLUSTERS_A_STRATUM, first / CLUSTERS_A_STRATUM);
		nr[cluster % CLUSTERS_A_STRATUM]++;
		assert_int_equal(thread_cluster(c, i, false, "shop"), cluster);
	}
	for (u32 i = 0; i < CLUSTERS_A_STRATUM; i++)
		assert_in_range(nr[i], 200 / CLUSTERS_A_STRATUM, 200 / CLUSTERS_A_STRATUM + 1);
	assert_int_equal(clusters_nr_strata(c), 2);
	assert_false(clusters_is_of_requests(c, 1));
	clusters_free(c);
	lexicon_free(lexicon);
}

/* However many names there are, clusters are some hundreds. */
static void threads_of_many_names_share_a_stratum(void **state)
{
	struct lexicon *lexicon = lexicon_new(NULL);
	struct clusters *c = clusters_new(CLUSTERS_THREADS, lexicon);

	for (u32 i = 0; i < 600; i++) {
		g_autofree char *like = g_strdup_printf("worker-%u", i);
		g_autofree char *own = g_strdup_printf("worker-%c%c", 'a' + i / 26, 'a' + i % 26);

		thread_cluster(c, 2 * i, false, like);
		if (i == 10)
			assert_int_equal(clusters_nr_strata(c), 1 + 10); /* "worker-<N>" is one */
		thread_cluster(c, 2 * i + 1, false, own);
	}
	assert_int_equal(clusters_nr_strata(c), 32);
	clusters_free(c);
	lexicon_free(lexicon);
}

static s32 request_cluster(struct clusters *c, u32 trace, u8 span)
{
	struct activity activity = { .state = ACTIVITY_OK, .has = ACTIVITY_HAS_IDS };
	const struct place place = { .activity = &activity };

	memcpy(activity.trace_id + 12, &trace, sizeof(trace));
	activity.span_id[7] = span;
	return clusters_of_request(c, &place);
}

static void requests_are_drawn_into_clusters(void **state)
{
	struct lexicon *lexicon = lexicon_new(NULL);
	struct clusters *c = clusters_new(CLUSTERS_REQUESTS, lexicon);
	u32 most = 0, all = 0;

	for (u32 i = 1; i <= 6400; i++)
		assert_int_equal(request_cluster(c, i, 1), request_cluster(c, i, 2));
	assert_true(clusters_is_of_requests(c, 0));
	for (u32 i = 0; i < CLUSTERS_A_STRATUM; i++) {
		all += clusters_nr_requests(c, i);
		most = MAX(most, clusters_nr_requests(c, i));
	}
	assert_int_equal(all, 6400);
	assert_in_range(most, 105, 160); /* 100 each, by chance: neither all equal nor all in one */
	clusters_free(c);
	lexicon_free(lexicon);
}

static void one_cluster_needs_nothing(void **state)
{
	struct clusters *c = clusters_new(CLUSTERS_ONE, NULL);
	const struct place place = { 0 };

	assert_int_equal(clusters_needs(CLUSTERS_ONE), 0);
	assert_int_equal(clusters_of_request(c, &place), -1);
	assert_int_equal(clusters_of_thread(c, &place), 0);
	assert_int_equal(clusters_nr_strata(c), 1);
	clusters_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_pairs),
		cmocka_unit_test(pairs_that_are_not_there_are_not_told),
		cmocka_unit_test(threads_of_one_name_are_clusters_of_one_stratum),
		cmocka_unit_test(threads_of_many_names_share_a_stratum),
		cmocka_unit_test(requests_are_drawn_into_clusters),
		cmocka_unit_test(one_cluster_needs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
