// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc, /sys and tracefs readers: forged trees, then this process itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "perfevent/cgroups.h"
#include "perfevent/parse.h"
#include "perfevent/proc.h"
#include "perfevent/tracepoint.h"
#include "tests/unit/perfevent_tree.h"

static void cpu_lists(void **state)
{
	static const struct {
		const char *text, *cpus;
	} rows[] = {
		{ "0", "0," },
		{ "0-3,7", "0,1,2,3,7," },
		{ "7,0-1,1", "0,1,7," },
		{ "5-5\n", "5," },
		{ "65535", "65535," },
		{ "", NULL },
		{ "3-1", NULL },
		{ "0,", NULL },
		{ "0-", NULL },
		{ "-1", NULL },
		{ "a", NULL },
		{ "0 1", NULL },
		{ "65536", NULL },
		{ "0x1", NULL },
		{ "99999999999999999999", NULL },
		{ "0-3,,4", NULL },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autoptr(GString) got = g_string_new(NULL);
		GError *error = NULL;
		GArray *cpus = cpu_list_parse(rows[i].text, &error);

		if (!cpus != !rows[i].cpus)
			fail_msg("'%s'", rows[i].text);
		if (!cpus) {
			assert_non_null(strstr(error->message, rows[i].text));
			g_error_free(error);
			continue;
		}
		for (u32 k = 0; k < cpus->len; k++)
			g_string_append_printf(got, "%d,", g_array_index(cpus, int, k));
		assert_string_equal(got->str, rows[i].cpus);
		g_array_unref(cpus);
	}
}

static void id_lists(void **state)
{
	GArray *pids = pid_list_parse("30,2,30", NULL);
	uid_t uid;

	assert_int_equal(pids->len, 2);
	assert_int_equal(g_array_index(pids, int, 0), 2);
	assert_int_equal(g_array_index(pids, int, 1), 30);
	g_array_unref(pids);
	assert_null(pid_list_parse("", NULL));
	assert_null(pid_list_parse("0", NULL));
	assert_null(pid_list_parse("1,x", NULL));
	assert_null(pid_list_parse("2147483648", NULL));
	assert_true(uid_parse("root", &uid, NULL));
	assert_int_equal(uid, 0);
	assert_true(uid_parse("1234", &uid, NULL));
	assert_int_equal(uid, 1234);
	assert_false(uid_parse("no-such-user-here", &uid, NULL));
}

static const struct {
	const char *line, *map; /* NULL: not a maps line */
} map_lines[] = {
	{ "55d0c0a00000-55d0c0a01000 r-xp 00002000 fe:01 1234 /usr/bin/a b\n",
	  "55d0c0a00000-55d0c0a01000 prot=5 flags=2 +2000 fe:1 1234 [/usr/bin/a b]" },
	{ "7f00000000-7f00001000 rw-s 00000000 00:05 99                 /dev/zero (deleted)\n",
	  "7f00000000-7f00001000 prot=3 flags=1 +0 0:5 99 [/dev/zero (deleted)] deleted" },
	{ "7f00000000-7f00001000 rwxp 00000000 00:00 0 \n",
	  "7f00000000-7f00001000 prot=7 flags=2 +0 0:0 0 [//anon]" },
	{ "7f00000000-7f00001000 rwxp 00000000 00:00 0\n",
	  "7f00000000-7f00001000 prot=7 flags=2 +0 0:0 0 [//anon]" },
	{ "7ffc0000-7ffc1000 rw-p 00000000 00:00 0                  [stack]\n",
	  "7ffc0000-7ffc1000 prot=3 flags=2 +0 0:0 0 [[stack]]" },
	{ "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]\n",
	  "ffffffffff600000-ffffffffff601000 prot=4 flags=2 +0 0:0 0 [[vsyscall]]" },
	{ "1000-2000 r--p 00000000 00:00 0 /tmp/x\\012y\n",
	  "1000-2000 prot=1 flags=2 +0 0:0 0 [/tmp/x\ny]" },
	{ "1000-2000 rw-p 00000000 00:0f 7 /anon_hugepage (deleted)\n",
	  "1000-2000 prot=3 flags=40002 +0 0:f 7 [//anon] deleted" },
	{ "1000-2000 r-xp ffffffff000 fd:00 18446744073709551615 /x\n",
	  "1000-2000 prot=5 flags=2 +ffffffff000 fd:0 18446744073709551615 [/x]" },
	{ "", NULL },
	{ "\n", NULL },
	{ "1000-2000\n", NULL },
	{ "2000-1000 r-xp 00000000 00:00 0 \n", NULL },
	{ "1000-1000 r-xp 00000000 00:00 0 \n", NULL },
	{ "1000-2000 r-xp 00000000 00:00\n", NULL },
	{ "1000-2000 r-xp 00000000 0000 0 \n", NULL },
	{ "1000-2000 r-x 00000000 00:00 0 \n", NULL },
	{ "1000-20000000000000000 r-xp 00000000 00:00 0 \n", NULL },
	{ "-1000-2000 r-xp 00000000 00:00 0 \n", NULL },
	{ "1000-2000 r-xp 00000000 00:00 0x \n", NULL },
};

static char *map_text(const struct proc_map *m)
{
	return g_strdup_printf("%" PRIx64 "-%" PRIx64 " prot=%x flags=%x +%" PRIx64
			       " %x:%x %" PRIu64 " [%s]%s",
			       m->start, m->end, m->prot, m->flags, m->pgoff, m->maj, m->min,
			       m->ino, m->name, m->deleted ? " deleted" : "");
}

static void maps_lines(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(map_lines); i++) {
		g_autofree char *line = g_strdup(map_lines[i].line), *got = NULL;
		struct proc_map map;

		if (!proc_map_parse(line, &map)) {
			if (map_lines[i].map)
				fail_msg("refused: %s", map_lines[i].line);
			continue;
		}
		got = map_text(&map);
		if (!map_lines[i].map)
			fail_msg("taken: %s as %s", map_lines[i].line, got);
		assert_string_equal(got, map_lines[i].map);
	}
}

static bool add_map(const struct proc_map *map, void *arg)
{
	g_autofree char *text = map_text(map);

	g_string_append_printf(arg, "%s\n", text);
	return true;
}

static void executable_maps_or_also_data(void **state)
{
	g_autoptr(GString) got = g_string_new(NULL);
	GError *error = NULL;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/9/maps",
		 "1000-2000 r--p 00000000 00:00 0 /a\n"
		 "2000-3000 r-xp 00001000 00:00 0 /a\n"
		 "nonsense\n"
		 "3000-4000 ---p 00000000 00:00 0 \n"
		 "4000-5000 rw-p 00002000 00:00 0 /a\n");
	assert_true(proc_maps(&t.paths, 9, false, add_map, got, NULL));
	assert_string_equal(got->str, "2000-3000 prot=5 flags=2 +1000 0:0 0 [/a]\n");
	g_string_truncate(got, 0);
	assert_true(proc_maps(&t.paths, 9, true, add_map, got, NULL));
	assert_string_equal(got->str, "1000-2000 prot=1 flags=2 +0 0:0 0 [/a]\n"
				      "2000-3000 prot=5 flags=2 +1000 0:0 0 [/a]\n"
				      "4000-5000 prot=3 flags=2 +2000 0:0 0 [/a]\n");
	assert_false(proc_maps(&t.paths, 10, true, add_map, got, &error));
	assert_non_null(strstr(error->message, "/10/maps"));
	g_error_free(error);
	tree_release(&t);
}

/* Its first thread has ended: its memory is to be seen with one that goes on. */
static void maps_of_the_threads_that_go_on(void **state)
{
	g_autoptr(GString) got = g_string_new(NULL);
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/9/maps", "");
	tree_put(&t, "proc/9/task/9/maps", "");
	tree_put(&t, "proc/9/task/11/maps", ""); /* has ended meanwhile */
	tree_put(&t, "proc/9/task/12/maps", "2000-3000 r-xp 00001000 00:00 0 /a\n");
	tree_put(&t, "proc/9/task/13/maps", "2000-3000 r-xp 00001000 00:00 0 /a\n");
	assert_true(proc_maps(&t.paths, 9, false, add_map, got, NULL));
	assert_string_equal(got->str, "2000-3000 prot=5 flags=2 +1000 0:0 0 [/a]\n");
	tree_put(&t, "proc/10/maps", "");
	assert_true(proc_maps(&t.paths, 10, false, add_map, got, NULL));
	assert_string_equal(got->str, "2000-3000 prot=5 flags=2 +1000 0:0 0 [/a]\n");
	tree_release(&t);
}

static bool add_task(const struct proc_task *t, void *arg)
{
	g_string_append_printf(arg, "%d/%d parent %d uid %u '%s'%s\n", t->pid, t->tid, t->ppid,
			       t->uid, t->comm, t->kernel ? " kernel" : "");
	return true;
}

static void put_task(struct tree *t, int pid, int tid, int ppid, u32 uid, const char *name,
		     const char *more)
{
	g_autofree char *path = g_strdup_printf("proc/%d/task/%d/status", pid, tid);
	g_autofree char *text = g_strdup_printf("Name:\t%s\nUmask:\t0022\nState:\tS (sleeping)\n"
						"Tgid:\t%d\nNgid:\t0\nPid:\t%d\nPPid:\t%d\n"
						"Uid:\t%u\t7\t7\t7\n%s",
						name, pid, tid, ppid, uid, more);

	tree_put(t, path, text);
}

static void tasks_with_leaders_first(void **state)
{
	g_autoptr(GString) got = g_string_new(NULL);
	GError *error = NULL;
	GArray *ids;
	struct tree t;

	tree_init(&t);
	put_task(&t, 2, 2, 0, 0, "kthreadd", "");
	put_task(&t, 3, 3, 2, 0, "rcu_gp", "");
	put_task(&t, 50, 50, 1, 1000, "a b) c", "Kthread:\t0\n");
	put_task(&t, 50, 7, 1, 1000, "back\\\\slash\\nline", "Kthread:\t0\n");
	tree_put(&t, "proc/50/task/7/comm", "back\\slash\nline\n");
	put_task(&t, 60, 60, 2, 0, "vhost", "Kthread:\t0\n");
	/* /proc shows a kernel worker with its work queue; the kernel's own records have 15 bytes. */
	put_task(&t, 70, 70, 2, 0, "kworker/u8:2-ext4-rsv-conversion", "Kthread:\t1\n");
	put_task(&t, 70, 71, 2, 0, "read from comm", "");
	tree_put(&t, "proc/70/task/71/comm", "kworker/0:2H-kblockd\n");
	tree_put(&t, "proc/50/task/51/status", "cut"); /* as if it had ended */
	tree_put(&t, "proc/self/task/1/status", "");
	assert_true(proc_all(&t.paths, add_task, got, NULL));
	assert_string_equal(got->str, "2/2 parent 0 uid 0 'kthreadd' kernel\n"
				      "3/3 parent 2 uid 0 'rcu_gp' kernel\n"
				      "50/50 parent 1 uid 1000 'a b) c'\n"
				      "50/7 parent 1 uid 1000 'back\\slash\nline'\n"
				      "60/60 parent 2 uid 0 'vhost'\n"
				      "70/70 parent 2 uid 0 'kworker/u8:2-ex' kernel\n"
				      "70/71 parent 2 uid 0 'kworker/0:2H-kb' kernel\n");
	g_string_truncate(got, 0);
	assert_true(proc_threads(&t.paths, 50, add_task, got, NULL));
	assert_string_equal(got->str, "50/50 parent 1 uid 1000 'a b) c'\n"
				      "50/7 parent 1 uid 1000 'back\\slash\nline'\n");
	/* As many threads as an array has room for: nothing behind them is read. */
	put_task(&t, 80, 80, 1, 0, "full", "Kthread:\t0\n");
	for (int tid = 81; tid < 84; tid++) {
		g_autofree char *path = g_strdup_printf("proc/80/task/%d/comm", tid);

		tree_put(&t, path, "more\n");
	}
	g_string_truncate(got, 0);
	assert_true(proc_threads(&t.paths, 80, add_task, got, NULL));
	assert_string_equal(got->str, "80/80 parent 1 uid 0 'full'\n"
				      "80/81 parent 1 uid 0 'more'\n"
				      "80/82 parent 1 uid 0 'more'\n"
				      "80/83 parent 1 uid 0 'more'\n");
	assert_false(proc_threads(&t.paths, 51, add_task, got, &error));
	assert_string_equal(error->message, "there is no process 51");
	g_clear_error(&error);
	assert_false(proc_task_read(&t.paths, 50, 51, add_task, got, &error));
	assert_string_equal(error->message, "there is no thread 51 of process 50");
	g_clear_error(&error);
	ids = proc_pids_of_uid(&t.paths, 1000, NULL);
	assert_int_equal(ids->len, 1);
	assert_int_equal(g_array_index(ids, int, 0), 50);
	g_array_unref(ids);
	ids = proc_tids(&t.paths, 50, NULL);
	assert_int_equal(ids->len, 3);
	assert_int_equal(g_array_index(ids, int, 0), 7);
	g_array_unref(ids);
	tree_release(&t);
}

static void the_kernel_map(void **state)
{
	struct kernel_map map;
	const char *why = NULL;
	struct tree t;

	tree_init(&t);
	assert_false(kernel_map_read(&t.paths, &map, &why));
	assert_non_null(strstr(why, "CONFIG_KALLSYMS"));
	tree_put(&t, "proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _etext\n");
	assert_false(kernel_map_read(&t.paths, &map, &why));
	assert_non_null(strstr(why, "kptr_restrict"));
	tree_put(&t, "proc/kallsyms", "0000000000000000 A fixed_percpu\nffffffff81000000 T foo\n");
	assert_false(kernel_map_read(&t.paths, &map, &why));
	assert_non_null(strstr(why, "neither _text nor _stext"));
	tree_put(&t, "proc/kallsyms",
		 "0000000000000000 A fixed_percpu_data\n"
		 "ffffffff81000000 T _stext\nffffffff80f00000 T _text\n"
		 "ffffffff82000000 T _etext\nffffffff83000000 B _end\n"
		 "ffffffffc0000000 t _text\t[evil]\n");
	assert_true(kernel_map_read(&t.paths, &map, &why));
	assert_int_equal(map.start, 0xffffffff80f00000);
	assert_int_equal(map.end, 0xffffffff82000000);
	assert_string_equal(map.ref_symbol, "_text");
	tree_put(&t, "proc/kallsyms", "ffff800080010000 T _stext\nffff800081000000 T last\n");
	assert_true(kernel_map_read(&t.paths, &map, &why));
	assert_int_equal(map.end, 0xffff800081000000);
	assert_string_equal(map.ref_symbol, "_stext");
	tree_release(&t);
}

/* Where the place of the code in memory is known, the lines behind _text are not read. */
static void the_kernel_map_by_memory(void **state)
{
	const char *symbols = "ffffffff80f00000 T _text\nffffffff82000000 T _etext\n";
	struct kernel_map map;
	const char *why;
	struct tree t;

#ifndef __x86_64__
	skip();
#endif
	tree_init(&t);
	tree_put(&t, "proc/kallsyms", symbols);
	tree_put(&t, "proc/iomem",
		 "00100000-bfffffff : System RAM\n"
		 "  01000000-0220bb07 : Kernel code\n"
		 "  02400000-02ffffff : Kernel rodata\n");
	assert_true(kernel_map_read(&t.paths, &map, &why));
	assert_int_equal(map.start, 0xffffffff80f00000);
	assert_int_equal(map.end, 0xffffffff80f00000 + 0x120bb08);
	assert_string_equal(map.ref_symbol, "_text");
	/* As users without rights see it, and without the line's beginning. */
	tree_put(&t, "proc/iomem", "  00000000-00000000 : Kernel code\n");
	assert_true(kernel_map_read(&t.paths, &map, &why));
	assert_int_equal(map.end, 0xffffffff82000000);
	tree_put(&t, "proc/iomem", " : Kernel code\n");
	assert_true(kernel_map_read(&t.paths, &map, &why));
	assert_int_equal(map.end, 0xffffffff82000000);
	tree_release(&t);
}

static bool add_module(const struct kernel_module *m, void *arg)
{
	g_string_append_printf(arg, "%s %" PRIx64 "+%" PRIx64 " %s", m->name, m->start, m->size,
			       m->path ? strstr(m->path, "/modules/") : "-");
	for (u32 i = 0; i < m->build_id_size; i++)
		g_string_append_printf(arg, "%s%02x", i ? "" : " ", m->build_id[i]);
	g_string_append_c(arg, '\n');
	return true;
}

static const u8 notes[] = {
	6, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 'L', 'i', 'n', 'u', 'x',  0,    0,
	0, 0, 0, 0, 0, /* Linux */
	4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0,	0xab, 0xcd, 0xef,
};

static void modules_by_address(void **state)
{
	g_autoptr(GString) got = g_string_new(NULL);
	struct tree t;

	tree_init(&t);
	assert_true(kernel_modules(&t.paths, add_module, got, NULL));
	assert_string_equal(got->str, "");
	tree_put(&t, "proc/modules",
		 "nf_tables 315392 3 nft_chain_nat, Live 0xffffffffc0a00000 (E)\n"
		 "snd_x 16384 0 - Live 0xffffffffc0100000\n"
		 "hidden 16384 0 - Live 0x0000000000000000\n"
		 "odd line\n"
		 "own 4096 0 - Live 0xffffffffc0b00000 (OE)\n");
	tree_put(&t, "proc/sys/kernel/osrelease", "6.1.0-test\n");
	tree_put(&t, "modules/6.1.0-test/modules.dep",
		 "kernel/sound/snd-x.ko.xz: kernel/sound/soundcore.ko.xz\n"
		 "kernel/net/nf_tables.ko:\n"
		 "/elsewhere/modules/other.ko:\n");
	/* the last note lacks its padding */
	tree_bytes(&t, "sys/module/snd_x/notes/.note.gnu.build-id", notes, sizeof(notes));
	assert_true(kernel_modules(&t.paths, add_module, got, NULL));
	assert_string_equal(
		got->str,
		"snd_x ffffffffc0100000+4000 /modules/6.1.0-test/kernel/sound/snd-x.ko.xz "
		"abcdef\n"
		"nf_tables ffffffffc0a00000+4d000 "
		"/modules/6.1.0-test/kernel/net/nf_tables.ko\n"
		"own ffffffffc0b00000+1000 -\n");
	tree_release(&t);
}

static void build_ids_among_notes(void **state)
{
	u8 id[20] = { 0 };

	assert_int_equal(notes_build_id(notes, sizeof(notes), id), 3);
	assert_int_equal(notes_build_id(notes + 24, 19, id), 3);
	assert_memory_equal(id, "\xab\xcd\xef", 3);
	assert_int_equal(notes_build_id(notes + 24, 18, id), 0);
	assert_int_equal(notes_build_id(notes + 24, 11, id), 0);
	assert_int_equal(notes_build_id("", 0, id), 0);
	assert_int_equal(
		notes_build_id("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff....", 16, id), 0);
}

static void this_process(void **state)
{
	const struct kernel_paths *paths = kernel_paths_host();
	g_autoptr(GString) got = g_string_new(NULL), maps = g_string_new(NULL);
	g_autofree char *expect = NULL;
	struct proc_namespace ns[PROC_NR_NAMESPACES];
	GArray *ids;

	prctl(PR_SET_NAME, "odd (name");
	expect = g_strdup_printf("%d/%d parent %d uid %u 'odd (name'\n", getpid(), getpid(),
				 getppid(), getuid());
	assert_true(proc_threads(paths, getpid(), add_task, got, NULL));
	assert_string_equal(got->str, expect);
	assert_true(proc_maps(paths, getpid(), true, add_map, maps, NULL));
	assert_non_null(strstr(maps->str, "[[stack]]"));
	assert_non_null(strstr(maps->str, "test_perfevent_proc]"));
	assert_non_null(strstr(maps->str, "libc"));
	assert_true(proc_namespaces(paths, getpid(), getpid(), ns, NULL));
	assert_true(ns[3].ino != 0);
	ids = proc_pids_of_uid(paths, getuid(), NULL);
	for (u32 i = 0; i < ids->len; i++)
		if (g_array_index(ids, int, i) == getpid())
			expect[0] = 0;
	assert_string_equal(expect, "");
	g_array_unref(ids);
	ids = cpu_list_online(paths, NULL);
	assert_int_equal(ids->len, sysconf(_SC_NPROCESSORS_ONLN));
	g_array_unref(ids);
}

/* Containers may hide /sys; /proc/stat has a line for each CPU that is online, too. */
static void cpus_without_sys(void **state)
{
	GError *error = NULL;
	GArray *cpus;
	struct tree t;

	tree_init(&t);
	assert_null(cpu_list_online(&t.paths, &error));
	assert_non_null(strstr(error->message, "/devices/system/cpu/online"));
	g_clear_error(&error);
	tree_put(&t, "proc/stat", "cpu  10 20\ncpu0 5 10\ncpu3 5 10\nintr 12 cpu7\ncpufreq 1\n");
	cpus = cpu_list_online(&t.paths, &error);
	assert_non_null(cpus);
	assert_int_equal(cpus->len, 2);
	assert_int_equal(g_array_index(cpus, int, 0), 0);
	assert_int_equal(g_array_index(cpus, int, 1), 3);
	g_array_unref(cpus);
	tree_put(&t, "sys/devices/system/cpu/online", "1-2\n");
	cpus = cpu_list_online(&t.paths, &error);
	assert_int_equal(g_array_index(cpus, int, 0), 1);
	g_array_unref(cpus);
	tree_release(&t);
}

static bool add_cgroup(u64 id, const char *path, void *arg)
{
	assert_true(id != 0);
	g_string_append_printf(arg, "%s\n", path);
	return true;
}

/* Groups of -G by the events before it: "" is no group, and one group is that of all events. */
static void groups_of_events(void **state)
{
	static const struct {
		const char *text;
		bool of_first, of_second;
	} rows[] = { { "a", true, true },
		     { "a,a/b", true, true },
		     { ",a", false, true },
		     { "a,", true, false } };
	g_autofree char *mounts = NULL;
	struct event_list list;
	GError *error = NULL;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "cg/a/b/tasks", "");
	mounts = g_strdup_printf("none %s/cg cgroup2 rw 0 0\n", t.root);
	tree_put(&t, "proc/mounts", mounts);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		event_list_init(&list);
		assert_true(event_list_parse(&list, &t.paths, "cs,faults", NULL));
		assert_true(cgroups_apply(&list, &t.paths, rows[i].text, &error));
		assert_int_equal(event_list_at(&list, 0)->cgroup >= 0, rows[i].of_first);
		assert_int_equal(event_list_at(&list, 1)->cgroup >= 0, rows[i].of_second);
		event_list_release(&list);
	}
	event_list_init(&list);
	assert_true(event_list_parse(&list, &t.paths, "cs", NULL));
	assert_false(cgroups_apply(&list, &t.paths, "a,a", &error));
	assert_string_equal(error->message, "-G: 2 control groups for 1 event");
	g_clear_error(&error);
	assert_false(cgroups_apply(&list, &t.paths, "none", &error));
	assert_non_null(strstr(error->message, "no access to cgroup "));
	g_error_free(error);
	event_list_release(&list);
	tree_release(&t);
}

static void control_groups(void **state)
{
	g_autoptr(GString) got = g_string_new(NULL);
	g_autofree char *mounts = NULL;
	GError *error = NULL;
	struct tree t;

	tree_init(&t);
	assert_false(proc_cgroups(&t.paths, add_cgroup, got, &error));
	assert_int_equal(error->code, PERF_ERROR_UNSUPPORTED);
	g_error_free(error);
	tree_put(&t, "cg two/a/b/tasks", "");
	mounts = g_strdup_printf("x /x cgroup rw,memory 0 0\nnone %s/cg\\040two cgroup2 rw 0 0\n",
				 t.root);
	tree_put(&t, "proc/mounts", mounts);
	assert_true(proc_cgroups(&t.paths, add_cgroup, got, NULL));
	assert_string_equal(got->str, "/\n/a\n/a/b\n");
	tree_release(&t);
}

/* The head of a trace.dat with one system of two events. */
static void tracing_data_layout(void **state)
{
	static const struct tracepoint tps[] = { { "s", "two" }, { "s", "one" }, { "s", "two" } };
	static const char expect[] = "\x17\x08\x44tracing0.6\0"
				     "header_page\0\4\0\0\0\0\0\0\0page"
				     "header_event\0\5\0\0\0\0\0\0\0event"
				     "\0\0\0\0"
				     "\1\0\0\0s\0\2\0\0\0"
				     "\2\0\0\0\0\0\0\0F1"
				     "\3\0\0\0\0\0\0\0F2\n"
				     "\0\0\0\0"
				     "\3\0\0\0prk"
				     "\0\0\0\0\0\0\0\0";
	GError *error = NULL;
	GByteArray *blob;
	struct tree t;
	u32 page;

	tree_init(&t);
	tree_put(&t, "tracing/events/header_page", "page");
	tree_put(&t, "tracing/events/header_event", "event");
	tree_put(&t, "tracing/events/s/one/format", "F1");
	tree_put(&t, "tracing/events/s/two/format", "F2\n");
	tree_put(&t, "tracing/printk_formats", "prk");
	blob = tracing_data(&t.paths, tps, 3, &error);
	assert_non_null(blob);
	/* byte order, size of long and page size lie behind the version */
	assert_int_equal(blob->data[14], G_BYTE_ORDER == G_BIG_ENDIAN);
	assert_int_equal(blob->data[15], sizeof(long));
	memcpy(&page, blob->data + 16, sizeof(page));
	assert_int_equal(page, sysconf(_SC_PAGESIZE));
	if (G_BYTE_ORDER == G_LITTLE_ENDIAN) {
		assert_int_equal(blob->len, sizeof(expect) - 1 + 6);
		assert_memory_equal(blob->data, expect, 14);
		assert_memory_equal(blob->data + 20, expect + 14, sizeof(expect) - 1 - 14);
	}
	g_byte_array_unref(blob);
	assert_null(tracing_data(&t.paths, (struct tracepoint[]){ { "s", "three" } }, 1, &error));
	g_error_free(error);
	tree_release(&t);
}

static bool add_tracepoint(const struct tracepoint *tp, void *arg)
{
	g_string_append_printf(arg, "%s:%s ", tp->system, tp->name);
	return true;
}

static void tracepoints_by_glob(void **state)
{
	static const struct {
		const char *system, *name, *found;
	} rows[] = {
		{ NULL, NULL, "a:x a:xy b:x " },
		{ "a", "x", "a:x " },
		{ "a", "x*", "a:x a:xy " },
		{ "[b-z]", "?", "b:x " },
		{ "a", "z", "" },
		{ "../events/a", "x", "" },
		{ "a", "..", "" },
		{ "a", "", "" },
	};
	GError *error = NULL;
	struct tree t;
	u64 id;

	tree_init(&t);
	tree_put(&t, "tracing/events/header_page", "");
	tree_put(&t, "tracing/events/a/x/id", "5\n");
	tree_put(&t, "tracing/events/a/xy/id", "no\n");
	tree_put(&t, "tracing/events/b/x/id", "7\n");
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autoptr(GString) got = g_string_new(NULL);

		assert_true(tracepoints_each(&t.paths, rows[i].system, rows[i].name, add_tracepoint,
					     got, NULL));
		assert_string_equal(got->str, rows[i].found);
	}
	assert_true(tracepoint_id(&t.paths, "a", "x", &id, NULL));
	assert_int_equal(id, 5);
	assert_false(tracepoint_id(&t.paths, "a", "xy", &id, &error));
	assert_int_equal(error->code, PERF_ERROR_FORMAT);
	g_clear_error(&error);
	assert_false(tracepoint_id(&t.paths, "a", "z", &id, &error));
	assert_int_equal(error->code, PERF_ERROR_ABSENT);
	g_clear_error(&error);
	assert_null(tracepoint_format(&t.paths, "a", "x", &error));
	g_error_free(error);
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(id_lists),
		cmocka_unit_test(maps_lines),
		cmocka_unit_test(executable_maps_or_also_data),
		cmocka_unit_test(maps_of_the_threads_that_go_on),
		cmocka_unit_test(tasks_with_leaders_first),
		cmocka_unit_test(the_kernel_map),
		cmocka_unit_test(the_kernel_map_by_memory),
		cmocka_unit_test(modules_by_address),
		cmocka_unit_test(build_ids_among_notes),
		cmocka_unit_test(this_process),
		cmocka_unit_test(cpus_without_sys),
		cmocka_unit_test(control_groups),
		cmocka_unit_test(groups_of_events),
		cmocka_unit_test(tracing_data_layout),
		cmocka_unit_test(tracepoints_by_glob),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
