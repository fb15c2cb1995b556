// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Passes by BPF. There are three ways to visit the threads (bpf/wall.bpf.c): a list of the threads
 * that switched, a loop over all threads, and an iterator that is read from a file. The list costs
 * time at each context switch, the loop costs time for each thread. Once a second the cheaper one
 * is chosen, by the kernel's count of context switches.
 *
 * A pass with the list, of two CPUs. Thread 7 leaves a CPU twice, thread 8 once, thread 9 sleeps
 * all the time:
 *
 *	 50 ms	pass 4 begins: the list of even passes is emptied, and switches go there from now on
 *	 57 ms	7 leaves CPU 0		listed: { 7 }
 *	 60 ms	8 leaves CPU 1		listed: { 7, 8 }
 *	 71 ms	7 leaves CPU 0 again	the CPU remembers that it has listed 7 in pass 4
 *	100 ms	pass 5 begins: switches go to the other list. It visits 7, 8, and the threads that run now
 *
 * 9 costs nothing. What the list may miss: an entry that a CPU writes while the pass already reads
 * the list, and running threads of CPUs that share an entry of the table (more than WALL_BPF_CPUS).
 * So each ALL_EVERY-th pass visits all threads, as does a pass whose list was full.
 *
 * Records come by a ring buffer. The program runs in this thread (BPF_PROG_TEST_RUN), so nothing
 * reads the ring while it fills: the program stops to send when the ring is nearly full, and says
 * how many threads had no room. Then the ring is emptied and the program is run again; threads that
 * were sent are known by the number of the pass, and are skipped.
 *
 * Only the sampling thread calls pass() and want(). Members of bss are shared with the programs,
 * which run on all CPUs. A plain store is enough there: a program that still sees the old number of
 * the pass writes to the old list.
 */
#include <asm/perf_regs.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "base/clock.h"
#include "base/file.h"
#include "bpf/wall.h"
#include "bpf/wall.skel.h"
#include "perfevent/proc.h"
#include "record/base/kernel_types.h"
#include "record/base/pid_namespace.h"
#include "record/waits/wall.h"
#include "record/waits/wall_calls.h"
#include "record/waits/wall_cgroups.h"
#include "record/waits/wall_files.h"
#include "record/waits/wall_thread.h"
#include "record/waits/wall_ticks.h"

/* If the ring is full, it is read and the pass is run again, at most this often. */
#define MOST_RUNS 1000

/* With the list, every ALL_EVERY-th pass visits all threads, to find threads that the list missed. */
#define ALL_EVERY 256

/* Bytes of the ring, if there is a record of each change of an activity. */
#define RING_OF_TRACKS (1u << 24)

/* Cost of one thread in the loop (130 to 300 ns) / cost of one switch with the list (some 90 ns). */
#define SWITCHES_PER_THREAD 2

/*
 * Times are CLOCK_MONOTONIC, ns. skel is NULL after unload(). list is NULL as long as the loop is
 * cheaper, or if the chosen way is another one.
 */
struct bpf_eye {
	struct wall_eye eye;
	enum wall_source how; /* BPF_LIST, BPF_LOOP or BPF_ITER */
	struct wall_bpf *skel;
	struct bpf_link *list; /* attached program that fills the list; NULL: no list */
	struct bpf_link *iter; /* BPF_ITER */
	GPtrArray *ticks;      /* NULL: activities are not followed */
	struct ring_buffer *ring;
	struct wall_files *files;
	const struct wall_clock *clock;
	u32 pass;
	u32 listed_since; /* the pass in which the list was started */
	u64 nr_threads;	  /* of the last pass over all threads */
	u64 switches, switches_at,
		passes_at; /* context switches at the last count; its time; its pass */
	bool listing_costs_less;
	u64 merge;    /* see wall_bpf_options.merge */
	u64 sent_at;  /* when delayed threads were sent last */
	bool tracked; /* the programs of bpf/track.h run */
	bool has_news; /* processes were selected since the last pass: their threads may not be in the list */
	/* During a pass. */
	wall_look_fn *fn;
	void *arg;
};

/*
 * The activity at the end of a moment's record.
 *
 * The size is checked twice: by the record's own number, and by the bytes that arrived.
 */
static struct wall_bytes activity_of(const void *data, size_t size)
{
	const struct wall_bpf_moment *m = data;
	u32 has = size < offsetof(struct wall_bpf_moment, tls)
			  ? 0
			  : (u32)MIN(m->tls_size, size - offsetof(struct wall_bpf_moment, tls));

	return (struct wall_bytes){ has ? m->tls : NULL, has, has };
}

/*
 * Called by ring_buffer__consume() for each record. A record that is too short is skipped: a
 * negative result would end the consumption, and leave the rest of the ring for the next pass.
 */
static int take_look(void *arg, void *data, size_t size)
{
	struct bpf_eye *e = arg;
	struct wall_bpf_thread t = { 0 };
	struct wall_texts texts;
	struct wall_look look;

	if (!wall_thread_read(data, size, &t))
		return 0;
	wall_thread_look(&t, e->clock, e->files, &texts, &look);
	look.tracked = e->tracked;
	if (look.moment != WALL_AT_PASS)
		look.tls = activity_of(data, size);
	e->fn(&look, e->arg);
	wall_texts_clear(&texts);
	return 0;
}

static int run_program(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return -bpf_prog_test_run_opts(bpf_program__fd(program), &opts);
}

/*
 * One read() runs the program for all threads. The program writes nothing into the file, so read()
 * returns 0 at the end. Since Linux 5.9 it returns EAGAIN after a million objects without output,
 * and the next read() goes on there.
 */
static int read_iterator(struct bpf_eye *e)
{
	int fd = bpf_iter_create(bpf_link__fd(e->iter)), err;
	char nothing[64];
	ssize_t got;

	if (fd < 0)
		return errno;
	e->skel->bss->result = (struct wall_bpf_pass){ 0 };
	do
		got = read(fd, nothing, sizeof(nothing)); /* EAGAIN: very many threads at once */
	while (got > 0 || (got < 0 && errno == EAGAIN));
	err = got < 0 ? errno : 0;
	close(fd);
	return err;
}

/*
 * One run of the program, and what it wrote. seen, looked and faults are of this run, and are added
 * up: a thread is seen in one run of a pass only. skipped and lost are set: the last run visits all
 * threads again.
 */
static bool run(struct bpf_eye *e, bool listed, struct wall_pass *pass, GError **error)
{
	const struct wall_bpf__bss *bss = e->skel->bss;
	int err;

	if (e->how == WALL_SOURCE_BPF_ITER)
		err = read_iterator(e);
	else
		err = run_program(listed ? e->skel->progs.look_listed : e->skel->progs.look_all);
	if (err)
		return error_set_errno(error, err, "looking at all threads");
	pass->seen += bss->result.seen;
	pass->looked += bss->result.looked;
	pass->skipped = bss->result.skipped;
	pass->faults += bss->result.faults;
	pass->lost = bss->result.full;
	pass->unseen = bss->unseen_ends;
	pass->unfollowed = bss->unseen_moments;
	ring_buffer__consume(e->ring);
	return true;
}

static void stop_list(struct bpf_eye *e)
{
	bpf_link__destroy(e->list);
	e->list = NULL;
}

/* If the program cannot be attached, list is NULL, and all passes visit all threads. */
static void start_list(struct bpf_eye *e)
{
	e->list = bpf_program__attach(e->skel->progs.switched);
	e->listed_since = e->pass;
}

/* Context switches of all CPUs, since boot. */
static u64 count_switches(void)
{
	g_autofree char *text = file_text("/proc/stat");
	const char *line = text ? strstr(text, "\nctxt ") : NULL;

	return line ? g_ascii_strtoull(line + strlen("\nctxt "), NULL, 10) : 0;
}

/*
 * Compares the switches since the last count with the threads that a loop would have visited in
 * these passes.
 *
 * Example, 20 passes a second: 500 threads, 40,000 switches a second. The loop visits 20 * 500 =
 * 10,000 threads, the list costs as much as 40,000 / 2 = 20,000. So the loop is used until the
 * machine is quieter. The least number of threads, 64, keeps the list on small machines, where
 * neither costs much.
 */
static void choose_way(struct bpf_eye *e)
{
	u64 now = clock_ns(CLOCK_MONOTONIC), switches, passes = e->pass - e->passes_at;

	if (e->how != WALL_SOURCE_BPF_LIST || now < e->switches_at + 1000000000)
		return;
	switches = count_switches();
	if (e->switches_at && passes)
		e->listing_costs_less = (switches - e->switches) / SWITCHES_PER_THREAD <
					passes * MAX(e->nr_threads, 64);
	e->switches = switches;
	e->switches_at = now;
	e->passes_at = e->pass;
	if (!e->listing_costs_less && e->list)
		stop_list(e);
	else if (e->listing_costs_less && !e->list)
		start_list(e);
}

/*
 * True if the list has all threads that switched since the last pass.
 *
 * The first pass after the start of the list would read a list that has only a part of the
 * switches: it visits all threads. A list that was full has lost threads.
 */
static bool may_use_list(const struct bpf_eye *e)
{
	const struct wall_bpf__bss *bss = e->skel->bss;

	return e->list && e->pass > e->listed_since + 1 && e->pass % ALL_EVERY &&
	       bss->nr_listed[(e->pass - 1) & 1] <= WALL_BPF_LIST;
}

/*
 * The order at the beginning: first the list of the new pass is emptied, then the number of the
 * pass is set. Switches that come in between still go to the list that is about to be read. In the
 * other order, a switch could be listed and then thrown away.
 *
 * sending: threads that ran and sleep at the same place again wait in the program's list of pending
 * threads, until a pass is due that sends them (wall_bpf_options.merge). Their times are not lost:
 * the scheduler's sums have them.
 *
 * A selection that came since the last pass (has_news) makes this one visit all threads: a new
 * process may sleep already, and would never be listed.
 */
static bool bpf_pass(struct wall_eye *eye, bool whole, wall_look_fn *fn, void *arg,
		     struct wall_pass *pass, GError **error)
{
	struct bpf_eye *e = container_of(eye, struct bpf_eye, eye);
	struct wall_bpf__bss *bss = e->skel->bss;
	bool ok = true;

	*pass = (struct wall_pass){ 0 };
	e->fn = fn;
	e->arg = arg;
	choose_way(e);
	e->pass++;
	bss->nr_listed[e->pass & 1] = 0;
	bss->pass = e->pass;
	bss->sending = whole || clock_ns(CLOCK_MONOTONIC) >= e->sent_at + e->merge;
	pass->partly = !whole && !e->has_news && may_use_list(e);
	e->has_news = false;
	for (u32 i = 0; ok && i < MOST_RUNS; i++) {
		ok = run(e, pass->partly, pass, error);
		if (!pass->lost)
			break;
	}
	pass->put_off = !bss->sending;
	if (bss->sending) {
		bss->nr_pending = 0;
		e->sent_at = clock_ns(CLOCK_MONOTONIC);
	}
	if (!pass->partly)
		e->nr_threads = pass->seen + pass->skipped;
	return ok;
}

static void bpf_want(struct wall_eye *eye, u32 pid, u32 tid)
{
	struct bpf_eye *e = container_of(eye, struct bpf_eye, eye);
	u32 key = e->skel->rodata->by_tid ? tid : pid;
	u8 one = 1;

	e->has_news = true;
	bpf_map_update_elem(bpf_map__fd(e->skel->maps.wanted), &key, &one, BPF_ANY);
}

/*
 * Undoes load(), also one that failed half-way: then the next way is tried. libbpf's functions
 * accept NULL.
 */
static void unload(struct bpf_eye *e)
{
	ring_buffer__free(e->ring);
	bpf_link__destroy(e->list);
	bpf_link__destroy(e->iter);
	g_clear_pointer(&e->ticks, g_ptr_array_unref);
	wall_bpf__destroy(e->skel);
	e->ring = NULL;
	e->list = e->iter = NULL;
	e->skel = NULL;
}

static void bpf_close(struct wall_eye *eye)
{
	struct bpf_eye *e = container_of(eye, struct bpf_eye, eye);

	unload(e);
	wall_files_free(e->files);
	g_free(e);
}

/* Loads only the programs of the chosen way: the kernel may not support the others. */
static void choose_programs(struct bpf_eye *e)
{
	bool list = e->how == WALL_SOURCE_BPF_LIST, iter = e->how == WALL_SOURCE_BPF_ITER;

	bpf_program__set_autoload(e->skel->progs.look_listed, list);
	bpf_program__set_autoload(e->skel->progs.switched, list);
	bpf_program__set_autoattach(e->skel->progs.switched, false);
	bpf_program__set_autoload(e->skel->progs.look_all, !iter);
	bpf_program__set_autoload(e->skel->progs.look_next, iter);
	bpf_program__set_autoattach(e->skel->progs.look_next, false);
}

/*
 * Uses the maps of bpf/latency.bpf.c if calls are counted; else empty maps.
 *
 * Must come before the load: bpf_map__reuse_fd() replaces the map that the skeleton would create.
 */
static int share_maps(struct bpf_eye *e, const struct wall_bpf_options *o)
{
	int err;

	e->skel->rodata->latency_of = o->latency_of;
	if (!o->latency_of)
		return 0;
	err = bpf_map__reuse_fd(e->skel->maps.calls, o->calls);
	return -(err ?: bpf_map__reuse_fd(e->skel->maps.requests, o->requests));
}

/* @plans: map of where activities are; -1: they are not followed. */
static int share_plans(struct bpf_eye *e, int plans)
{
	bool tracked = e->tracked = plans >= 0;

	bpf_program__set_autoload(e->skel->progs.track_switch, tracked);
	bpf_program__set_autoload(e->skel->progs.track_tick, tracked);
	bpf_program__set_autoattach(e->skel->progs.track_tick, false);
	e->skel->rodata->tracked = tracked;
	if (tracked)
		return -(bpf_map__reuse_fd(e->skel->maps.plans, plans)
				 ?: bpf_map__set_max_entries(e->skel->maps.looks, RING_OF_TRACKS));
	/* No program that is loaded uses more than an entry of these. */
	return -bpf_map__set_max_entries(e->skel->maps.plans, 1);
}

/*
 * Returns 0 or an errno. The order is libbpf's: constants (rodata) and sizes of maps before the
 * load; links after it.
 */
static int load(struct bpf_eye *e, const struct wall_bpf_options *o, int plans)
{
	int err;

	e->skel = wall_bpf__open();
	if (!e->skel)
		return errno;
	choose_programs(e);
	err = share_maps(e, o) ?: share_plans(e, plans);
	if (err)
		return err;
	e->skel->rodata->ring_size = bpf_map__max_entries(e->skel->maps.looks);
	e->skel->rodata->all = o->all;
	e->skel->rodata->by_tid = o->by_tid;
	e->skel->rodata->merge = o->merge > 0;
	e->skel->rodata->self = pid_namespace_self();
	e->skel->rodata->own_ns = pid_namespace_own();
	e->skel->rodata->nr_cpus = (u32)MAX(libbpf_num_possible_cpus(), 1);
	e->skel->rodata->by_cgroup = o->cgroups->len;
	for (u32 i = 0; i < ARRAY_SIZE(e->skel->rodata->has_fd); i++)
		e->skel->rodata->has_fd[i] = wall_call_has_fd((s32)i);
	err = -(wall_cgroups_prepare(e->skel->maps.wanted_cgroups, o->cgroups)
			?: wall_bpf__load(e->skel));
	if (err)
		return err;
	err = -(wall_cgroups_fill(e->skel->maps.wanted_cgroups, o->cgroups)
			?: wall_bpf__attach(e->skel));
	if (err)
		return err;
	if (e->how == WALL_SOURCE_BPF_ITER) {
		e->iter = bpf_program__attach_iter(e->skel->progs.look_next, NULL);
		if (!e->iter)
			return errno;
	}
	if (e->how == WALL_SOURCE_BPF_LIST)
		start_list(e);
	if (e->tracked)
		e->ticks = wall_ticks_start(e->skel->progs.track_tick);
	e->ring = ring_buffer__new(bpf_map__fd(e->skel->maps.looks), take_look, e, NULL);
	return e->ring ? 0 : errno;
}

/*
 * Loads the requested way, or the first one that the kernel supports.
 *
 * Each way is tried twice if activities are to be followed: with the programs of bpf/track.h, and
 * without. EPERM ends the search: no other program would be permitted.
 */
static int load_some(struct bpf_eye *e, const struct wall_bpf_options *o)
{
	enum wall_source how = o->how;
	int err = ENOENT;

	for (u32 i = WALL_SOURCE_BPF_LIST; i <= WALL_SOURCE_BPF_ITER; i++) {
		if (how != WALL_SOURCE_AUTO && how != WALL_SOURCE_BPF && how != i)
			continue;
		e->how = (enum wall_source)i;
		err = load(e, o, o->plans);
		if (err && err != EPERM &&
		    o->plans >= 0) { /* a kernel without the programs of bpf/track.h */
			unload(e);
			err = load(e, o, -1);
		}
		if (!err || err == EPERM)
			return err;
		unload(e);
	}
	return err;
}

struct wall_eye *wall_bpf_open(const struct wall_bpf_options *options,
			       const struct wall_clock *clock, GError **error)
{
	static const struct wall_eye_ops ops = {
		.name = "bpf",
		.regs = 1ull << PERF_REG_X86_BX | 1ull << PERF_REG_X86_BP |
			1ull << PERF_REG_X86_SP | 1ull << PERF_REG_X86_IP |
			1ull << PERF_REG_X86_R12 | 1ull << PERF_REG_X86_R13 |
			1ull << PERF_REG_X86_R14 | 1ull << PERF_REG_X86_R15,
		.tells_ends = true,
		.pass = bpf_pass,
		.want = bpf_want,
		.close = bpf_close,
	};
	struct bpf_eye *e = g_new0(struct bpf_eye, 1);
	int err;

	e->eye.ops = &ops;
	e->clock = clock;
	e->merge = options->merge;
	e->files = wall_files_new("/proc");
	e->listing_costs_less = true;
	libbpf_set_print(NULL);
	err = load_some(e, options);
	if (!err)
		return &e->eye;
	bpf_close(&e->eye);
	kernel_bpf_failed("--wall-source=bpf", "Linux 5.15", err, error);
	return NULL;
}
