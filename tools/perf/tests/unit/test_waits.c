// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments of system calls, and what perf script prints of thread states and waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>

#include "fields/fields.h"
#include "fields/waits.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "view/script/columns.h"

static void test_numbers_of_arguments(void **state)
{
	static const struct {
		s32 call;
		u32 nr;
	} calls[] = {
		{ SYS_getpid, 0 },   { SYS_exit_group, 1 },	 { SYS_nanosleep, 2 },
		{ SYS_read, 3 },     { SYS_accept, 3 },		 { SYS_futex, 4 },
		{ SYS_wait4, 4 },    { SYS_clock_nanosleep, 4 }, { SYS_ppoll, 5 },
		{ SYS_pselect6, 6 }, { SYS_recvfrom, 6 },	 { -1, 6 },
		{ 1 << 20, 6 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(calls); i++)
		assert_int_equal(wait_syscall_nr_args(calls[i].call), calls[i].nr);
}

/* The running kernel's own description of each call; futex is the one for which fewer are shown. */
static void test_as_the_kernel_says(void **state)
{
	u32 seen = 0;

	for (s32 i = 0; i < 1024; i++) {
		const char *name = wait_syscall_name(i);
		g_autofree char *path = NULL, *text = NULL;
		u32 nr = 0;

		if (!name || !strcmp(name, "futex"))
			continue;
		path = g_strdup_printf("/sys/kernel/tracing/events/syscalls/sys_enter_%s/format",
				       name);
		if (!g_file_get_contents(path, &text, NULL, NULL))
			continue;
		for (const char *at = strstr(text, "__syscall_nr"); (at = strstr(at, "field:"));
		     at++)
			nr += !g_str_has_prefix(
				at, "field:__data_loc"); /* a copy of an argument's text */
		seen++;
		if (wait_syscall_nr_args(i) != nr)
			fail_msg("%s: %u arguments, the kernel says %u", name,
				 wait_syscall_nr_args(i), nr);
	}
	if (!seen)
		skip(); /* tracefs is not readable */
}

static struct evsel *output_event(const char *name)
{
	struct evsel *e = evsel_new();

	e->name = g_strdup(name);
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	e->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_RAW;
	return e;
}

/* The keys, and then "bytes" if these are printed. */
static char *columns_of(const char *event, const char *fields)
{
	struct evsel *e = output_event(event);
	GString *text = g_string_new(NULL);
	struct script_columns columns;
	const GPtrArray *keys;
	u64 wanted;

	script_columns_init(&columns);
	assert_true(!fields || script_columns_parse(&columns, fields, NULL));
	assert_true(script_columns_of(&columns, e, &wanted, NULL));
	keys = columns.fields[script_class_of(e)];
	for (u32 i = 0; i < keys->len; i++)
		g_string_append_printf(text, "%s ", ((const struct field *)keys->pdata[i])->name);
	g_string_append(text, wanted & COLUMN_BIT(COLUMN_BPF_OUTPUT) ? "bytes" : "");
	script_columns_release(&columns);
	evsel_free(e);
	return g_string_free(text, FALSE);
}

static void test_columns(void **state)
{
	static const struct {
		const char *event, *fields, *columns;
	} rows[] = {
		{ "wall", NULL, "state syscall " },
		{ "offcpu-time", NULL, "state syscall " },
		{ "syscall-latency", NULL, "state syscall " },
		{ "wall", "+bpf-output", "state syscall bytes" },
		{ "wall", "sw:+bpf-output,-state", "syscall bytes" },
		{ "wall", "hw:comm", "state syscall " },
		{ "wall", "sw:comm,wchan", "wchan " },
		{ "wall", "comm,bpf-output", "bytes" },
		{ "bpf-output", NULL, "bytes" },
		{ "bpf-output", "-bpf-output", "" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autofree char *found = columns_of(rows[i].event, rows[i].fields);

		assert_string_equal(found, rows[i].columns);
	}
}

/* Recordings of the version before have no pid namespace, and their texts begin earlier. */
static void test_versions(void **state)
{
	static const struct {
		u8 version;
		u32 size, pid_ns;
		bool known;
	} rows[] = {
		{ 1, WALL_SIZE_2, 0, false },
		{ 2, WALL_SIZE_2, 0, true },
		{ 3, WALL_SIZE_3, 4026531836, true },
		{ 4, sizeof(struct wall_raw), 4026531836, true },
		{ 4, WALL_SIZE_3, 0, false },
		{ 5, sizeof(struct wall_raw), 0, false },
		{ 3, WALL_SIZE_2 - 8, 0, false }, /* cut off */
	};
	static const char texts[] = "pipe_read\0pipe:[4]\0UDP\0";
	struct evsel *e = output_event("wall");

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct wall_raw head = { .version = rows[i].version, .pid_ns = 4026531836 };
		struct sample sample = { .type = PERF_SAMPLE_RAW };
		u8 raw[sizeof(head) + sizeof(texts)];
		struct wait w = { 0 };

		memcpy(raw, &head, sizeof(head));
		memcpy(raw + rows[i].size, texts, sizeof(texts));
		sample.raw = raw;
		sample.raw_size = rows[i].size + (rows[i].known ? sizeof(texts) : 0);
		assert_int_equal(wait_of(e, &sample, &w), rows[i].known);
		if (!rows[i].known)
			continue;
		assert_int_equal(w.raw.pid_ns, rows[i].pid_ns);
		assert_string_equal(w.file, "pipe:[4]");
		assert_string_equal(w.connection, "UDP");
	}
	evsel_free(e);
}

/* Version 4: the lock, the owner's name and the owner's activity. Damaged ones have no lock, or no activity. */
static void test_locks(void **state)
{
	static const struct {
		u8 kind, owner;
		u16 size;
		u32 cut; /* bytes that are missing at the end */
		u8 found_kind;
		bool has_activity;
	} rows[] = {
		{ WALL_LOCK_MUTEX, WALL_OWNER_KNOWN, 8, 0, WALL_LOCK_MUTEX, true },
		{ WALL_LOCK_MUTEX, WALL_OWNER_KNOWN, 0, 0, WALL_LOCK_MUTEX, false },
		{ WALL_LOCK_MUTEX, WALL_OWNER_KNOWN, 9, 0, WALL_LOCK_MUTEX, false },
		{ WALL_LOCK_MUTEX, WALL_OWNER_KNOWN, 8, 1, WALL_LOCK_MUTEX, false },
		{ WALL_NR_LOCKS, WALL_OWNER_KNOWN, 8, 0, WALL_LOCK_NONE, false },
		{ WALL_LOCK_MUTEX, WALL_NR_OWNERS, 8, 0, WALL_LOCK_NONE, false },
	};
	static const char texts[] = "futex_wait\0\0\0worker\0\0boss\0activity";
	struct evsel *e = output_event("wall");

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct wall_raw head = { .version = WALL_VERSION,
					 .lock = { .va = 0x1234,
						   .owner_tid = 77,
						   .kind = rows[i].kind,
						   .owner = rows[i].owner,
						   .activity_size = rows[i].size } };
		struct sample sample = { .type = PERF_SAMPLE_RAW };
		u8 raw[sizeof(head) + sizeof(texts)];
		struct wait w = { 0 };

		memcpy(raw, &head, sizeof(head));
		memcpy(raw + sizeof(head), texts, sizeof(texts));
		sample.raw = raw;
		sample.raw_size = (u32)(sizeof(head) + sizeof(texts)) - 1 - rows[i].cut;
		assert_true(wait_of(e, &sample, &w));
		assert_string_equal(w.waker, "worker");
		assert_string_equal(w.owner, "boss");
		assert_int_equal(w.raw.lock.kind, rows[i].found_kind);
		assert_int_equal(w.raw.lock.activity_size != 0, rows[i].has_activity);
		if (rows[i].has_activity)
			assert_memory_equal(w.owner_tls, "activity", 8);
	}
	evsel_free(e);
}

/* The end of a wait's raw data: struct wall_edge, the ready descriptor, messages. */
static void append_messages(GByteArray *raw, u8 stated, u32 nr)
{
	struct wall_raw head = { .version = WALL_VERSION, .state = WALL_SLEEP, .syscall = 0 };
	struct wall_edge edge = { .owner_syscall = -1, .nr_messages = stated };

	g_byte_array_append(raw, (const u8 *)&head, sizeof(head));
	g_byte_array_append(raw, (const u8 *)"\0\0\0\0\0\0", 6); /* no texts */
	g_byte_array_append(raw, (const u8 *)&edge, sizeof(edge));
	g_byte_array_append(raw, (const u8 *)"TCP", 4);
	for (u32 i = 0; i < nr; i++) {
		struct wall_message m = { .time = 70 + i, .end = 1000 + i, .local_port = 80 };

		g_byte_array_append(raw, (const u8 *)&m, sizeof(m));
	}
}

static u32 messages_in(u8 stated, u32 nr, u32 cut)
{
	g_autoptr(GByteArray) raw = g_byte_array_new();
	struct evsel evsel = { .name = (char *)WALL_EVENT };
	struct sample sample = { .type = PERF_SAMPLE_RAW };
	struct wait w;

	append_messages(raw, stated, nr);
	sample.raw = raw->data;
	sample.raw_size = raw->len - cut;
	assert_true(wait_of(&evsel, &sample, &w));
	assert_string_equal(w.ready, "TCP");
	for (u32 i = 0; i < w.edge.nr_messages; i++) {
		struct wall_message m = wait_message(&w, i);

		assert_int_equal(m.time, 70 + i);
		assert_int_equal(m.end, 1000 + i);
		assert_int_equal(m.local_port, 80);
	}
	return w.edge.nr_messages;
}

static void test_messages(void **state)
{
	assert_int_equal(messages_in(0, 0, 0), 0);
	assert_int_equal(messages_in(2, 2, 0), 2);
	assert_int_equal(messages_in(WALL_MOST_MESSAGES, WALL_MOST_MESSAGES, 0),
			 WALL_MOST_MESSAGES);
	/* More than there can be, and more than there are. */
	assert_int_equal(messages_in(200, 200, 0), WALL_MOST_MESSAGES);
	assert_int_equal(messages_in(3, 2, 0), 0);
	assert_int_equal(messages_in(2, 2, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_numbers_of_arguments),
		cmocka_unit_test(test_as_the_kernel_says),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_locks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
