// SPDX-License-Identifier: GPL-2.0-or-later
/* What exists before recording, from a forged /proc, as the records that tell it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "perfdata/read/reader.h"
#include "perfdata/write/writer.h"
#include "perfevent_tree.h"
#include "record/existing.h"
#include "record/output.h"
#include "record/synth.h"

struct setup {
	struct tree tree;
	struct record_options opts;
	struct output output;
	struct synth synth;
	struct evsel *evsel;
	struct perfdata_info *info;
	char *path;
};

static void put_process(struct tree *t)
{
	tree_put(t, "proc/100/status",
		 "Name:\tserver\nTgid:\t100\nPid:\t100\nPPid:\t7\nUid:\t1000\t1000\t1000\t1000\n"
		 "VmPeak:\t1 kB\nVmSize:\t1 kB\n");
	tree_put(t, "proc/100/comm", "server\n");
	tree_put(t, "proc/100/task/100/status",
		 "Name:\tserver\nTgid:\t100\nPid:\t100\nPPid:\t7\nUid:\t1000\t1000\t1000\t1000\n"
		 "VmPeak:\t1 kB\nVmSize:\t1 kB\n");
	tree_put(t, "proc/100/task/100/comm", "server\n");
	tree_put(t, "proc/100/task/103/status",
		 "Name:\tworker\nTgid:\t100\nPid:\t103\nPPid:\t7\nUid:\t1000\t1000\t1000\t1000\n"
		 "VmPeak:\t1 kB\nVmSize:\t1 kB\n");
	tree_put(t, "proc/100/task/103/comm", "worker\n");
	tree_put(t, "proc/100/maps",
		 "00400000-00401000 r--p 00000000 08:01 42 /no/such/server\n"
		 "00401000-00405000 r-xp 00001000 08:01 42 /no/such/server\n"
		 "7ffff7fc1000-7ffff7fc3000 r-xp 00000000 00:00 0 [vdso]\n"
		 "7ffff8000000-7ffff8001000 rwxp 00000000 00:00 0 \n");
}

static struct setup *setup(void)
{
	struct setup *s = g_new0(struct setup, 1);
	struct evsel *evsel = evsel_new();

	tree_init(&s->tree);
	s->path = g_build_filename(s->tree.root, "perf.data", NULL);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	evsel->attr.sample_id_all = 1;
	evsel->name = g_strdup("cpu-clock");
	s->evsel = evsel;
	s->info = perfdata_info_new();
	s->opts.output = s->path;
	assert_true(output_open(&s->output, &s->opts, &s->evsel, 1, s->info, NULL));
	s->synth =
		(struct synth){ .paths = &s->tree.paths, .evsel = evsel, .out = &s->output.outlet };
	return s;
}

static void put_event(const struct event *ev, GString *out)
{
	g_string_append(out, event_type_name(ev->type));
	switch (ev->type) {
	case PERF_RECORD_COMM:
		g_string_append_printf(out, " %d/%d %s", (int)ev->comm.pid, (int)ev->comm.tid,
				       ev->comm.text);
		break;
	case PERF_RECORD_FORK:
		g_string_append_printf(out, " %d/%d of %d/%d%s", (int)ev->task.pid,
				       (int)ev->task.tid, (int)ev->task.ppid, (int)ev->task.ptid,
				       ev->misc & PERF_MISC_FORK_EXEC ? " own maps" : "");
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		g_string_append_printf(out, " %d/%d %" PRIx64 "+%" PRIx64 " @%" PRIx64 "%s %s",
				       (int)ev->mmap.pid, (int)ev->mmap.tid, ev->mmap.start,
				       ev->mmap.len, ev->mmap.pgoff,
				       ev->misc & PERF_MISC_MMAP_DATA ? " data" : "",
				       ev->mmap.filename);
		break;
	case PERF_RECORD_NAMESPACES:
		g_string_append_printf(out, " %d/%d of %" PRIu64, (int)ev->namespaces.pid,
				       (int)ev->namespaces.tid, ev->namespaces.nr);
		break;
	}
	if (ev->id.time)
		g_string_append(out, " with a time");
	g_string_append_c(out, '\n');
}

/* Ends the file and compares what it holds, one line per record. */
static void assert_records(struct setup *s, const char *wanted)
{
	g_autoptr(GString) got = g_string_new(NULL);
	struct perfdata *pd;
	struct event ev;

	assert_null(s->synth.error);
	assert_true(output_finish(&s->output));
	pd = perfdata_open(s->path, NULL);
	assert_non_null(pd);
	while (perfdata_next(pd, &ev, NULL) > 0)
		put_event(&ev, got);
	perfdata_close(pd);
	assert_string_equal(got->str, wanted);
	output_release(&s->output);
	evsel_free(s->evsel);
	perfdata_info_free(s->info);
	tree_release(&s->tree);
	g_free(s->path);
	g_free(s);
}

static void a_process_is_its_threads_names_and_code(void **state)
{
	struct setup *s = setup();

	put_process(&s->tree);
	synth_process(&s->synth, 100);
	assert_records(s, "FORK 100/100 of 7/7 own maps\n"
			  "COMM 100/100 server\n"
			  "MMAP2 100/100 401000+4000 @1000 /no/such/server\n"
			  "MMAP2 100/100 7ffff7fc1000+2000 @0 [vdso]\n"
			  "MMAP2 100/100 7ffff8000000+1000 @0 //anon\n"
			  "FORK 100/103 of 100/100 own maps\n"
			  "COMM 100/103 worker\n");
}

static void data_maps_are_marked_as_such(void **state)
{
	struct setup *s = setup();

	put_process(&s->tree);
	s->synth.data = true;
	synth_all(&s->synth);
	assert_records(s, "FORK 100/100 of 7/7 own maps\n"
			  "COMM 100/100 server\n"
			  "MMAP2 100/100 400000+1000 @0 data /no/such/server\n"
			  "MMAP2 100/100 401000+4000 @1000 /no/such/server\n"
			  "MMAP2 100/100 7ffff7fc1000+2000 @0 [vdso]\n"
			  "MMAP2 100/100 7ffff8000000+1000 @0 //anon\n"
			  "FORK 100/103 of 100/100 own maps\n"
			  "COMM 100/103 worker\n");
}

static void a_waiting_command_is_only_named(void **state)
{
	struct setup *s = setup();

	put_process(&s->tree);
	synth_comm(&s->synth, 100);
	assert_records(s, "COMM 100/100 server\n");
}

static void what_vanished_is_left_out(void **state)
{
	struct setup *s = setup();

	synth_process(&s->synth, 100);
	synth_all(&s->synth);
	synth_comm(&s->synth, 100);
	assert_records(s, "");
}

static void the_kernel_and_its_modules(void **state)
{
	const struct kernel_map map = { 0xffffffff81000000, 0xffffffff82000000, "_text" };
	struct setup *s = setup();

	tree_put(&s->tree, "proc/modules",
		 "ext4 8192 1 - Live 0xffffffffc0002000\n"
		 "mbcache 4096 1 - Live 0xffffffffc0000000\n");
	synth_kernel(&s->synth, &map);
	assert_records(s, "MMAP -1/0 ffffffff81000000+1000000 @ffffffff81000000 "
			  "[kernel.kallsyms]_text\n"
			  "MMAP -1/0 ffffffffc0000000+1000 @0 [mbcache]\n"
			  "MMAP -1/0 ffffffffc0002000+2000 @0 [ext4]\n");
}

static void a_kernel_whose_addresses_are_hidden_has_no_map(void **state)
{
	const struct kernel_map unknown = { 0 };
	struct setup *s = setup();

	synth_kernel(&s->synth, &unknown);
	assert_records(s, "");
}

static void an_earlier_file_is_kept_once(void **state)
{
	g_autofree char *old = NULL;
	struct setup *s = setup();

	old = g_strconcat(s->path, ".old", NULL);
	assert_false(g_file_test(old, G_FILE_TEST_EXISTS));
	put_process(&s->tree);
	synth_comm(&s->synth, 100);
	assert_true(output_finish(&s->output));
	assert_true(output_begin_part(&s->output));
	assert_true(g_file_test(old, G_FILE_TEST_EXISTS));
	assert_records(s, "");
}

static void only_the_newest_parts_are_kept(void **state)
{
	struct setup *s = setup();
	char *names[3] = { NULL };

	s->output.max_parts = 2;
	for (u32 i = 0; i < 3; i++) {
		assert_true(output_finish(&s->output));
		names[i] = g_strdup(output_set_aside(&s->output));
		assert_non_null(names[i]);
		assert_true(g_str_has_prefix(names[i], s->path));
		assert_int_equal(strlen(names[i]), strlen(s->path) + 1 + 16);
		assert_true(output_begin_part(&s->output));
	}
	assert_false(g_file_test(names[0], G_FILE_TEST_EXISTS));
	assert_true(g_file_test(names[1], G_FILE_TEST_EXISTS));
	assert_true(g_file_test(names[2], G_FILE_TEST_EXISTS));
	g_free(names[0]);
	g_free(names[1]);
	g_free(names[2]);
	assert_records(s, "");
}

static void see(struct existing *e, u32 type, u32 pid, u32 tid, u64 time)
{
	struct observer *ob = existing_observer(e);
	struct event ev = { .type = type, .id.time = time };

	if (type == PERF_RECORD_COMM)
		ev.comm = (struct event_comm){ .pid = pid, .tid = tid, .exec = true };
	else
		ev.task = (struct event_task){ .pid = pid, .tid = tid, .time = time };
	ob->see(ob, &ev, NULL);
}

#define PUT "FORK 100/100 of 7/7 own maps\nCOMM 100/100 server\n" MAPS WORKER
#define MAPS                                                                                       \
	"MMAP2 100/100 401000+4000 @1000 /no/such/server\n"                                        \
	"MMAP2 100/100 7ffff7fc1000+2000 @0 [vdso]\n"                                              \
	"MMAP2 100/100 7ffff8000000+1000 @0 //anon\n"
#define WORKER "FORK 100/103 of 100/100 own maps\nCOMM 100/103 worker\n"

/* A recording of process 100. */
struct watched {
	struct target target;
	struct recording rec;
};

static struct existing *watch(struct watched *w, struct setup *s)
{
	pid_t pid = 100;

	w->target = (struct target){ .kind = TARGET_PROCESSES,
				     .pids = g_array_new(FALSE, FALSE, sizeof(pid_t)),
				     .tids = g_array_new(FALSE, FALSE, sizeof(pid_t)) };
	g_array_append_val(w->target.pids, pid);
	s->opts.synth = SYNTH_TASKS | SYNTH_MAPS;
	recording_init(&w->rec, &s->opts, &s->tree.paths);
	return existing_new(&(struct existing_setup){
		.rec = &w->rec, .target = &w->target, .evsel = s->evsel });
}

static void unwatch(struct watched *w, struct existing *e)
{
	existing_free(e);
	recording_release(&w->rec);
	target_release(&w->target);
}

/* The heads of files that begin after these events: what /proc has of the processes that are still recorded. */
static void a_process_is_there_as_long_as_its_threads(void **state)
{
	struct setup *s = setup();
	struct watched w;
	struct existing *e;

	put_process(&s->tree);
	e = watch(&w, s);
	assert_true(existing_put(e, &s->output.outlet, NULL));
	see(e, PERF_RECORD_FORK, 100, 104, 1);
	see(e, PERF_RECORD_EXIT, 100, 103, 2);
	see(e, PERF_RECORD_EXIT, 100, 100, 3); /* the first thread */
	assert_true(existing_put(e, &s->output.outlet, NULL));
	see(e, PERF_RECORD_COMM, 100, 100, 5); /* 104 has executed a program */
	see(e, PERF_RECORD_EXIT, 100, 100, 4); /* late, from another ring */
	assert_true(existing_put(e, &s->output.outlet, NULL));
	see(e, PERF_RECORD_EXIT, 100, 100, 6);
	assert_true(existing_put(e, &s->output.outlet, NULL));
	unwatch(&w, e);
	assert_records(s, PUT PUT PUT);
}

/* Its first thread had ended when the recording began. So nothing tells this end, and the last of the others is its end. */
static void a_process_without_its_first_thread(void **state)
{
	struct setup *s = setup();
	struct watched w;
	struct existing *e;

	put_process(&s->tree);
	tree_put(&s->tree, "proc/100/task/100/status",
		 "Name:\tserver\nState:\tZ (zombie)\nTgid:\t100\nPid:\t100\nPPid:\t7\n");
	tree_put(&s->tree, "proc/100/task/103/maps",
		 "00401000-00405000 r-xp 00001000 08:01 42 /no/such/server\n");
	tree_put(&s->tree, "proc/100/maps", "");
	e = watch(&w, s);
	assert_true(existing_put(e, &s->output.outlet, NULL));
	see(e, PERF_RECORD_EXIT, 100, 103, 2);
	assert_true(existing_put(e, &s->output.outlet, NULL));
	unwatch(&w, e);
	assert_records(s, "FORK 100/100 of 7/7 own maps\nCOMM 100/100 server\n"
			  "MMAP2 100/100 401000+4000 @1000 /no/such/server\n" WORKER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_its_threads_names_and_code),
		cmocka_unit_test(data_maps_are_marked_as_such),
		cmocka_unit_test(a_waiting_command_is_only_named),
		cmocka_unit_test(what_vanished_is_left_out),
		cmocka_unit_test(the_kernel_and_its_modules),
		cmocka_unit_test(a_kernel_whose_addresses_are_hidden_has_no_map),
		cmocka_unit_test(a_process_is_there_as_long_as_its_threads),
		cmocka_unit_test(a_process_without_its_first_thread),
		cmocka_unit_test(an_earlier_file_is_kept_once),
		cmocka_unit_test(only_the_newest_parts_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
