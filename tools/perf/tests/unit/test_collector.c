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

/* What a consumer gets of @records, behind what exists at the start. */
static void collect(const GByteArray *records, GByteArray *got, struct collector_counts *counts)
{
	const struct record_options opts = { .no_buildid = true };
	struct keeper keeper = { { .ops = &keeper_ops }, got };
	g_autoptr(GPtrArray) consumers = g_ptr_array_new();
	const struct target target = { .kind = TARGET_CPUS };
	struct evsel *evsel = evsel_new();
	struct perfdata_info info = { 0 };
	struct queue *queue = queue_new(1, QUEUE_BUFFER_MIN);
	struct collector *collector;
	struct alerts alerts;
	struct recording rec;
	struct tree tree;

	tree_init(&tree);
	recording_init(&rec, &opts, &tree.paths);
	evsel->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	evsel->attr.sample_id_all = 1;
	g_ptr_array_add(consumers, &keeper.consumer);
	assert_true(alerts_init(&alerts));
	push(queue, records);
	collector = collector_start(&(struct collector_setup){ .rec = &rec,
							       .target = &target,
							       .consumers = consumers,
							       .evsels = &evsel,
							       .nr_evsels = 1,
							       .info = &info,
							       .queue = queue,
							       .alerts = &alerts },
				    NULL);
	assert_non_null(collector);
	assert_true(collector_join(collector, counts, NULL));
	/* FINISHED_INIT alone: nothing exists in this tree. */
	g_byte_array_remove_range(got, 0, sizeof(struct perf_event_header));
	alerts_release(&alerts);
	queue_free(queue);
	evsel_free(evsel);
	recording_release(&rec);
	tree_release(&tree);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_behind_a_false_size_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
