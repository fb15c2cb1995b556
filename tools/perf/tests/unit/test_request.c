// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a request to a disk was while a thread waited for it. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/offcpu.h"
#include "record/waits/request.h"

#define MS 1000000ull

static struct offcpu_request request(u64 inserted, u64 issued)
{
	return (struct offcpu_request){ .disk = "vda",
					.inserted = inserted * MS,
					.issued = issued * MS };
}

/* "[10-14, in its queue]" */
static char *split(const struct offcpu_request *r, u64 out, u64 to)
{
	struct request_part parts[REQUEST_PARTS];
	u32 nr = request_parts(r, out * MS, to * MS, parts);
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < nr; i++)
		g_string_append_printf(text, "[%u-%u%s]", (u32)(parts[i].from / MS),
				       (u32)(parts[i].to / MS), parts[i].where);
	return g_string_free(text, FALSE);
}

#define assert_split(expected, inserted, issued, out, to)                                          \
	do {                                                                                       \
		struct offcpu_request r_ = request(inserted, issued);                              \
		g_autofree char *found_ = split(&r_, out, to);                                     \
		assert_string_equal(found_, expected);                                             \
	} while (0)

static void test_parts(void **state)
{
	assert_split("[10-12, before its request][12-15, in its queue][15-19, in the device]", 12,
		     15, 10, 19);
	/* Past the queue. */
	assert_split("[10-15, before its request][15-19, in the device]", 0, 15, 10, 19);
	/* The thread slept later than its request went on its way. */
	assert_split("[10-15, in its queue][15-19, in the device]", 8, 15, 10, 19);
	assert_split("[10-19, in the device]", 8, 9, 10, 19);
}

static void test_nothing_known(void **state)
{
	struct offcpu_request none = { .issued = 12 * MS };
	g_autofree char *found = split(&none, 10, 19);

	assert_string_equal(found, "[10-19]");
	assert_split("[10-19]", 0, 0, 10, 19);
	assert_split("[10-19]", 12, 0, 10, 19);
	assert_split("", 12, 15, 10, 10);
}

/* What another CPU's clock or a lost event may say. */
static void test_odd_times(void **state)
{
	assert_split("[10-15, before its request][15-19, in the device]", 17, 15, 10, 19);
	assert_split("[10-12, before its request][12-19, in its queue]", 12, 30, 10, 19);
	assert_split("[10-19, before its request]", 25, 30, 10, 19);
	assert_split("", 12, 15, 19, 10);
}

static void test_text(void **state)
{
	struct offcpu_request r = { .disk = "vda", .flags = 0x8001 };
	g_autofree char *write = request_text(&r), *other = NULL, *long_name = NULL;

	assert_string_equal(write, "disk vda, write");
	r.flags = 77;
	other = request_text(&r);
	assert_string_equal(other, "disk vda");
	memset(r.disk, 'd', sizeof(r.disk));
	long_name = request_text(&r);
	assert_int_equal(strlen(long_name), strlen("disk ") + sizeof(r.disk));
	r.disk[0] = 0;
	assert_null(request_text(&r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_odd_times),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
