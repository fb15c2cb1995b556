// SPDX-License-Identifier: GPL-2.0-or-later
/* Each job is done once, and no two by one worker at a time. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "base/crew.h"

#define NR_JOBS 1000
#define NR_CREW 5

struct work {
	int done[NR_JOBS];
	int busy[NR_CREW];
	int clashes;
};

static void job(void *arg, u32 worker, u32 i)
{
	struct work *w = arg;

	if (g_atomic_int_add(&w->busy[worker], 1))
		g_atomic_int_inc(&w->clashes);
	g_atomic_int_inc(&w->done[i]);
	g_atomic_int_add(&w->busy[worker], -1);
}

static void check_round(struct crew *crew, u32 nr)
{
	struct work w;

	memset(&w, 0, sizeof(w));
	crew_run(crew, nr, job, &w);
	assert_int_equal(w.clashes, 0);
	for (u32 i = 0; i < NR_JOBS; i++)
		assert_int_equal(w.done[i], i < nr);
}

static void test_each_job_once(void **state)
{
	struct crew *crew = crew_new(NR_CREW);

	assert_in_range(crew_size(crew), 1, NR_CREW);
	for (u32 round = 0; round < 50; round++)
		check_round(crew, NR_JOBS);
	check_round(crew, 1);
	check_round(crew, 0);
	crew_free(crew);
}

static void test_alone(void **state)
{
	struct crew *crew = crew_new(1);

	assert_int_equal(crew_size(crew), 1);
	check_round(crew, NR_JOBS);
	crew_free(crew);
	crew_free(NULL);
}

/* A stack larger than the address space: no thread can be made. */
static void test_no_thread(void **state)
{
	pthread_attr_t attr, normal;
	struct crew *crew;

	assert_int_equal(pthread_getattr_default_np(&normal), 0);
	assert_int_equal(pthread_attr_init(&attr), 0);
	assert_int_equal(pthread_attr_setstacksize(&attr, (size_t)1 << 48), 0);
	assert_int_equal(pthread_setattr_default_np(&attr), 0);
	crew = crew_new(NR_CREW);
	assert_int_equal(pthread_setattr_default_np(&normal), 0);
	assert_int_equal(crew_size(crew), 1);
	check_round(crew, NR_JOBS);
	crew_free(crew);
	pthread_attr_destroy(&attr);
	pthread_attr_destroy(&normal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_job_once),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_no_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
