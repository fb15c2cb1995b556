// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening real events on this process, where the kernel lets us; and what it says when not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "perfevent/open.h"
#include "perfevent/parse.h"
#include "perfevent/proc.h"
#include "perfevent/refusal.h"
#include "perfevent/ring.h"
#include "tests/unit/perfevent_tree.h"

#define host kernel_paths_host()

/* Ends the test as skipped when @set could not be opened for lack of rights or of the thing. */
static void skip_unless(const struct openset *set, GError *error)
{
	if (set)
		return;
	if (error->code != PERF_ERROR_PERMISSION && error->code != PERF_ERROR_UNSUPPORTED)
		fail_msg("%s", error->message);
	print_message("skipped: %s\n", error->message);
	skip();
}

static void parse(struct event_list *list, const char *text)
{
	GError *error = NULL;

	event_list_init(list);
	if (event_list_parse(list, host, text, &error))
		return;
	if (!strstr(error->message, "tracefs") && !strstr(error->message, "no permission"))
		fail_msg("%s", error->message);
	print_message("skipped: %s\n", error->message);
	skip();
}

/* CPU time in user mode: the clock is asked rarely. */
static void spin_ms(u64 ms)
{
	static volatile u32 work;
	struct timespec at;
	u64 end = 0, now;

	do {
		for (u32 i = 0; i < 100000; i++)
			work++;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
		now = at.tv_sec * 1000ULL + at.tv_nsec / 1000000;
		end = end ?: now + ms;
	} while (now < end);
}

static const s32 any_cpu[] = { -1 };

static struct openset *open_on_self(struct event_list *list)
{
	static pid_t self;
	static struct open_target target;
	GError *error = NULL;
	struct openset *set;

	self = getpid();
	target = (struct open_target){ any_cpu, 1, &self, 1 };
	set = openset_open(list, &target, host, &error);
	skip_unless(set, error);
	return set;
}

static void cpu_clock_samples_arrive_in_a_ring(void **state)
{
	const struct perf_event_header *h;
	struct event_list list;
	struct event_count count;
	struct openset *set;
	struct ring r;
	u32 samples = 0, others = 0;
	struct perf_event_attr *attr;

	parse(&list, "cpu-clock:u");
	attr = &event_list_at(&list, 0)->evsel->attr;
	attr->sample_period = 1000000; /* ns */
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr->disabled = 1;
	ring_set_watermark(attr, 8, 0);
	set = open_on_self(&list);
	assert_true(ring_open(&r, openset_fd(set, 0, 0, 0), 8, false, host, NULL));
	assert_true(openset_read_ids(set, NULL));
	assert_int_equal(event_list_at(&list, 0)->evsel->nr_ids, 1);
	assert_true(event_list_at(&list, 0)->evsel->ids[0] != 0);
	assert_false(ring_begin(&r));
	assert_true(openset_enable(set, NULL));
	spin_ms(100);
	assert_true(openset_disable(set, NULL));
	assert_true(ring_begin(&r));
	while ((h = ring_next(&r))) {
		const u32 *body = (const u32 *)(h + 1);

		if (h->type != PERF_RECORD_SAMPLE) {
			others++;
			continue;
		}
		samples++;
		assert_int_equal(h->size, sizeof(*h) + 16);
		assert_int_equal(body[2], getpid());
	}
	ring_end(&r);
	assert_int_equal(r.bad, 0);
	assert_true(samples >= 20);
	assert_int_equal(others, 0);
	assert_true(openset_count(set, 0, &count, NULL));
	assert_true(count.value >= 20000000);
	assert_int_equal(count.has_lost, !(openset_missing(set) & 1u << KERNEL_READ_LOST));
	assert_int_equal(count.lost, 0);
	ring_close(&r);
	openset_close(set);
	event_list_release(&list);
}

/* A ring of one page that nobody reads: the kernel counts what it could not write. */
static void lost_samples_are_counted(void **state)
{
	struct event_list list;
	struct event_count count;
	struct openset *set;
	struct ring r;
	struct perf_event_attr *attr;

	if (!kernel_can(KERNEL_READ_LOST)) {
		print_message("skipped: no PERF_FORMAT_LOST before Linux 6.0\n");
		skip();
	}
	parse(&list, "{task-clock:u,cpu-clock:u}");
	for (u32 i = 0; i < 2; i++) {
		attr = &event_list_at(&list, i)->evsel->attr;
		attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
				    PERF_FORMAT_TOTAL_TIME_ENABLED;
		attr->disabled = i == 0;
	}
	attr->sample_period = 200000;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	set = open_on_self(&list);
	assert_true(ring_open(&r, openset_fd(set, 1, 0, 0), 1, false, host, NULL));
	assert_true(openset_enable(set, NULL));
	spin_ms(200);
	assert_true(openset_disable(set, NULL));
	assert_true(openset_count(set, 1, &count, NULL));
	assert_true(count.lost > 10);
	assert_true(count.value > 50000000);
	assert_true(count.enabled_ns >= count.value / 2);
	assert_true(openset_count(set, 0, &count, NULL));
	assert_int_equal(count.lost, 0);
	ring_close(&r);
	openset_close(set);
	event_list_release(&list);
}

static volatile u32 watched;

static void a_breakpoint_counts_writes(void **state)
{
	g_autofree char *text = g_strdup_printf("mem:%#lx/4:w:u", (unsigned long)&watched);
	const struct perf_event_header *h;
	struct event_list list;
	struct event_count count;
	struct openset *set;
	struct ring r;
	u32 samples = 0;

	parse(&list, text);
	event_list_at(&list, 0)->evsel->attr.sample_type = PERF_SAMPLE_ADDR;
	event_list_at(&list, 0)->evsel->attr.disabled = 1;
	set = open_on_self(&list);
	assert_true(ring_open(&r, openset_fd(set, 0, 0, 0), 2, false, host, NULL));
	watched = 1;
	assert_true(openset_enable(set, NULL));
	for (u32 i = 0; i < 5; i++)
		watched = i;
	assert_true(openset_disable(set, NULL));
	watched = 2;
	assert_true(openset_count(set, 0, &count, NULL));
	assert_int_equal(count.value, 5);
	assert_true(ring_begin(&r));
	while ((h = ring_next(&r))) {
		assert_int_equal(*(const u64 *)(h + 1), (unsigned long)&watched);
		samples++;
	}
	assert_int_equal(samples, 5);
	ring_close(&r);
	openset_close(set);
	event_list_release(&list);
}

static void a_tracepoint_counts_switches(void **state)
{
	struct timespec brief = { 0, 2000000 };
	struct event_list list;
	struct event_count count;
	struct openset *set;

	parse(&list, "sched:sched_switch");
	event_list_at(&list, 0)->evsel->attr.disabled = 1;
	set = open_on_self(&list);
	assert_true(openset_enable(set, NULL));
	for (u32 i = 0; i < 5; i++)
		nanosleep(&brief, NULL);
	assert_true(openset_disable(set, NULL));
	assert_true(openset_count(set, 0, &count, NULL));
	assert_true(count.value >= 5);
	openset_close(set);
	event_list_release(&list);
}

static void a_backward_ring_is_paused_and_read(void **state)
{
	const struct perf_event_header *h;
	struct event_list list;
	struct openset *set;
	struct ring r;
	u64 last = G_MAXUINT64, bytes = 0, bare = 0;
	struct perf_event_attr *attr;

	parse(&list, "cpu-clock:u");
	attr = &event_list_at(&list, 0)->evsel->attr;
	attr->sample_period = 100000;
	attr->sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	attr->write_backward = 1;
	attr->disabled = 1;
	set = open_on_self(&list);
	assert_true(ring_open(&r, openset_fd(set, 0, 0, 0), 1, true, host, NULL));
	assert_true(openset_enable(set, NULL));
	spin_ms(200);
	assert_true(ring_pause(&r, true, NULL));
	assert_true(ring_begin(&r));
	while ((h = ring_next(&r))) {
		u64 at = *(const u64 *)(h + 1);

		if (h->type != PERF_RECORD_SAMPLE) {
			bare++;
			continue;
		}
		assert_true(at < last); /* newest first */
		last = at;
		bytes += h->size;
	}
	ring_end(&r);
	assert_true(bytes > 0 && bytes <= r.data_size);
	assert_true(bare <= 2);
	assert_int_equal(r.bad, 0);
	assert_true(ring_pause(&r, false, NULL));
	spin_ms(20);
	assert_true(ring_pause(&r, true, NULL));
	assert_true(ring_begin(&r));
	ring_close(&r);
	openset_close(set);
	event_list_release(&list);
}

/* Two events of a CPU write into one ring, and their ids tell them apart. */
static void two_events_share_a_ring(void **state)
{
	const struct perf_event_header *h;
	struct event_list list;
	struct openset *set;
	u32 seen[2] = { 0, 0 };
	struct ring r;

	parse(&list, "cpu-clock:u,task-clock:u");
	for (u32 i = 0; i < 2; i++) {
		struct perf_event_attr *attr = &event_list_at(&list, i)->evsel->attr;

		attr->sample_period = 1000000;
		attr->sample_type = PERF_SAMPLE_IDENTIFIER;
		attr->disabled = 1;
	}
	set = open_on_self(&list);
	assert_true(openset_read_ids(set, NULL));
	assert_true(ring_open(&r, openset_fd(set, 0, 0, 0), 8, false, host, NULL));
	assert_true(ring_attach(&r, openset_fd(set, 1, 0, 0), NULL));
	assert_true(openset_enable(set, NULL));
	spin_ms(100);
	assert_true(openset_disable(set, NULL));
	assert_true(ring_begin(&r));
	while ((h = ring_next(&r)))
		for (u32 i = 0; i < 2; i++)
			seen[i] += *(const u64 *)(h + 1) == event_list_at(&list, i)->evsel->ids[0];
	assert_true(seen[0] >= 10 && seen[1] >= 10);
	ring_close(&r);
	openset_close(set);
	event_list_release(&list);
}

struct new_ids {
	u64 id[2], before[2];
	u32 nr;
};

static void note_id(u64 id, u64 before, void *arg)
{
	struct new_ids *ids = arg;

	assert_in_range(ids->nr, 0, 1);
	ids->id[ids->nr] = id;
	ids->before[ids->nr++] = before;
}

static void count_ids(struct ring *r, const u64 ids[4], u32 seen[4])
{
	const struct perf_event_header *h;

	assert_true(ring_begin(r));
	while ((h = ring_next(r)))
		for (u32 i = 0; i < 4; i++)
			seen[i] += *(const u64 *)(h + 1) == ids[i];
	ring_end(r);
}

/* With the same fd, ring, state and count, after the event before has ended: as after a CPU was offline. */
static void an_event_is_opened_again_in_its_place(void **state)
{
	struct event_count counts[2];
	struct new_ids new = { .nr = 0 };
	struct event_list list;
	struct openset *set;
	u32 seen[4] = { 0 };
	u64 ids[4];
	struct ring r;
	int fd;

	parse(&list, "cpu-clock:u,task-clock:u");
	for (u32 i = 0; i < 2; i++) {
		struct perf_event_attr *attr = &event_list_at(&list, i)->evsel->attr;

		attr->sample_period = 1000000;
		attr->sample_type = PERF_SAMPLE_IDENTIFIER;
		attr->disabled = 1;
	}
	set = open_on_self(&list);
	fd = openset_fd(set, 0, 0, 0);
	assert_true(openset_read_ids(set, NULL));
	assert_true(ring_open(&r, fd, 8, false, host, NULL));
	assert_true(ring_attach(&r, openset_fd(set, 1, 0, 0), NULL));
	assert_true(openset_enable(set, NULL));
	assert_true(openset_switch(set, 1, false, NULL));
	spin_ms(60);
	assert_true(openset_count(set, 0, &counts[0], NULL));
	for (u32 i = 0; i < 2; i++) /* nobody has them any more, but the ring */
		assert_int_equal(ioctl(openset_fd(set, i, 0, 0), PERF_EVENT_IOC_DISABLE, 0), 0);
	assert_true(openset_reopen(set, 0, note_id, &new, NULL));
	assert_int_equal(new.nr, 2);
	spin_ms(60);
	assert_int_equal(openset_fd(set, 0, 0, 0), fd);
	for (u32 i = 0; i < 2; i++) {
		ids[i] = event_list_at(&list, i)->evsel->ids[0];
		ids[2 + i] = new.id[i];
		assert_int_equal(new.before[i], ids[i]);
	}
	count_ids(&r, ids, seen);
	assert_true(seen[0] >= 5 && seen[2] >= 5); /* it counts */
	assert_true(seen[3] == 0);		   /* this was switched off */
	assert_true(openset_count(set, 0, &counts[1], NULL));
	assert_true(counts[1].value > counts[0].value + 10000000);
	assert_true(openset_switch(set, 1, true, NULL));
	spin_ms(60);
	count_ids(&r, ids, seen);
	assert_true(seen[3] >= 5);
	ring_close(&r);
	openset_close(set);
	event_list_release(&list);
}

/* cycles:P opens as it is, or becomes cpu-clock with a note. */
static void cycles_fall_back_to_a_clock(void **state)
{
	struct event_list list;
	struct openset *set;
	const struct evsel *evsel;

	event_list_init(&list);
	assert_true(event_list_default(&list, host, NULL));
	event_list_at(&list, 0)->evsel->attr.disabled = 1;
	set = open_on_self(&list);
	evsel = event_list_at(&list, 0)->evsel;
	if (evsel->attr.type == PERF_TYPE_HARDWARE) {
		assert_true(g_str_has_prefix(evsel->name, "cycles:P"));
	} else {
		const char *note =
			g_ptr_array_index(openset_notes(set), openset_notes(set)->len - 1);

		assert_int_equal(evsel->attr.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(evsel->attr.config, PERF_COUNT_SW_CPU_CLOCK);
		assert_int_equal(evsel->attr.precise_ip, 0);
		assert_true(g_str_has_prefix(evsel->name, "cpu-clock"));
		assert_non_null(strstr(note, "using cpu-clock"));
	}
	openset_close(set);
	event_list_release(&list);
}

static void a_group_opens_on_every_cpu_and_thread(void **state)
{
	GArray *cpus = cpu_list_online(host, NULL);
	pid_t tids[2] = { getpid() };
	struct open_target target = { (s32 *)cpus->data, cpus->len, tids, 1 };
	struct event_list list;
	GError *error = NULL;
	struct openset *set;
	int fds[2];

	parse(&list, "{cpu-clock:u,faults:u}");
	assert_int_equal(pipe(fds), 0);
	tids[1] = fork();
	if (!tids[1]) {
		char c;

		close(fds[1]);
		_exit(read(fds[0], &c, 1) != 0);
	}
	target.nr_tids = 2;
	set = openset_open(&list, &target, host, &error);
	close(fds[1]);
	waitpid(tids[1], NULL, 0);
	skip_unless(set, error);
	assert_true(openset_read_ids(set, NULL));
	for (u32 e = 0; e < 2; e++) {
		assert_int_equal(event_list_at(&list, e)->evsel->nr_ids, cpus->len * 2);
		for (u32 c = 0; c < cpus->len; c++)
			for (u32 t = 0; t < 2; t++)
				assert_true(openset_fd(set, e, c, t) >= 0);
	}
	openset_close(set);
	event_list_release(&list);
	/* that child has ended: it is left out, and an error only when it is alone */
	parse(&list, "cpu-clock:u");
	set = openset_open(&list, &target, host, &error);
	skip_unless(set, error);
	assert_true(openset_fd(set, 0, 0, 0) >= 0);
	assert_int_equal(openset_fd(set, 0, 0, 1), -1);
	openset_close(set);
	target.tids = &tids[1];
	target.nr_tids = 1;
	assert_null(openset_open(&list, &target, host, &error));
	assert_int_equal(error->code, PERF_ERROR_ABSENT);
	assert_non_null(strstr(error->message, "there is no thread"));
	g_error_free(error);
	event_list_release(&list);
	g_array_unref(cpus);
}

/* A soft limit on open files is raised on the way. */
static void open_files_are_raised(void **state)
{
	GArray *cpus = cpu_list_online(host, NULL);
	pid_t self = getpid();
	struct open_target target = { (s32 *)cpus->data, cpus->len, &self, 1 };
	struct rlimit before, low;
	struct event_list list;
	GError *error = NULL;
	struct openset *set;

	parse(&list, "dummy:u,dummy:u,dummy:u,dummy:u,dummy:u,dummy:u,dummy:u,dummy:u");
	getrlimit(RLIMIT_NOFILE, &before);
	low = before;
	low.rlim_cur = 6;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	set = openset_open(&list, &target, host, &error);
	setrlimit(RLIMIT_NOFILE, &before);
	skip_unless(set, error);
	openset_close(set);
	event_list_release(&list);
	g_array_unref(cpus);
}

/* How many are needed, how many are permitted, and what to do. */
static void too_many_open_files_are_counted(void **state)
{
	struct event_list list;
	GError *error = NULL;
	g_autofree char *limits = NULL;
	struct rlimit limit;

	parse(&list, "cs");
	getrlimit(RLIMIT_NOFILE, &limit);
	limits = g_strdup_printf("may open %llu (hard limit %llu)",
				 (unsigned long long)limit.rlim_cur,
				 (unsigned long long)limit.rlim_max);
	assert_false(files_refusal(event_list_at(&list, 0), 20067, false, &error));
	assert_non_null(
		strstr(error->message, "needs 20067, one for each event on each CPU and thread"));
	assert_non_null(strstr(error->message, limits));
	assert_non_null(strstr(error->message, "ulimit -n 20067"));
	assert_non_null(strstr(error->message, "-a needs one for each event and CPU"));
	g_clear_error(&error);
	assert_false(files_refusal(event_list_at(&list, 0), 20067, true, &error));
	assert_null(strstr(error->message, "-a"));
	g_error_free(error);
	event_list_release(&list);
}

/* Not more than the hard limit, unless the process may raise that. */
static void a_limit_is_raised_to_what_is_needed(void **state)
{
	struct rlimit before, low;
	u64 raised;

	getrlimit(RLIMIT_NOFILE, &before);
	low = before;
	low.rlim_cur = 8;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	assert_int_equal(file_limit_for(100), before.rlim_max);
	raised = file_limit_for(before.rlim_max + 5);
	assert_true(raised == before.rlim_max || raised == before.rlim_max + 5);
	setrlimit(RLIMIT_NOFILE, &before);
	raised = openset_files(100);
	assert_true(raised > 100 + 3 && raised < 1000);
}

static void features_are_probed_by_what_they_need(void **state)
{
	struct evsel *evsel = evsel_new();

	/* MMAP2 is older than any kernel that this runs on. */
	assert_true(kernel_can(KERNEL_MMAP2));
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_DUMMY;
	assert_false(kernel_feature_used(KERNEL_BUILD_ID, evsel));
	evsel->attr.build_id = 1;
	assert_true(kernel_feature_used(KERNEL_BUILD_ID, evsel));
	assert_false(kernel_feature_used(KERNEL_CGROUP, evsel));
	evsel->attr.inherit = 1;
	assert_false(kernel_feature_used(KERNEL_INHERIT_READ, evsel));
	evsel->attr.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_WEIGHT_STRUCT;
	assert_true(kernel_feature_used(KERNEL_INHERIT_READ, evsel));
	kernel_feature_take_back(KERNEL_WEIGHT_STRUCT, evsel);
	assert_int_equal(evsel->attr.sample_type, PERF_SAMPLE_READ | PERF_SAMPLE_WEIGHT);
	kernel_feature_take_back(KERNEL_BUILD_ID, evsel);
	assert_int_equal(evsel->attr.build_id, 0);
	assert_int_equal(evsel->attr.inherit, 1);
	kernel_feature_take_back(KERNEL_INHERIT_READ, evsel);
	assert_int_equal(evsel->attr.inherit, 0);
	evsel_free(evsel);
}

/* What a kernel refuses although the user asked for it is named, with its version. */
static void a_wanted_feature_that_is_missing_refuses(void **state)
{
	pid_t self = getpid();
	struct open_target target = { any_cpu, 1, &self, 1 };
	struct event_list list;
	GError *error = NULL;

	if (kernel_can(KERNEL_TLS_USER)) {
		print_message("skipped: this kernel has PERF_SAMPLE_TLS_USER\n");
		skip();
	}
	parse(&list, "cpu-clock:u");
	event_list_at(&list, 0)->evsel->attr.sample_type = PERF_SAMPLE_TLS_USER;
	event_list_at(&list, 0)->evsel->sample_tls_user = 64;
	assert_null(openset_open(&list, &target, host, &error));
	assert_string_equal(
		error->message,
		"cpu-clock:u: this kernel has no PERF_SAMPLE_TLS_USER (in no release yet)");
	g_error_free(error);
	event_list_release(&list);
}

static const struct {
	int errnum;
	const char *event;
	pid_t pid;
	const char *says[3];
} refusals[] = {
	{ ENOENT, "cycles", 1, { "cycles: this machine has no such event", "cpu-clock" } },
	{ ESRCH, "cs", 77, { "there is no thread 77" } },
	{ ENODEV, "cs", -1, { "CPU 3 " } },
	{ EOPNOTSUPP, "cycles:pp", 1, { "precisely", "leave out the 'p'" } },
	{ EOPNOTSUPP, "cycles", 1, { "cannot be sampled", "cpu-clock" } },
	{ EOPNOTSUPP, "cs", 1, { "cs: this event cannot be sampled here" } },
	{ ENOENT, "cs", 1, { "cs: this machine has no such event" } },
	{ ENOSPC, "mem:0x1000/8", 1, { "no counter or breakpoint register is free" } },
	{ EBUSY, "cycles", 1, { "counters are in use", "nmi_watchdog" } },
	{ ENOMEM, "cs", 1, { "perf_event_max_stack (now 99)" } },
	{ EINVAL, "mem:0x1001/8", 1, { "multiple" } },
	{ EINVAL, "cs", 1, { "dmesg" } },
	{ ENOSYS, "cs", 1, { "no perf_event_open() here", "sandbox" } },
	{ EIO, "cs", 1, { "cs: perf_event_open: Input/output error" } },
};

static void every_refusal_says_what_to_do(void **state)
{
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/sys/kernel/perf_event_max_stack", "99\n");
	for (u32 i = 0; i < ARRAY_SIZE(refusals); i++) {
		struct event_list list;
		GError *error = NULL;

		event_list_init(&list);
		assert_true(event_list_parse(&list, &t.paths, refusals[i].event, NULL));
		assert_false(open_refusal(&t.paths, event_list_at(&list, 0), refusals[i].errnum,
					  refusals[i].pid, 3, &error));
		for (u32 k = 0; k < ARRAY_SIZE(refusals[i].says) && refusals[i].says[k]; k++)
			if (!strstr(error->message, refusals[i].says[k]))
				fail_msg("'%s' is not in '%s'", refusals[i].says[k],
					 error->message);
		g_error_free(error);
		event_list_release(&list);
	}
	tree_release(&t);
}

static void with_branches(struct evsel *evsel)
{
	evsel->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
}

static void clocked(struct evsel *evsel)
{
	evsel->attr.use_clockid = 1;
	evsel->attr.clockid = 7;
}

/* What the event itself does not say, but what it was opened with. */
static void a_refusal_names_what_was_asked_for(void **state)
{
	static const struct {
		int errnum;
		int cpu;
		void (*change)(struct evsel *evsel);
		const char *pmu, *says;
		bool system_wide;
	} rows[] = {
		{ EOPNOTSUPP, 0, with_branches, NULL, "cs: this PMU records no branches" },
		{ EINVAL, 0, clocked, NULL,
		  "cs: the kernel refuses its attributes, maybe clock 7" },
		{ EINVAL, 0, NULL, "uncore",
		  "cs: PMU 'uncore' counts whole CPUs, not processes: record with -a", true },
		{ EINVAL, 0, NULL, "cpu",
		  "cs: PMU 'cpu' refuses it: it may not be able to sample (then only "
		  "counting works), or to count in one process (try -a), or a term's value is "
		  "invalid" },
		{ ENODEV, -1, NULL, NULL, "cs: its PMU is not available" },
	};
	struct tree t;

	tree_init(&t);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_list list;
		struct event_spec spec;
		GError *error = NULL;

		event_list_init(&list);
		assert_true(event_list_parse(&list, &t.paths, "cs", NULL));
		if (rows[i].change)
			rows[i].change(event_list_at(&list, 0)->evsel);
		spec = *event_list_at(&list, 0);
		spec.pmu = (char *)rows[i].pmu;
		spec.system_wide = rows[i].system_wide;
		assert_false(open_refusal(&t.paths, &spec, rows[i].errnum, 1, rows[i].cpu, &error));
		assert_string_equal(error->message, rows[i].says);
		g_error_free(error);
		event_list_release(&list);
	}
	tree_release(&t);
}

static void a_refusal_of_rings_names_the_limits(void **state)
{
	GError *error = NULL;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/sys/kernel/perf_event_mlock_kb", "321\n");
	assert_false(mmap_refusal(&t.paths, 64, EPERM, &error));
	assert_true(g_str_has_prefix(error->message,
				     "no permission to map a ring of 64 pages per CPU: "
				     "/proc/sys/kernel/perf_event_mlock_kb is 321 for"));
	assert_int_equal(error->code, PERF_ERROR_PERMISSION);
	g_clear_error(&error);
	assert_false(mmap_refusal(&t.paths, 64, ENOMEM, &error));
	assert_string_equal(error->message,
			    "cannot map a ring of 64 pages: Cannot allocate memory");
	g_error_free(error);
	tree_release(&t);
}

static void a_refusal_of_a_filter_has_the_filter(void **state)
{
	struct event_list list;
	GError *error = NULL;
	struct tree t;

	tree_init(&t);
	event_list_init(&list);
	assert_true(event_list_parse(&list, &t.paths, "cs", NULL));
	assert_false(filter_refusal(&t.paths, event_list_at(&list, 0), "pid > 1", EINVAL, &error));
	assert_string_equal(error->message, "cs: filter 'pid > 1': Invalid argument");
	g_error_free(error);
	event_list_release(&list);
	tree_release(&t);
}

static const uid_t nobody = 65534;

/* As a user without rights, in a child: @fn's result is its exit status. */
static void as_nobody(int (*fn)(const struct kernel_paths *paths), const struct kernel_paths *paths)
{
	pid_t child;
	int status;

	if (getuid()) {
		print_message("skipped: only root can become nobody\n");
		skip();
	}
	child = fork();
	if (!child) {
		if (setgid(nobody) || setuid(nobody))
			_exit(50);
		_exit(fn(paths));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static int refused_by_paranoid(const struct kernel_paths *paths)
{
	struct event_list list;
	GError *error = NULL;

	event_list_init(&list);
	event_list_parse(&list, paths, "cpu-clock", NULL);
	open_refusal(paths, event_list_at(&list, 0), EACCES, -1, 0, &error);
	return !strstr(error->message, "perf_event_paranoid is 2 (") ||
	       !strstr(error->message, "kernel.perf_event_paranoid=0") ||
	       !strstr(error->message, "cap_perfmon") || error->code != PERF_ERROR_PERMISSION;
}

static void a_refusal_for_lack_of_rights_names_the_sysctl(void **state)
{
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/sys/kernel/perf_event_paranoid", "2\n");
	as_nobody(refused_by_paranoid, &t.paths);
	tree_release(&t);
}

static u64 capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	syscall(SYS_capget, &head, data);
	return data[0].effective | (u64)data[1].effective << 32;
}

/* With no more than @kept of its capabilities. */
static bool sees_kernel_with(u64 kept, const struct kernel_paths *paths)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct had[2], left[2];
	bool sees;

	syscall(SYS_capget, &head, had);
	memcpy(left, had, sizeof(had));
	left[0].effective &= (u32)kept;
	left[1].effective &= (u32)(kept >> 32);
	syscall(SYS_capset, &head, left);
	sees = may_see_kernel(paths);
	syscall(SYS_capset, &head, had);
	return sees;
}

/* Either of two lets a process see the kernel, and all others together do not. */
static void capabilities_that_show_the_kernel(void **state)
{
	const u64 perfmon = 1ull << 38, admin = 1ull << CAP_SYS_ADMIN;
	struct tree t;

	tree_init(&t);
	assert_false(sees_kernel_with(~(perfmon | admin), &t.paths));
	if (capabilities() & perfmon)
		assert_true(sees_kernel_with(perfmon, &t.paths));
	if (capabilities() & admin)
		assert_true(sees_kernel_with(admin, &t.paths));
	tree_release(&t);
}

/* Each level of the sysctl, with the request that it just forbids. */
static int refused_at_each_level(const struct kernel_paths *paths)
{
	static const struct {
		const char *event;
		pid_t pid;
		const char *level, *means, *asked, *needed;
	} rows[] = {
		{ "cpu-clock", 1, "2",
		  "may only see their own processes in user mode); to see kernel mode (event:u "
		  "leaves it out)",
		  "takes at most 1: ", "paranoid=1, or run as root" },
		{ "cpu-clock", -1, "1",
		  "may see their own processes, but no whole CPUs); to see all processes",
		  "takes at most 0: ", "paranoid=0, or run as root" },
		{ "cpu-clock:u", 1, "2", "and perf_event_paranoid is not the reason (2 suffices)",
		  "cap_sys_ptrace", "another user's" },
		{ "cpu-clock", -1, "0", "and perf_event_paranoid is not the reason (0 suffices)",
		  "Permission denied", "run as root" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autofree char *file =
			g_strdup_printf("%s/sys/kernel/perf_event_paranoid", paths->proc);
		struct event_list list;
		GError *error = NULL;

		if (!g_file_set_contents(file, rows[i].level, -1, NULL))
			return 40;
		event_list_init(&list);
		event_list_parse(&list, paths, rows[i].event, NULL);
		open_refusal(paths, event_list_at(&list, 0), EACCES, rows[i].pid, 0, &error);
		if (!strstr(error->message, rows[i].means) ||
		    !strstr(error->message, rows[i].asked) ||
		    !strstr(error->message, rows[i].needed)) {
			fprintf(stderr, "%s\n", error->message);
			return (int)i + 1;
		}
		g_clear_error(&error);
		event_list_release(&list);
	}
	return 0;
}

static void each_level_of_the_sysctl_has_its_words(void **state)
{
	g_autofree char *folder = NULL;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/sys/kernel/perf_event_paranoid", "2\n");
	folder = g_strdup_printf("%s/sys/kernel", t.paths.proc);
	chmod(t.root, 0777);
	chmod(folder, 0777);
	as_nobody(refused_at_each_level, &t.paths);
	tree_release(&t);
}

/* What a patched kernel does at 3 or 4: the kernel's own answer, by a filter of system calls. */
static bool patch_kernel(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static char *refusal_of(const struct kernel_paths *paths, const char *event, pid_t pid)
{
	struct event_list list;
	GError *error = NULL;

	event_list_init(&list);
	event_list_parse(&list, paths, event, NULL);
	open_refusal(paths, event_list_at(&list, 0), EACCES, pid, 0, &error);
	return error->message;
}

static int refused_beyond_two(const struct kernel_paths *paths)
{
	const char *text = refusal_of(paths, "cpu-clock", -1);

	if (!strstr(text, "perf_event_paranoid is 3 (which this kernel treats as 2: ") ||
	    !strstr(text, "kernel.perf_event_paranoid=0") || !strstr(text, "cap_perfmon"))
		return 1;
	if (!patch_kernel())
		return 2;
	text = refusal_of(paths, "cpu-clock:u", getpid());
	if (!strstr(text, "is 3, at which this kernel refuses all events") ||
	    !strstr(text, "CAP_SYS_ADMIN") || !strstr(text, "kernel.perf_event_paranoid=2,") ||
	    strstr(text, "setcap"))
		return 3;
	text = refusal_of(paths, "cpu-clock", -1);
	return strstr(text, "kernel.perf_event_paranoid=0,") ? 0 : 4;
}

static void levels_beyond_two_are_what_this_kernel_makes_of_them(void **state)
{
	struct tree t;

	if (kernel_sysctl(host, "perf_event_paranoid", 2) > 2) {
		print_message("skipped: perf_event_paranoid is above 2 here\n");
		skip();
	}
	tree_init(&t);
	tree_put(&t, "proc/sys/kernel/perf_event_paranoid", "3\n");
	as_nobody(refused_beyond_two, &t.paths);
	tree_release(&t);
}

/* paranoid 2: cpu-clock becomes cpu-clock:u, with a note. */
static int becomes_user_only(const struct kernel_paths *paths)
{
	pid_t self = getpid();
	struct open_target target = { any_cpu, 1, &self, 1 };
	g_autofree char *text = g_strdup_printf("cpu-clock,cpu-clock//,cycles:P,mem:%#lx/4:w",
						(unsigned long)&watched);
	struct event_list list;
	struct openset *set;
	const struct evsel *evsel;

	event_list_init(&list);
	event_list_parse(&list, paths, text, NULL);
	set = openset_open(&list, &target, paths, NULL);
	if (!set)
		return 1;
	evsel = event_list_at(&list, 0)->evsel;
	if (strcmp(evsel->name, "cpu-clock:u") || !evsel->attr.exclude_kernel)
		return 2;
	if (strcmp(event_list_at(&list, 1)->evsel->name, "cpu-clock//u"))
		return 3;
	evsel = event_list_at(&list, 2)->evsel;
	if (strcmp(evsel->name, "cycles:Pu") && strcmp(evsel->name, "cpu-clock:u"))
		return 4;
	if (!strstr(g_ptr_array_index(openset_notes(set), 0), "perf_event_paranoid is 2"))
		return 5;
	evsel = event_list_at(&list, 3)->evsel;
	if (!g_str_has_prefix(evsel->name, "mem:0x") || !g_str_has_suffix(evsel->name, ":u"))
		return 6;
	return 0;
}

static void without_rights_events_become_user_only(void **state)
{
	if (kernel_sysctl(host, "perf_event_paranoid", 2) != 2) {
		print_message("skipped: perf_event_paranoid is not 2\n");
		skip();
	}
	as_nobody(becomes_user_only, host);
}

static void sampling_rates(void **state)
{
	GError *error = NULL;
	char *warning;
	struct tree t;
	u64 rate;

	tree_init(&t);
	assert_false(sample_rate_parse(&t.paths, "max", false, &rate, &warning, NULL));
	assert_true(sample_rate_parse(&t.paths, "1000000", false, &rate, &warning, NULL));
	assert_null(warning);
	tree_put(&t, "proc/sys/kernel/perf_event_max_sample_rate", "25000\n");
	assert_true(sample_rate_parse(&t.paths, "max", false, &rate, &warning, NULL));
	assert_int_equal(rate, 25000);
	assert_true(sample_rate_parse(&t.paths, "25000", true, &rate, &warning, NULL));
	assert_null(warning);
	assert_true(sample_rate_parse(&t.paths, "30000", false, &rate, &warning, NULL));
	assert_int_equal(rate, 25000);
	assert_non_null(strstr(warning, "perf_event_max_sample_rate allows: sampling at 25000"));
	g_free(warning);
	assert_false(sample_rate_parse(&t.paths, "30000", true, &rate, &warning, &error));
	assert_non_null(strstr(error->message, "30000"));
	g_clear_error(&error);
	for (u32 i = 0; i < 5; i++) {
		static const char *const wrong[] = { "", "0", "-5", "99x", "18446744073709551616" };

		assert_false(sample_rate_parse(&t.paths, wrong[i], false, &rate, &warning, &error));
		assert_int_equal(error->code, PERF_ERROR_USAGE);
		g_clear_error(&error);
	}
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_clock_samples_arrive_in_a_ring),
		cmocka_unit_test(lost_samples_are_counted),
		cmocka_unit_test(a_breakpoint_counts_writes),
		cmocka_unit_test(a_tracepoint_counts_switches),
		cmocka_unit_test(a_backward_ring_is_paused_and_read),
		cmocka_unit_test(two_events_share_a_ring),
		cmocka_unit_test(cycles_fall_back_to_a_clock),
		cmocka_unit_test(a_group_opens_on_every_cpu_and_thread),
		cmocka_unit_test(open_files_are_raised),
		cmocka_unit_test(an_event_is_opened_again_in_its_place),
		cmocka_unit_test(too_many_open_files_are_counted),
		cmocka_unit_test(a_limit_is_raised_to_what_is_needed),
		cmocka_unit_test(features_are_probed_by_what_they_need),
		cmocka_unit_test(a_wanted_feature_that_is_missing_refuses),
		cmocka_unit_test(every_refusal_says_what_to_do),
		cmocka_unit_test(a_refusal_names_what_was_asked_for),
		cmocka_unit_test(a_refusal_of_rings_names_the_limits),
		cmocka_unit_test(a_refusal_of_a_filter_has_the_filter),
		cmocka_unit_test(capabilities_that_show_the_kernel),
		cmocka_unit_test(each_level_of_the_sysctl_has_its_words),
		cmocka_unit_test(a_refusal_for_lack_of_rights_names_the_sysctl),
		cmocka_unit_test(levels_beyond_two_are_what_this_kernel_makes_of_them),
		cmocka_unit_test(without_rights_events_become_user_only),
		cmocka_unit_test(sampling_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
