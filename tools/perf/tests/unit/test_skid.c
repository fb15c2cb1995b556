// SPDX-License-Identifier: GPL-2.0-or-later
/* Which instruction samples name: the measurement, its note in a file, and the folder where it is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "perfdata/skid.h"
#include "perfevent/slow_loop.h"
#include "record/base/options.h"
#include "record/skid_kept.h"
#include "record/skid_source.h"

static const struct skid_measure usual = { .nr = 240, .nr_at = 0, .nr_after = 239 };
static const char usual_text[] = "240 samples: 239 after, 0 at, 1 elsewhere";

static void assert_same(const struct skid_measure *a, const struct skid_measure *b)
{
	assert_int_equal(a->nr, b->nr);
	assert_int_equal(a->nr_at, b->nr_at);
	assert_int_equal(a->nr_after, b->nr_after);
}

static void a_value_is_read_as_it_was_written(void **state)
{
	const struct skid_measure all[] = {
		usual, { 0 }, { 999999999, 1, 999999998 }, { 3, 1, 1 }
	};

	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		g_autofree char *text = skid_measure_text(&all[i]);
		struct skid_measure read;

		assert_true(skid_measure_parse(text, &read));
		assert_same(&read, &all[i]);
	}
}

static const char *const garbage[] = {
	"",
	"240",
	"240 samples",
	"240 samples: 239 after, 0 at",
	"240 samples: 239 after, 0 at, 1 elsewhere ",
	"240 samples: 239 after, 0 at, 1 elsewhere, 3 more",
	" 240 samples: 239 after, 0 at, 1 elsewhere",
	"0240 samples: 239 after, 0 at, 1 elsewhere",
	"240  samples: 239 after, 0 at, 1 elsewhere",
	"+240 samples: 239 after, 0 at, 1 elsewhere",
	"-240 samples: 239 after, 0 at, 1 elsewhere",
	"240 samples: 239 after, 1 at, 1 elsewhere",
	"240 samples: 240 after, 240 at, -240 elsewhere",
	"240 samples: 4294967295 after, 0 at, 241 elsewhere",
	"99999999999999999999 samples: 0 after, 0 at, 99999999999999999999 elsewhere",
	"4294967296 samples: 0 after, 0 at, 0 elsewhere",
	"samples: after, at, elsewhere",
	"240 samples: 239 before, 0 at, 1 elsewhere",
};

static void garbage_is_no_measurement(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(garbage); i++) {
		struct skid_measure m = usual;

		if (skid_measure_parse(garbage[i], &m))
			fail_msg("accepted: %s", garbage[i]);
		assert_same(&m, &usual);
	}
}

static void a_place_needs_enough_samples_of_one_kind(void **state)
{
	const struct {
		struct skid_measure m;
		enum skid_place place;
	} rows[] = {
		{ { 0, 0, 0 }, SKID_UNKNOWN },	  { { 19, 0, 19 }, SKID_UNKNOWN },
		{ { 20, 0, 20 }, SKID_AFTER },	  { { 20, 20, 0 }, SKID_AT },
		{ { 20, 0, 18 }, SKID_AFTER },	  { { 20, 18, 0 }, SKID_AT },
		{ { 20, 0, 17 }, SKID_MIXED },	  { { 20, 17, 3 }, SKID_MIXED },
		{ { 1000, 0, 899 }, SKID_MIXED }, { { 1000, 0, 900 }, SKID_AFTER },
		{ { 240, 0, 0 }, SKID_MIXED },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(skid_measure_place(&rows[i].m), rows[i].place);
}

static void only_events_that_sample_time_without_precision_have_a_kind(void **state)
{
	const struct {
		u32 type;
		u64 config;
		u32 precise;
		enum skid_kind kind;
	} rows[] = {
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, SKID_CPU_CLOCK },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, SKID_TASK_CLOCK },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, SKID_NO_KIND },
		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, SKID_CYCLES },
		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2, SKID_NO_KIND },
		{ PERF_TYPE_HARDWARE, 4ull << 32 | PERF_COUNT_HW_CPU_CYCLES, 0, SKID_NO_KIND },
		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, SKID_NO_KIND },
		{ PERF_TYPE_BREAKPOINT, 0, 0, SKID_NO_KIND },
		{ PERF_TYPE_TRACEPOINT, 0, 0, SKID_NO_KIND },
		{ PERF_TYPE_RAW, 0, 0, SKID_NO_KIND },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct evsel *evsel = evsel_new();

		evsel->attr.type = rows[i].type;
		evsel->attr.config = rows[i].config;
		evsel->attr.precise_ip = rows[i].precise;
		assert_int_equal(skid_kind_of(evsel), rows[i].kind);
		evsel_free(evsel);
	}
	for (enum skid_kind kind = 0; kind < NR_SKID_KINDS; kind++) {
		struct evsel *evsel = skid_kind_evsel(kind);

		assert_int_equal(skid_kind_of(evsel), kind);
		evsel_free(evsel);
	}
}

static void a_file_tells_it_by_kind_of_event(void **state)
{
	struct perfdata_info *info = perfdata_info_new();
	struct evsel *cpu = skid_kind_evsel(SKID_CPU_CLOCK),
		     *task = skid_kind_evsel(SKID_TASK_CLOCK);
	struct skid_measure m;

	assert_false(perfdata_skid_find(info, cpu, &m));
	perfdata_skid_add(info, SKID_CPU_CLOCK, &usual);
	assert_string_equal(perfdata_info_note(info, "skid.cpu-clock"), usual_text);
	assert_true(perfdata_skid_find(info, cpu, &m));
	assert_same(&m, &usual);
	assert_false(perfdata_skid_find(info, task, &m));
	perfdata_info_add_note(info, "skid.task-clock", "many samples");
	assert_false(perfdata_skid_find(info, task, &m));
	cpu->attr.precise_ip = 1;
	assert_false(perfdata_skid_find(info, cpu, &m));
	evsel_free(cpu);
	evsel_free(task);
	perfdata_info_free(info);
}

static void people_read_a_sentence(void **state)
{
	const struct {
		struct skid_measure m;
		const char *sentence;
	} rows[] = {
		{ { 240, 0, 239 },
		  "samples name the instruction after the one that waited: 99.6 % of 240" },
		{ { 240, 228, 5 }, "samples name the instruction that waited: 95.0 % of 240" },
		{ { 240, 100, 120 },
		  "samples do not always name the same instruction of those near the one that "
		  "waited: 240 samples: 120 after, 100 at, 20 elsewhere" },
		{ { 3, 1, 1 },
		  "samples are too few to tell which instruction they name: 3 samples: 1 after, 1 "
		  "at, 1 elsewhere" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autofree char *sentence = skid_measure_sentence(&rows[i].m);

		assert_string_equal(sentence, rows[i].sentence);
	}
}

static void the_loop_is_sampled_within_its_time(void **state)
{
	u64 before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct skid_measure m;
	gint stop = 1;

	if (!slow_loop_measure(SKID_CPU_CLOCK, kernel_paths_host(), NULL, &m, NULL))
		skip();
	/* The preparation, and one round after the limit. */
	assert_true(clock_ns(CLOCK_THREAD_CPUTIME_ID) - before < SLOW_LOOP_CPU_NS + 10000000);
	assert_true(m.nr >= SKID_LEAST);
	assert_true(m.nr_at + m.nr_after <= m.nr);
	/* Whatever the machine does, most samples are near the load: the other two instructions do not wait. */
	assert_true((m.nr_at + m.nr_after) * 2 > m.nr);
	assert_true(slow_loop_measure(SKID_CPU_CLOCK, kernel_paths_host(), &stop, &m, NULL));
	assert_int_equal(m.nr, 0);
}

struct folder {
	char root[32];
	char *kept; /* the file of cpu-clock */
};

static void use_folder(struct folder *folder)
{
	strcpy(folder->root, "/tmp/perf-skid.XXXXXX");
	assert_non_null(mkdtemp(folder->root));
	setenv("XDG_RUNTIME_DIR", folder->root, 1);
	folder->kept = g_build_filename(folder->root, "perf", ".skid.cpu-clock", NULL);
}

static void remove_folder(struct folder *folder)
{
	g_autofree char *dir = g_path_get_dirname(folder->kept);

	unlink(folder->kept);
	rmdir(dir);
	assert_int_equal(rmdir(folder->root), 0);
	g_free(folder->kept);
}

static void what_is_kept_is_found_on_this_boot_only(void **state)
{
	static const char here[] = "boot 1\nkernel 1\ncpu 1\n";
	struct folder folder;
	struct skid_measure m;

	use_folder(&folder);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	skid_kept_put(NULL, SKID_CPU_CLOCK, &usual);
	assert_int_not_equal(access(folder.kept, F_OK), 0);
	skid_kept_put(here, SKID_CPU_CLOCK, &usual);
	assert_true(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	assert_same(&m, &usual);
	assert_false(skid_kept_find(NULL, SKID_CPU_CLOCK, &m));
	assert_false(skid_kept_find(here, SKID_TASK_CLOCK, &m));
	assert_false(skid_kept_find("boot 2\nkernel 1\ncpu 1\n", SKID_CPU_CLOCK, &m));
	assert_false(skid_kept_find("boot 1\nkernel 2\ncpu 1\n", SKID_CPU_CLOCK, &m));
	assert_false(skid_kept_find("boot 1\nkernel 1\ncpu 2\n", SKID_CPU_CLOCK, &m));
	remove_folder(&folder);
}

/* The same content counts or does not count, by whose file it is. */
static void a_file_that_another_user_may_have_written_is_ignored(void **state)
{
	static const char here[] = "boot 1\nkernel 1\ncpu 1\n";
	g_autofree char *elsewhere = NULL;
	struct folder folder;
	struct skid_measure m;

	use_folder(&folder);
	skid_kept_put(here, SKID_CPU_CLOCK, &usual);
	assert_int_equal(chmod(folder.kept, 0620), 0);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	assert_int_equal(chmod(folder.kept, 0602), 0);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	assert_int_equal(chmod(folder.kept, 0644), 0);
	assert_true(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	if (!chown(folder.kept, 65534, 65534)) { /* only root can */
		assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
		assert_int_equal(chown(folder.kept, geteuid(), getegid()), 0);
	}
	elsewhere = g_strconcat(folder.root, "/target", NULL);
	assert_int_equal(rename(folder.kept, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, folder.kept), 0);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	/* Writing replaces the link, not its target. */
	skid_kept_put("another\n", SKID_CPU_CLOCK, &usual);
	assert_true(skid_kept_find("another\n", SKID_CPU_CLOCK, &m));
	assert_int_equal(rename(elsewhere, folder.kept), 0);
	assert_true(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	remove_folder(&folder);
}

static void garbage_that_is_kept_is_ignored(void **state)
{
	static const char here[] = "boot 1\nkernel 1\ncpu 1\n";
	struct folder folder;
	struct skid_measure m;

	use_folder(&folder);
	skid_kept_put(here, SKID_CPU_CLOCK, &usual);
	for (u32 i = 0; i < ARRAY_SIZE(garbage); i++) {
		g_autofree char *text = g_strconcat(here, garbage[i], NULL);

		assert_true(g_file_set_contents(folder.kept, text, -1, NULL));
		if (skid_kept_find(here, SKID_CPU_CLOCK, &m))
			fail_msg("accepted: %s", garbage[i]);
		assert_true(g_file_set_contents(folder.kept, garbage[i], -1, NULL));
		assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	}
	assert_int_equal(truncate(folder.kept, 1ll << 40), 0);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	assert_int_equal(unlink(folder.kept), 0);
	assert_int_equal(mkfifo(folder.kept, 0600), 0);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	assert_int_equal(unlink(folder.kept), 0);
	assert_int_equal(mkdir(folder.kept, 0700), 0);
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	skid_kept_put(here, SKID_CPU_CLOCK, &usual); /* is not possible */
	assert_false(skid_kept_find(here, SKID_CPU_CLOCK, &m));
	assert_int_equal(rmdir(folder.kept), 0);
	remove_folder(&folder);
}

static u32 nr_notes(const struct perfdata_info *info)
{
	u32 nr = 0;

	for (u32 i = 0; i < info->notes->len; i++) {
		const struct info_note *note = g_ptr_array_index(info->notes, i);

		nr += !strcmp(note->key, "skid.cpu-clock");
	}
	return nr;
}

/* One recording of cpu-clock by @src, from its start to its end. The notes of the file are in the result. */
static struct perfdata_info *recorded(struct source *src)
{
	struct perfdata_info *info = perfdata_info_of_host();
	struct evsel *evsel = skid_kind_evsel(SKID_CPU_CLOCK);

	src->ops->describe(src, &evsel, 1, info);
	assert_true(src->ops->enable(src, NULL));
	assert_true(src->ops->disable(src, NULL));
	src->ops->conclude(src, info);
	src->ops->conclude(src, info);
	evsel_free(evsel);
	return info;
}

static void a_recorder_measures_until_it_is_known(void **state)
{
	const struct record_options opts = { .skid_measured = true };
	struct source *src;
	struct perfdata_info *info;
	struct skid_measure m;
	struct folder folder;

	if (!slow_loop_measure(SKID_CPU_CLOCK, kernel_paths_host(), NULL, &m, NULL))
		skip();
	use_folder(&folder);
	src = skid_source_new(&opts, kernel_paths_host());
	info = recorded(src);
	/* A busy machine may need several recordings. */
	for (u32 i = 0; i < 50 && !nr_notes(info); i++) {
		perfdata_info_free(info);
		info = recorded(src);
	}
	assert_int_equal(nr_notes(info), 1);
	perfdata_info_free(info);
	info = recorded(src); /* from memory */
	assert_int_equal(nr_notes(info), 1);
	perfdata_info_free(info);
	src->ops->close(src);
	remove_folder(&folder);
}

static void a_recorder_that_must_not_measure_takes_what_is_kept(void **state)
{
	const struct record_options opts = { 0 };
	struct perfdata_info *info = perfdata_info_of_host();
	g_autofree char *machine = skid_kept_machine(info);
	struct folder folder;
	struct source *src;

	perfdata_info_free(info);
	use_folder(&folder);
	src = skid_source_new(&opts, kernel_paths_host());
	info = recorded(src);
	assert_int_equal(nr_notes(info), 0);
	assert_int_not_equal(access(folder.kept, F_OK), 0);
	perfdata_info_free(info);
	skid_kept_put(machine, SKID_CPU_CLOCK, &usual);
	info = recorded(src);
	assert_int_equal(nr_notes(info), machine ? 1 : 0);
	perfdata_info_free(info);
	src->ops->close(src);
	remove_folder(&folder);
}

/* A recorder that fails closes its sources, and nothing else. Whole measurements would take 20 ms and more each. */
static void a_measurement_is_abandoned_at_once(void **state)
{
	const struct record_options opts = { .skid_measured = true };
	struct perfdata_info *info = perfdata_info_of_host();
	struct evsel *evsel = skid_kind_evsel(SKID_CPU_CLOCK);
	u64 before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct folder folder;

	use_folder(&folder);
	for (u32 i = 0; i < 20; i++) {
		struct source *src = skid_source_new(&opts, kernel_paths_host());

		src->ops->describe(src, &evsel, 1, info);
		assert_true(src->ops->enable(src, NULL));
		src->ops->close(src);
		unlink(folder.kept); /* if the thread was faster than this one */
	}
	assert_true(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before < 20 * 10000000ull);
	evsel_free(evsel);
	perfdata_info_free(info);
	remove_folder(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_read_as_it_was_written),
		cmocka_unit_test(garbage_is_no_measurement),
		cmocka_unit_test(a_place_needs_enough_samples_of_one_kind),
		cmocka_unit_test(only_events_that_sample_time_without_precision_have_a_kind),
		cmocka_unit_test(a_file_tells_it_by_kind_of_event),
		cmocka_unit_test(people_read_a_sentence),
		cmocka_unit_test(the_loop_is_sampled_within_its_time),
		cmocka_unit_test(what_is_kept_is_found_on_this_boot_only),
		cmocka_unit_test(a_file_that_another_user_may_have_written_is_ignored),
		cmocka_unit_test(garbage_that_is_kept_is_ignored),
		cmocka_unit_test(a_recorder_measures_until_it_is_known),
		cmocka_unit_test(a_recorder_that_must_not_measure_takes_what_is_kept),
		cmocka_unit_test(a_measurement_is_abandoned_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
