// SPDX-License-Identifier: GPL-2.0-or-later
/* Rings over plain memory, with a writer that does what the kernel does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "perfevent/ring.h"
#include "tests/unit/perfevent_tree.h"

#define DATA 4096

struct memory {
	struct perf_event_mmap_page control;
	u8 data[DATA];
};

struct record {
	struct perf_event_header header;
	u64 number;
	u8 filling[];
};

static void put_bytes(struct memory *m, u64 at, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->data[(at + i) % DATA] = ((const u8 *)from)[i];
}

static void *make_record(u64 number, u16 size)
{
	struct record *r = g_malloc0(size);

	r->header.type = PERF_RECORD_SAMPLE;
	r->header.size = size;
	r->number = number;
	memset(r->filling, (u8)number, size - sizeof(*r));
	return r;
}

/* False when there is no room, as the kernel then counts a lost record. */
static bool write_forward(struct memory *m, u64 number, u16 size)
{
	u64 tail = __atomic_load_n(&m->control.data_tail, __ATOMIC_ACQUIRE);
	u64 head = m->control.data_head;
	g_autofree void *r = NULL;

	if (head + size - tail > DATA)
		return false;
	r = make_record(number, size);
	put_bytes(m, head, r, size);
	__atomic_store_n(&m->control.data_head, head + size, __ATOMIC_RELEASE);
	return true;
}

static void write_backward(struct memory *m, u64 number, u16 size)
{
	g_autofree void *r = make_record(number, size);
	u64 head = m->control.data_head - size;

	put_bytes(m, head, r, size);
	m->control.data_head = head;
}

static void check_record(const struct perf_event_header *header, u64 number)
{
	const struct record *r = (const struct record *)header;

	assert_non_null(header);
	assert_int_equal(r->number, number);
	for (size_t i = 0; i < header->size - sizeof(*r); i++)
		if (r->filling[i] != (u8)number)
			fail_msg("record %lu differs at byte %zu", (long)number, i);
}

static u16 size_of(u64 number)
{
	return 16 + 8 * (number * 7 % 60);
}

static void records_come_whole_around_the_end(void **state)
{
	struct memory *m = g_new0(struct memory, 1);
	u64 written = 0, read = 0, wrapped = 0;
	struct ring r;

	ring_over(&r, &m->control, m->data, DATA, false);
	assert_false(ring_begin(&r));
	while (read < 5000) {
		const struct perf_event_header *h;

		while (write_forward(m, written, size_of(written)))
			written++;
		assert_true(ring_begin(&r));
		assert_int_equal(ring_used(&r), m->control.data_head - m->control.data_tail);
		while ((h = ring_next(&r))) {
			wrapped += (const u8 *)h < m->data || (const u8 *)h >= m->data + DATA;
			check_record(h, read++);
		}
		ring_end(&r);
		assert_int_equal(m->control.data_tail, m->control.data_head);
		assert_false(ring_begin(&r));
	}
	assert_int_equal(r.bad, 0);
	assert_true(wrapped > 100);
	ring_close(&r);
	g_free(m);
}

/* What has been returned but not ended is not given back. */
static void space_is_given_back_only_by_end(void **state)
{
	struct memory *m = g_new0(struct memory, 1);
	struct ring r;

	ring_over(&r, &m->control, m->data, DATA, false);
	for (u64 i = 0; i < 4; i++)
		assert_true(write_forward(m, i, 1024));
	assert_false(write_forward(m, 4, 1024));
	assert_true(ring_begin(&r));
	check_record(ring_next(&r), 0);
	assert_false(write_forward(m, 4, 1024));
	ring_end(&r);
	assert_int_equal(m->control.data_tail, 1024);
	assert_true(write_forward(m, 4, 1024));
	assert_true(ring_begin(&r));
	for (u64 i = 1; i < 5; i++)
		check_record(ring_next(&r), i);
	assert_null(ring_next(&r));
	ring_close(&r);
	g_free(m);
}

static void bytes_are_taken_in_two_runs(void **state)
{
	struct memory *m = g_new0(struct memory, 1);
	struct ring_bytes bytes;
	struct ring r;

	ring_over(&r, &m->control, m->data, DATA, false);
	assert_true(write_forward(m, 0, 3000));
	assert_true(ring_begin(&r));
	bytes = ring_take(&r);
	assert_int_equal(bytes.size[0], 3000);
	assert_int_equal(bytes.size[1], 0);
	ring_end(&r);
	assert_true(write_forward(m, 1, 2000));
	assert_true(ring_begin(&r));
	bytes = ring_take(&r);
	assert_ptr_equal(bytes.data[0], m->data + 3000);
	assert_int_equal(bytes.size[0], 1096);
	assert_ptr_equal(bytes.data[1], m->data);
	assert_int_equal(bytes.size[1], 904);
	ring_end(&r);
	assert_int_equal(m->control.data_tail, 5000);
	ring_close(&r);
	g_free(m);
}

static void a_record_that_cannot_be_is_skipped_and_counted(void **state)
{
	static const u16 sizes[] = { 0, 4, 1032 };

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct memory *m = g_new0(struct memory, 1);
		struct ring r;

		ring_over(&r, &m->control, m->data, DATA, false);
		assert_true(write_forward(m, 0, 64));
		assert_true(write_forward(m, 1, 1024));
		((struct record *)(m->data + 64))->header.size = sizes[i];
		assert_true(ring_begin(&r));
		check_record(ring_next(&r), 0);
		assert_null(ring_next(&r));
		assert_int_equal(r.bad, 1);
		ring_end(&r);
		assert_int_equal(m->control.data_tail, 1088);
		assert_true(write_forward(m, 2, 512));
		assert_true(ring_begin(&r));
		check_record(ring_next(&r), 2);
		ring_close(&r);
		g_free(m);
	}
}

/* The newest records, newest first; the oldest one is half overwritten and left out. */
static void a_backward_ring_yields_the_newest(void **state)
{
	struct memory *m = g_new0(struct memory, 1);
	const struct perf_event_header *h;
	u64 number = 0, seen = 0, bytes = 0;
	struct ring r;

	ring_over(&r, &m->control, m->data, DATA, true);
	assert_false(ring_begin(&r));
	for (; number < 3; number++)
		write_backward(m, number, 200);
	assert_true(ring_begin(&r));
	for (u64 i = 0; i < 3; i++)
		check_record(ring_next(&r), 2 - i);
	assert_null(ring_next(&r));
	ring_end(&r);
	assert_false(ring_begin(&r));
	for (; number < 1000; number++)
		write_backward(m, number, size_of(number));
	assert_true(ring_begin(&r));
	while ((h = ring_next(&r))) {
		check_record(h, 999 - seen++);
		bytes += h->size;
	}
	ring_end(&r);
	assert_true(bytes <= DATA && bytes + size_of(999 - seen) > DATA);
	assert_int_equal(r.bad, 0);
	assert_int_equal(m->control.data_tail, 0);
	assert_false(ring_begin(&r));
	ring_close(&r);
	g_free(m);
}

#define MANY 200000

static gpointer writer(gpointer arg)
{
	for (u64 number = 0; number < MANY;) {
		if (write_forward(arg, number, size_of(number)))
			number++;
		else
			sched_yield();
	}
	return NULL;
}

static void a_writer_at_the_same_time_loses_nothing(void **state)
{
	struct memory *m = g_new0(struct memory, 1);
	GThread *thread;
	struct ring r;
	u64 read = 0;

	ring_over(&r, &m->control, m->data, DATA, false);
	thread = g_thread_new("writer", writer, m);
	while (read < MANY) {
		const struct perf_event_header *h;

		if (!ring_begin(&r)) {
			sched_yield();
			continue;
		}
		while ((h = ring_next(&r)))
			check_record(h, read++);
		ring_end(&r);
	}
	g_thread_join(thread);
	assert_int_equal(r.bad, 0);
	ring_close(&r);
	g_free(m);
}

static void sizes_are_powers_of_two_of_pages(void **state)
{
	const u64 page = sysconf(_SC_PAGESIZE);
	static const struct {
		const char *text;
		u64 bytes; /* 0: refused; else rounded up to pages */
		u32 pages; /* where .bytes is 1 */
		bool rounded;
	} rows[] = {
		{ "1", 1, 1 },
		{ "128", 1, 128 },
		{ "100", 1, 128, true },
		{ "262144", 1, 262144 },
		{ "64K", 65536 },
		{ "1M", 1 << 20 },
		{ "2m", 2 << 20 },
		{ "1G", 1 << 30 },
		{ "0" },
		{ "" },
		{ "-1" },
		{ "x" },
		{ "1T" },
		{ "1KB" },
		{ "2G" },
		{ "262145" },
		{ "99999999999999999999" },
	};
	const struct kernel_paths *paths = kernel_paths_host();

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		GError *error = NULL;
		bool rounded, ok;
		u32 pages;

		ok = ring_pages_parse(paths, rows[i].text, &pages, &rounded, &error);
		if (ok != !!rows[i].bytes)
			fail_msg("-m '%s'", rows[i].text);
		if (!ok) {
			assert_non_null(strstr(error->message, rows[i].text));
			g_error_free(error);
			continue;
		}
		assert_int_equal(pages,
				 rows[i].bytes == 1 ? rows[i].pages : MAX(rows[i].bytes / page, 1));
		assert_int_equal(rounded, rows[i].rounded);
	}
}

static void the_default_size_follows_mlock_kb(void **state)
{
	struct tree t;
	bool rounded;
	u32 pages;

	if (sysconf(_SC_PAGESIZE) != 4096) {
		print_message("skipped: pages of %ld bytes\n", sysconf(_SC_PAGESIZE));
		skip();
	}
	tree_init(&t);
	assert_true(ring_pages_parse(&t.paths, NULL, &pages, &rounded, NULL));
	assert_int_equal(pages, 128); /* the kernel's own default */
	tree_put(&t, "proc/sys/kernel/perf_event_mlock_kb", "516\n");
	assert_true(ring_pages_parse(&t.paths, NULL, &pages, &rounded, NULL));
	assert_int_equal(pages, 128);
	tree_put(&t, "proc/sys/kernel/perf_event_mlock_kb", "512\n");
	assert_true(ring_pages_parse(&t.paths, NULL, &pages, &rounded, NULL));
	assert_int_equal(pages, 64);
	tree_put(&t, "proc/sys/kernel/perf_event_mlock_kb", "0\n");
	assert_true(ring_pages_parse(&t.paths, NULL, &pages, &rounded, NULL));
	assert_int_equal(pages, 1);
	tree_release(&t);
}

static void a_ring_of_odd_size_is_refused(void **state)
{
	GError *error = NULL;
	struct ring r;

	assert_false(ring_open(&r, -1, 3, false, kernel_paths_host(), &error));
	assert_string_equal(error->message, "3 is not a power of two of pages");
	g_clear_error(&error);
	assert_false(ring_open(&r, -1, 4, false, kernel_paths_host(), &error));
	assert_non_null(strstr(error->message, "cannot map a ring of 4 pages"));
	g_error_free(error);
	ring_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_whole_around_the_end),
		cmocka_unit_test(space_is_given_back_only_by_end),
		cmocka_unit_test(bytes_are_taken_in_two_runs),
		cmocka_unit_test(a_record_that_cannot_be_is_skipped_and_counted),
		cmocka_unit_test(a_backward_ring_yields_the_newest),
		cmocka_unit_test(a_writer_at_the_same_time_loses_nothing),
		cmocka_unit_test(sizes_are_powers_of_two_of_pages),
		cmocka_unit_test(the_default_size_follows_mlock_kb),
		cmocka_unit_test(a_ring_of_odd_size_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
