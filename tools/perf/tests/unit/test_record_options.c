// SPDX-License-Identifier: GPL-2.0-or-later
/* What the texts of record's options mean, and which attributes the events get from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>

#include "perfdata/evsel.h"
#include "perfevent_tree.h"
#include "record/closing.h"
#include "record/base/branches.h"
#include "record/config.h"
#include "record/base/options.h"

static void switch_output_is_a_signal_a_size_or_a_time(void **state)
{
	static const struct {
		const char *text;
		bool on_signal;
		u64 size, seconds;
	} good[] = {
		{ "signal", true, 0, 0 },	{ "100B", false, 100, 0 },
		{ "4k", false, 4096, 0 },	{ "10M", false, 10 << 20, 0 },
		{ "2G", false, 2ULL << 30, 0 }, { "30s", false, 0, 30 },
		{ "5m", false, 0, 300 },	{ "2h", false, 0, 7200 },
		{ "1d", false, 0, 86400 },
	};
	static const char *const bad[] = { "",	  "5",	     "0s",
					   "0M",  "M",	     "-1M",
					   "10X", "signals", "99999999999999G" };
	struct switch_output got;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_true(switch_output_parse(good[i].text, &got, NULL));
		assert_true(got.given);
		assert_int_equal(got.on_signal, good[i].on_signal);
		assert_int_equal(got.size, good[i].size);
		assert_int_equal(got.seconds, good[i].seconds);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		GError *error = NULL;

		got = (struct switch_output){ 0 };
		assert_false(switch_output_parse(bad[i], &got, &error));
		assert_non_null(strstr(error->message, bad[i]));
		assert_false(got.given);
		g_error_free(error);
	}
}

static void clocks_have_names_and_numbers(void **state)
{
	static const struct {
		const char *text;
		int id;
	} good[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "mono", CLOCK_MONOTONIC },
		{ "CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "CLOCK_TAI", CLOCK_TAI },
		{ "tai", CLOCK_TAI },
		{ "1", CLOCK_MONOTONIC },
	};
	static const char *const bad[] = { "", "foo", "2", "1x", "CLOCK_", "-1" };
	int id;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		id = -1;
		assert_true(clockid_parse(good[i].text, &id, NULL));
		assert_int_equal(id, good[i].id);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(clockid_parse(bad[i], &id, NULL));
	assert_string_equal(clockid_name(CLOCK_BOOTTIME), "boottime");
	assert_null(clockid_name(2));
}

static void call_graphs_have_modes_and_sizes(void **state)
{
	static const struct {
		const char *text;
		enum callgraph_mode mode;
		u32 size;
		bool defer;
	} good[] = {
		{ "fp", CALLGRAPH_FP, 0, false },
		{ "fp,defer", CALLGRAPH_FP, 0, true },
		{ "fp,100", CALLGRAPH_FP, 0, false },
		{ "dwarf", CALLGRAPH_DWARF, 8192, false },
		{ "dwarf,", CALLGRAPH_DWARF, 8192, false },
		{ "dwarf,1", CALLGRAPH_DWARF, 8, false },
		{ "dwarf,0x1000", CALLGRAPH_DWARF, 4096, false },
		{ "dwarf,65521", CALLGRAPH_DWARF, 65528, false },
		{ "dwarf,65528", CALLGRAPH_DWARF, 65528, false },
		{ "lbr", CALLGRAPH_LBR, 0, false },
	};
	static const char *const bad[] = {
		"", "FP", "dwarfs", "dwarf,0", "dwarf,65529", "dwarf,8192x", "lbr,1", "f"
	};
	struct callgraph got;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_true(callgraph_parse(good[i].text, 0, &got, NULL));
		assert_int_equal(got.mode, good[i].mode);
		assert_int_equal(got.stack_size, good[i].size);
		assert_int_equal(got.defer, good[i].defer);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_false(callgraph_parse(bad[i], 0, &got, &error));
		assert_int_equal(error->code, PERF_ERROR_USAGE);
	}
	assert_true(callgraph_parse("dwarf", 512, &got, NULL));
	assert_int_equal(got.stack_size, 512);
}

static void registers_have_names(void **state)
{
	g_autoptr(GError) error = NULL;
	u64 mask;

	assert_true(callgraph_regs_parse("ip,SP,r15", "-I", &mask, NULL));
	assert_int_equal(mask, 1 << 8 | 1 << 7 | 1 << 23);
	assert_false(callgraph_regs_parse("ip,ds", "-I", &mask, NULL));
	assert_false(callgraph_regs_parse("", "-I", &mask, NULL));
	assert_false(callgraph_regs_parse("xmm0", "-I", &mask, &error));
	assert_non_null(strstr(error->message, "xmm0"));
	assert_non_null(strstr(error->message, "-I?"));
}

static void a_delay_is_a_time_or_ranges_of_time(void **state)
{
	static const struct {
		const char *text;
		u32 nr, times[4];
	} good[] = {
		{ "250", 1, { 250 } },
		{ "0", 0, { 0 } },
		{ "10-20", 2, { 10, 20 } },
		{ "0-5,6-70", 4, { 0, 5, 6, 70 } },
	};
	static const char *const bad[] = {
		"",	    "-2",	   "10ms",	"99999999999", "10-",	       "10-20,",
		"10-20,30", "10-20x",	   "20-10",	"10-10",       "10-20,20-30",  "--1",
		"1--2",	    "10-20,15-30", "1-2,3-4-5", "1,2",	       "10-20 ,30-40", "-1-2",
	};
	GArray *times;

	assert_true(delay_parse("-1", &times, NULL));
	assert_null(times);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_true(delay_parse(good[i].text, &times, NULL));
		assert_int_equal(times->len, good[i].nr);
		assert_memory_equal(times->data, good[i].times, good[i].nr * sizeof(u32));
		g_array_unref(times);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_false(delay_parse(bad[i], &times, &error));
		assert_null(times);
		assert_non_null(strstr(error->message, bad[i]));
	}
}

static void numbers_have_their_ranges(void **state)
{
	enum tls_source source;
	int value;

	assert_true(zstd_level_parse("22", &value, NULL));
	assert_int_equal(value, 22);
	assert_false(zstd_level_parse("0", &value, NULL));
	assert_false(zstd_level_parse("23", &value, NULL));
	assert_true(tls_source_parse("bpf", &source, NULL));
	assert_int_equal(source, TLS_SOURCE_BPF);
	assert_false(tls_source_parse("ebpf", &source, NULL));
}

/* Events, as a recorder with these options would open them. */
struct setup {
	struct tree tree;
	struct event_list list, side;
	struct record_options opts;
};

static struct setup *setup(const char *events)
{
	struct setup *s = g_new0(struct setup, 1);

	tree_init(&s->tree);
	event_list_init(&s->list);
	event_list_init(&s->side);
	s->opts.timestamp = true;
	assert_true(event_list_parse(&s->list, &s->tree.paths, events, NULL));
	return s;
}

static void configure(struct setup *s, enum target_kind kind)
{
	bool side = config_needs_side_event(&s->opts, kind);

	if (side)
		event_list_add_dummy(&s->side);
	assert_true(
		config_events(&s->list, side ? &s->side : NULL, &s->opts, kind, 4000, 128, NULL));
}

static const struct perf_event_attr *attr_of(struct setup *s, u32 i)
{
	return &event_list_at(&s->list, i)->evsel->attr;
}

static void teardown(struct setup *s)
{
	event_list_release(&s->list);
	event_list_release(&s->side);
	tree_release(&s->tree);
	g_free(s);
}

static void a_command_is_counted_from_its_exec(void **state)
{
	struct setup *s = setup("cpu-clock");
	const struct perf_event_attr *attr = attr_of(s, 0);

	configure(s, TARGET_COMMAND);
	assert_int_equal(s->side.specs->len, 0);
	assert_int_equal(attr->sample_type,
			 PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD);
	assert_int_equal(attr->read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	assert_true(attr->freq && attr->sample_freq == 4000);
	assert_true(attr->disabled && attr->enable_on_exec && attr->inherit);
	assert_true(attr->mmap && attr->mmap2 && attr->comm && attr->task && attr->sample_id_all);
	assert_true(attr->watermark);
	teardown(s);
}

static void side_records_of_all_cpus_come_from_an_event_of_their_own(void **state)
{
	struct setup *s = setup("cpu-clock");
	const struct perf_event_attr *side;

	configure(s, TARGET_CPUS);
	side = &event_list_at(&s->side, 0)->evsel->attr;
	assert_true(attr_of(s, 0)->disabled && !attr_of(s, 0)->enable_on_exec);
	assert_false(attr_of(s, 0)->mmap || attr_of(s, 0)->comm || attr_of(s, 0)->task);
	assert_false(side->disabled);
	assert_true(side->mmap && side->comm && side->task);
	assert_true(attr_of(s, 0)->sample_type & PERF_SAMPLE_CPU);
	assert_true(attr_of(s, 0)->sample_type & side->sample_type & PERF_SAMPLE_IDENTIFIER);
	teardown(s);
}

static void branches_are_recorded_of_the_kinds_asked_for(void **state)
{
	struct setup *s = setup("cpu-clock,{task-clock,page-faults}:S");
	g_autoptr(GError) error = NULL;

	assert_true(branches_parse("any_call,U,save_type", &s->opts.branches, NULL));
	assert_int_equal(s->opts.branches, PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER |
						   PERF_SAMPLE_BRANCH_TYPE_SAVE);
	assert_true(branches_parse("u,k", &s->opts.branches, NULL)); /* levels alone */
	assert_int_equal(s->opts.branches, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER |
						   PERF_SAMPLE_BRANCH_KERNEL);
	assert_false(branches_parse("any,", &s->opts.branches, NULL));
	assert_false(branches_parse("", &s->opts.branches, NULL));
	assert_false(branches_parse("cal", &s->opts.branches, &error));
	assert_non_null(strstr(error->message, "'cal': expected some of any, u"));
	s->opts.transaction = s->opts.data_source = s->opts.running_time = true;
	configure(s, TARGET_COMMAND);
	for (u32 i = 0; i < 3; i++) {
		assert_int_equal(attr_of(s, i)->branch_sample_type, s->opts.branches);
		assert_true(attr_of(s, i)->sample_type & PERF_SAMPLE_BRANCH_STACK);
		assert_true(attr_of(s, i)->sample_type & PERF_SAMPLE_TRANSACTION);
		assert_true(attr_of(s, i)->sample_type & PERF_SAMPLE_DATA_SRC);
		assert_false(attr_of(s, i)->sample_type & PERF_SAMPLE_ADDR);
		assert_true(attr_of(s, i)->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED);
		assert_true(attr_of(s, i)->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
		assert_false(attr_of(s, i)->inherit_stat);
	}
	teardown(s);
}

static void before_a_delay_only_side_records_flow(void **state)
{
	struct setup *s = setup("cpu-clock");
	const struct perf_event_attr *side;

	s->opts.delayed = true;
	configure(s, TARGET_COMMAND);
	side = &event_list_at(&s->side, 0)->evsel->attr;
	assert_true(attr_of(s, 0)->disabled && !attr_of(s, 0)->enable_on_exec);
	assert_true(side->disabled && side->enable_on_exec && side->mmap);
	teardown(s);
}

static void a_count_wins_and_terms_win_over_it(void **state)
{
	struct setup *s = setup("cpu-clock,cpu-clock/period=7/,cpu-clock/freq=50/");

	s->opts.count = 1000;
	s->opts.count_given = true;
	configure(s, TARGET_COMMAND);
	assert_true(!attr_of(s, 0)->freq && attr_of(s, 0)->sample_period == 1000);
	assert_true(!attr_of(s, 1)->freq && attr_of(s, 1)->sample_period == 7);
	assert_true(attr_of(s, 2)->freq && attr_of(s, 2)->sample_freq == 50);
	assert_false(attr_of(s, 0)->sample_type & PERF_SAMPLE_PERIOD);
	assert_true(attr_of(s, 2)->sample_type & PERF_SAMPLE_PERIOD);
	teardown(s);
}

static void a_breakpoint_counts_each_hit_unless_a_rate_is_asked(void **state)
{
	struct setup *s = setup("mem:0x1000:w");

	configure(s, TARGET_COMMAND);
	assert_true(!attr_of(s, 0)->freq && attr_of(s, 0)->sample_period == 1);
	teardown(s);
	s = setup("mem:0x1000:w");
	s->opts.freq = "4000";
	configure(s, TARGET_COMMAND);
	assert_true(attr_of(s, 0)->freq && attr_of(s, 0)->sample_freq == 4000);
	teardown(s);
}

static void only_the_leader_of_a_read_group_samples(void **state)
{
	struct setup *s = setup("{cpu-clock,task-clock}:S");

	s->opts.callgraph.mode = CALLGRAPH_FP;
	configure(s, TARGET_COMMAND);
	assert_true(attr_of(s, 0)->read_format & attr_of(s, 1)->read_format & PERF_FORMAT_GROUP);
	assert_true(attr_of(s, 0)->sample_type & PERF_SAMPLE_READ);
	assert_int_equal(attr_of(s, 0)->sample_type, attr_of(s, 1)->sample_type);
	assert_int_equal(attr_of(s, 0)->sample_freq, 4000);
	assert_int_equal(attr_of(s, 1)->sample_freq, 0);
	assert_true(attr_of(s, 0)->disabled && !attr_of(s, 1)->disabled);
	assert_true(attr_of(s, 0)->inherit && attr_of(s, 1)->inherit);
	teardown(s);
}

/* Readers take the counts of inherited events for those of the sample's thread. */
static void a_read_group_of_a_cpu_counts_all_threads(void **state)
{
	struct setup *s = setup("{cpu-clock,task-clock}:S");

	configure(s, TARGET_CPUS);
	assert_false(attr_of(s, 0)->inherit || attr_of(s, 1)->inherit);
	teardown(s);
}

/* Where samples differ, the id must stand where it is found without knowing whose it is. */
static void ids_stand_where_they_can_be_found(void **state)
{
	struct setup *s = setup("cpu-clock,page-faults");

	configure(s, TARGET_COMMAND);
	assert_true(attr_of(s, 0)->sample_type & attr_of(s, 1)->sample_type & PERF_SAMPLE_ID);
	teardown(s);
	s = setup("cpu-clock,page-faults/call-graph=fp/");
	configure(s, TARGET_COMMAND);
	assert_true(attr_of(s, 0)->sample_type & attr_of(s, 1)->sample_type &
		    PERF_SAMPLE_IDENTIFIER);
	assert_false(attr_of(s, 0)->sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_true(attr_of(s, 1)->sample_type & PERF_SAMPLE_CALLCHAIN);
	teardown(s);
}

static void what_is_in_a_sample_is_what_was_asked(void **state)
{
	struct setup *s = setup("cpu-clock");
	u64 type;

	s->opts.data = s->opts.weight = s->opts.phys_data = s->opts.data_page_size = true;
	s->opts.code_page_size = s->opts.raw_samples = s->opts.sample_cpu = true;
	s->opts.timestamp = false;
	s->opts.clock_given = true;
	s->opts.clockid = CLOCK_MONOTONIC;
	configure(s, TARGET_COMMAND);
	type = attr_of(s, 0)->sample_type;
	assert_true(type & PERF_SAMPLE_ADDR && type & PERF_SAMPLE_DATA_SRC);
	assert_true(type & PERF_SAMPLE_WEIGHT_STRUCT && type & PERF_SAMPLE_PHYS_ADDR);
	assert_true(type & PERF_SAMPLE_DATA_PAGE_SIZE && type & PERF_SAMPLE_CODE_PAGE_SIZE);
	assert_true(type & PERF_SAMPLE_RAW && type & PERF_SAMPLE_CPU);
	assert_true(type & PERF_SAMPLE_TIME); /* raw records need it */
	assert_true(attr_of(s, 0)->mmap_data);
	assert_true(attr_of(s, 0)->use_clockid && attr_of(s, 0)->clockid == CLOCK_MONOTONIC);
	teardown(s);
}

static void addresses_of_timers_and_of_what_becomes_one_are_computed_from_registers(void **state)
{
	static const struct {
		const char *event;
		bool registers;
	} rows[] = {
		{ "cpu-clock", true },	  { "cycles", true },	   { "cycles:P", true },
		{ "page-faults", false }, { "mem:0x1000", false },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct setup *s = setup(rows[i].event);

		s->opts.data = true;
		configure(s, TARGET_COMMAND);
		assert_int_equal(!!(attr_of(s, 0)->sample_type & PERF_SAMPLE_REGS_INTR),
				 rows[i].registers);
		teardown(s);
	}
}

static void dwarf_copies_registers_and_stack(void **state)
{
	struct setup *s = setup("cpu-clock,page-faults/call-graph=dwarf,stack-size=100/,"
				"faults/call-graph=no/");

	s->opts.callgraph = (struct callgraph){ CALLGRAPH_DWARF, 4096, false };
	s->opts.user_regs = 1; /* AX */
	s->opts.intr_regs = 1 << 8;
	configure(s, TARGET_COMMAND);
	for (u32 i = 0; i < 2; i++) {
		assert_true(attr_of(s, i)->sample_type & PERF_SAMPLE_CALLCHAIN);
		assert_true(attr_of(s, i)->sample_type & PERF_SAMPLE_STACK_USER);
		assert_int_equal(attr_of(s, i)->sample_regs_user, 0x181);
		assert_true(attr_of(s, i)->exclude_callchain_user);
	}
	assert_int_equal(attr_of(s, 0)->sample_stack_user, 4096);
	assert_int_equal(attr_of(s, 1)->sample_stack_user, 104);
	assert_false(attr_of(s, 2)->sample_type & PERF_SAMPLE_STACK_USER);
	assert_int_equal(attr_of(s, 2)->sample_regs_user, 1);
	assert_int_equal(attr_of(s, 2)->sample_regs_intr, 1 << 8);
	assert_true(attr_of(s, 2)->sample_type & PERF_SAMPLE_REGS_INTR);
	teardown(s);
	s = setup("cpu-clock");
	s->opts.callgraph = (struct callgraph){ CALLGRAPH_DWARF, 8192, false };
	configure(s, TARGET_COMMAND);
	assert_int_equal(attr_of(s, 0)->sample_regs_user, 0xff0fff);
	teardown(s);
}

static void rings_that_overwrite_hold_samples_only(void **state)
{
	struct setup *s = setup("cpu-clock");

	s->opts.overwrite = true;
	configure(s, TARGET_COMMAND);
	assert_true(attr_of(s, 0)->write_backward && !attr_of(s, 0)->mmap);
	assert_false(event_list_at(&s->side, 0)->evsel->attr.write_backward);
	assert_true(event_list_at(&s->side, 0)->evsel->attr.mmap);
	teardown(s);
}

static void kinds_of_synth(void **state)
{
	u32 kinds;

	assert_true(synth_parse("no", &kinds, NULL) && kinds == 0);
	assert_true(synth_parse("all", &kinds, NULL) && kinds == SYNTH_ALL);
	assert_true(synth_parse("mmap", &kinds, NULL) && kinds == (SYNTH_TASKS | SYNTH_MAPS));
	assert_true(synth_parse("task,cgroup", &kinds, NULL) &&
		    kinds == (SYNTH_TASKS | SYNTH_CGROUPS));
	assert_false(synth_parse("task,", &kinds, NULL));
	assert_false(synth_parse("", &kinds, NULL));
}

/* Upstream's two lines as they are, and each thing more in a line of its own: scripts read "(N samples) ]". */
static void closing_lines_begin_as_upstreams(void **state)
{
	const struct closing_facts facts = {
		.drained = { .wakes = 3 },
		.collected = { .samples = 469,
			       .lost_samples = 1,
			       .lost_mixed = 12,
			       .lost_records = 20,
			       .throttled = 10 },
		.path = (char *)"perf.data",
		.bytes = 1 << 20,
		.ratio = 2,
	};
	struct record_options opts = { .zstd_level = 0 };
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	for (opts.zstd_level = 0; opts.zstd_level < 2; opts.zstd_level++) {
		g_autofree char *wanted = g_strdup_printf(
			"[ perf record: Woken up 3 times to write data ]\n"
			"[ perf record: Captured and wrote 1.000 MB perf.data (469 samples)%s ]\n"
			"[ perf record: The kernel lost 1 sample ]\n"
			"[ perf record: The kernel lost 12 records: samples, forks, exits and "
			"mappings, which it counts together ]\n"
			"[ perf record: The kernel lost 7 other records ]\n"
			"[ perf record: The kernel throttled events 10 times ]\n",
			opts.zstd_level ? ", compressed (original 2.000 MB, ratio is 2.000)" : "");
		char *said = NULL;
		size_t size;
		FILE *out = open_memstream(&said, &size);

		closing_say(&facts, &opts, none, out);
		fclose(out);
		assert_string_equal(said, wanted);
		free(said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_synth),
		cmocka_unit_test(closing_lines_begin_as_upstreams),
		cmocka_unit_test(switch_output_is_a_signal_a_size_or_a_time),
		cmocka_unit_test(clocks_have_names_and_numbers),
		cmocka_unit_test(call_graphs_have_modes_and_sizes),
		cmocka_unit_test(registers_have_names),
		cmocka_unit_test(numbers_have_their_ranges),
		cmocka_unit_test(a_command_is_counted_from_its_exec),
		cmocka_unit_test(side_records_of_all_cpus_come_from_an_event_of_their_own),
		cmocka_unit_test(a_delay_is_a_time_or_ranges_of_time),
		cmocka_unit_test(branches_are_recorded_of_the_kinds_asked_for),
		cmocka_unit_test(before_a_delay_only_side_records_flow),
		cmocka_unit_test(a_count_wins_and_terms_win_over_it),
		cmocka_unit_test(a_breakpoint_counts_each_hit_unless_a_rate_is_asked),
		cmocka_unit_test(only_the_leader_of_a_read_group_samples),
		cmocka_unit_test(a_read_group_of_a_cpu_counts_all_threads),
		cmocka_unit_test(ids_stand_where_they_can_be_found),
		cmocka_unit_test(what_is_in_a_sample_is_what_was_asked),
		cmocka_unit_test(
			addresses_of_timers_and_of_what_becomes_one_are_computed_from_registers),
		cmocka_unit_test(dwarf_copies_registers_and_stack),
		cmocka_unit_test(rings_that_overwrite_hold_samples_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
