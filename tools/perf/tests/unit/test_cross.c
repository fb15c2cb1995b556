// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A cross table keeps the totals of what it was given, however small it has to be: recordings drawn by chance
 * from a fixed seed, with limits of all sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "forged.h"
#include "hist/cross.h"
#include "session/session.h"
#include "sanitized.h"

#define NR_SAMPLES 2000
#define NR_THREADS 5

static char *write_recording(u64 seed, u64 *period)
{
	g_autoptr(GString) t = g_string_new("event cpu-clock "
					    "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN\n"
					    "mmap2 pid=1 start=0x10000 len=0x100000 file=/none/a "
					    "misc=user\n");
	u64 state = seed;

	*period = 0;
	for (u64 i = 0; i < NR_SAMPLES; i++) {
		u64 ip = 0x10000 + forged_draw(&state, 300) * 0x10,
		    more = 1 + forged_draw(&state, 1000);

		g_string_append_printf(t,
				       "sample pid=1 tid=%llu ip=%#llx time=%llu period=%llu "
				       "misc=user chain=user,%#llx",
				       1 + (unsigned long long)forged_draw(&state, NR_THREADS),
				       (unsigned long long)ip,
				       1000000 +
					       (unsigned long long)forged_draw(&state, 1000000000),
				       (unsigned long long)more, (unsigned long long)ip);
		for (u32 f = (u32)forged_draw(&state, 8); f--;)
			g_string_append_printf(
				t, ",%#llx", 0x30000 + (unsigned long long)forged_draw(&state, 4));
		g_string_append_c(t, '\n');
		*period += more;
	}
	return forged_file(t->str);
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	cross_take(arg, place, filtered);
	return true;
}

static void check_frames(const struct cross *c, u64 period)
{
	g_autofree u64 *sums = g_new0(u64, c->frames->len);

	for (u32 i = 0; i < c->groups->len; i++) {
		const struct cross_group *g = &g_array_index(c->groups, struct cross_group, i);

		for (u32 f = g->frame; f;
		     f = g_array_index(c->frames, struct cross_frame, f).parent)
			sums[f] += g->now.period;
	}
	for (u32 f = 1; f < c->frames->len; f++) {
		const struct cross_frame *frame = &g_array_index(c->frames, struct cross_frame, f);

		assert_true(frame->parent < f);
		assert_int_equal(frame->now.period, sums[f]);
	}
	assert_int_equal(g_array_index(c->frames, struct cross_frame, 0).now.period, period);
}

static void check_values(const struct cross *c, u64 period)
{
	for (u32 k = 0; k < c->values->len; k++) {
		const GArray *values = c->values->pdata[k];
		u64 sum = 0;

		for (u32 i = 0; i < values->len; i++)
			sum += g_array_index(values, struct cross_value, i).now.period;
		assert_int_equal(sum, period);
		assert_true(values->len <= c->options.limits.values + 1);
	}
}

static void check_times(const struct cross *c, const struct cross_times *times, u64 period)
{
	g_autofree u64 *sums = g_new0(u64, c->groups->len);
	u64 sum = 0;

	for (u32 i = 0; i < times->moments->len; i++) {
		const struct cross_moment *m =
			&g_array_index(times->moments, struct cross_moment, i);

		assert_true(m->slice < times->nr_slices);
		sums[m->group] += m->sum.period;
		sum += m->sum.period;
	}
	for (u32 i = 0; i < c->groups->len; i++) {
		const struct cross_group *g = &g_array_index(c->groups, struct cross_group, i);

		assert_int_equal(sums[i], times == &c->now ? g->now.period : g->before.period);
	}
	assert_int_equal(sum, period);
	assert_true(times->nr_slices <= c->options.limits.slices);
}

static u64 samples_of(const struct cross *c)
{
	u64 nr = 0;

	for (u32 i = 0; i < c->groups->len; i++)
		nr += g_array_index(c->groups, struct cross_group, i).now.samples;
	return nr;
}

static struct cross *read_cross(struct session *session, struct lexicon *lexicon,
				const GPtrArray *fields, struct cross_limits limits)
{
	struct cross *c = cross_new(&(struct cross_options){ .session = session,
							     .lexicon = lexicon,
							     .fields = fields,
							     .nr_files = 1,
							     .limits = limits });

	assert_true(session_each_sample(session, c->needs, take, c, NULL));
	cross_settle(c);
	return c;
}

static void check_limits(u64 seed, struct cross_limits limits, bool whole)
{
	u64 period;
	g_autofree char *path = write_recording(seed, &period);
	struct session_options so = { .input = path };
	struct session *session = session_open(&so, NULL);
	struct lexicon *lexicon = lexicon_new(session);
	g_autoptr(GPtrArray) fields = g_ptr_array_new();
	struct cross *c;

	g_ptr_array_add(fields, (void *)fields_find("tid", FIELD_NORMAL, NULL));
	g_ptr_array_add(fields, (void *)fields_find("sym", FIELD_NORMAL, NULL));
	c = read_cross(session, lexicon, fields, limits);
	assert_int_equal(samples_of(c), NR_SAMPLES);
	check_frames(c, period);
	check_values(c, period);
	check_times(c, &c->now, period);
	assert_int_equal(c->before.moments->len, 0);
	assert_true(c->frames->len <= c->options.limits.frames + 1);
	assert_true(c->sites->len <= c->options.limits.sites + 1);
	/* Beside those that are kept, one for each thread. */
	assert_true(c->groups->len <= c->options.limits.groups + NR_THREADS);
	assert_true(c->now.moments->len <=
		    MAX(c->options.limits.moments, NR_THREADS * 128u + NR_THREADS));
	assert_int_equal(c->folded == 0, whole);
	cross_free(c);
	lexicon_free(lexicon);
	session_close(session);
	unlink(path);
}

static void test_whole(void **state)
{
	check_limits(1, (struct cross_limits){ 0 }, true);
}

static void test_few_of_each(void **state)
{
	for (u32 limit = 1; limit < 3000; limit *= SANITIZED ? 9 : 3) {
		/* Frames without symbols are one for each caller: eight around the root. */
		check_limits(2, (struct cross_limits){ .frames = limit }, limit >= 9);
		check_limits(3, (struct cross_limits){ .sites = limit }, limit > 300);
		check_limits(4, (struct cross_limits){ .values = limit }, limit > 300);
		check_limits(5, (struct cross_limits){ .groups = limit }, limit >= 2000);
	}
}

static void test_few_moments(void **state)
{
	for (u32 limit = 1; limit < 3000; limit *= 7) {
		struct cross_limits limits = { .moments = limit, .slices = 200 };

		check_limits(6, limits, limit > NR_SAMPLES);
	}
}

static void test_slices_of_any_length(void **state)
{
	for (u32 slices = 1; slices < 100000; slices *= 5)
		check_limits(7, (struct cross_limits){ .slices = slices }, true);
}

static void test_all_small(void **state)
{
	for (u32 limit = 1; limit < 200; limit = limit * 2 + 1)
		check_limits(8, (struct cross_limits){ limit, limit, limit, limit, limit, limit },
			     false);
}

/* The second file is the baseline: each has its own timeline, with slices of one length. */
static void test_two_timelines(void **state)
{
	for (u32 limit = 100; limit < 100000; limit *= 10) {
		struct cross_limits limits = { .moments = limit, .slices = 500 };
		u64 period, before;
		g_autofree char *path = write_recording(9, &period);
		g_autofree char *old = write_recording(10, &before);
		g_autoptr(GPtrArray) beside = g_ptr_array_new(), fields = g_ptr_array_new();
		struct session_options so = { .input = path, .beside = beside };
		struct session *session;
		struct lexicon *lexicon;
		struct cross *c;

		g_ptr_array_add(beside, old);
		g_ptr_array_add(fields, (void *)fields_find("sym", FIELD_NORMAL, NULL));
		session = session_open(&so, NULL);
		lexicon = lexicon_new(session);
		c = read_cross(session, lexicon, fields, limits);
		check_times(c, &c->now, period);
		check_times(c, &c->before, before);
		assert_in_range(c->slice_ns * c->now.nr_slices, 990000000,
				1000000000 + 2 * c->slice_ns);
		assert_in_range(c->slice_ns * c->before.nr_slices, 990000000,
				1000000000 + 2 * c->slice_ns);
		cross_free(c);
		lexicon_free(lexicon);
		session_close(session);
		unlink(path);
		unlink(old);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	    cmocka_unit_test(test_few_of_each),
		cmocka_unit_test(test_few_moments), cmocka_unit_test(test_slices_of_any_length),
		cmocka_unit_test(test_all_small),   cmocka_unit_test(test_two_timelines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
