// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks are unwound between the queue and the file: records come out in their order, each sample with its chain, whichever worker
 * its process belongs to and in whichever round its mappings were told. Also run under ThreadSanitizer.
 *
 * The program is tests/data/orders; its stacks are those of cases/stacks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <glib.h>

#include "live/late.h"
#include "live/live.h"
#include "live/sizes.h"
#include "perfdata/abi.h"
#include "perfdata/decoder.h"
#include "perfdata/evsel.h"
#include "perfdata/write/encode.h"
#include "perfevent/parse.h"

#define STACK_AT 0x7ffffff00000ull
#define CODE_AT	 0x555555555000ull
#define IP	 0x555555555f40ull
#define REGS	 0xff0fffull

/* merge(), called by order_remove(), by work(), by _start(). */
static const u64 stack[] = {
	0x5555555560a1, 0, STACK_AT + 0x60, 0x555555555e02, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0x555555555bc1
};
static const u64 whole[] = { (u64)PERF_CONTEXT_USER, IP, 0x5555555560a0, 0x555555555e01,
			     0x555555555bc0 };

/* Frames of order_remove() in a deep stack, and the words of that stack: each has three, and four other functions the rest. */
#define DEEP	   40
#define DEEP_WORDS (3 * DEEP + 11)

/* Replaces record/stack_source.c, whose samples need a kernel's program: their event, and what it is told. */
struct sizer {
	struct source source;
	struct evsel *evsel;
	u32 nr, tid, size; /* how often a thread got another size, and the last time */
};

const struct evsel *__wrap_stack_source_evsel(const struct source *src);
void __wrap_stack_source_resize(struct source *src, u32 tid, u32 size);

const struct evsel *__wrap_stack_source_evsel(const struct source *src)
{
	return ((const struct sizer *)src)->evsel;
}

void __wrap_stack_source_resize(struct source *src, u32 tid, u32 size)
{
	struct sizer *sizer = container_of(src, struct sizer, source);

	sizer->nr++;
	sizer->tid = tid;
	sizer->size = size;
}

struct run {
	struct recording rec;
	struct event_list events;
	struct source *late;
	struct live *live;
	GPtrArray *evsels; /* as the file has them */
	struct perfdata_info *info;
	struct perfdata_decoder *decoder; /* of what comes out */
	struct evsel *in;		  /* as samples come in */
	struct outlet outlet;
	GPtrArray *out; /* records */
};

static void take(struct outlet *outlet, const void *records, size_t size)
{
	struct run *r = container_of(outlet, struct run, outlet);
	const struct perf_event_header *record;

	for (size_t at = 0; at < size; at += record->size) {
		record = (const void *)((const u8 *)records + at);
		g_ptr_array_add(r->out, g_memdup2(record, record->size));
	}
}

static struct dso_options dso_options(void)
{
	static char *symfs;

	if (!symfs)
		symfs = g_build_filename(g_getenv("SRC") ?: ".", "tools/perf/tests/data/orders",
					 NULL);
	return (struct dso_options){ .symfs = symfs };
}

static void add_event(struct run *r)
{
	struct evsel *evsel;

	event_list_init(&r->events);
	assert_true(event_list_parse(&r->events, kernel_paths_host(), "cpu-clock", NULL));
	evsel = event_list_at(&r->events, 0)->evsel;
	evsel->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				  PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
				  PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	evsel->attr.sample_id_all = 1;
	evsel->attr.sample_regs_user = REGS;
	evsel->attr.sample_stack_user = 8192;
	evsel->ids = g_new(u64, 1);
	evsel->ids[0] = 5;
	evsel->nr_ids = 1;
	r->in = evsel_copy(evsel);
	g_ptr_array_add(r->evsels, evsel_copy(evsel));
}

/* From now on, samples come in as the kernel's program writes them. */
static void add_sizer(struct run *r, struct sizer *sizer)
{
	r->in->ids[0] = 6;
	r->in->idx = 1;
	sizer->evsel = evsel_copy(r->in);
}

static struct run *start(struct live_options options, bool with_late)
{
	struct run *r = g_new0(struct run, 1);
	struct dso_options dso = dso_options();

	r->evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);
	r->out = g_ptr_array_new_with_free_func(g_free);
	r->outlet.put = take;
	recording_init(&r->rec, NULL, kernel_paths_host());
	r->rec.events = &r->events;
	add_event(r);
	if (with_late) {
		r->late = late_source_new();
		assert_true(r->late->ops->prepare(r->late, &r->rec, NULL));
		g_ptr_array_add(r->evsels, evsel_copy(late_source_evsel(r->late)));
		((struct evsel *)r->evsels->pdata[1])->idx = 1;
	}
	if (options.stacks)
		add_sizer(r, container_of(options.stacks, struct sizer, source));
	options.late = r->late;
	options.dso = &dso;
	r->live = live_new(&options);
	r->info = perfdata_info_new();
	live_stage(r->live)->ops->describe(live_stage(r->live),
					   (struct evsel *const *)r->evsels->pdata, r->evsels->len,
					   r->info);
	r->decoder =
		perfdata_decoder_new((struct evsel *const *)r->evsels->pdata, r->evsels->len, NULL);
	return r;
}

static void end(struct run *r)
{
	live_free(r->live);
	perfdata_decoder_free(r->decoder);
	perfdata_info_free(r->info);
	if (r->late)
		r->late->ops->close(r->late);
	evsel_free(r->in);
	g_ptr_array_unref(r->evsels);
	g_ptr_array_unref(r->out);
	recording_release(&r->rec);
	event_list_release(&r->events);
	g_free(r);
}

static void pass(struct run *r, const struct event *event)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	assert_true(event_encode(event, r->in, bytes, NULL));
	live_stage(r->live)->ops->pass(live_stage(r->live), 0, (const void *)bytes->data,
				       &r->outlet);
}

static void end_round_at(struct run *r, u64 position, bool last)
{
	const struct stage_round round = { .position = position, .last = last };

	live_stage(r->live)->ops->round(live_stage(r->live), &round, &r->outlet);
}

static void end_round(struct run *r, bool last)
{
	end_round_at(r, 0, last);
}

static void pass_map(struct run *r, u32 pid, u64 time)
{
	struct event event = { .type = PERF_RECORD_MMAP2, .id = { .time = time } };

	event.id.pid = event.id.tid = pid;
	event.mmap = (struct event_mmap){ .pid = pid,
					  .tid = pid,
					  .start = CODE_AT,
					  .len = 0x6000,
					  .pgoff = 0x1000,
					  .prot = 5,
					  .flags = 2,
					  .filename = "/opt/orders/orders" };
	pass(r, &event);
}

/* @words of @copied were copied. @own: the chain by frame pointers. */
static void pass_copy(struct run *r, u32 pid, u64 time, const u64 *copied, u32 words,
		      const u64 *own, u64 nr_own)
{
	u64 regs[20] = { [6] = STACK_AT + 0x10, [7] = STACK_AT, [8] = IP };
	struct event event = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };

	event.sample = (struct sample){
		.type = r->in->attr.sample_type,
		.id = r->in->ids[0],
		.ip = IP,
		.pid = pid,
		.tid = pid,
		.time = time,
		.period = 1,
		.nr_ips = nr_own,
		.ips = own,
		.user_regs = { .abi = PERF_SAMPLE_REGS_ABI_64, .mask = REGS, .regs = regs },
		.user_stack = { .size = words * sizeof(u64),
				.dyn_size = words * sizeof(u64),
				.data = (const u8 *)copied },
	};
	pass(r, &event);
}

static void pass_own(struct run *r, u32 pid, u64 time, u32 words, const u64 *own, u64 nr_own)
{
	pass_copy(r, pid, time, stack, words, own, nr_own);
}

/* Its chain by frame pointers has the innermost function only. */
static void pass_sample(struct run *r, u32 pid, u64 time, u32 words)
{
	static const u64 own[] = { (u64)PERF_CONTEXT_USER, IP };

	pass_own(r, pid, time, words, own, ARRAY_SIZE(own));
}

static struct event out_at(const struct run *r, u32 i)
{
	struct event event;

	assert_true(i < r->out->len);
	assert_true(perfdata_decoder_decode(r->decoder, r->out->pdata[i], &event));
	return event;
}

static void check_chain(const struct run *r, u32 i, u32 pid, u64 time, const u64 *ips, u64 nr)
{
	struct event event = out_at(r, i);

	assert_int_equal(event.type, PERF_RECORD_SAMPLE);
	assert_int_equal(event.sample.pid, pid);
	assert_int_equal(event.sample.time, time);
	assert_int_equal(event.sample.id, 5);
	assert_int_equal(event.sample.nr_ips, nr);
	assert_memory_equal(event.sample.ips, ips, nr * sizeof(u64));
	assert_int_equal(event.sample.user_stack.size, 0);
}

/* The mapping comes behind the sample that needs it, from a ring that is emptied later. */
static void test_order(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 2 }, false);

	pass_sample(r, 7, 10, ARRAY_SIZE(stack));
	end_round(r, false);
	assert_int_equal(r->out->len, 0);
	pass_map(r, 7, 2);
	pass_sample(r, 7, 20, ARRAY_SIZE(stack));
	end_round(r, false);
	end_round(r, false);
	end_round(r, true);
	assert_int_equal(r->out->len, 3);
	check_chain(r, 0, 7, 10, whole, ARRAY_SIZE(whole));
	assert_int_equal(out_at(r, 1).type, PERF_RECORD_MMAP2);
	check_chain(r, 2, 7, 20, whole, ARRAY_SIZE(whole));
	live_stop(r->live);
	assert_int_equal(live_counts(r->live).ends.stacks, 2);
	assert_int_equal(live_counts(r->live).to_root, 2);
	end(r);
}

/*
 * Sources may put records later than in the round after they happened, and say how old these can be. What is held back
 * can be as old as at its round, not as at the present one.
 */
static void test_position(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 1 }, false);
	const struct stage *stage = live_stage(r->live);

	end_round_at(r, 100, false);
	assert_int_equal(stage->ops->position(stage), UINT64_MAX);
	pass_map(r, 7, 110);
	end_round_at(r, 200, false);
	assert_int_equal(stage->ops->position(stage), 100);
	pass_map(r, 8, 210);
	end_round_at(r, 300, true);
	assert_int_equal(stage->ops->position(stage), UINT64_MAX);
	assert_int_equal(r->out->len, 2);
	live_stop(r->live);
	end(r);
}

#define NR_ROUNDS    40
#define NR_PROCESSES 13

/* Processes of all workers, in each round in another order; some are mapped late. */
static void test_workers(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 4 }, false);
	u64 time = 100;
	u32 at = 0;

	for (u32 round = 0; round < NR_ROUNDS; round++) {
		for (u32 i = 0; i < NR_PROCESSES; i++) {
			u32 pid = 100 + (i * 5 + round) % NR_PROCESSES;

			if (!round)
				pass_map(r, pid, 1 + i);
			pass_sample(r, pid, time++, ARRAY_SIZE(stack) - round % 2 * 2);
		}
		end_round(r, round == NR_ROUNDS - 1);
	}
	live_stop(r->live);
	assert_int_equal(r->out->len, NR_ROUNDS * NR_PROCESSES + NR_PROCESSES);
	time = 100;
	for (u32 round = 0; round < NR_ROUNDS; round++) {
		for (u32 i = 0; i < NR_PROCESSES; i++) {
			u32 pid = 100 + (i * 5 + round) % NR_PROCESSES;

			if (!round)
				assert_int_equal(out_at(r, at++).mmap.pid, pid);
			/* Cut in every second round: continued by what it was in the one before. */
			check_chain(r, at++, pid, time++, whole, ARRAY_SIZE(whole));
		}
	}
	assert_int_equal(live_counts(r->live).ends.stacks, NR_ROUNDS * NR_PROCESSES);
	assert_int_equal(live_counts(r->live).stitched, NR_ROUNDS / 2 * NR_PROCESSES);
	assert_int_equal(live_counts(r->live).ends.by_why[UNWIND_CUT],
			 NR_ROUNDS / 2 * NR_PROCESSES);
	end(r);
}

static void test_no_stitch(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 1, .no_stitch = true }, false);

	pass_map(r, 7, 1);
	pass_sample(r, 7, 10, ARRAY_SIZE(stack));
	pass_sample(r, 7, 11, ARRAY_SIZE(stack) - 2);
	end_round(r, true);
	check_chain(r, 1, 7, 10, whole, ARRAY_SIZE(whole));
	check_chain(r, 2, 7, 11, whole, ARRAY_SIZE(whole) - 1);
	end(r);
}

/* A thread is stitched with its own stacks only, and where the frames at the seam are the same. */
static void test_seam(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 1 }, false);

	pass_map(r, 7, 1);
	pass_map(r, 8, 1);
	pass_sample(r, 7, 10, ARRAY_SIZE(stack));
	pass_sample(r, 8, 11, ARRAY_SIZE(stack) - 2);
	end_round(r, true);
	check_chain(r, 3, 8, 11, whole, ARRAY_SIZE(whole) - 1);
	live_stop(r->live);
	assert_int_equal(live_counts(r->live).ends.stacks, 2);
	assert_int_equal(live_counts(r->live).stitched, 0);
	assert_int_equal(live_counts(r->live).to_root, 1);
	end(r);
}

/* More than may wait: such samples keep the chain that they came with, and are counted. */
static void test_late(void **state)
{
	static const u64 own[] = { (u64)PERF_CONTEXT_USER, IP };
	struct run *r = start((struct live_options){ .nr_workers = 2, .waiting = 1 }, false);

	pass_map(r, 7, 1);
	pass_sample(r, 7, 10, ARRAY_SIZE(stack));
	end_round(r, true);
	check_chain(r, 1, 7, 10, own, ARRAY_SIZE(own));
	live_stop(r->live);
	assert_int_equal(live_counts(r->live).late, 1);
	assert_int_equal(live_counts(r->live).ends.stacks, 0);
	end(r);
}

/* Or they are written with registers and stack, as samples of an event that says so. */
static void test_late_stacks(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 2, .waiting = 1 }, true);
	struct event event;

	assert_string_equal(((struct evsel *)r->evsels->pdata[1])->name, "cpu-clock-late");
	pass_map(r, 7, 1);
	pass_sample(r, 7, 10, ARRAY_SIZE(stack));
	end_round(r, true);
	event = out_at(r, 1);
	assert_int_equal(event.evsel->idx, 1);
	assert_int_equal(event.sample.time, 10);
	assert_int_equal(event.sample.period, 1);
	assert_int_equal(event.sample.user_regs.regs[8], IP);
	assert_int_equal(event.sample.user_stack.dyn_size, sizeof(stack));
	assert_memory_equal(event.sample.user_stack.data, stack, sizeof(stack));
	live_stop(r->live);
	assert_int_equal(live_counts(r->live).late, 1);
	end(r);
}

/* Or the recording waits: then none is late. */
static void test_wait(void **state)
{
	struct run *r =
		start((struct live_options){ .nr_workers = 2, .waiting = 1, .wait = true }, false);

	pass_map(r, 7, 1);
	for (u32 i = 0; i < 10; i++) {
		pass_sample(r, 7, 10 + i, ARRAY_SIZE(stack));
		end_round(r, false);
	}
	end_round(r, true);
	for (u32 i = 0; i < 10; i++)
		check_chain(r, 1 + i, 7, 10 + i, whole, ARRAY_SIZE(whole));
	live_stop(r->live);
	assert_int_equal(live_counts(r->live).late, 0);
	end(r);
}

/* What is no sample with a stack goes through as it is, also between two files. */
static void test_others(void **state)
{
	struct run *r = start((struct live_options){ .nr_workers = 2 }, false);

	pass_map(r, 7, 1);
	end_round(r, true);
	assert_int_equal(r->out->len, 1);
	pass_map(r, 8, 2);
	assert_int_equal(r->out->len, 2);
	pass_sample(r, 8, 10, ARRAY_SIZE(stack));
	pass_map(r, 9, 11);
	end_round(r, true);
	assert_int_equal(r->out->len, 4);
	check_chain(r, 2, 8, 10, whole, ARRAY_SIZE(whole));
	end(r);
}

/* What the kernel found by frame pointers counts up to the first address to which no call can return. */
static void test_false_callers(void **state)
{
	static const u64 longer[] = { (u64)PERF_CONTEXT_USER, IP, 0x5555555560a1, STACK_AT + 0x60,
				      0x2f6e69622f727375 };
	static const u64 garbage[] = { (u64)PERF_CONTEXT_USER, IP, STACK_AT + 0x60,
				       0x2f6e69622f727375 };
	static const u64 beside[] = { (u64)PERF_CONTEXT_USER, IP, 0x5555555560a1, IP };
	struct run *r = start((struct live_options){ .nr_workers = 1, .no_stitch = true }, false);

	pass_map(r, 7, 1);
	pass_own(r, 7, 10, 0, longer, ARRAY_SIZE(longer));
	pass_own(r, 7, 11, 0, garbage, ARRAY_SIZE(garbage));
	pass_own(r, 7, 12, 0, beside, ARRAY_SIZE(beside));
	/* A process without mappings. */
	pass_own(r, 9, 13, ARRAY_SIZE(stack), longer, ARRAY_SIZE(longer));
	end_round(r, true);
	check_chain(r, 1, 7, 10, longer, 3);
	check_chain(r, 2, 7, 11, garbage, 2);
	check_chain(r, 3, 7, 12, beside, 3);
	check_chain(r, 4, 9, 13, longer, 2);
	end(r);
}

/* order_remove() calls itself. Each saves where the one below has saved its frame pointer. */
static void make_deep(u64 words[DEEP_WORDS])
{
	memset(words, 0, DEEP_WORDS * sizeof(u64));
	words[0] = stack[0];
	for (u32 i = 1; i <= DEEP; i++) {
		u32 below = i < DEEP ? 3 * (i + 1) - 1 : DEEP_WORDS - 2;

		words[3 * i - 1] = STACK_AT + below * sizeof(u64);
		words[3 * i] = i < DEEP ? stack[0] : stack[3];
	}
	words[DEEP_WORDS - 1] = stack[ARRAY_SIZE(stack) - 1];
}

/*
 * The largest copy has 8192 bytes. A window of stacks needs 1048 bytes of it, from the stack pointer of merge() to that of
 * _start(): with a quarter to spare, 2048 are enough.
 */
static void test_sizes(void **state)
{
	static const u64 own[] = { (u64)PERF_CONTEXT_USER, IP };
	struct sizer sizer = { 0 };
	struct run *r =
		start((struct live_options){ .nr_workers = 1, .stacks = &sizer.source }, false);
	u64 words[DEEP_WORDS];

	make_deep(words);
	pass_map(r, 7, 1);
	for (u32 i = 0; i < SIZES_WINDOW; i++)
		pass_copy(r, 7, 10 + i, words, DEEP_WORDS, own, ARRAY_SIZE(own));
	end_round(r, true);
	live_stop(r->live);
	assert_int_equal(live_counts(r->live).to_root, SIZES_WINDOW);
	assert_int_equal(live_counts(r->live).sized, SIZES_WINDOW);
	assert_int_equal(live_counts(r->live).copied, SIZES_WINDOW * DEEP_WORDS * sizeof(u64));
	assert_int_equal(live_counts(r->live).resized, 1);
	assert_int_equal(sizer.nr, 1);
	assert_int_equal(sizer.tid, 7);
	assert_int_equal(sizer.size, 2048);
	end(r);
	evsel_free(sizer.evsel);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	  cmocka_unit_test(test_workers),
		cmocka_unit_test(test_no_stitch), cmocka_unit_test(test_seam),
		cmocka_unit_test(test_late),	  cmocka_unit_test(test_late_stacks),
		cmocka_unit_test(test_position),  cmocka_unit_test(test_wait),
		cmocka_unit_test(test_others),	  cmocka_unit_test(test_false_callers),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
