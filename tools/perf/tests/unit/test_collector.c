// SPDX-License-Identifier: GPL-2.0-or-later
/* What the collector repairs in records, and that the records behind a repaired one are untouched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "perfdata/abi.h"
#include "perfdata/evsel.h"
#include "record/base/source.h"
#include "record/collector.h"
#include "perfevent_tree.h"

struct keeper {
	struct consumer consumer;
	GByteArray *got;
};

static void keep(struct consumer *c, const void *records, size_t size)
{
	g_byte_array_append(container_of(c, struct keeper, consumer)->got, records, (guint)size);
}

static enum consumer_wish want_more(struct consumer *c)
{
	return CONSUMER_MORE;
}

static const struct consumer_ops keeper_ops = { .name = "keeper",
						.records = keep,
						.flush = want_more };

/* A record of @words, which states that it has @size bytes. */
static void add(GByteArray *records, u32 type, const u64 *words, u16 size)
{
	const struct perf_event_header header = { type, 0, size };

	g_byte_array_append(records, (const u8 *)&header, sizeof(header));
	g_byte_array_append(records, (const u8 *)words, size - (guint)sizeof(header));
}

static void push(struct queue *queue, const GByteArray *records)
{
	struct queue_buffer *buffer = queue_get(queue);

	memcpy(buffer->data, records->data, records->len);
	buffer->used = records->len;
	queue_push(queue, buffer);
	queue_end(queue);
}

/* What a collector works on. */
struct made {
	struct tree tree;
	struct recording rec;
	struct evsel *evsel;
	struct perfdata_info info;
	struct queue *queue;
	struct alerts alerts;
	GPtrArray *consumers;
};

static void make(struct made *m, const struct record_options *opts, struct consumer *consumer)
{
	*m = (struct made){ .queue = queue_new(1, QUEUE_BUFFER_MIN) };
	tree_init(&m->tree);
	recording_init(&m->rec, opts, &m->tree.paths);
	m->evsel = evsel_new();
	m->evsel->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	m->evsel->attr.sample_id_all = 1;
	m->consumers = g_ptr_array_new();
	g_ptr_array_add(m->consumers, consumer);
	assert_true(alerts_init(&m->alerts));
}

static void release(struct made *m)
{
	alerts_release(&m->alerts);
	g_ptr_array_unref(m->consumers);
	queue_free(m->queue);
	evsel_free(m->evsel);
	recording_release(&m->rec);
	tree_release(&m->tree);
}

/* Takes all that is in the queue, which has ended. */
static bool run(struct made *m, struct collector_counts *counts, GError **error)
{
	const struct target target = { .kind = TARGET_CPUS };
	struct collector *collector =
		collector_start(&(struct collector_setup){ .rec = &m->rec,
							   .target = &target,
							   .consumers = m->consumers,
							   .evsels = &m->evsel,
							   .nr_evsels = 1,
							   .info = &m->info,
							   .queue = m->queue,
							   .alerts = &m->alerts },
				NULL);

	assert_non_null(collector);
	return collector_join(collector, counts, error);
}

/* What a consumer gets of @records, behind what exists at the start. */
static void collect(const GByteArray *records, GByteArray *got, struct collector_counts *counts)
{
	const struct record_options opts = { .no_buildid = true };
	struct keeper keeper = { { .ops = &keeper_ops }, got };
	struct made m;

	make(&m, &opts, &keeper.consumer);
	push(m.queue, records);
	assert_true(run(&m, counts, NULL));
	/* FINISHED_INIT alone: nothing exists in this tree. */
	g_byte_array_remove_range(got, 0, sizeof(struct perf_event_header));
	release(&m);
}

/* The kernel gives all listeners but the first a record of a program with a size that is too large. */
static void records_behind_a_false_size_stay_whole(void **state)
{
	const u64 who = 7 | 8ull << 32, stale = 0x5757575757575757;
	const u64 bpf[] = { 1 | 47ull << 32, 0x1122334455667788, who, 1000, stale, stale };
	const u64 comm[] = { who, 0x0065676e6f6c, who, 1500 };
	const u64 sample[] = { 0x401000, who, 2000 };
	g_autoptr(GByteArray) put = g_byte_array_new(), got = g_byte_array_new();
	g_autoptr(GByteArray) expected = g_byte_array_new();
	struct collector_counts counts;

	add(put, PERF_RECORD_BPF_EVENT, bpf, 8 + sizeof(bpf));
	add(put, PERF_RECORD_COMM, comm, 8 + sizeof(comm));
	add(put, PERF_RECORD_BPF_EVENT, bpf, sizeof(bpf));
	add(put, PERF_RECORD_BPF_EVENT, bpf, 8 + sizeof(bpf));
	add(put, PERF_RECORD_SAMPLE, sample, 8 + sizeof(sample));
	collect(put, got, &counts);
	add(expected, PERF_RECORD_BPF_EVENT, bpf, sizeof(bpf) - 8);
	add(expected, PERF_RECORD_COMM, comm, 8 + sizeof(comm));
	add(expected, PERF_RECORD_BPF_EVENT, bpf, sizeof(bpf) - 8);
	add(expected, PERF_RECORD_BPF_EVENT, bpf, sizeof(bpf) - 8);
	add(expected, PERF_RECORD_SAMPLE, sample, 8 + sizeof(sample));
	assert_int_equal(got->len, expected->len);
	assert_memory_equal(got->data, expected->data, expected->len);
	assert_int_equal(counts.samples, 1);
	assert_int_equal(counts.records, 5);
}

static bool begin_part(struct consumer *c)
{
	return true;
}

/* With --tail-synthesize, what exists is told at the end of each file. It fails at the end of the first, and of the last. */
static void a_failure_that_repeats_is_told_once(void **state)
{
	static const struct consumer_ops ops = {
		.name = "keeper", .records = keep, .flush = want_more, .next_part = begin_part
	};
	const struct record_options opts = { .no_buildid = true,
					     .tail_synthesize = true,
					     .synth = SYNTH_TASKS | SYNTH_MAPS };
	g_autoptr(GByteArray) got = g_byte_array_new();
	struct keeper keeper = { { .ops = &ops }, got };
	g_autofree char *longest = g_strnfill(70000, 'x'), *maps = NULL;
	struct collector_counts counts;
	struct queue_buffer *buffer;
	g_autoptr(GError) error = NULL;
	struct made m;

	make(&m, &opts, &keeper.consumer);
	maps = g_strdup_printf("1000-2000 r-xp 00000000 00:00 0 /%s\n", longest);
	tree_put(&m.tree, "proc/9/task/9/status",
		 "Name:\tlong\nTgid:\t9\nPid:\t9\nPPid:\t1\nUid:\t0\t0\t0\t0\n");
	tree_put(&m.tree, "proc/9/maps", maps);
	buffer = queue_get(m.queue);
	buffer->mark = (struct queue_mark){ .round = true, .last = true, .then_switch = true };
	queue_push(m.queue, buffer);
	queue_end(m.queue);
	assert_false(run(&m, &counts, &error));
	assert_non_null(strstr(error->message, "expected at most 65535"));
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_behind_a_false_size_stay_whole),
		cmocka_unit_test(a_failure_that_repeats_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
