// SPDX-License-Identifier: GPL-2.0-or-later
/* What BPF programs have written of processes, as records. */
#include <linux/types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <glib.h>

#include "bpf/processes.h"
#include "detached/processes.h"
#include "dso/buildid.h"
#include "perfdata/decoder.h"

#define FILE_DEV (8u << 20 | 1) /* 8:1 */

/* Records become lines. */
struct lines {
	struct outlet out;
	struct perfdata_decoder *decoder;
	GString *text;
};

static void put_line(struct outlet *out, const void *records, size_t size)
{
	struct lines *l = container_of(out, struct lines, out);
	struct event ev;

	assert_true(perfdata_decoder_decode(l->decoder, records, &ev));
	assert_int_equal(ev.size, size);
	g_string_append_printf(l->text, "%u: ", (u32)ev.id.time);
	if (ev.type == PERF_RECORD_COMM)
		g_string_append_printf(l->text, "comm%s %u/%u %s\n", ev.comm.exec ? " exec" : "",
				       ev.comm.pid, ev.comm.tid, ev.comm.text);
	else if (ev.type == PERF_RECORD_MMAP2)
		g_string_append_printf(l->text, "mmap %u %u+%u %s%s\n", ev.mmap.pid,
				       (u32)ev.mmap.start, (u32)ev.mmap.len, ev.mmap.filename,
				       ev.mmap.has_build_id ? " build-id" : "");
	else
		g_string_append_printf(l->text, "%s %u/%u of %u\n",
				       ev.type == PERF_RECORD_FORK ? "fork" : "exit", ev.task.pid,
				       ev.task.tid, ev.task.ppid);
}

static void assert_told(const struct processes_slots *slots, struct processes_told *told,
			const char *expected)
{
	struct evsel evsel = { .attr = { .size = sizeof(evsel.attr),
					 .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
					 .sample_id_all = 1 } };
	struct evsel *all[] = { &evsel };
	struct lines lines = { .out = { put_line, OUTLET_NO_RING },
			       .decoder = perfdata_decoder_new(all, 1, NULL),
			       .text = g_string_new(NULL) };
	struct synth s = { .evsel = &evsel, .out = &lines.out };

	processes_tell_slots(slots, &s, told);
	assert_null(s.error);
	assert_string_equal(lines.text->str, expected);
	perfdata_decoder_free(lines.decoder);
	g_string_free(lines.text, true);
}

static void assert_tasks(const struct process_task *tasks, u64 nr, const char *expected)
{
	const struct processes_slots slots = { .tasks = tasks, .nr_tasks = nr };
	struct processes_told *told = processes_told_new();

	assert_told(&slots, told, expected);
	processes_told_free(told);
}

static void assert_maps(const struct process_map *maps, u64 nr, const char *expected)
{
	const struct processes_slots slots = { .maps = maps, .nr_maps = nr };
	struct processes_told *told = processes_told_new();

	assert_told(&slots, told, expected);
	processes_told_free(told);
}

static void a_thread_has_its_fork_names_and_end(void **state)
{
	const struct process_task tasks[] = {
		{ .id = 1,
		  .forked = 10,
		  .ended = 90,
		  .began = 30,
		  .pid = 7,
		  .tid = 7,
		  .ppid = 5,
		  .ptid = 5,
		  .nr_comms = 2,
		  .comms = { { 20, 0, 0, "sh" }, { 30, 1, 0, "server" } } },
		{ 0 }, /* a slot that was never used */
		{ .id = 2, .pid = 7, .tid = 8, .nr_comms = 1, .comms = { { 40, 0, 0, "worker" } } },
	};

	assert_tasks(tasks, ARRAY_SIZE(tasks),
		     "10: fork 7/7 of 5\n"
		     "20: comm 7/7 sh\n"
		     "30: comm exec 7/7 server\n"
		     "90: exit 7/7 of 5\n"
		     "40: comm 7/8 worker\n");
}

static void what_is_being_written_is_left_out(void **state)
{
	const struct process_task tasks[] = {
		{ .changes = 3, .id = 1, .ended = 90, .pid = 7, .tid = 7 },
		{ .changes = 4, .id = 2, .ended = 91, .pid = 8, .tid = 8 },
	};

	assert_tasks(tasks, ARRAY_SIZE(tasks), "91: exit 8/8 of 0\n");
}

static void more_names_than_there_can_be_are_not_read(void **state)
{
	const struct process_task task = { .id = 1,
					   .pid = 7,
					   .tid = 7,
					   .nr_comms = 1u << 30,
					   .comms = { { 1, 0, 0, "a" },
						      { 2, 0, 0, "b" },
						      { 3, 0, 0, "c" },
						      { 4, 0, 0, "sixteen letters!" } } };

	assert_tasks(&task, 1,
		     "1: comm 7/7 a\n2: comm 7/7 b\n3: comm 7/7 c\n4: comm 7/7 sixteen letters!\n");
}

static void the_program_of_a_living_process_is_remembered(void **state)
{
	const struct process_task tasks[] = {
		{ .id = 1, .began = 30, .pid = 7, .tid = 7 },
		{ .id = 2, .began = 40, .pid = 7, .tid = 8 },		   /* a thread */
		{ .id = 3, .began = 50, .ended = 60, .pid = 9, .tid = 9 }, /* not any more */
	};
	const struct processes_slots slots = { .tasks = tasks, .nr_tasks = ARRAY_SIZE(tasks) };
	struct processes_told *told = processes_told_new();

	assert_told(&slots, told, "60: exit 9/9 of 0\n");
	assert_int_equal(g_hash_table_size(told->since), 1);
	assert_int_equal(*(u64 *)g_hash_table_lookup(told->since, GUINT_TO_POINTER(7)), 30);
	processes_told_free(told);
}

static struct process_map map_of(const char *path, u32 path_size)
{
	struct process_map map = { .time = 50,
				   .began = 30,
				   .owner_id = 1,
				   .pid = 7,
				   .start = 4096,
				   .len = 4096,
				   .dev = FILE_DEV,
				   .path_size = path_size };

	memcpy(map.path, path, MIN(path_size, sizeof(map.path)));
	return map;
}

static void add_names(struct process_map *map, const char *path)
{
	g_auto(GStrv) names = g_strsplit(path + 1, "/", 0);

	for (u32 i = g_strv_length(names); i--; map->path_size += strlen(names[i]) + 1)
		strcpy(map->path + map->path_size, names[i]);
}

static void a_path_is_put_together_from_its_end(void **state)
{
	struct process_map maps[] = { map_of("x\0is-not\0", 9), map_of("[vdso]", 7), map_of("", 0),
				      map_of("x", 2) };

	maps[1].start = 8192;
	maps[1].dev = 0;
	maps[3].start = 12288;
	maps[3].state = PROCESS_MAP_CUT;
	assert_maps(maps, ARRAY_SIZE(maps),
		    "31: mmap 7 4096+4096 /is-not/x (deleted)\n"
		    "31: mmap 7 8192+4096 [vdso]\n"
		    "31: mmap 7 12288+4096 //toolong (deleted)\n");
}

static void a_path_without_its_end_is_not_read_beyond_its_room(void **state)
{
	struct process_map map = map_of("", 0);

	memset(map.path, 'a', sizeof(map.path));
	map.path_size = 1u << 30;
	assert_maps(&map, 1, "");
}

static void only_the_mapped_file_itself_has_its_name(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("processes-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(dir, "lib", NULL), *expected = NULL;
	struct process_map map = map_of("", 0);
	struct processes_told *told = processes_told_new();
	const struct processes_slots slots = { .maps = &map, .nr_maps = 1 };
	struct stat st;

	assert_true(g_file_set_contents(file, "", 0, NULL) && !stat(file, &st));
	add_names(&map, file);
	map.ino = st.st_ino;
	map.ctime_s = st.st_ctim.tv_sec;
	map.ctime_ns = (u32)st.st_ctim.tv_nsec;
	expected = g_strdup_printf("31: mmap 7 4096+4096 %s\n", file);
	assert_maps(&map, 1, expected);

	map.ctime_ns++; /* another file has its name */
	g_free(expected);
	expected = g_strdup_printf("31: mmap 7 4096+4096 %s (deleted)\n", file);
	assert_told(&slots, told, expected);
	assert_true(g_hash_table_contains(told->no_file, file));
	processes_told_free(told);

	map.build_id_size = PROCESSES_ID; /* by which it is found */
	map.build_id[0] = 1;
	told = processes_told_new();
	g_free(expected);
	expected = g_strdup_printf("31: mmap 7 4096+4096 %s (deleted) build-id\n", file);
	assert_told(&slots, told, expected);
	assert_false(g_hash_table_contains(told->no_file, file));
	processes_told_free(told);
	unlink(file);
	rmdir(dir);
}

/* Recorders make links to a program for their copies of it, and that changes its ctime. */
static void a_file_with_the_build_id_is_the_mapped_one(void **state)
{
	g_autofree char *file = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *expected = g_strdup_printf("31: mmap 7 4096+4096 %s build-id\n", file);
	g_autofree char *other =
		g_strdup_printf("31: mmap 7 4096+4096 %s (deleted) build-id\n", file);
	struct process_map map = map_of("", 0);
	struct build_id id;

	if (!build_id_read(file, &id, NULL))
		skip();
	add_names(&map, file);
	map.build_id_size = id.size;
	memcpy(map.build_id, id.bytes, id.size);
	assert_maps(&map, 1, expected);
	map.build_id[0]++;
	assert_maps(&map, 1, other);
}

/* A mapping is older than its first sample, unless another one was there. */
static void mappings_begin_with_their_program(void **state)
{
	struct process_map maps[] = { map_of("[b]", 4), map_of("[a]", 4), map_of("[c]", 4),
				      map_of("[d]", 4) };

	for (u32 i = 0; i < ARRAY_SIZE(maps); i++)
		maps[i].dev = 0;
	maps[0].time = 70; /* where [a] was */
	maps[2].epoch = 1; /* after the next exec() */
	maps[2].began = 60;
	maps[3].owner_id = 2; /* whose start is not known */
	maps[3].began = 0;
	assert_maps(maps, ARRAY_SIZE(maps),
		    "31: mmap 7 4096+4096 [a]\n"
		    "70: mmap 7 4096+4096 [b]\n"
		    "61: mmap 7 4096+4096 [c]\n"
		    "0: mmap 7 4096+4096 [d]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_its_fork_names_and_end),
		cmocka_unit_test(what_is_being_written_is_left_out),
		cmocka_unit_test(more_names_than_there_can_be_are_not_read),
		cmocka_unit_test(the_program_of_a_living_process_is_remembered),
		cmocka_unit_test(a_path_is_put_together_from_its_end),
		cmocka_unit_test(a_path_without_its_end_is_not_read_beyond_its_room),
		cmocka_unit_test(only_the_mapped_file_itself_has_its_name),
		cmocka_unit_test(a_file_with_the_build_id_is_the_mapped_one),
		cmocka_unit_test(mappings_begin_with_their_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
