// SPDX-License-Identifier: GPL-2.0-or-later
/* Which event of a block request begins a new one, goes on with a known one, or ends it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/types.h>
#include <stdbool.h>

#include "bpf/latency.h"

static void test_parts(void **state)
{
	struct latency_request q = { 0 };

	assert_false(latency_request_ends(&q, 65536, 4096, 0));
	assert_false(latency_request_ends(&q, 61440, 4096, -5));
	assert_false(latency_request_ends(&q, 57344, 4096, 0));
	assert_true(latency_request_ends(&q, 53248, 53248, -28));
	assert_int_equal(q.error, -5); /* the first one */
}

static void test_whole(void **state)
{
	struct latency_request q = { 0 };

	assert_true(latency_request_ends(&q, 4096, 4096, 0));
	assert_int_equal(q.error, 0);
	assert_true(latency_request_ends(&q, 0, 0, -5)); /* a flush has no bytes */
	assert_int_equal(q.error, -5);
}

static void test_inserted_then_issued(void **state)
{
	struct latency_request q = { .inserted = 10 };

	assert_true(latency_request_goes_on(&q, true, 12, 7, 8));
	assert_int_equal(q.issued, 12);
	assert_int_equal(q.issue_pid, 7);
	assert_int_equal(q.issue_tid, 8);
}

/* The kernel reuses the memory of requests. Of a merged one, no end is seen. */
static void test_reused(void **state)
{
	struct latency_request issued = { .inserted = 10, .issued = 12 },
			       inserted = { .inserted = 10 };

	assert_false(latency_request_goes_on(&issued, true, 20, 7, 8));
	assert_false(latency_request_goes_on(&issued, false, 20, 7, 8));
	assert_false(latency_request_goes_on(&inserted, false, 20, 7, 8));
}

/* A requeued request is inserted and issued again, or only issued: it keeps its beginnings. */
static void test_requeued(void **state)
{
	struct latency_request q = { .inserted = 10, .issued = 12, .issue_tid = 8, .requeued = 1 };

	assert_true(latency_request_goes_on(&q, false, 20, 1, 2));
	assert_true(latency_request_goes_on(&q, true, 21, 1, 2));
	assert_int_equal(q.issued, 12);
	assert_int_equal(q.issue_tid, 8);
	assert_false(latency_request_goes_on(&q, true, 30, 1, 2));     /* without another requeue */
	q = (struct latency_request){ .inserted = 10, .requeued = 1 }; /* before it was issued */
	assert_true(latency_request_goes_on(&q, true, 21, 1, 2));
	assert_int_equal(q.issued, 21);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_inserted_then_issued),
		cmocka_unit_test(test_reused),
		cmocka_unit_test(test_requeued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
