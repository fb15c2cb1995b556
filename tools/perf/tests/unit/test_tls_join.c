// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records of a ring in, records of the file out, each written as a line:
 *
 *   E id time tid ip [flags]    a sample, with a tracepoint's flags
 *   B time id tid ip bytes [context]    the program's record
 *   L id lost [time]            LOST
 *   M                           some other record
 *
 * and of what comes out a sample as "E id time tid: size/dyn_size first byte".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "perfdata/decoder.h"
#include "perfdata/evsel.h"
#include "record/tls/join.h"
#include "bpf/sample_tls.h"

#define OUTPUT_ID  99
#define EVENT_ID   1
#define HIT_ID	   5 /* of a tracepoint */
#define OTHER_ID   6 /* of another event of it */
#define CONTEXT_AT offsetof(struct sample_tls_frame, context)
#define SHARED	   (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

struct text_outlet {
	struct outlet outlet;
	GString *text;
};

static void put_u64(GByteArray *to, u64 v)
{
	g_byte_array_append(to, (const u8 *)&v, sizeof(v));
}

static void put_u32(GByteArray *to, u32 v)
{
	g_byte_array_append(to, (const u8 *)&v, sizeof(v));
}

static u64 get_u64(const void *at)
{
	u64 v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* What came out, as text; checks the form of each section on the way. */
static void print_record(struct outlet *out, const void *records, size_t size)
{
	GString *text = ((struct text_outlet *)out)->text;
	const struct perf_event_header *h = records;
	const u8 *bytes = records;

	assert_int_equal(size, h->size);
	assert_int_equal(size % 8, 0);
	if (h->type == PERF_RECORD_SAMPLE) {
		/* header, id, ip, pid and tid, time, one field more, then the section */
		u64 data_size = get_u64(bytes + 48), dyn_size = 0;

		if (data_size)
			dyn_size = get_u64(bytes + 56 + data_size);
		assert_int_equal(size, 56 + (data_size ? data_size + 8 : 0));
		g_string_append_printf(text, "E %u %u %u: %u/%u %x\n", (u32)get_u64(bytes + 8),
				       (u32)get_u64(bytes + 32), (u32)(get_u64(bytes + 24) >> 32),
				       (u32)data_size, (u32)dyn_size, data_size ? bytes[56] : 0);
	} else if (h->type == PERF_RECORD_LOST) {
		g_string_append_printf(text, "L %u %u (%u)\n", (u32)get_u64(bytes + 8),
				       (u32)get_u64(bytes + 16), (u32)get_u64(bytes + size - 8));
	} else {
		g_string_append(text, "M\n");
	}
}

static GByteArray *record_of(const char *line)
{
	GByteArray *r = g_byte_array_new();
	struct perf_event_header h = { 0 };
	unsigned int a = 0, b = 0, c = 0, d = 0, size = 0, flags = 0, context = 0;

	g_byte_array_append(r, (u8 *)&h, sizeof(h));
	if (sscanf(line, "E %u %u %u %u %u", &a, &b, &c, &d, &flags) >= 4) {
		h.type = PERF_RECORD_SAMPLE;
		put_u64(r, a);
		put_u64(r, d);
		put_u32(r, c);
		put_u32(r, c);
		put_u64(r, b);
		put_u32(r, sizeof(u32)); /* raw data: type, flags */
		put_u32(r, flags << 16);
	} else if (sscanf(line, "B %u %u %u %u %u %u", &a, &b, &c, &d, &size, &context) >= 5) {
		struct sample_tls_head head = {
			.time = a, .event = b, .ip = d, .pid = c, .tid = c, .size = size
		};

		head.unread = line[strlen(line) - 1] == 'u';
		h.type = PERF_RECORD_SAMPLE;
		put_u64(r, OUTPUT_ID);
		put_u32(r, c);
		put_u32(r, c);
		put_u64(r, 1000000); /* the output's own time is a later one */
		put_u32(r, (u32)sizeof(head) + size + 4);
		g_byte_array_append(r, (u8 *)&head, sizeof(head));
		for (u32 i = 0; i < size + 4; i++)
			g_byte_array_append(
				r, (u8[]){ (u8)(context && i == CONTEXT_AT ? context : a + c) }, 1);
	} else if (sscanf(line, "L %u %u %u", &a, &b, &c) >= 2) {
		h.type = PERF_RECORD_LOST;
		put_u64(r, a);
		put_u64(r, b);
		put_u64(r, 0);
		put_u64(r, c);
		put_u64(r, a); /* the trailer's IDENTIFIER */
	} else {
		assert_string_equal(line, "M");
		h.type = PERF_RECORD_MMAP2;
		put_u64(r, 0);
		put_u64(r, EVENT_ID);
	}
	h.size = (u16)r->len;
	memcpy(r->data, &h, sizeof(h));
	return r;
}

/* Whoever listens hears of each sample that comes out, with its own time: never of the program's records. */
static void hear(const struct tls_joined *sample, void *heard)
{
	g_string_append_printf(heard, "%u: %u/%u\n", (u32)sample->time, (u32)sample->size,
			       (u32)sample->dyn_size);
}

/* @samples are lines "E id time tid: size/dyn_size first byte". */
static void check_heard(const char *samples, const char *heard)
{
	g_auto(GStrv) lines = g_strsplit(samples, "\n", 0);
	g_autoptr(GString) expected = g_string_new("");
	u32 id, time, tid, size, dyn_size;

	for (char **line = lines; *line; line++) {
		if (sscanf(*line, "E %u %u %u: %u/%u", &id, &time, &tid, &size, &dyn_size) == 5)
			g_string_append_printf(expected, "%u: %u/%u\n", time, size, dyn_size);
	}
	assert_string_equal(expected->str, heard);
}

static struct perfdata_decoder *sample_decoder(void)
{
	struct evsel *evsel = evsel_new();
	struct perfdata_decoder *decoder;

	evsel->attr.sample_type = TLS_JOIN_SAMPLE_TYPE | PERF_SAMPLE_RAW;
	evsel->ids = g_new(u64, 2);
	evsel->ids[0] = HIT_ID;
	evsel->ids[1] = OTHER_ID;
	evsel->nr_ids = 2;
	decoder = perfdata_decoder_new(&evsel, 1, NULL);
	evsel_free(evsel);
	assert_non_null(decoder);
	return decoder;
}

static void check_direction(bool backward, const char *in, const char *expected,
			    struct tls_counts counts)
{
	g_auto(GStrv) lines = g_strsplit(in, "\n", 0);
	struct tls_joiner *j = tls_joiner_new(OUTPUT_ID, SHARED, EVENT_ID, backward);
	struct text_outlet out = { { print_record }, g_string_new("") };
	g_autoptr(GString) heard = g_string_new("");
	struct perfdata_decoder *decoder = sample_decoder();
	struct tls_counts got;

	tls_joiner_listen(j, hear, heard);
	tls_joiner_add_tracepoint(j, HIT_ID, decoder);
	tls_joiner_add_tracepoint(j, OTHER_ID, decoder);
	for (char **line = lines; *line && **line; line++) {
		g_autoptr(GByteArray) r = record_of(*line);

		tls_joiner_pass(j, (const struct perf_event_header *)r->data, &out.outlet);
		if (!backward) /* its reading may end and go on anywhere */
			tls_joiner_flush(j, &out.outlet);
	}
	tls_joiner_flush(j, &out.outlet);
	assert_string_equal(out.text->str, expected);
	check_heard(expected, heard->str);
	got = tls_joiner_counts(j);
	assert_memory_equal(&got, &counts, sizeof(got));
	g_string_free(out.text, TRUE);
	tls_joiner_free(j);
	perfdata_decoder_free(decoder);
}

static void check(const char *in, const char *expected, struct tls_counts counts)
{
	check_direction(false, in, expected, counts);
}

static void test_pairs(void **state)
{
	check("B 10 1 7 100 64\n"
	      "E 1 10 7 100\n"
	      "M\n"
	      "B 20 1 8 101 256\n"
	      "E 1 20 8 101\n",
	      "E 1 10 7: 64/64 11\n"
	      "M\n"
	      "E 1 20 8: 256/256 1c\n",
	      (struct tls_counts){ .joined = 2 });
}

static void test_sample_without_output_has_none(void **state)
{
	check("E 1 10 0 100\n"
	      "B 20 1 8 101 64\n"
	      "E 1 20 8 101\n"
	      "E 1 30 8 101\n",
	      "E 1 10 0: 0/0 0\n"
	      "E 1 20 8: 64/64 1c\n"
	      "E 1 30 8: 0/0 0\n",
	      (struct tls_counts){ .joined = 1, .none = 2 });
}

/* Hits know no time and no address: their samples are those of the same thread until its next hit. */
static void test_tracepoint(void **state)
{
	check("B 0 0 7 0 64\n"
	      "E 5 10 7 100\n"
	      "E 5 11 7 100\n" /* a second event of the tracepoint */
	      "B 0 0 7 0 64\n"
	      "E 5 20 8 100\n" /* another thread's */
	      "B 0 0 7 0 64\n"
	      "M\n"
	      "E 5 30 7 100\n" /* not direct */
	      "B 0 0 7 0 72\n" /* makes no sample */
	      "B 0 0 7 0 64\n"
	      "E 5 35 7 100\n"
	      "B 0 0 7 0 64\n"
	      "L 1 1\n"
	      "E 5 40 7 100\n", /* behind a loss */
	      "E 5 10 7: 64/64 7\n"
	      "E 5 11 7: 64/64 7\n"
	      "E 5 20 8: 0/0 0\n"
	      "M\n"
	      "E 5 30 7: 64/64 7\n"
	      "E 5 35 7: 64/64 7\n"
	      "L 1 1 (1)\n"
	      "E 5 40 7: 8/0 0\n",
	      (struct tls_counts){ .joined = 4, .none = 1, .unknown = 1 });
}

/* Interrupts have hits of their own, between a hit of the task and its sample: flags say whose a sample is. */
static void test_hits_nest(void **state)
{
	check("B 0 0 7 0 64 1\n"  /* the task */
	      "B 0 0 7 0 72 2\n"  /* a softirq */
	      "B 0 0 7 0 80 3\n"  /* an interrupt */
	      "B 0 0 7 0 88 4\n"  /* an NMI */
	      "E 5 10 7 100 88\n" /* all flags: of the NMI */
	      "E 5 11 7 100 24\n"
	      "E 5 12 7 100 16\n"
	      "B 0 0 7 0 96 3\n" /* an interrupt that makes no sample */
	      "E 5 13 7 100 0\n"
	      "B 0 0 7 0 104 1\n" /* the task again */
	      "E 5 14 7 100 0\n"
	      "B 0 0 7 0 112 3\n"
	      "E 5 15 7 100 16\n" /* no softirq was hit since */
	      "B 0 0 8 0 120 3\n" /* another thread: all before is over */
	      "E 5 16 7 100 0\n",
	      "E 5 10 7: 88/88 7\n"
	      "E 5 11 7: 80/80 7\n"
	      "E 5 12 7: 72/72 7\n"
	      "E 5 13 7: 64/64 7\n"
	      "E 5 14 7: 104/104 7\n"
	      "E 5 15 7: 0/0 0\n"
	      "E 5 16 7: 0/0 0\n",
	      (struct tls_counts){ .joined = 5, .none = 2 });
}

/* All samples of a hit that was lost lack their bytes, not only the first; later ones have none or their own. */
static void test_lost_hit(void **state)
{
	check("L 1 1\n"
	      "E 5 10 7 100 0\n"
	      "E 6 11 7 100 0\n"
	      "E 5 12 7 100 0\n" /* another hit, which had nothing to read */
	      "E 6 13 7 100 0\n",
	      "L 1 1 (1)\n"
	      "E 5 10 7: 8/0 0\n"
	      "E 6 11 7: 8/0 0\n"
	      "E 5 12 7: 0/0 0\n"
	      "E 6 13 7: 0/0 0\n",
	      (struct tls_counts){ .none = 2, .unknown = 2 });
	check("L 1 1\n"
	      "B 0 0 7 0 72 3\n" /* an interrupt within the hit that was lost */
	      "E 5 10 7 100 24\n"
	      "E 5 11 7 100 0\n"
	      "E 6 12 7 100 0\n"
	      "B 0 0 7 0 64 1\n" /* the next hit of the task */
	      "E 5 13 7 100 0\n"
	      "E 6 14 7 100 0\n"
	      "L 1 1\n"
	      "E 5 15 7 100 0\n"
	      "E 6 16 8 100 0\n" /* another thread runs */
	      "E 6 17 7 100 0\n",
	      "L 1 1 (1)\n"
	      "E 5 10 7: 72/72 7\n"
	      "E 5 11 7: 8/0 0\n"
	      "E 6 12 7: 8/0 0\n"
	      "E 5 13 7: 64/64 7\n"
	      "E 6 14 7: 64/64 7\n"
	      "L 1 1 (1)\n"
	      "E 5 15 7: 8/0 0\n"
	      "E 6 16 8: 0/0 0\n"
	      "E 6 17 7: 0/0 0\n",
	      (struct tls_counts){ .joined = 3, .none = 2, .unknown = 3 });
}

/* The B of the first sample was lost, then an interrupt made room and both of its records. */
static void test_lost_before_interrupt(void **state)
{
	check("L 1 1 11\n"
	      "B 12 2 7 200 64\n"
	      "E 2 12 7 200\n"
	      "E 1 10 7 100\n"
	      "E 1 20 7 100\n",
	      "L 1 1 (1)\n"
	      "E 2 12 7: 64/64 13\n"
	      "E 1 10 7: 8/0 0\n"
	      "E 1 20 7: 0/0 0\n",
	      (struct tls_counts){ .joined = 1, .none = 1, .unknown = 1 });
}

/* A timer's sample between a hit and its sample gets the timer's bytes or none, never the hit's. */
static void test_sample_within_hit(void **state)
{
	check("B 0 0 7 0 64\n"
	      "E 1 10 7 100\n"
	      "E 5 11 7 100\n"
	      "B 0 0 7 0 64\n"
	      "B 20 1 7 101 64\n"
	      "E 1 20 7 101\n"
	      "E 5 21 7 100\n",
	      "E 1 10 7: 0/0 0\n"
	      "E 5 11 7: 64/64 7\n"
	      "E 1 20 7: 64/64 1b\n"
	      "E 5 21 7: 64/64 7\n",
	      (struct tls_counts){ .joined = 3, .none = 1 });
}

/* The sample of the first B was lost; the next sample must not get its bytes. */
static void test_lone_output(void **state)
{
	check("B 10 1 7 100 64\n"
	      "L 1 1\n"
	      "E 1 20 7 100\n",
	      "L 1 1 (1)\n"
	      "E 1 20 7: 8/0 0\n",
	      (struct tls_counts){ .unknown = 1, .lone = 1 });
	check("B 10 1 7 100 64\n"
	      "E 1 20 7 100\n",
	      "E 1 20 7: 0/0 0\n", (struct tls_counts){ .none = 1, .lone = 1 });
}

static void test_each_key_counts(void **state)
{
	struct tls_counts none = { .none = 1, .lone = 1 };

	check("B 10 1 7 100 64\nE 2 10 7 100\n", "E 2 10 7: 0/0 0\n", none);
	check("B 10 1 7 100 64\nE 1 11 7 100\n", "E 1 11 7: 0/0 0\n", none);
	check("B 10 1 7 100 64\nE 1 10 6 100\n", "E 1 10 6: 0/0 0\n", none);
	check("B 10 1 7 100 64\nE 1 10 7 101\n", "E 1 10 7: 0/0 0\n", none);
}

/* An NMI's records between the two of another event's interrupt. */
static void test_nested_interrupt(void **state)
{
	check("B 10 1 7 100 64\n"
	      "B 11 2 7 200 64\n"
	      "E 2 11 7 200\n"
	      "E 1 10 7 100\n",
	      "E 2 11 7: 64/64 12\n"
	      "E 1 10 7: 64/64 11\n",
	      (struct tls_counts){ .joined = 2 });
}

/* On kernels that show the program no time, only what stands directly before counts. */
static void test_adjacent(void **state)
{
	check("B 0 0 7 100 64\n"
	      "E 1 10 7 100\n"
	      "E 1 20 7 100\n",
	      "E 1 10 7: 64/64 7\n"
	      "E 1 20 7: 0/0 0\n",
	      (struct tls_counts){ .joined = 1, .none = 1 });
	check("B 0 0 7 100 64\n"
	      "L 1 2\n"
	      "E 1 10 7 100\n",
	      "L 1 2 (1)\n"
	      "E 1 10 7: 8/0 0\n",
	      (struct tls_counts){ .unknown = 1, .lone = 1 });
	check("B 0 0 7 100 64\n"
	      "M\n"
	      "E 1 10 7 100\n",
	      "M\n"
	      "E 1 10 7: 0/0 0\n",
	      (struct tls_counts){ .none = 1, .lone = 1 });
	check("B 0 0 7 100 64\n"
	      "E 1 10 8 100\n"
	      "E 1 10 7 100\n",
	      "E 1 10 8: 0/0 0\n"
	      "E 1 10 7: 0/0 0\n",
	      (struct tls_counts){ .none = 2, .lone = 1 });
}

static void test_unreadable(void **state)
{
	check("B 10 1 7 100 0\n"
	      "E 1 10 7 100\n",
	      "E 1 10 7: 8/0 0\n", (struct tls_counts){ .unreadable = 1 });
	/* The frame alone, which says the context. */
	check("B 10 1 7 100 8 1u\n"
	      "E 1 10 7 100\n",
	      "E 1 10 7: 8/0 11\n", (struct tls_counts){ .unreadable = 1 });
}

/* What was lost of the program's own records is nobody's loss. */
static void test_own_losses(void **state)
{
	struct tls_joiner *j = tls_joiner_new(OUTPUT_ID, SHARED, EVENT_ID, false);
	struct text_outlet out = { { print_record }, g_string_new("") };
	static const struct {
		const char *line;
		u64 own;
	} steps[] = { { "L 1 10", 0 }, { "L 1 10", 4 }, { "L 99 3", 9 }, { "L 1 5", 9 } };

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		g_autoptr(GByteArray) r = record_of(steps[i].line);

		tls_joiner_own_lost(j, steps[i].own);
		tls_joiner_pass(j, (const struct perf_event_header *)r->data, &out.outlet);
	}
	/* The third stated the program's own alone, and two more that come off the next. */
	assert_string_equal(out.text->str, "L 1 10 (1)\nL 1 6 (1)\nL 1 3 (1)\n");
	g_string_free(out.text, TRUE);
	tls_joiner_free(j);
}

/* What the output event lost is stated by a LOST record in its name. */
static void test_lost_is_renamed(void **state)
{
	check("L 99 5\n"
	      "B 10 1 7 100 64\n"
	      "E 1 10 7 100\n",
	      "L 1 5 (1)\n"
	      "E 1 10 7: 64/64 11\n",
	      (struct tls_counts){ .joined = 1 });
}

/* A ring that overwrites is read from the newest record on: B comes behind its sample. */
static void test_backward(void **state)
{
	check_direction(true,
			"E 1 40 7 100\n" /* has none, as the next record is not its B */
			"E 1 30 8 101\n"
			"B 30 1 8 101 64\n"
			"M\n"
			"E 1 20 7 100\n"
			"M\n"
			"B 20 1 7 100 64\n" /* too late: something is in between */
			"E 1 10 9 100\n",   /* the ring's end: its B may have been cut off */
			"E 1 40 7: 0/0 0\n"
			"E 1 30 8: 64/64 26\n"
			"M\n"
			"E 1 20 7: 0/0 0\n"
			"M\n"
			"E 1 10 9: 8/0 0\n",
			(struct tls_counts){ .joined = 1, .none = 2, .unknown = 1, .lone = 1 });
	check_direction(true,
			"B 0 0 7 100 64\n" /* of a sample to come when reading began */
			"E 1 20 7 100\n"
			"B 0 0 7 100 64\n"
			"E 1 10 7 100\n"
			"B 0 0 8 100 64\n",
			"E 1 20 7: 64/64 7\n"
			"E 1 10 7: 0/0 0\n",
			(struct tls_counts){ .joined = 1, .none = 1, .lone = 2 });
}

static void test_too_large(void **state)
{
	struct tls_joiner *j = tls_joiner_new(OUTPUT_ID, SHARED, EVENT_ID, false);
	struct text_outlet out = { { print_record }, g_string_new("") };
	static u64 big[65528 / 8];

	big[0] = PERF_RECORD_SAMPLE | (u64)sizeof(big) << 48;
	big[1] = EVENT_ID;
	tls_joiner_pass(j, (const struct perf_event_header *)big, &out.outlet);
	assert_string_equal(out.text->str, "");
	assert_int_equal(tls_joiner_counts(j).oversized, 1);
	g_string_free(out.text, TRUE);
	tls_joiner_free(j);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_sample_without_output_has_none),
		cmocka_unit_test(test_tracepoint),
		cmocka_unit_test(test_hits_nest),
		cmocka_unit_test(test_lost_hit),
		cmocka_unit_test(test_lost_before_interrupt),
		cmocka_unit_test(test_sample_within_hit),
		cmocka_unit_test(test_lone_output),
		cmocka_unit_test(test_each_key_counts),
		cmocka_unit_test(test_nested_interrupt),
		cmocka_unit_test(test_adjacent),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_lost_is_renamed),
		cmocka_unit_test(test_own_losses),
		cmocka_unit_test(test_backward),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
