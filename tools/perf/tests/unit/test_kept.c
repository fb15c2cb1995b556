// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of a recording that goes on: the newest ones are there, each once, by their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "session/kept.h"

#define SIZE 1000 /* of a sample: no multiple of 8 */
struct toy {
	struct perf_event_header header;
	u8 bytes[SIZE];
};

static void add(struct kept_samples *k, u64 number)
{
	struct toy toy = { .header = { .size = (u16)(sizeof(toy.header) + SIZE - 5) } };

	memcpy(toy.bytes, &number, sizeof(number));
	kept_add(k, &toy.header);
}

static u64 number_of(const struct perf_event_header *sample)
{
	u64 number;

	memcpy(&number, sample + 1, sizeof(number));
	return number;
}

/* From @from on they are the samples with these numbers. */
static void check_from(const struct kept_samples *k, u64 from)
{
	struct kept_cursor c = kept_find(k, from);
	u64 next = from > kept_first(k) ? from : kept_first(k);
	const struct perf_event_header *sample;

	while ((sample = kept_next(&c))) {
		assert_int_equal(number_of(sample), next++);
		assert_int_equal(c.number, next);
		assert_int_equal((uintptr_t)sample % 8, 0);
	}
	assert_int_equal(next > kept_end(k) ? kept_end(k) : next, kept_end(k));
}

static void the_newest_samples_are_kept(void **state)
{
	struct kept_samples *k = kept_new(1 << 20);
	u64 nr = 0;

	check_from(k, 0);
	check_from(k, 5);
	for (; nr < 10; nr++)
		add(k, nr);
	assert_int_equal(kept_first(k), 0);
	for (; nr < 10000; nr++)
		add(k, nr);
	assert_int_equal(kept_end(k), nr);
	/* A MiB of them, or nearly so. */
	assert_in_range(nr - kept_first(k), 700, 1049);
	check_from(k, 0);
	check_from(k, kept_first(k) + 300);
	check_from(k, nr - 1);
	check_from(k, nr);
	kept_free(k);
}

static void the_newest_one_is_kept_in_any_case(void **state)
{
	struct kept_samples *k = kept_new(0);

	for (u64 i = 0; i < 1000; i++)
		add(k, i);
	assert_in_range(kept_first(k), 0, 999);
	check_from(k, 0);
	kept_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_samples_are_kept),
		cmocka_unit_test(the_newest_one_is_kept_in_any_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
