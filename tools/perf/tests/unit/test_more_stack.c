// SPDX-License-Identifier: GPL-2.0-or-later
/* A part of a stack behind a sample's raw data: what was put there is found again; damaged data are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/types.h>

#include "bpf/sample_stack.h"
#include "perfdata/more_stack.h"
#include "record/stack_source.h"

static GByteArray *raw_with(const char *before, u32 size, u64 address, u64 nr)
{
	static const u8 stack[64] = "bytes of a stack";
	const struct sample sample = { .raw = before, .raw_size = size };
	const struct sample_more_stack more = { address, nr, stack };

	return more_stack_raw(&sample, &more);
}

static struct sample_more_stack found(const GByteArray *raw, u32 size)
{
	struct sample sample = { .raw = raw->data, .raw_size = size };

	more_stack_take(&sample);
	return sample.more_stack;
}

static void test_found_again(void **state)
{
	g_autoptr(GByteArray) raw = raw_with("fields", 6, 0x7ffd12345000, 64);
	struct sample_more_stack more = found(raw, raw->len);

	assert_int_equal(more.address, 0x7ffd12345000);
	assert_int_equal(more.size, 64);
	assert_string_equal((const char *)more.data, "bytes of a stack");
	assert_memory_equal(raw->data, "fields", 6);
}

static void test_damaged(void **state)
{
	g_autoptr(GByteArray) raw = raw_with("", 0, 0x1000, 64);
	u64 large = 65;

	for (u32 size = 0; size < raw->len; size++)
		assert_int_equal(found(raw, size).size, 0);
	memcpy(raw->data + raw->len - 16, &large, sizeof(large)); /* more than there are */
	assert_int_equal(found(raw, raw->len).size, 0);
}

static void test_past_the_last_address(void **state)
{
	g_autoptr(GByteArray) raw = raw_with("", 0, UINT64_MAX - 8, 64);

	assert_int_equal(found(raw, raw->len).size, 0);
}

/* What the program of stack_source.h writes: the kernel pads it with up to 7 bytes. */
static void test_as_the_program_writes_it(void **state)
{
	const u32 at = offsetof(struct sample_stack_more, bytes);
	g_autofree struct sample_stack_more *raw = g_new0(struct sample_stack_more, 1);
	struct sample_more_stack more;

	raw->head.period = 5;
	raw->address = 0x7ffd12345000;
	memcpy(raw->bytes, "bytes of a stack", 16);
	if (!stack_source_period(raw, sizeof(*raw)))
		skip(); /* this build has no such program */
	more = stack_source_more(raw, at + 16 + 4);
	assert_int_equal(more.address, 0x7ffd12345000);
	assert_int_equal(more.size, 16);
	assert_ptr_equal(more.data, raw->bytes);
	assert_int_equal(stack_source_more(raw, at + 7).size, 0);
	assert_int_equal(stack_source_more(raw, sizeof(raw->head)).size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_again),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_past_the_last_address),
		cmocka_unit_test(test_as_the_program_writes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
