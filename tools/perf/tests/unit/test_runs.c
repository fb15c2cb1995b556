// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had a CPU while a thread waited for it: by the runs that bpf/cpu_runs.h reports. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/offcpu.h"
#include "record/waits/runs.h"

#define MS   1000000ull
#define MANY 128 /* runs that are kept of one CPU */

static struct offcpu_run run(u32 cpu, u64 from, u64 to, u32 tid)
{
	return (struct offcpu_run){ .kind = OFFCPU_RUN,
				    .cpu = cpu,
				    .from = from * MS,
				    .to = to * MS,
				    .pid = tid ? 100 : 0,
				    .tid = tid };
}

static void ran(struct runs *r, u32 cpu, u64 from, u64 to, u32 tid)
{
	const struct offcpu_run one = run(cpu, from, to, tid);

	runs_add(r, &one, 0);
}

/* "[10 8][14 9]": from when on who had it, or a letter: I idle, F foreign, U unseen. */
static char *split(const struct runs *r, u32 cpu, u64 from, u64 to)
{
	static const char letters[WALL_NR_OWNERS] = {
		[WALL_OWNER_IDLE] = 'I', [WALL_OWNER_STRANGER] = 'F', [WALL_OWNER_UNSEEN] = 'U'
	};
	g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(struct lock_holder));
	GString *text = g_string_new(NULL);

	runs_split(r, cpu, from * MS, to * MS, pieces);
	for (u32 i = 0; i < pieces->len; i++) {
		const struct lock_holder *p = &g_array_index(pieces, struct lock_holder, i);

		g_string_append_printf(text, "[%u ", (u32)(p->time / MS));
		if (p->state == WALL_OWNER_KNOWN)
			g_string_append_printf(text, "%u]", p->tid);
		else
			g_string_append_printf(text, "%c]", letters[p->state]);
	}
	return g_string_free(text, FALSE);
}

#define assert_split(r, expected, ...)                                                             \
	do {                                                                                       \
		g_autofree char *found_ = split(r, __VA_ARGS__);                                   \
		assert_string_equal(found_, expected);                                             \
	} while (0)

static void each_run_is_a_piece(void **state)
{
	struct runs *r = runs_new();

	/* The program reports the newest run first. */
	ran(r, 2, 14, 15, 9);
	ran(r, 2, 5, 14, 8);
	ran(r, 1, 0, 50, 77);
	assert_split(r, "[10 8][14 9]", 2, 10, 15);
	assert_split(r, "[6 8]", 2, 6, 9);
	assert_split(r, "[10 77]", 1, 10, 15);
	runs_free(r);
}

static void what_nobody_reported_is_not_known(void **state)
{
	struct runs *r = runs_new();
	struct offcpu_run foreign = run(0, 30, 35, 0);

	foreign.foreign = 1;
	assert_split(r, "[10 U]", 0, 10, 15);
	ran(r, 0, 12, 14, 8);
	ran(r, 0, 16, 18, 0);
	runs_add(r, &foreign, 0);
	assert_split(r, "[10 U][12 8][14 U][16 I][18 U][30 F][35 U]", 0, 10, 40);
	assert_split(r, "[10 U]", 7, 10, 15);
	assert_split(r, "", 0, 10, 10);
	runs_free(r);
}

/* A thread that moved to another CPU saw a run that was not over. */
static void a_later_report_of_a_run_replaces_it(void **state)
{
	struct runs *r = runs_new();

	ran(r, 0, 10, 20, 8);
	assert_split(r, "[10 8][20 U]", 0, 10, 30);
	ran(r, 0, 10, 30, 8);
	assert_split(r, "[10 8]", 0, 10, 30);
	ran(r, 0, 30, 40, 8); /* one after the other: one piece */
	assert_split(r, "[10 8]", 0, 10, 40);
	runs_free(r);
}

static void the_oldest_are_forgotten(void **state)
{
	struct runs *r = runs_new();

	for (u32 i = 0; i < 2 * MANY; i++)
		ran(r, 0, 10 * i, 10 * i + 10, 1 + i % 2);
	assert_split(r, "[10 U]", 0, 10, 20);
	assert_split(r, "[2550 2]", 0, 2550, 2560);
	ran(r, 0, 5, 7, 9); /* older than all */
	assert_split(r, "[5 U]", 0, 5, 7);
	runs_free(r);
}

static void activities_are_copied(void **state)
{
	struct runs *r = runs_new();
	struct offcpu_run one = run(0, 10, 20, 8);
	g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(struct lock_holder));
	const struct lock_holder *p;

	memset(one.tls, 0x5a, sizeof(one.tls));
	memset(one.comm, 'x', sizeof(one.comm)); /* not closed */
	one.tls_size = 24;
	runs_add(r, &one, 16); /* the record was cut */
	one.from = 20 * MS;
	one.to = 30 * MS;
	one.tid = 9;
	one.unread = 1;
	runs_add(r, &one, sizeof(one.tls));
	runs_split(r, 0, 10 * MS, 30 * MS, pieces);
	assert_int_equal(pieces->len, 2);
	p = &g_array_index(pieces, struct lock_holder, 0);
	assert_int_equal(p->tls_size, 16);
	assert_int_equal(p->tls[15], 0x5a);
	assert_int_equal(p->pid, 100);
	assert_int_equal(strlen(p->comm), 15);
	assert_int_equal(p[1].pid, 0); /* whose activity was not read */
	assert_true(p[1].tls_size > 0);
	runs_free(r);
}

static void wrong_reports_do_no_harm(void **state)
{
	struct runs *r = runs_new();
	struct offcpu_run one = run(UINT32_MAX, 10, 20, 8);

	runs_add(r, &one, 0);
	one = run(0, 20, 10, 8);
	one.tls_size = UINT32_MAX;
	runs_add(r, &one, UINT32_MAX);
	one.to = 30 * MS;
	runs_add(r, &one, UINT32_MAX);
	assert_split(r, "[10 U][20 8][30 U]", 0, 10, 40);
	assert_split(r, "[10 U]", UINT32_MAX, 10, 20);
	runs_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_run_is_a_piece),
		cmocka_unit_test(what_nobody_reported_is_not_known),
		cmocka_unit_test(a_later_report_of_a_run_replaces_it),
		cmocka_unit_test(the_oldest_are_forgotten),
		cmocka_unit_test(activities_are_copied),
		cmocka_unit_test(wrong_reports_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
