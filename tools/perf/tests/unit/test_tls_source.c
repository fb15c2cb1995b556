// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stage of --sample-tls, round by round, while somebody sets the clock.
 *
 * The linker gives this program its own clock, a kernel that reads the bytes itself, and a count in place of
 * tls_finder_state_again() (tools/build/tests.mk).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <time.h>

#include "base/clock.h"
#include "perfevent/features.h"
#include "perfevent/parse.h"
#include "perfevent_tree.h"
#include "record/base/options.h"
#include "record/base/stage.h"
#include "record/tls/finder.h"
#include "record/tls/join.h"
#include "record/tls/source.h"

#define MS 1000000ll

int __wrap_clock_gettime(clockid_t id, struct timespec *out);
bool __wrap_kernel_can(enum kernel_feature feature);
void __wrap_tls_finder_state_again(struct tls_finder *f);

static u64 monotonic; /* ns */
static s64 realtime;  /* what CLOCK_REALTIME is before it */
static u32 nr_again;

int __wrap_clock_gettime(clockid_t id, struct timespec *out)
{
	u64 now = monotonic + (id == CLOCK_REALTIME ? (u64)realtime : 0);

	*out = (struct timespec){ (time_t)(now / NS_PER_S), (long)(now % NS_PER_S) };
	return 0;
}

bool __wrap_kernel_can(enum kernel_feature feature)
{
	return true;
}

void __wrap_tls_finder_state_again(struct tls_finder *f)
{
	nr_again++;
}

struct source_test {
	struct tree tree;
	struct record_options opts;
	struct event_list events;
	struct recording rec;
	struct source *source;
	struct outlet outlet;
};

static void drop(struct outlet *out, const void *records, size_t size)
{
}

static void set_up(struct source_test *t, bool clock_given, int clockid)
{
	*t = (struct source_test){ .opts = { .clock_given = clock_given, .clockid = clockid },
				   .outlet = { .put = drop } };
	t->opts.tls.layout = "activity";
	monotonic = 1000 * NS_PER_S;
	realtime = 5000000 * (s64)NS_PER_S;
	nr_again = 0;
	tree_init(&t->tree);
	event_list_init(&t->events);
	assert_true(event_list_parse(&t->events, &t->tree.paths, "cpu-clock", NULL));
	event_list_at(&t->events, 0)->evsel->attr.sample_type |= TLS_JOIN_SAMPLE_TYPE;
	recording_init(&t->rec, &t->opts, &t->tree.paths);
	t->rec.events = &t->events;
	t->source = tls_source_new(&t->opts, &t->tree.paths, NULL);
	assert_non_null(t->source);
	assert_true(t->source->ops->prepare(t->source, &t->rec, NULL));
	assert_int_equal(t->rec.stages->len, 1);
}

static void tear_down(struct source_test *t)
{
	t->source->ops->close(t->source);
	recording_release(&t->rec);
	event_list_release(&t->events);
	tree_release(&t->tree);
}

/* A round in which the clock is set by @step. True: all that was found is told again. */
static bool is_told_again(struct source_test *t, s64 step)
{
	struct stage *stage = g_ptr_array_index(t->rec.stages, 0);
	struct stage_round round;
	u32 before = nr_again;

	monotonic += 100 * MS;
	realtime += step;
	round = (struct stage_round){ .began_ns = monotonic };
	stage->ops->round(stage, &round, &t->outlet);
	assert_true(nr_again <= before + 1);
	return nr_again > before;
}

static void a_clock_that_is_set_back_is_noticed(void **state)
{
	struct source_test t;

	set_up(&t, true, CLOCK_REALTIME);
	assert_false(is_told_again(&t, 0));
	assert_false(is_told_again(&t, 0));
	assert_true(is_told_again(&t, -3600 * (s64)NS_PER_S));
	assert_false(is_told_again(&t, 0));
	assert_true(is_told_again(&t, -2 * MS));
	/* Nothing comes before what was found. */
	assert_false(is_told_again(&t, 3600 * (s64)NS_PER_S));
	/* NTP changes the rate. */
	assert_false(is_told_again(&t, -MS / 2));
	tear_down(&t);
}

static void other_clocks_are_not_set(void **state)
{
	struct source_test t;

	set_up(&t, true, CLOCK_MONOTONIC);
	assert_false(is_told_again(&t, 0));
	assert_false(is_told_again(&t, -3600 * (s64)NS_PER_S));
	tear_down(&t);
	set_up(&t, false, 0);
	assert_false(is_told_again(&t, 0));
	assert_false(is_told_again(&t, -3600 * (s64)NS_PER_S));
	tear_down(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_that_is_set_back_is_noticed),
		cmocka_unit_test(other_clocks_are_not_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
