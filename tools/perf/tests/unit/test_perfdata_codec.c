// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records to bytes and back: every sample_type bit and read_format, every kernel record. The two
 * directions could be wrong alike, so bytes laid out by hand after linux/perf_event.h come first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "perfdata/write/encode.h"
#include "perfdata/format.h"

struct fixture {
	struct format fmt;
	struct evsel *evsel;
	GByteArray *bytes;
};

static void setup(struct fixture *f, u64 type, u64 read_format)
{
	const char *problem;

	format_init(&f->fmt);
	f->evsel = evsel_new();
	f->evsel->attr.sample_type = type;
	f->evsel->attr.read_format = read_format;
	f->evsel->attr.sample_id_all = 1;
	f->evsel->attr.sample_regs_user = 0x8001;
	f->evsel->attr.sample_regs_intr = 0x7;
	f->evsel->attr.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX |
					    PERF_SAMPLE_BRANCH_COUNTERS;
	assert_true(format_add(&f->fmt, f->evsel, &problem));
	format_settle(&f->fmt);
	f->bytes = g_byte_array_new();
}

static void release(struct fixture *f)
{
	format_release(&f->fmt);
	g_byte_array_unref(f->bytes);
}

static bool decode(struct fixture *f, struct event *ev, const char **part)
{
	return format_decode(&f->fmt, (const void *)f->bytes->data, 0x1000, ev, part);
}

/* A record of @nr words behind the header. */
static void lay_out(struct fixture *f, u32 type, u16 misc, const u64 *words, u32 nr)
{
	struct perf_event_header header = { type, misc, (u16)(sizeof(header) + nr * sizeof(u64)) };

	g_byte_array_set_size(f->bytes, 0);
	g_byte_array_append(f->bytes, (const u8 *)&header, sizeof(header));
	g_byte_array_append(f->bytes, (const u8 *)words, nr * (guint)sizeof(u64));
}

static void test_sample_by_hand(void **state)
{
	static const u64 words[] = {
		0x65,		    /* IDENTIFIER */
		0x401000,	    /* IP */
		0x0000000b0000000a, /* TID: pid 10, tid 11 */
		123456789,	    /* TIME */
		0x7fff0000,	    /* ADDR */
		0x65,		    /* ID */
		0x66,		    /* STREAM_ID */
		3,		    /* CPU, res */
		1001,		    /* PERIOD */
		1,
		50,
		40,
		7,
		0x65,
		2, /* READ: nr, enabled, running, {value, id, lost} */
		2,
		(u64)-512,
		0x401000, /* CALLCHAIN */
		0x0000dead0000000c,
		0x1111111111111111, /* RAW: 12 bytes behind a u32 */
		1,
		5,
		0x10,
		0x20,
		0x1,
		9, /* BRANCH_STACK: nr, hw_idx, {from, to, flags}, counters */
		2,
		0xa,
		0xf, /* REGS_USER: abi, AX and FS..: two of mask */
		8,
		0x5555,
		4,		    /* STACK_USER: size, data, dyn_size */
		0x0003000200000001, /* WEIGHT_STRUCT */
		0x68100142,	    /* DATA_SRC */
		0x77,		    /* TRANSACTION */
		2,
		1,
		2,
		3,	 /* REGS_INTR */
		0x12000, /* PHYS_ADDR */
		99,	 /* CGROUP */
		4096,
		2097152, /* DATA_PAGE_SIZE, CODE_PAGE_SIZE */
		16,
		0x1122,
		0x3344,
		16, /* TLS_USER */
		8,
		0xabcdef, /* AUX */
	};
	u64 all = (PERF_SAMPLE_TLS_USER << 1) - 1;
	struct fixture f;
	struct event ev;
	const struct sample *s = &ev.sample;
	const char *part;

	setup(&f, all & ~(u64)PERF_SAMPLE_WEIGHT,
	      PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
		      PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	lay_out(&f, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words, ARRAY_SIZE(words));
	assert_true(decode(&f, &ev, &part));
	assert_int_equal(ev.foff, 0x1000);
	assert_ptr_equal(ev.evsel, f.evsel);
	assert_int_equal(s->ip, 0x401000);
	assert_int_equal(s->pid, 10);
	assert_int_equal(s->tid, 11);
	assert_int_equal(s->time, 123456789);
	assert_true(ev.id.has_time);
	assert_int_equal(ev.id.time, 123456789);
	assert_int_equal(s->addr, 0x7fff0000);
	assert_int_equal(s->id, 0x65);
	assert_int_equal(s->stream_id, 0x66);
	assert_int_equal(s->cpu, 3);
	assert_int_equal(s->period, 1001);
	assert_int_equal(s->read.nr, 1);
	assert_int_equal(s->read.time_enabled, 50);
	assert_int_equal(s->read.time_running, 40);
	assert_int_equal(sample_read_at(&s->read, 0).value, 7);
	assert_int_equal(sample_read_at(&s->read, 0).id, 0x65);
	assert_int_equal(sample_read_at(&s->read, 0).lost, 2);
	assert_int_equal(s->nr_ips, 2);
	assert_int_equal(s->ips[1], 0x401000);
	assert_int_equal(s->raw_size, 12);
	assert_memory_equal(s->raw, "\xad\xde\0\0", 4);
	assert_int_equal(s->nr_branches, 1);
	assert_int_equal(s->hw_idx, 5);
	assert_int_equal(s->branches[0].from, 0x10);
	assert_int_equal(s->branches[0].to, 0x20);
	assert_int_equal(s->branches[0].mispred, 1);
	assert_int_equal(s->branch_counters[0], 9);
	assert_int_equal(s->user_regs.abi, 2);
	assert_int_equal(s->user_regs.regs[1], 0xf);
	assert_int_equal(s->user_stack.size, 8);
	assert_int_equal(s->user_stack.dyn_size, 4);
	assert_memory_equal(s->user_stack.data, "\x55\x55", 2);
	assert_int_equal(s->weight, 1);
	assert_int_equal(s->ins_lat, 2);
	assert_int_equal(s->p_stage_cyc, 3);
	assert_int_equal(s->data_src, 0x68100142);
	assert_int_equal(s->transaction, 0x77);
	assert_int_equal(s->intr_regs.regs[2], 3);
	assert_int_equal(s->phys_addr, 0x12000);
	assert_int_equal(s->cgroup, 99);
	assert_int_equal(s->data_page_size, 4096);
	assert_int_equal(s->code_page_size, 2097152);
	assert_int_equal(s->tls.size, 16);
	assert_int_equal(s->tls.dyn_size, 16);
	assert_memory_equal(s->tls.data, &words[ARRAY_SIZE(words) - 5], 16);
	assert_int_equal(s->aux.size, 8);
	assert_memory_equal(s->aux.data, "\xef\xcd\xab", 3);
	release(&f);
}

static void test_trailer_by_hand(void **state)
{
	static const u64 words[] = {
		0x0000000b0000000a,
		0x3262616f6f46,	    /* COMM: pid, tid, "Fooab2" */
		0x0000000d0000000c, /* trailer: TID */
		777,
		0x65,
		0x66,
		5,
		0x65, /* TIME ID STREAM_ID CPU IDENTIFIER */
	};
	struct fixture f;
	struct event ev;
	const char *part;

	setup(&f,
	      PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		      PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP,
	      0);
	lay_out(&f, PERF_RECORD_COMM, PERF_MISC_COMM_EXEC, words, ARRAY_SIZE(words));
	assert_true(decode(&f, &ev, &part));
	assert_string_equal(ev.comm.text, "Fooab2");
	assert_true(ev.comm.exec);
	assert_int_equal(ev.comm.tid, 11);
	assert_int_equal(ev.id.pid, 12);
	assert_int_equal(ev.id.tid, 13);
	assert_int_equal(ev.id.time, 777);
	assert_int_equal(ev.id.id, 0x65);
	assert_int_equal(ev.id.stream_id, 0x66);
	assert_int_equal(ev.id.cpu, 5);
	release(&f);
}

/* A count of an event that the file does not describe: the value, and nothing that some events have beside it. */
static void test_read_of_no_event(void **state)
{
	const struct event ev = { .type = PERF_RECORD_READ,
				  .read = {
					  .pid = 10,
					  .tid = 11,
					  .value = { .time_enabled = 1, .one = { .value = 7 } } } };
	static const u64 words[] = { 0x0000000b0000000a, 7 };
	struct fixture f;
	g_autoptr(GByteArray) out = g_byte_array_new();

	setup(&f, 0, 0);
	lay_out(&f, PERF_RECORD_READ, 0, words, ARRAY_SIZE(words));
	assert_true(event_encode(&ev, NULL, out, NULL));
	assert_int_equal(out->len, f.bytes->len);
	assert_memory_equal(out->data, f.bytes->data, out->len);
	release(&f);
}

static void test_mmap_build_id_by_hand(void **state)
{
	static const u64 words[] = {
		0x0000000b0000000a,
		0x400000,
		0x1000,
		0x2000, /* pid, tid, start, len, pgoff */
		0x0403020100000014,
		0x0c0b0a0908070605, /* size 20, zeros, the build-id */
		0x14131211100f0e0d,
		0x0000000200000005, /* its end; prot, flags */
		0x782f6e69622f,	    /* "/bin/x" */
	};
	struct fixture f;
	struct event ev;
	const char *part;

	setup(&f, PERF_SAMPLE_IP, 0);
	f.evsel->attr.build_id = 1;
	lay_out(&f, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, words, ARRAY_SIZE(words));
	assert_true(decode(&f, &ev, &part));
	assert_true(ev.misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_true(ev.mmap.has_build_id);
	assert_false(ev.mmap.has_inode);
	assert_int_equal(ev.mmap.build_id_size, 20);
	assert_int_equal(ev.mmap.build_id[0], 1);
	assert_int_equal(ev.mmap.build_id[19], 20);
	assert_int_equal(ev.mmap.prot, 5);
	assert_int_equal(ev.mmap.flags, 2);
	assert_string_equal(ev.mmap.filename, "/bin/x");
	f.bytes->data[8 + 32] = 21; /* a size beyond the room for it */
	assert_true(decode(&f, &ev, &part));
	assert_false(ev.misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_false(ev.mmap.has_build_id);
	release(&f);
}

/* Of several listeners all but the first get what the ring held before, behind the trailer. */
static void test_false_sizes_by_hand(void **state)
{
	const u64 who = 7 | 8ull << 32, stale = 0x5757575757575757;
	const u64 bpf[] = { 1 | 47ull << 32, 0x1122334455667788, who, 1000, stale, stale };
	const u64 ksymbol[] = {
		0xffffffffc0001000, 64 | 1ull << 32, 0x0065676e6f6c, who, 2000, stale, stale
	};
	const u64 poke[] = {
		0xffffffff81000000, 1 | 2u << 16 | 0xaabbccull << 32, who, 3000, stale, stale
	};
	const struct {
		u32 type;
		const u64 *words;
		u32 nr;
		u64 time;
	} rows[] = {
		{ PERF_RECORD_BPF_EVENT, bpf, ARRAY_SIZE(bpf), 1000 },
		{ PERF_RECORD_KSYMBOL, ksymbol, ARRAY_SIZE(ksymbol), 2000 },
		{ PERF_RECORD_TEXT_POKE, poke, ARRAY_SIZE(poke), 3000 },
	};
	struct fixture f;
	const char *part;
	struct event ev;

	setup(&f, PERF_SAMPLE_TID | PERF_SAMPLE_TIME, 0);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		/* As many bytes as there should be, and as another listener's trailer adds. */
		for (u32 more = 0; more <= 2; more += 2) {
			lay_out(&f, rows[i].type, 0, rows[i].words, rows[i].nr - 2 + more);
			assert_int_equal(record_true_size(f.fmt.evsels, (void *)f.bytes->data),
					 8 * (rows[i].nr - 2) + 8);
			assert_true(decode(&f, &ev, &part));
			assert_int_equal(ev.id.pid, 7);
			assert_int_equal(ev.id.tid, 8);
			assert_int_equal(ev.id.time, rows[i].time);
		}
	}
	/* A name without an end, and a record that ends before its trailer, are not cut. */
	lay_out(&f, PERF_RECORD_KSYMBOL, 0, (const u64[]){ 1, 2, stale }, 3);
	assert_int_equal(record_true_size(f.fmt.evsels, (void *)f.bytes->data), 32);
	lay_out(&f, PERF_RECORD_BPF_EVENT, 0, bpf, 2);
	assert_int_equal(record_true_size(f.fmt.evsels, (void *)f.bytes->data), 24);
	lay_out(&f, PERF_RECORD_TEXT_POKE, 0, poke, 1);
	assert_int_equal(record_true_size(f.fmt.evsels, (void *)f.bytes->data), 16);
	release(&f);
}

/* Linux leaves the bit of an event with attr.build_id in the records of those without. */
static void test_mmap_false_build_id_by_hand(void **state)
{
	u64 words[] = {
		0x0000000b0000000a,
		0x400000,
		0x1000,
		0x2000,
		0x0000000100000103, /* device 103:1 */
		4660,		    /* inode, generation */
		77,
		0x0000000200000005,
		0x782f6e69622f, /* "/bin/x" */
		0x65,		/* the trailer: IDENTIFIER */
	};
	struct evsel *asks = evsel_new();
	struct fixture f;
	struct event ev;
	const char *part;

	setup(&f, PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER, 0);
	asks->attr = f.evsel->attr;
	asks->attr.build_id = 1;
	asks->ids = g_memdup2(&(u64){ 0x66 }, sizeof(u64));
	f.evsel->ids = g_memdup2(&(u64){ 0x65 }, sizeof(u64));
	f.evsel->nr_ids = asks->nr_ids = 1;
	g_array_append_val(f.fmt.ids, ((struct format_id){ 0x65, f.evsel }));
	assert_true(format_add(&f.fmt, asks, &part));
	format_settle(&f.fmt);
	lay_out(&f, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, words, ARRAY_SIZE(words));
	assert_true(decode(&f, &ev, &part));
	assert_false(ev.misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_false(ev.mmap.has_build_id);
	assert_true(ev.mmap.has_inode);
	assert_int_equal(ev.mmap.maj, 0x103);
	assert_int_equal(ev.mmap.min, 1);
	assert_int_equal(ev.mmap.ino, 4660);
	assert_int_equal(ev.mmap.ino_generation, 77);
	/* The other event asked; and so it may be where the record is of no event. */
	for (u32 i = 0; i < 2; i++) {
		words[9] = (u64[]){ 0x66, 0 }[i];
		words[4] = 0x0403020100000008;
		lay_out(&f, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, words,
			ARRAY_SIZE(words));
		assert_true(decode(&f, &ev, &part));
		assert_int_equal(ev.mmap.build_id_size, 8);
		assert_false(ev.mmap.has_inode);
		f.bytes->data[8 + 32] =
			21; /* a size beyond the room for it: of one that asked, too */
		assert_true(decode(&f, &ev, &part));
		assert_false(ev.misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
		assert_true(ev.mmap.has_inode);
	}
	release(&f);
}

static void test_untimed(void **state)
{
	static const u64 words[] = { 0x401000 };
	struct fixture f;
	struct event ev;
	const char *part;

	setup(&f, PERF_SAMPLE_IP, 0);
	lay_out(&f, PERF_RECORD_SAMPLE, 0, words, 1);
	assert_true(decode(&f, &ev, &part));
	assert_false(ev.id.has_time);
	assert_int_equal(ev.id.time, 0x1000);
	assert_int_equal(ev.sample.pid, EVENT_NO_PID);
	assert_int_equal(ev.sample.cpu, EVENT_NO_CPU);
	release(&f);
}

/* Deterministic values without a pattern. */
static u64 next_number(u64 *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return *seed >> 11;
}

struct sample_data {
	u64 words[64];
	struct perf_branch_entry branches[3];
};

static void random_sample(struct sample *s, struct sample_data *data, u64 *seed)
{
	for (size_t i = 0; i < ARRAY_SIZE(data->words); i++)
		data->words[i] = next_number(seed);
	memset(s, 0, sizeof(*s));
	s->ip = next_number(seed);
	s->pid = (u32)next_number(seed);
	s->tid = (u32)next_number(seed);
	s->cpu = (u32)next_number(seed);
	s->time = next_number(seed);
	s->addr = next_number(seed);
	s->id = next_number(seed);
	s->stream_id = next_number(seed);
	s->period = next_number(seed);
	s->read.nr = next_number(seed) % 4;
	s->read.one = (struct read_value){ 1, 2, 3 };
	s->read.group = data->words;
	s->nr_ips = next_number(seed) % 8;
	s->ips = data->words;
	s->raw_size = (u32)(next_number(seed) % 3 * 8 + 4);
	s->raw = data->words;
	s->nr_branches = next_number(seed) % 4;
	s->branches = data->branches;
	s->branch_counters = data->words;
	s->user_regs = s->intr_regs = (struct sample_regs){ .abi = 2, .regs = data->words };
	s->user_stack = (struct sample_bytes){ next_number(seed) % 4 * 8, data->words, 0 };
	s->tls = (struct sample_bytes){ next_number(seed) % 4 * 8, data->words, 0 };
	s->aux = (struct sample_bytes){ next_number(seed) % 4 * 8, data->words, 0 };
	s->weight = (u32)next_number(seed);
	s->data_src = next_number(seed);
	s->phys_addr = next_number(seed);
	s->cgroup = next_number(seed);
	s->data_page_size = next_number(seed);
	s->code_page_size = next_number(seed);
	s->transaction = next_number(seed);
}

static void round_trip(u64 type, u64 read_format, u64 *seed)
{
	g_autoptr(GByteArray) again = g_byte_array_new();
	struct sample_data data = { 0 };
	struct event ev = { .type = PERF_RECORD_SAMPLE }, back;
	const char *part;
	struct fixture f;

	setup(&f, type, read_format);
	random_sample(&ev.sample, &data, seed);
	assert_true(event_encode(&ev, f.evsel, f.bytes, NULL));
	assert_true(decode(&f, &back, &part));
	assert_int_equal(back.size, f.bytes->len);
	assert_true(event_encode(&back, f.evsel, again, NULL));
	assert_int_equal(again->len, f.bytes->len);
	assert_memory_equal(again->data, f.bytes->data, again->len);
	if (type & PERF_SAMPLE_IP)
		assert_int_equal(back.sample.ip, ev.sample.ip);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		assert_int_equal(back.sample.code_page_size, ev.sample.code_page_size);
	if (type & PERF_SAMPLE_TLS_USER && ev.sample.tls.size)
		assert_memory_equal(back.sample.tls.data, ev.sample.tls.data, ev.sample.tls.size);
	/* One word less and the record ends inside some field. */
	if (back.size > 16) {
		((struct perf_event_header *)f.bytes->data)->size -= 8;
		assert_false(decode(&f, &back, &part));
	}
	release(&f);
}

static void test_round_trips(void **state)
{
	u64 seed = 1, all = (PERF_SAMPLE_TLS_USER << 1) - 1;

	for (u32 bit = 0; bit <= 25; bit++) {
		round_trip(1ULL << bit, 0, &seed);
		round_trip(all & ~(1ULL << bit), 0, &seed);
	}
	for (u64 format = 0; format < 32; format++)
		round_trip(PERF_SAMPLE_READ | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN, format,
			   &seed);
	for (u32 i = 0; i < 3000; i++)
		round_trip(next_number(&seed) & all, next_number(&seed) % 32, &seed);
}

/* An error of a trace has a time from its format 1 on. */
static void test_trace_errors(void **state)
{
	for (u32 form = 0; form < 3; form++) {
		struct event back, ev = { .type = PERFDATA_AUXTRACE_ERROR,
					  .auxtrace_error = { .type = 1,
							      .code = 2,
							      .cpu = 3,
							      .pid = 4,
							      .tid = 5,
							      .fmt = form,
							      .ip = 0x401000,
							      .time = form ? 77 : 0,
							      .msg = "no trace" } };
		const char *part = NULL;
		struct fixture f;

		setup(&f, PERF_SAMPLE_TID, 0);
		assert_true(event_encode(&ev, f.evsel, f.bytes, NULL));
		assert_int_equal(f.bytes->len, 8 + 6 * 4 + 8 + (form ? 8 : 0) + 64);
		assert_true(decode(&f, &back, &part));
		assert_int_equal(back.auxtrace_error.tid, 5);
		assert_int_equal(back.auxtrace_error.ip, 0x401000);
		assert_int_equal(back.auxtrace_error.time, ev.auxtrace_error.time);
		assert_string_equal(back.auxtrace_error.msg, "no trace");
		release(&f);
	}
}

static void test_attr_bytes(void **state)
{
	u8 bytes[PERF_ATTR_SIZE_VER9];
	struct evsel *a = evsel_new(), *b = evsel_new();

	a->attr.sample_type = 0x123;
	a->sample_tls_user = 64;
	assert_int_equal(evsel_attr_bytes(a, bytes), 128);
	assert_int_equal(bytes[4], 128);
	assert_int_equal(bytes[110], 64);
	a->config3 = 7;
	assert_int_equal(evsel_attr_bytes(a, bytes), 136);
	a->config4 = 9;
	assert_int_equal(evsel_attr_bytes(a, bytes), 144);
	assert_true(evsel_set_attr_bytes(b, bytes, 144));
	assert_int_equal(b->attr.sample_type, 0x123);
	assert_int_equal(b->config3, 7);
	assert_int_equal(b->config4, 9);
	assert_int_equal(b->sample_tls_user, 64);
	assert_true(evsel_set_attr_bytes(b, bytes, 64));
	assert_int_equal(b->config4, 0);
	assert_int_equal(b->sample_tls_user, 0);
	assert_false(evsel_set_attr_bytes(b, bytes, 63));
	evsel_free(a);
	evsel_free(b);
}

static void test_default_names(void **state)
{
	struct evsel *e = evsel_new();
	g_autofree char *cycles = evsel_default_name(e), *clock = NULL, *cache = NULL, *bp = NULL;

	assert_string_equal(cycles, "cycles");
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.exclude_kernel = e->attr.exclude_hv = 1;
	clock = evsel_default_name(e);
	assert_string_equal(clock, "cpu-clock:u");
	e->attr.exclude_kernel = e->attr.exclude_hv = 0;
	e->attr.type = PERF_TYPE_HW_CACHE;
	e->attr.config = 0x10000;
	e->attr.precise_ip = 2;
	cache = evsel_default_name(e);
	assert_string_equal(cache, "L1-dcache-load-misses:pp");
	e->attr.precise_ip = 0;
	e->attr.type = PERF_TYPE_BREAKPOINT;
	e->attr.bp_addr = 0x1000;
	e->attr.bp_type = 3;
	bp = evsel_default_name(e);
	assert_string_equal(bp, "mem:0x1000:rw");
	evsel_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample_by_hand),
		cmocka_unit_test(test_trailer_by_hand),
		cmocka_unit_test(test_read_of_no_event),
		cmocka_unit_test(test_mmap_build_id_by_hand),
		cmocka_unit_test(test_false_sizes_by_hand),
		cmocka_unit_test(test_mmap_false_build_id_by_hand),
		cmocka_unit_test(test_untimed),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_trace_errors),
		cmocka_unit_test(test_attr_bytes),
		cmocka_unit_test(test_default_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
