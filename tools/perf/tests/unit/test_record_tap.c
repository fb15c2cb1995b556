// SPDX-License-Identifier: GPL-2.0-or-later
/* perf's data through a pipe, which ends after a whole record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "convert/record_tap.h"
#include "perfdata/abi.h"

#define RECORD_SIZE 24u

/* The header of a pipe, and @nr records. */
static GByteArray *stream(u32 nr)
{
	const u64 header[] = { PERFDATA_MAGIC, 16 };
	GByteArray *bytes = g_byte_array_new();

	g_byte_array_append(bytes, (const u8 *)header, sizeof(header));
	for (u32 i = 0; i < nr; i++) {
		const struct perf_event_header record = { PERF_RECORD_COMM, 0, RECORD_SIZE };
		const u64 body[] = { i, 0x706174 };

		g_byte_array_append(bytes, (const u8 *)&record, sizeof(record));
		g_byte_array_append(bytes, (const u8 *)body, sizeof(body));
	}
	return bytes;
}

/* Reads @size bytes, or up to the end. */
static void take(int fd, GByteArray *got, size_t size)
{
	u8 buffer[64];
	ssize_t n;

	while (size && (n = read(fd, buffer, MIN(size, sizeof(buffer)))) != 0) {
		assert_true(n > 0);
		g_byte_array_append(got, buffer, (guint)n);
		size -= (size_t)n;
	}
}

static void put(int fd, const GByteArray *bytes, u32 from, u32 end)
{
	assert_int_equal(write(fd, bytes->data + from, end - from), end - from);
}

/* Told to stop in the middle of a record, it waits for the rest of it, and takes nothing more. */
static void stopped_in_a_record(void **state)
{
	const u32 whole = 16 + 2 * RECORD_SIZE, cut = whole - 10;
	g_autoptr(GByteArray) sent = stream(3), got = g_byte_array_new();
	struct record_tap *tap;
	int ends[2], out;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	tap = record_tap_new(ends[0], &out, NULL);
	assert_non_null(tap);
	put(ends[1], sent, 0, cut);
	take(out, got, whole - RECORD_SIZE);
	record_tap_stop(tap);
	put(ends[1], sent, cut, whole);
	take(out, got, SIZE_MAX);
	put(ends[1], sent, whole, sent->len);
	assert_int_equal(got->len, whole);
	assert_memory_equal(got->data, sent->data, whole);
	close(out);
	record_tap_free(tap);
	close(ends[0]);
	close(ends[1]);
}

/* All that comes until the input ends goes through, also a record that is cut off there: the reader says so. */
static void input_ends(void **state)
{
	g_autoptr(GByteArray) sent = stream(3), got = g_byte_array_new();
	struct record_tap *tap;
	int ends[2], out;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	tap = record_tap_new(ends[0], &out, NULL);
	assert_non_null(tap);
	put(ends[1], sent, 0, sent->len - 5);
	close(ends[1]);
	take(out, got, SIZE_MAX);
	assert_int_equal(got->len, sent->len - 5);
	assert_memory_equal(got->data, sent->data, sent->len - 5);
	close(out);
	record_tap_free(tap);
	close(ends[0]);
}

/* Without a descriptor that is free, there is no pipe. */
static void no_pipe_is_an_error(void **state)
{
	struct rlimit before, none;
	g_autoptr(GError) error = NULL;
	struct record_tap *tap;
	int out;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	tap = record_tap_new(0, &out, &error);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_null(tap);
	assert_non_null(error);
	assert_string_equal(error->message, "pipe: Too many open files");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopped_in_a_record),
		cmocka_unit_test(input_ends),
		cmocka_unit_test(no_pipe_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
