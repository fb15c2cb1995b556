// SPDX-License-Identifier: GPL-2.0-or-later
/* Which thread, which name, which mapping at which time: stories told as records. */
#include <time.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/machine.h"
#include "machine/space.h"
#include "perfdata/event.h"

/*
 * A story, one record per line:
 *
 *	TIME comm PID/TID NAME		TIME exec PID/TID NAME
 *	TIME fork PID/TID PPID/PTID	TIME born PID/TID PPID/PTID (made up from /proc)
 *	TIME exit PID/TID
 *	TIME mmap PID START-END PGOFF FILE	TIME kmap START-END PGOFF NAME
 *	TIME ksym START-END NAME	TIME kend START-END
 *	TIME ns PID/TID DEV INO		TIME cgroup ID PATH
 */
static void tell_line(struct machine *m, const char *line)
{
	struct event e = { 0 };
	char verb[16], a[256] = "", b[256] = "", c[256] = "", d[256] = "";
	struct perf_ns_link_info link;
	unsigned long time, start = 0, end = 0;

	assert_true(sscanf(line, "%lu %15s %255s %255s %255s %255s", &time, verb, a, b, c, d) >= 3);
	e.id.time = time;
	e.id.has_time = time;
	sscanf(a, "%u/%u", &e.comm.pid, &e.comm.tid);
	if (!strcmp(verb, "comm") || !strcmp(verb, "exec")) {
		e.type = PERF_RECORD_COMM;
		e.comm.text = b;
		e.comm.exec = !strcmp(verb, "exec");
	} else if (!strcmp(verb, "fork") || !strcmp(verb, "born") || !strcmp(verb, "exit")) {
		e.type = !strcmp(verb, "exit") ? PERF_RECORD_EXIT : PERF_RECORD_FORK;
		e.misc = !strcmp(verb, "born") ? PERF_MISC_FORK_EXEC : 0;
		sscanf(a, "%u/%u", &e.task.pid, &e.task.tid);
		sscanf(b, "%u/%u", &e.task.ppid, &e.task.ptid);
	} else if (!strcmp(verb, "mmap") || !strcmp(verb, "kmap")) {
		bool kernel = verb[0] == 'k';

		e.type = PERF_RECORD_MMAP2;
		e.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
		e.mmap.pid = kernel ? (u32)-1 : (u32)atoi(a);
		assert_int_equal(sscanf(kernel ? a : b, "%lx-%lx", &start, &end), 2);
		e.mmap.start = start;
		e.mmap.len = end - start;
		e.mmap.pgoff = strtoul(kernel ? b : c, NULL, 16);
		e.mmap.filename = kernel ? c : d;
		e.mmap.prot = PROT_READ | PROT_EXEC;
	} else if (!strcmp(verb, "ksym") || !strcmp(verb, "kend")) {
		e.type = PERF_RECORD_KSYMBOL;
		assert_int_equal(sscanf(a, "%lx-%lx", &start, &end), 2);
		e.ksymbol.addr = start;
		e.ksymbol.len = end - start;
		e.ksymbol.name = b;
		e.ksymbol.flags = verb[1] == 'e' ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0;
	} else if (!strcmp(verb, "ns")) {
		e.type = PERF_RECORD_NAMESPACES;
		link = (struct perf_ns_link_info){ atoi(b), atoi(c) };
		sscanf(a, "%u/%u", &e.namespaces.pid, &e.namespaces.tid);
		e.namespaces.nr = 1;
		e.namespaces.links = &link;
	} else if (!strcmp(verb, "cgroup")) {
		e.type = PERF_RECORD_CGROUP;
		e.cgroup.id = atoi(a);
		e.cgroup.path = b;
	} else {
		fail_msg("no such verb: %s", verb);
	}
	machine_apply(m, &e);
}

struct world {
	struct dsos *dsos;
	struct machine *m;
};

static struct world tell(const char *story, bool as_stream)
{
	struct world w = { .dsos = dsos_new(NULL) };
	char **lines = g_strsplit(story, "\n", -1);

	w.m = machine_new(w.dsos);
	for (char **line = lines; *line; line++) {
		if ((*line)[0])
			tell_line(w.m, *line);
		if (as_stream)
			machine_seal(w.m);
	}
	machine_seal(w.m);
	g_strfreev(lines);
	return w;
}

static void end(struct world *w)
{
	machine_free(w->m);
	dsos_free(w->dsos);
}

static const char *comm(struct world *w, u32 pid, u32 tid, u64 time)
{
	return machine_comm(w->m, machine_thread(w->m, pid, tid, time, NULL), time);
}

static const char *dso_at(struct world *w, u32 pid, u64 va, u64 time)
{
	const struct thread *t = machine_thread(w->m, pid, pid, time, NULL);
	struct mapped at;

	machine_find(w->m, t, PERF_RECORD_MISC_USER, va, time, &at, NULL);
	return at.dso ? dso_short_name(at.dso) : "[unknown]";
}

static const char *kernel_at(struct world *w, u64 va, u64 time)
{
	const struct thread *t = machine_thread(w->m, 0, 0, time, NULL);
	struct mapped at;

	machine_find(w->m, t, PERF_RECORD_MISC_KERNEL, va, time, &at, NULL);
	assert_int_equal(at.level, 'k');
	return at.dso ? dso_short_name(at.dso) : "[unknown]";
}

static void test_names(void **state)
{
	static const char story[] = "0 born 10/10 1/1\n"
				    "0 comm 10/10 shell\n"
				    "100 fork 11/11 10/10\n"
				    "110 fork 11/12 11/11\n"
				    "120 exec 11/11 server\n"
				    "130 comm 11/12 worker\n"
				    "140 fork 11/13 11/12\n"
				    "150 comm 11/12 idle\n"
				    "200 exit 11/11\n"
				    "300 fork 11/11 1/1\n";

	for (int stream = 0; stream < 2; stream++) {
		struct world w = tell(story, stream);

		assert_string_equal(comm(&w, 10, 10, 50), "shell");
		assert_string_equal(comm(&w, 11, 11, 100), "shell");
		assert_string_equal(comm(&w, 11, 11, 119), "shell");
		assert_string_equal(comm(&w, 11, 11, 120), "server");
		assert_string_equal(comm(&w, 11, 12, 125), "shell");
		assert_string_equal(comm(&w, 11, 12, 149), "worker");
		assert_string_equal(comm(&w, 11, 13, 160), "worker");
		assert_string_equal(comm(&w, 11, 12, 160), "idle");
		assert_string_equal(comm(&w, 11, 11, 250), "server"); /* its last moments */
		assert_string_equal(comm(&w, 11, 11, 300), ":11");    /* another process */
		assert_string_equal(comm(&w, 0, 0, 5), "swapper");
		assert_string_equal(comm(&w, 77, 78, 5), ":78");
		assert_string_equal(comm(&w, -1, -1, 5), ":-1");
		assert_ptr_equal(machine_thread(w.m, 77, 78, 5, NULL),
				 machine_thread(w.m, 77, 78, 6, NULL));
		end(&w);
	}
}

/* Rings are drained one by one, so a file may tell the end before the beginning. */
static void test_any_order(void **state)
{
	struct world w = tell("120 exec 11/11 server\n"
			      "130 mmap 11 5000-6000 0 /bin/server\n"
			      "50 mmap 10 1000-2000 0 /bin/sh\n"
			      "100 fork 11/11 10/10\n"
			      "10 comm 10/10 shell\n",
			      false);

	assert_string_equal(comm(&w, 11, 11, 110), "shell");
	assert_string_equal(comm(&w, 11, 11, 130), "server");
	assert_string_equal(dso_at(&w, 11, 0x1000, 110), "sh");
	assert_string_equal(dso_at(&w, 11, 0x1000, 125), "[unknown]");
	assert_string_equal(dso_at(&w, 11, 0x5000, 129), "[unknown]");
	assert_string_equal(dso_at(&w, 11, 0x5fff, 130), "server");
	assert_string_equal(dso_at(&w, 11, 0x6000, 130), "[unknown]");
	end(&w);
}

static void test_later_maps_cut_earlier_ones(void **state)
{
	struct world w = tell("10 mmap 5 1000-9000 0 /lib/a\n"
			      "20 mmap 5 3000-5000 0 /lib/b\n"
			      "30 mmap 5 2000-4000 0 /lib/c\n"
			      "40 mmap 5 0-a000 0 /lib/d\n",
			      false);

	assert_string_equal(dso_at(&w, 5, 0x4000, 5), "[unknown]");
	assert_string_equal(dso_at(&w, 5, 0x4000, 15), "a");
	assert_string_equal(dso_at(&w, 5, 0x4000, 25), "b");
	assert_string_equal(dso_at(&w, 5, 0x3fff, 35), "c");
	assert_string_equal(dso_at(&w, 5, 0x4000, 35), "b");
	assert_string_equal(dso_at(&w, 5, 0x1fff, 35), "a");
	assert_string_equal(dso_at(&w, 5, 0x8000, 35), "a");
	assert_string_equal(dso_at(&w, 5, 0x4000, 45), "d");
	end(&w);
}

static void test_fork_shares_and_parts(void **state)
{
	static const char story[] = "0 mmap 1 1000-3000 0 /bin/parent\n"
				    "100 fork 2/2 1/1\n"
				    "110 mmap 1 1000-2000 0 /lib/parents\n"
				    "120 mmap 2 2000-3000 0 /lib/childs\n"
				    "130 fork 3/3 2/2\n"
				    "140 mmap 2 1000-2000 0 /lib/later\n"
				    "150 fork 4/4 1/1\n";

	for (int stream = 0; stream < 2; stream++) {
		struct world w = tell(story, stream);

		assert_string_equal(dso_at(&w, 2, 0x1000, 115), "parent");
		assert_string_equal(dso_at(&w, 1, 0x1000, 115), "parents");
		assert_string_equal(dso_at(&w, 2, 0x2000, 125), "childs");
		assert_string_equal(dso_at(&w, 3, 0x2000, 200), "childs");
		assert_string_equal(dso_at(&w, 3, 0x1000, 200), "parent");
		assert_string_equal(dso_at(&w, 2, 0x1000, 200), "later");
		assert_string_equal(dso_at(&w, 4, 0x1000, 200), "parents");
		assert_string_equal(dso_at(&w, 4, 0x2000, 200), "parent");
		end(&w);
	}
}

/* A child that maps nothing refers through its parent, but not to what came after its birth. */
static void test_grandchild_of_an_idle_child(void **state)
{
	struct world w = tell("0 mmap 1 1000-2000 0 /bin/old\n"
			      "100 fork 2/2 1/1\n"
			      "110 mmap 1 1000-2000 0 /bin/new\n"
			      "120 fork 3/3 2/2\n",
			      false);

	assert_string_equal(dso_at(&w, 3, 0x1000, 200), "old");
	end(&w);
}

static void test_made_up_forks_inherit_nothing(void **state)
{
	struct world w = tell("0 born 1/1 0/0\n"
			      "0 mmap 1 1000-2000 0 /bin/init\n"
			      "0 born 2/2 1/1\n"
			      "0 mmap 2 5000-6000 0 /bin/other\n",
			      false);

	assert_string_equal(dso_at(&w, 2, 0x1000, 9), "[unknown]");
	assert_string_equal(dso_at(&w, 2, 0x5000, 9), "other");
	end(&w);
}

static void test_pid_reuse(void **state)
{
	struct world w = tell("10 mmap 7 1000-2000 0 /bin/first\n"
			      "20 exit 7/7\n"
			      "30 fork 7/7 8/8\n"
			      "40 mmap 7 5000-6000 0 /bin/second\n",
			      false);

	assert_string_equal(dso_at(&w, 7, 0x1000, 25), "first");
	assert_string_equal(dso_at(&w, 7, 0x1000, 45), "[unknown]");
	assert_string_equal(dso_at(&w, 7, 0x5000, 45), "second");
	assert_int_not_equal(machine_thread(w.m, 7, 7, 25, NULL)->id,
			     machine_thread(w.m, 7, 7, 45, NULL)->id);
	end(&w);
}

static void test_kernel(void **state)
{
	struct world w =
		tell("0 kmap ffffffff81000000-ffffffffc0000000 ffffffff81000000 "
		     "[kernel.kallsyms]_text\n"
		     "0 kmap ffffffffc0000000-ffffffffc0004000 0 /lib/modules/6/a-b.ko.xz\n"
		     "0 mmap 5 1000-2000 0 /bin/x\n"
		     "50 ksym ffffffffc0100000-ffffffffc0100100 bpf_prog_1_f\n"
		     "80 kend ffffffffc0100000-ffffffffc0100100 bpf_prog_1_f\n",
		     false);
	const struct thread *t = machine_thread(w.m, 5, 5, 10, NULL);
	struct mapped at;
	u64 vaddr;

	assert_string_equal(kernel_at(&w, 0xffffffff81000000, 1), "[kernel.kallsyms]");
	assert_string_equal(kernel_at(&w, 0xffffffffc0000000, 1), "[a_b]");
	assert_string_equal(kernel_at(&w, 0xffffffffc0100010, 40), "[unknown]");
	assert_string_equal(kernel_at(&w, 0xffffffffc0100010, 60), "bpf_prog_1_f");
	assert_string_equal(kernel_at(&w, 0xffffffffc0100010, 90), "[unknown]");
	assert_string_equal(dso_at(&w, 5, 0xffffffff81000000, 1), "[unknown]");
	assert_true(
		machine_find_any(w.m, t, PERF_RECORD_MISC_USER, 0xffffffffc0100010, 60, &at, NULL));
	assert_true(mapped_vaddr(&at, &vaddr));
	assert_string_equal(dso_find_symbol(at.dso, vaddr)->raw, "bpf_prog_1_f");
	assert_true(machine_find_any(w.m, t, PERF_RECORD_MISC_KERNEL, 0x1000, 60, &at, NULL));
	assert_int_equal(at.level, '.');
	assert_false(machine_find(w.m, t, PERF_RECORD_MISC_GUEST_KERNEL, 0x1000, 1, &at, NULL));
	assert_int_equal(at.level, 'g');
	assert_false(machine_find(w.m, t, PERF_RECORD_MISC_HYPERVISOR, 0x1000, 1, &at, NULL));
	assert_int_equal(at.level, 'H');
	assert_true(machine_is_kernel_va(w.m, 0xffffffff81000000));
	assert_false(machine_is_kernel_va(w.m, 0x7fffffffffff));
	end(&w);
}

static void test_kinds_of_memory(void **state)
{
	struct world w = tell("0 mmap 5 1000-2000 0 //anon\n"
			      "0 mmap 5 2000-3000 0 [heap]\n"
			      "0 mmap 5 3000-4000 1000 [vdso]\n"
			      "0 mmap 5 7fff00003000-7fff00004000 1000 [vdso]\n"
			      "0 mmap 5 4000-5000 0 /usr/lib/libx.so (deleted)\n"
			      "0 mmap 5 5000-6000 0 [vsyscall]\n",
			      false);
	const struct thread *t = machine_thread(w.m, 5, 5, 1, NULL);
	struct mapped at;

	assert_string_equal(dso_at(&w, 5, 0x1000, 1), "[JIT] tid 5");
	assert_string_equal(dso_at(&w, 5, 0x2000, 1), "[JIT] tid 5");
	/* A 32-bit process has another one than the machine's own. */
	assert_string_equal(dso_at(&w, 5, 0x3000, 1), "[vdso32]");
	assert_string_equal(dso_at(&w, 5, 0x7fff00003000, 1), "[vdso]");
	assert_string_equal(dso_at(&w, 5, 0x4000, 1), "libx.so");
	assert_string_equal(dso_at(&w, 5, 0x5000, 1), "[vsyscall]");
	machine_find(w.m, t, PERF_RECORD_MISC_USER, 0x3010, 1, &at, NULL);
	assert_int_equal(mapped_foff(&at), 0x10);
	machine_find(w.m, t, PERF_RECORD_MISC_USER, 0x1010, 1, &at, NULL);
	assert_int_equal(mapped_foff(&at), 0x1010);
	end(&w);
}

static void test_namespaces_and_cgroups(void **state)
{
	struct world w = tell("10 ns 5/5 3 1000\n20 ns 5/5 3 1001\n0 cgroup 42 /system\n", false);
	const struct thread *t = machine_thread(w.m, 5, 5, 15, NULL);
	u32 nr;

	assert_null(machine_namespaces(w.m, t, 5, &nr));
	assert_int_equal(machine_namespaces(w.m, t, 15, &nr)->ino, 1000);
	assert_int_equal(machine_namespaces(w.m, t, 25, &nr)->ino, 1001);
	assert_int_equal(nr, 1);
	assert_string_equal(machine_cgroup(w.m, 42), "/system");
	assert_null(machine_cgroup(w.m, 43));
	end(&w);
}

static void count_map(const struct map *map, u64 start, u64 end, void *arg)
{
	u32 *nr = arg;

	(*nr)++;
}

static void test_listing(void **state)
{
	struct world w = tell("10 mmap 5 1000-9000 0 /lib/a\n"
			      "20 mmap 5 3000-5000 0 /lib/b\n"
			      "30 fork 6/6 5/5\n"
			      "40 mmap 6 1000-2000 0 /lib/c\n",
			      false);
	u32 nr = 0;

	machine_each_map(w.m, machine_thread(w.m, 5, 5, 15, NULL), 15, count_map, &nr);
	assert_int_equal(nr, 1);
	nr = 0;
	machine_each_map(w.m, machine_thread(w.m, 5, 5, 25, NULL), 25, count_map, &nr);
	assert_int_equal(nr, 3);
	nr = 0;
	machine_each_map(w.m, machine_thread(w.m, 6, 6, 45, NULL), 45, count_map, &nr);
	assert_int_equal(nr, 4);
	end(&w);
}

/*
 * Against the plain way to answer: walk all records back from the asked time. Random
 * overlaps, times, forks; with and without hits.
 */
#define RANDOM_MAPS 600

struct naive {
	u64 start, end, time;
	const struct map *map;
};

static void test_spaces_against_the_plain_answer(void **state)
{
	static struct map maps[RANDOM_MAPS];
	struct naive all[RANDOM_MAPS];
	GRand *rand = g_rand_new_with_seed(1);

	for (int round = 0; round < 20; round++) {
		struct space *parent = space_new(0, NULL), *child = NULL;
		u32 forked = g_rand_int_range(rand, 0, RANDOM_MAPS);
		u64 time = 0, fork_time = 0;

		for (u32 i = 0; i < RANDOM_MAPS; i++) {
			u64 start = g_rand_int_range(rand, 0, 1000);
			u64 end = start + g_rand_int_range(rand, 1, round < 10 ? 20 : 400);

			time += g_rand_int_range(rand, 0, 3);
			if (i == forked) {
				child = space_new(time, parent);
				fork_time = time;
			}
			all[i] = (struct naive){ start, end, time, &maps[i] };
			space_add(child ?: parent, &maps[i], start, end, time);
		}
		if (round & 1) {
			space_seal(parent);
			space_seal(child);
		}
		for (u32 i = 0; i < 5000; i++) {
			u64 va = g_rand_int_range(rand, 0, 1500);
			u64 at = g_rand_int_range(rand, fork_time, time + 2);
			const struct map *want = NULL;

			for (u32 j = 0; j < RANDOM_MAPS; j++)
				if (all[j].time <= at && va >= all[j].start && va < all[j].end)
					want = all[j].map;
			assert_ptr_equal(space_find(child, va, at).map, want);
		}
		space_free(child);
		space_free(parent);
	}
	g_rand_free(rand);
}

static void test_hits_change_no_answer(void **state)
{
	static const char story[] = "0 mmap 1 1000-3000 0 /bin/a\n"
				    "10 mmap 1 2000-3000 0 /bin/b\n"
				    "20 fork 2/2 1/1\n"
				    "30 mmap 2 1000-2000 0 /bin/c\n"
				    "40 exec 2/2 x\n"
				    "50 mmap 2 1000-4000 0 /bin/d\n"
				    "60 mmap 1 1800-2800 0 /bin/e\n"
				    "70 fork 2/2 1/1\n";
	struct world w = tell(story, false);
	struct machine_hits hits = { 0 };
	GRand *rand = g_rand_new_with_seed(2);

	for (u32 i = 0; i < 20000; i++) {
		u32 pid = g_rand_int_range(rand, 1, 3);
		u64 va = g_rand_int_range(rand, 0, 5) * 0x1000 / 2 + 0x800;
		u64 time = g_rand_int_range(rand, 0, 100);
		const struct thread *plain = machine_thread(w.m, pid, pid, time, NULL);
		struct mapped with, without;

		assert_ptr_equal(machine_thread(w.m, pid, pid, time, &hits), plain);
		machine_find(w.m, plain, PERF_RECORD_MISC_USER, va, time, &without, NULL);
		machine_find(w.m, plain, PERF_RECORD_MISC_USER, va, time, &with, &hits);
		assert_ptr_equal(with.map, without.map);
	}
	g_rand_free(rand);
	end(&w);
}

/* A time that grows with the square of the records would take minutes here. */
static void test_many_of_everything(void **state)
{
	struct world w = { .dsos = dsos_new(NULL) };
	struct event e = { 0 };
	const u32 nr_maps = 100000, nr_procs = 10000, nr_jit = 100000;
	clock_t started = clock(); /* CPU time: others may be at work */

	w.m = machine_new(w.dsos);
	e.type = PERF_RECORD_MMAP2;
	e.misc = PERF_RECORD_MISC_USER;
	e.mmap.pid = 1;
	e.mmap.prot = PROT_EXEC;
	e.mmap.filename = "/lib/x";
	for (u32 i = 0; i < nr_maps; i++) {
		e.id.time = i + 1;
		e.mmap.start = 0x7f0000000000 - (u64)i * 0x2000; /* downwards, as the kernel does */
		e.mmap.len = 0x1000;
		machine_apply(w.m, &e);
	}
	for (u32 i = 0; i < nr_jit; i++) {
		e.id.time = 1000000 + i;
		e.mmap.start = 0x1000;
		machine_apply(w.m, &e);
	}
	for (u32 i = 0; i < nr_procs; i++) {
		struct event f = { .type = PERF_RECORD_FORK };

		f.id.time = 2000000 + 2 * i;
		f.task.ppid = f.task.ptid = i + 1;
		f.task.pid = f.task.tid = i + 2;
		machine_apply(w.m, &f);
		e.id.time = f.id.time + 1;
		e.mmap.pid = i + 2;
		e.mmap.start = 0x5000000;
		machine_apply(w.m, &e);
	}
	machine_seal(w.m);
	for (u32 i = 0; i < 200000; i++) {
		assert_string_equal(dso_at(&w, 1, 0x1000, 1000000 + i / 2), "x");
		assert_string_equal(dso_at(&w, i % nr_procs + 1,
					   0x7f0000000000 - (i / 2) * 0x2000ULL, 5000000),
				    "x");
	}
	assert_true(clock() - started < 20 * CLOCKS_PER_SEC);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_later_maps_cut_earlier_ones),
		cmocka_unit_test(test_fork_shares_and_parts),
		cmocka_unit_test(test_grandchild_of_an_idle_child),
		cmocka_unit_test(test_made_up_forks_inherit_nothing),
		cmocka_unit_test(test_pid_reuse),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_kinds_of_memory),
		cmocka_unit_test(test_namespaces_and_cgroups),
		cmocka_unit_test(test_listing),
		cmocka_unit_test(test_spaces_against_the_plain_answer),
		cmocka_unit_test(test_hits_change_no_answer),
		cmocka_unit_test(test_many_of_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
