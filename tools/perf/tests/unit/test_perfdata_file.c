// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole files: what the writer puts in, in each form, the reader gives back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../forge/forge.h"
#include "perfdata/write/encode.h"
#include "perfdata/read/reader.h"
#include "perfdata/write/writer.h"
#include "perfevent_tree.h"

static const char case_text[] =
	"info hostname=box version=0.1 nrcpus=2 cmdline='perf record x' first_time=1 last_time=9\n"
	"note tls.source=bpf\n"
	"buildid file=/bin/x id=0102030405060708090a0b0c0d0e0f1011121314 misc=user\n"
	"event one sample_type=IP|TID|TIME|IDENTIFIER|TLS_USER tls_user=64 ids=101,201\n"
	"event two sample_type=IP|TIME|ADDR|CPU|IDENTIFIER|READ group=0 read_format=ID|GROUP\n"
	"comm pid=10 text='a b' time=1\n"
	"mmap2 pid=10 start=0x400000 len=0x1000 file=/bin/x time=2\n"
	"sample ip=0x400100 pid=10 time=3 tls=00112233\n"
	"sample event=1 ip=0x400104 time=4 addr=0x10 cpu=1 read=5:101,6:102\n"
	"sample ip=0x400108 pid=10 tid=11 time=5 id=201\n"
	"tls_layout pid=10 tp_offset=-64 size=32 layout=activity symbol=s object=/bin/x "
	"publisher=2 where=1 mark=777 fresh\n"
	"exit pid=10 ppid=1 time=9\n"
	"finished_round\n";

/* cmocka prints the message where it is not NULL. */
static void assert_no_error(const GError *error)
{
	if (error)
		fail_msg("%s", error->message);
}

struct file {
	GBytes *bytes;
	struct perfdata *pd;
};

static struct file open_form(const char *form, const char *text)
{
	g_autofree char *whole = g_strdup_printf("file %s\n%s", form, text);
	g_autoptr(GError) error = NULL;
	struct file file = { .bytes = forge_text(whole, &error) };

	assert_no_error(error);
	file.pd = perfdata_open_bytes("case", g_bytes_get_data(file.bytes, NULL),
				      g_bytes_get_size(file.bytes), &error);
	assert_no_error(error);
	return file;
}

static void close_file(struct file *file)
{
	perfdata_close(file->pd);
	g_bytes_unref(file->bytes);
}

static struct event next_of(struct perfdata *pd, u32 type)
{
	g_autoptr(GError) error = NULL;
	struct event ev;
	int got;

	while ((got = perfdata_next(pd, &ev, &error)) > 0 && ev.type != type)
		;
	assert_no_error(error);
	assert_int_equal(got, 1);
	return ev;
}

static void expect_end(struct perfdata *pd)
{
	struct event ev;

	while (perfdata_next(pd, &ev, NULL) > 0)
		;
	assert_int_equal(perfdata_next(pd, &ev, NULL), 0);
}

static void check_records(struct perfdata *pd)
{
	struct event ev = next_of(pd, PERF_RECORD_COMM);

	assert_string_equal(ev.comm.text, "a b");
	assert_int_equal(ev.id.time, 1);
	ev = next_of(pd, PERF_RECORD_MMAP2);
	assert_string_equal(ev.mmap.filename, "/bin/x");
	assert_int_equal(ev.mmap.prot, 5);
	assert_false(ev.mmap.has_build_id);
	ev = next_of(pd, PERF_RECORD_SAMPLE);
	assert_string_equal(ev.evsel->name, "one");
	assert_int_equal(ev.sample.ip, 0x400100);
	assert_int_equal(ev.sample.tls.size, 8);
	assert_int_equal(ev.sample.tls.dyn_size, 4);
	assert_memory_equal(ev.sample.tls.data, "\x00\x11\x22\x33", 4);
	ev = next_of(pd, PERF_RECORD_SAMPLE);
	assert_string_equal(ev.evsel->name, "two");
	assert_int_equal(ev.sample.addr, 0x10);
	assert_int_equal(ev.sample.cpu, 1);
	assert_int_equal(ev.sample.pid, EVENT_NO_PID);
	assert_int_equal(ev.sample.read.nr, 2);
	assert_int_equal(sample_read_at(&ev.sample.read, 1).value, 6);
	assert_int_equal(sample_read_at(&ev.sample.read, 1).id, 102);
	ev = next_of(pd, PERF_RECORD_SAMPLE);
	assert_string_equal(ev.evsel->name, "one");
	assert_int_equal(ev.sample.id, 201);
	ev = next_of(pd, PERFDATA_EVENT_TYPE);
	while (ev.ext.kind != PERFDATA_EXT_TLS_LAYOUT)
		ev = next_of(pd, PERFDATA_EVENT_TYPE);
	assert_int_equal(ev.ext.tls_layout.tp_offset, -64);
	assert_string_equal(ev.ext.tls_layout.layout, "activity");
	assert_string_equal(ev.ext.tls_layout.object, "/bin/x");
	assert_int_equal(ev.ext.tls_layout.publisher, 2);
	assert_int_equal(ev.ext.tls_layout.where, 1);
	assert_false(ev.ext.tls_layout.framed);
	assert_int_equal(ev.ext.tls_layout.mark, 777);
	assert_true(ev.ext.tls_layout.fresh);
	ev = next_of(pd, PERF_RECORD_EXIT);
	assert_int_equal(ev.task.ppid, 1);
	next_of(pd, PERFDATA_FINISHED_ROUND);
	expect_end(pd);
}

static void check_info(struct perfdata *pd)
{
	const struct perfdata_info *info = perfdata_info(pd);
	const GPtrArray *evsels = perfdata_evsels(pd);
	const struct evsel *one = g_ptr_array_index(evsels, 0), *two = g_ptr_array_index(evsels, 1);
	const struct info_build_id *build_id;

	assert_string_equal(info->hostname, "box");
	assert_string_equal(info->version, "0.1");
	assert_int_equal(info->nrcpus_online, 2);
	assert_string_equal(info->cmdline[2], "x");
	assert_null(info->cmdline[3]);
	assert_int_equal(info->first_sample_time, 1);
	assert_int_equal(info->last_sample_time, 9);
	assert_string_equal(perfdata_info_note(info, "tls.source"), "bpf");
	assert_null(perfdata_info_note(info, "tls"));
	assert_true(info->build_ids->len >= 1);
	build_id = g_ptr_array_index(info->build_ids, 0);
	assert_string_equal(build_id->filename, "/bin/x");
	assert_int_equal(build_id->size, 20);
	assert_int_equal(build_id->build_id[19], 0x14);
	assert_int_equal(evsels->len, 2);
	assert_int_equal(one->attr.sample_type & PERF_SAMPLE_TLS_USER, PERF_SAMPLE_TLS_USER);
	assert_int_equal(one->sample_tls_user, 64);
	assert_int_equal(one->nr_members, 2);
	assert_int_equal(two->leader, 0);
	assert_ptr_equal(perfdata_evsel(pd, 102), two);
	assert_null(perfdata_evsel(pd, 103));
}

static void test_forms(void **state)
{
	static const char *const forms[] = { "", "zstd=1", "zstd=19", "pipe", "pipe zstd=3" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct file file = open_form(forms[i], case_text);

		/* Bytes that can be read again are no pipe, whatever their form. */
		assert_false(perfdata_is_pipe(file.pd));
		check_info(file.pd);
		check_records(file.pd);
		assert_true(perfdata_rewind(file.pd, NULL));
		check_records(file.pd);
		check_info(file.pd);
		assert_int_equal(perfdata_counts(file.pd)->records[PERF_RECORD_SAMPLE], 3);
		assert_int_equal(perfdata_counts(file.pd)->unknown_records, 0);
		assert_int_equal(perfdata_counts(file.pd)->unknown_features, 0);
		assert_false(perfdata_counts(file.pd)->cut);
		close_file(&file);
	}
}

/* Writes @bytes into a pipe from another process and opens the other end. */
static pid_t feed(GBytes *bytes, int *fd)
{
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		gsize size;
		const char *data = g_bytes_get_data(bytes, &size);

		close(ends[0]);
		while (size) {
			ssize_t n = write(ends[1], data, MIN(size, 7)); /* in odd pieces */

			if (n <= 0)
				_exit(1);
			data += n;
			size -= (gsize)n;
		}
		_exit(0);
	}
	close(ends[1]);
	*fd = ends[0];
	return pid;
}

static void test_real_pipe(void **state)
{
	static const char *const forms[] = { "pipe", "pipe zstd=3" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		g_autofree char *text = g_strdup_printf("file %s\n%s", forms[i], case_text);
		g_autoptr(GBytes) bytes = forge_text(text, NULL);
		g_autoptr(GError) error = NULL;
		g_autofree char *path = NULL;
		struct perfdata *pd;
		int fd;
		pid_t pid = feed(bytes, &fd);

		path = g_strdup_printf("/dev/fd/%d", fd);
		pd = perfdata_open(path, &error);
		assert_no_error(error);
		assert_true(perfdata_is_pipe(pd));
		check_records(pd);
		check_info(pd);
		assert_false(perfdata_rewind(pd, &error));
		assert_non_null(error);
		perfdata_close(pd);
		close(fd);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
}

static void test_want(void **state)
{
	struct file file = open_form("", case_text);
	struct event ev;
	u32 nr = 0;

	perfdata_want(file.pd, PERFDATA_WANT_SAMPLES);
	for (; perfdata_next(file.pd, &ev, NULL) > 0; nr++)
		assert_int_equal(ev.type, PERF_RECORD_SAMPLE);
	assert_int_equal(nr, 3);
	perfdata_rewind(file.pd, NULL);
	perfdata_want(file.pd, PERFDATA_WANT_SIDEBAND);
	while (perfdata_next(file.pd, &ev, NULL) > 0)
		assert_int_not_equal(ev.type, PERF_RECORD_SAMPLE);
	assert_int_equal(perfdata_counts(file.pd)->records[PERF_RECORD_SAMPLE], 3);
	close_file(&file);
}

/* Bytes of the file stay where they are until the close; a kept copy decodes to the same. */
static void test_stable_and_copy(void **state)
{
	struct file file = open_form("", case_text);
	struct event first = next_of(file.pd, PERF_RECORD_COMM), again;
	g_autofree struct perf_event_header *copy = g_memdup2(first.raw, first.size);

	expect_end(file.pd);
	assert_string_equal(first.comm.text, "a b");
	assert_true(perfdata_decode(file.pd, copy, 77, &again, NULL));
	assert_string_equal(again.comm.text, "a b");
	assert_int_equal(again.foff, 77);
	close_file(&file);
}

/* Records behind one whose size is no multiple of 8, as COMPRESSED of perf before 6.15 left them. */
static void test_misaligned(void **state)
{
	struct file file = open_form("", "event e\n"
					 "record type=68 data=112233\n"
					 "comm pid=10 text=x time=1\n"
					 "sample ip=0x10 pid=1 time=2\n");
	struct event comm = next_of(file.pd, PERF_RECORD_COMM);
	struct event sample = next_of(file.pd, PERF_RECORD_SAMPLE);

	assert_int_equal((uintptr_t)sample.raw % 8, 0);
	assert_int_equal(sample.sample.ip, 0x10);
	expect_end(file.pd);
	assert_string_equal(comm.comm.text, "x");
	close_file(&file);
}

static void test_unfinished(void **state)
{
	static const char *const forms[] = { "unfinished", "unfinished zstd=1" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct file file = open_form(forms[i], case_text);

		check_records(file.pd);
		assert_true(perfdata_counts(file.pd)->cut);
		close_file(&file);
	}
}

/* A killed recorder's last record may be there in part. */
static void test_cut_in_a_record(void **state)
{
	g_autofree char *text =
		g_strdup_printf("%sappend data=09000000_02004000_1122\n", case_text);
	struct file file = open_form("unfinished", text);

	check_records(file.pd);
	assert_true(perfdata_counts(file.pd)->cut);
	assert_int_equal(perfdata_counts(file.pd)->cut_bytes, 10);
	close_file(&file);
}

static void test_passed_over(void **state)
{
	struct file file = open_form("", "event e\n"
					 /* AUXTRACE with a payload of 16 bytes */
					 "record type=71 data=1000000000000000_0000000000000000_"
					 "0000000000000000_00000000_00000000_00000000_00000000\n"
					 "bytes data=ffffffffffffffffffffffffffffffff\n"
					 "record type=30 data=1122334455667788\n"
					 "record type=1000 data=1122334455667788\n"
					 "sample ip=0x10 pid=1 time=2\n");
	const struct perfdata_counts *counts = perfdata_counts(file.pd);

	next_of(file.pd, PERF_RECORD_SAMPLE);
	expect_end(file.pd);
	assert_int_equal(counts->aux_bytes, 16);
	assert_int_equal(counts->unknown_records, 2);
	close_file(&file);
}

/* perf 6.1 ends a pipe's features with number 32, which 7.x gave a meaning. */
static void test_end_of_features(void **state)
{
	struct file file = open_form("pipe", "event e\nrecord type=80 data=2000000000000000\n"
					     "sample ip=0x10 pid=1 time=2\n");

	assert_false(perfdata_info_has(perfdata_info(file.pd), FEAT_CPU_DOMAIN_INFO));
	assert_int_equal(perfdata_counts(file.pd)->unknown_features, 0);
	next_of(file.pd, PERF_RECORD_SAMPLE);
	close_file(&file);
}

static void test_unknown_id(void **state)
{
	struct file file = open_form("", "event a\nevent b\n"
					 "sample ip=0x10 pid=1 time=2 id=999\n");
	struct event ev = next_of(file.pd, PERF_RECORD_SAMPLE);

	assert_null(ev.evsel);
	assert_int_equal(ev.sample.ip, 0x10);
	assert_int_equal(perfdata_counts(file.pd)->unknown_ids, 1);
	close_file(&file);
}

/* Events with different fields before the id, without IDENTIFIER, but at one place: legal. */
static void test_id_position(void **state)
{
	struct file file =
		open_form("", "event a sample_type=IP|TIME|ID|CPU flags=sample_id_all\n"
			      "event b sample_type=IP|TIME|ID|PERIOD|CPU|RAW flags=sample_id_all\n"
			      "sample event=1 ip=0x10 time=2 period=7 raw=text:hello\n"
			      "comm event=1 pid=1 text=x time=3\n");
	struct event ev = next_of(file.pd, PERF_RECORD_SAMPLE);

	assert_string_equal(ev.evsel->name, "b");
	assert_int_equal(ev.sample.period, 7);
	assert_memory_equal(ev.sample.raw, "hello", 5);
	ev = next_of(file.pd, PERF_RECORD_COMM);
	assert_string_equal(ev.evsel->name, "b");
	assert_int_equal(ev.id.time, 3);
	close_file(&file);
}

static const char every_record[] =
	"event e sample_type=IP|TID|TIME|ID|STREAM_ID|CPU|IDENTIFIER read_format=ID|LOST "
	"flags=sample_id_all|build_id\n"
	"mmap pid=1 start=16 len=32 pgoff=4096 misc=data file=/x time=1\n"
	"mmap2 pid=1 start=16 len=32 maj=8 min=1 ino=77 gen=3 prot=7 flags=1 file=/x time=1\n"
	"mmap2 pid=1 start=16 len=32 build_id=0102030405 file=/x time=1\n"
	"comm pid=1 text=name misc=exec time=1\nfork pid=2 ppid=1 time=2\nexit pid=2 ppid=1\n"
	"lost id=101 lost=5 time=3\nlost_samples lost=6 time=3\nthrottle time=1 id=2 stream_id=3\n"
	"unthrottle time=1 id=2 stream_id=3\nswitch misc=out|preempt\nswitch_cpu_wide other_pid=5\n"
	"namespaces pid=1 links=1:2,3:4\ncgroup cgid=9 path=/a\nksymbol addr=1 len=2 type=1 "
	"name=f\n"
	"bpf_event type=1 bid=3 tag=0102030405060708\ntext_poke addr=5 old=00 new=0102\n"
	"aux offset=1 size=2 aflags=3\nitrace_start pid=1 tid=2\nread pid=1 tid=1 value=5 lost=1\n"
	"record type=21 data=0100000000000000_0000000000000000_0000000000000000_0000000000000000_"
	"0000000000000000_0000000000000000_0000000000000000\n"
	"sample ip=5 pid=1\nfinished_round\nfinished_init\n"
	"tls_layout pid=1 layout=a symbol=b object=c\n"
	/* EVENT_UPDATE of a unit; TIME_CONV; ID_INDEX; THREAD_MAP; CPU_MAP; STAT */
	"record type=78 data=00000000000000006500000000000000_6d73656300000000\n"
	"record type=79 data=010000000000000002000000000000000300000000000000"
	"040000000000000005000000000000000101000000000000\n"
	"record type=69 "
	"data=01000000000000006500000000000000000000000000000001000000000000000200000000000000\n"
	"record type=73 data=0100000000000000_0500000000000000_61000000000000000000000000000000\n"
	"record type=74 data=0000020001000200\nrecord type=74 "
	"data=0100010004000300_00000000_00000000\n"
	"record type=74 data=0200010003000700\n"
	"record type=76 data=0100000000000000_02000000_03000000_0400000000000000_0500000000000000_"
	"0600000000000000\n";

/* What was decoded from a record's bytes makes these bytes again. */
static void test_every_record(void **state)
{
	struct file file = open_form("", every_record);
	g_autoptr(GByteArray) again = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	u32 nr = 0;
	struct event ev;

	while (perfdata_next(file.pd, &ev, &error) > 0) {
		g_byte_array_set_size(again, 0);
		assert_true(event_encode(&ev, g_ptr_array_index(perfdata_evsels(file.pd), 0), again,
					 &error));
		assert_no_error(error);
		if (again->len != ev.size || memcmp(again->data, ev.raw, ev.size))
			fail_msg("%s at 0x%lx differs", event_type_name(ev.type),
				 (unsigned long)ev.foff);
		nr++;
	}
	assert_no_error(error);
	assert_true(nr >= 34);
	close_file(&file);
}

static void test_many_compressed(void **state)
{
	g_autoptr(GString) text = g_string_new("event e\n");
	struct file file;
	struct event ev;
	u64 nr = 0;

	for (u32 i = 0; i < 20000; i++)
		g_string_append_printf(text, "sample ip=%u pid=%u time=%u\n", i, i % 7, i * 3);
	file = open_form("zstd=1", text->str);
	perfdata_want(file.pd, PERFDATA_WANT_SAMPLES);
	while (perfdata_next(file.pd, &ev, NULL) > 0) {
		assert_int_equal(ev.sample.ip, nr);
		assert_int_equal((uintptr_t)ev.raw % 8, 0);
		nr++;
	}
	assert_int_equal(nr, 20000);
	assert_true(perfdata_counts(file.pd)->records[PERFDATA_COMPRESSED] > 5);
	close_file(&file);
}

static u64 samples_in(const char *path, bool *compressed, bool *cut)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = perfdata_open(path, &error);
	struct event ev;
	u64 nr = 0;

	assert_no_error(error);
	while (perfdata_next(pd, &ev, &error) > 0)
		nr += ev.type == PERF_RECORD_SAMPLE && ev.sample.ip == nr;
	assert_no_error(error);
	*compressed = perfdata_info_has(perfdata_info(pd), FEAT_COMPRESSED);
	*cut = perfdata_counts(pd)->cut;
	perfdata_close(pd);
	return nr;
}

/*
 * The file of a writer that dies, at each stage. A flush says that there are compressed records, without which
 * stock perf reads none; what comes after it overwrites that.
 */
static void test_killed_compressed(void **state)
{
	struct perfdata_options options = { .zstd_level = 1 };
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct evsel *evsel = evsel_new();
	struct perfdata_info *info = perfdata_info_new();
	struct perfdata_writer *w;
	bool compressed, cut;
	u64 nr = 0;

	close(g_file_open_tmp("perfdata-XXXXXX", &path, NULL));
	evsel->name = g_strdup("e");
	evsel->attr.sample_type = PERF_SAMPLE_IP;
	w = perfdata_create(path, &options, &evsel, 1, NULL, &error);
	assert_no_error(error);
	for (u32 round = 0; round < 3; round++) {
		for (u32 records = 5; records <= 50000; records *= 10000) {
			g_byte_array_set_size(bytes, 0);
			for (u32 i = 0; i < records; i++) {
				struct event ev = { .type = PERF_RECORD_SAMPLE,
						    .sample = { .ip = nr++ } };

				assert_true(event_encode(&ev, evsel, bytes, &error));
			}
			assert_true(perfdata_write(w, bytes->data, bytes->len, &error));
			if (records > 5) { /* more than is gathered: it is in the file */
				assert_int_equal(samples_in(path, &compressed, &cut), nr);
				assert_false(compressed);
				assert_true(cut);
			}
			assert_true(perfdata_flush(w, &error));
			assert_int_equal(samples_in(path, &compressed, &cut), nr);
			assert_true(compressed);
			assert_true(cut);
		}
	}
	assert_true(perfdata_finish(w, info, &error));
	assert_int_equal(samples_in(path, &compressed, &cut), nr);
	assert_true(compressed);
	assert_false(cut);
	perfdata_info_free(info);
	evsel_free(evsel);
	unlink(path);
}

/* The notes before the records are those of the start. */
static void test_late_note(void **state)
{
	g_autofree char *path = g_strdup_printf("/tmp/perf-late-note.%d", getpid());
	struct perfdata_info *info = perfdata_info_new();
	struct evsel *evsel = evsel_new();
	g_autoptr(GError) error = NULL;
	struct perfdata_writer *w;
	struct perfdata *pd;
	struct event ev;

	evsel->name = g_strdup("e");
	perfdata_info_add_note(info, "early", "1");
	w = perfdata_create(path, &(struct perfdata_options){ 0 }, &evsel, 1, info, &error);
	assert_no_error(error);
	perfdata_info_add_note(info, "late", "2");
	assert_true(perfdata_finish(w, info, &error));
	pd = perfdata_open(path, &error);
	assert_no_error(error);
	while (perfdata_next(pd, &ev, &error) > 0)
		assert_non_null(perfdata_info_note(perfdata_info(pd), "late"));
	assert_no_error(error);
	assert_string_equal(perfdata_info_note(perfdata_info(pd), "early"), "1");
	assert_string_equal(perfdata_info_note(perfdata_info(pd), "late"), "2");
	perfdata_close(pd);
	perfdata_info_free(info);
	evsel_free(evsel);
	unlink(path);
}

/* CPU_DOMAIN_INFO: version 17, one level; CPU 0 has one domain, of level 0, "MC" with the CPUs f, 0-3. */
static void test_domains(void **state)
{
	struct file file = open_form("pipe",
				     "event e\n"
				     "record type=80 data=2000000000000000_11000000_01000000_"
				     "00000000_01000000_00000000_"
				     "03000000_4d4300_02000000_6600_04000000_302d3300\n"
				     "sample ip=0x10 pid=1 time=2\n");
	const struct info_cpu_domains *cpu;
	const struct info_domain *domain;

	next_of(file.pd, PERF_RECORD_SAMPLE);
	assert_int_equal(perfdata_info(file.pd)->schedstat_version, 17);
	assert_int_equal(perfdata_info(file.pd)->cpu_domains->len, 1);
	cpu = perfdata_info(file.pd)->cpu_domains->pdata[0];
	assert_int_equal(cpu->cpu, 0);
	assert_int_equal(cpu->domains->len, 1);
	domain = cpu->domains->pdata[0];
	assert_int_equal(domain->domain, 0);
	assert_string_equal(domain->name, "MC");
	assert_string_equal(domain->cpumask, "f");
	assert_string_equal(domain->cpulist, "0-3");
	close_file(&file);
}

/* An entry is 36 bytes and the name, with an end and zeros up to a multiple of 64: of 63 characters 64, of 64 ones 128. */
static void check_build_id(const char *file, gsize size, const char *name, u32 room)
{
	const char *at = memmem(file, size, name, strlen(name) + 1);
	struct perf_event_header header;
	u32 pid;

	assert_non_null(at);
	memcpy(&header, at - 36, sizeof(header));
	memcpy(&pid, at - 28, sizeof(pid));
	assert_int_equal(header.size, 36 + room);
	assert_int_equal(header.misc, PERF_RECORD_MISC_USER | PERF_MISC_BUILD_ID_SIZE);
	assert_int_equal(pid, 7);
	for (u32 i = (u32)strlen(name); i < room; i++)
		assert_int_equal(at[i], 0);
}

/* A record's size has 16 bits. The name that does not fit is left out, and the one behind it is not. */
static void test_build_id_names(void **state)
{
	static const u32 lengths[] = { 63, 64, 65471, 65472, 10 },
			 rooms[] = { 64, 128, 65472, 0, 64 };
	g_autofree char *path = g_strdup_printf("/tmp/perf-build-ids.%d", getpid());
	struct perfdata_info *info = perfdata_info_new();
	struct evsel *evsel = evsel_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *file = NULL;
	struct perfdata_writer *w;
	struct perfdata *pd;
	const GPtrArray *read;
	struct event end = { .type = PERFDATA_FINISHED_ROUND };
	g_autoptr(GByteArray) record = g_byte_array_new();
	gsize size;

	evsel->name = g_strdup("e");
	for (u32 i = 0; i < ARRAY_SIZE(lengths); i++) {
		g_autofree char *name = g_strnfill(lengths[i], (char)('a' + i));

		perfdata_info_add_build_id(info, 7, PERF_RECORD_MISC_USER, "0123456789abcdef0123",
					   20, name);
	}
	w = perfdata_create(path, &(struct perfdata_options){ 0 }, &evsel, 1, info, &error);
	assert_no_error(error);
	assert_true(event_encode(&end, evsel, record, &error));
	assert_true(perfdata_write(w, record->data, record->len, &error));
	assert_true(perfdata_finish(w, info, &error));
	assert_true(g_file_get_contents(path, &file, &size, NULL));
	pd = perfdata_open(path, &error);
	assert_no_error(error);
	read = perfdata_info(pd)->build_ids;
	assert_int_equal(read->len, ARRAY_SIZE(lengths) - 1);
	for (u32 i = 0, at = 0; i < ARRAY_SIZE(lengths); i++) {
		g_autofree char *name = g_strnfill(lengths[i], (char)('a' + i));
		const struct info_build_id *id = read->pdata[at];

		if (!rooms[i])
			continue;
		check_build_id(file, size, name, rooms[i]);
		assert_string_equal(id->filename, name);
		assert_int_equal(id->pid, 7);
		assert_memory_equal(id->build_id, "0123456789abcdef0123", 20);
		at++;
	}
	perfdata_close(pd);
	perfdata_info_free(info);
	evsel_free(evsel);
	unlink(path);
}

static void test_disk_full(void **state)
{
	struct perfdata_options options = { 0 };
	struct evsel *evsel = evsel_new();
	struct perfdata_writer *w;
	g_autoptr(GError) error = NULL;

	evsel->name = g_strdup("e");
	w = perfdata_create("/dev/full", &options, &evsel, 1, NULL, &error);
	assert_null(w);
	assert_non_null(strstr(error->message, "/dev/full"));
	evsel_free(evsel);
}

static void test_directory(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("perfdata-XXXXXX", NULL);
	g_autofree char *data = g_build_filename(dir, "data", NULL);
	g_autofree char *extra = g_build_filename(dir, "data.0", NULL);
	g_autoptr(GBytes) bytes = forge_text("event e\nsample ip=1 pid=1 time=1\n", NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) record = g_byte_array_new();
	struct event comm = { .type = PERF_RECORD_COMM, .comm = { 5, 5, "thread", false } };
	struct perfdata *pd;
	struct event ev;

	assert_true(g_file_set_contents(data, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
	pd = perfdata_open(dir, &error);
	assert_no_error(error);
	assert_true(event_encode(&comm, g_ptr_array_index(perfdata_evsels(pd), 0), record, NULL));
	perfdata_close(pd);
	assert_true(g_file_set_contents(extra, (char *)record->data, record->len, NULL));
	pd = perfdata_open(dir, &error);
	assert_no_error(error);
	ev = next_of(pd, PERF_RECORD_SAMPLE);
	assert_int_equal(ev.sample.ip, 1);
	ev = next_of(pd, PERF_RECORD_COMM);
	assert_string_equal(ev.comm.text, "thread");
	expect_end(pd);
	perfdata_close(pd);
	unlink(data);
	unlink(extra);
	rmdir(dir);
}

static void test_host(void **state)
{
	struct perfdata_info *info = perfdata_info_of_host();

	assert_true(perfdata_info_has(info, FEAT_HOSTNAME));
	assert_true(perfdata_info_has(info, FEAT_NRCPUS));
	assert_true(info->nrcpus_online >= 1);
	assert_true(info->nrcpus_available >= info->nrcpus_online);
	assert_true(info->total_mem_kb > 1000);
	assert_false(perfdata_info_has(info, FEAT_CMDLINE));
	perfdata_info_free(info);
}

#define CPU  "sys/devices/system/cpu/"
#define NODE "sys/devices/system/node/"
#define PMU  "sys/bus/event_source/devices/"

/* Of a machine where CPUs and nodes are missing between others. */
static void test_host_with_gaps(void **state)
{
	static const char *const files[][2] = {
		{ "proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
				  "model\t\t: 85\nmodel name\t: A CPU\nstepping\t: 7\n" },
		{ "proc/meminfo", "MemTotal:         123456 kB\nMemFree:             456 kB\n" },
		{ CPU "present", "0,10\n" },
		{ CPU "cpu0/topology/core_id", "3\n" },
		{ CPU "cpu10/topology/core_id", "4\n" },
		{ CPU "cpu0/cache/index0/type", "Data\n" },
		{ CPU "cpu0/cache/index0/size", "32K\n" },
		{ CPU "cpu0/cache/index0/shared_cpu_list", "0,10\n" },
		{ CPU "cpu0/cache/index0/level", "1\n" },
		{ CPU "cpu0/cache/index0/coherency_line_size", "64\n" },
		{ CPU "cpu10/cache/index0/type", "Data\n" },
		{ CPU "cpu10/cache/index0/size", "32K\n" },
		{ CPU "cpu10/cache/index0/shared_cpu_list", "0,10\n" },
		{ CPU "cpu10/cache/index0/level", "1\n" },
		{ NODE "online", "0,10-11\n" },
		{ NODE "node10/meminfo",
		  "Node 10 MemTotal:   4096 kB\nNode 10 MemFree:   1024 kB\n" },
		{ NODE "node10/cpulist", "10\n" },
		{ NODE "node10/memory3/state", "online\n" },
		{ NODE "node10/memory65/state", "online\n" },
		{ "sys/devices/system/memory/block_size_bytes", "8000000\n" },
		{ PMU "software/type", "1\n" },
		{ PMU "cpu/type", "4\n" },
	};
	static const u32 numbers[] = { 0, 10, 11 };
	const struct info_numa_node *node;
	const struct info_mem_node *memory;
	const struct info_pmu *pmu;
	struct perfdata_info *info;
	struct tree t;

	tree_init(&t);
	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		tree_put(&t, files[i][0], files[i][1]);
	info = perfdata_info_below(t.root);
	assert_string_equal(info->cpuid, "GenuineIntel,6,85,7");
	assert_string_equal(info->cpudesc, "A CPU");
	assert_int_equal(info->total_mem_kb, 123456);
	assert_int_equal(info->nrcpus_available, 11);
	assert_int_equal(info->cpus->len, 11);
	assert_int_equal(g_array_index(info->cpus, struct info_cpu, 0).core, 3);
	assert_int_equal(g_array_index(info->cpus, struct info_cpu, 1).core, (u32)-1);
	assert_int_equal(g_array_index(info->cpus, struct info_cpu, 10).core, 4);
	assert_int_equal(info->caches->len, 1);
	assert_int_equal(info->cache_line_size, 64);
	assert_int_equal(info->numa->len, ARRAY_SIZE(numbers));
	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++) {
		node = g_ptr_array_index(info->numa, i);
		assert_int_equal(node->node, numbers[i]);
	}
	node = g_ptr_array_index(info->numa, 1);
	assert_int_equal(node->total_kb, 4096);
	assert_int_equal(node->free_kb, 1024);
	assert_string_equal(node->cpus, "10");
	memory = g_ptr_array_index(info->mem_nodes, 1);
	assert_int_equal(info->mem_block_size, 0x8000000);
	assert_int_equal(memory->node, 10);
	assert_int_equal(memory->nr_blocks, 66);
	assert_int_equal(memory->nr_set, 2);
	assert_int_equal(memory->bitmap[0], 1 << 3);
	assert_int_equal(memory->bitmap[1], 1 << 1);
	assert_int_equal(info->pmus->len, 2);
	pmu = g_ptr_array_index(info->pmus, 0);
	assert_string_equal(pmu->name, "cpu");
	assert_int_equal(pmu->type, 4);
	perfdata_info_free(info);
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_real_pipe),
		cmocka_unit_test(test_want),
		cmocka_unit_test(test_stable_and_copy),
		cmocka_unit_test(test_misaligned),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_cut_in_a_record),
		cmocka_unit_test(test_passed_over),
		cmocka_unit_test(test_end_of_features),
		cmocka_unit_test(test_unknown_id),
		cmocka_unit_test(test_id_position),
		cmocka_unit_test(test_every_record),
		cmocka_unit_test(test_many_compressed),
		cmocka_unit_test(test_killed_compressed),
		cmocka_unit_test(test_late_note),
		cmocka_unit_test(test_build_id_names),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_disk_full),
		cmocka_unit_test(test_directory),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_host_with_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
