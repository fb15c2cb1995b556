// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the cost of reading an activity at a sample.
 *
 * It takes the mean run time of the BPF program on this process's own samples, by the kernel's statistics of BPF
 * programs. It does so for several plans, and for the same program without reading; the cost is the difference. One round
 * runs each plan for some milliseconds. There are many rounds. Reported are the median of the differences within a round,
 * and the difference of the best rounds, one twentieth of all: these were not slowed down by other work on the core.
 *
 * Prints a table. Exits with 1 if the best rounds exceed a limit, with 2 if it cannot measure.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <glib.h>

#include "activity/layout.h"
#include "bpf/sample_tls.h"
#include "bpf/sample_tls.skel.h"

#define ROUNDS	  200
#define BEST	  (ROUNDS / 20)
#define ROUND_MS  20
#define ROWS	  6
#define RATE	  10000
#define RING_SIZE (1u << 17)
#define MAX_CPUS  1024

struct {
	size_t key_size;
	const char *key;
	size_t value_size;
	const char *value;
} labels[] = { { 5, "route", 4, "/pay" },
	       { 4, "user", 3, "ann" },
	       { 4, "zone", 6, "north1" },
	       { 6, "tenant", 4, "acme" } };
struct {
	void *storage;
	size_t count, capacity;
} label_set = { labels, ARRAY_SIZE(labels), ARRAY_SIZE(labels) };

static u8 otep_record[640], elastic_record[37] = { 1, 0, 1, 1 };
static __thread u64 inline_record[8] = { 1 };
static __thread void *otep, *elastic, *label_pointer;

struct row {
	const char *name;
	const void *variable; /* NULL: the window */
	enum sample_tls_what what;
	u16 size;
	u32 limit_ns; /* above reading nothing; 0: none */
};

static void fill_otep(void)
{
	static const char *const values[] = { "2021222324252627", "/pay", "ann", "north1" };
	u8 *end = otep_record + 28;
	u16 size;

	memset(otep_record, 7, 24);
	otep_record[24] = 1;
	for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
		*end++ = (u8)i;
		*end++ = (u8)strlen(values[i]);
		memcpy(end, values[i], strlen(values[i]));
		end += strlen(values[i]);
	}
	size = (u16)(end - otep_record - 28);
	memcpy(otep_record + 26, &size, sizeof(size));
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The sampling event and the output event of a CPU. The output uses the samples' ring. */
struct cpu {
	int sample, output;
	struct perf_event_mmap_page *ring;
};

static bool open_cpu(struct cpu *c, int cpu, int program, int outputs)
{
	struct perf_event_attr sampling = { .type = PERF_TYPE_SOFTWARE,
					    .config = PERF_COUNT_SW_CPU_CLOCK,
					    .freq = 1,
					    .sample_freq = RATE,
					    .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
							   PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
					    .disabled = 1,
					    .watermark = 1,
					    .wakeup_watermark = RING_SIZE };
	struct perf_event_attr out = { .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_BPF_OUTPUT,
				       .sample_type = PERF_SAMPLE_RAW,
				       .watermark = 1,
				       .wakeup_watermark = RING_SIZE };

	c->sample = open_event(&sampling, 0, cpu);
	c->output = open_event(&out, -1, cpu);
	if (c->sample < 0 || c->output < 0)
		return false;
	c->ring = mmap(NULL, 4096 + RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, c->sample, 0);
	return c->ring != MAP_FAILED &&
	       ioctl(c->output, PERF_EVENT_IOC_SET_OUTPUT, c->sample) == 0 &&
	       bpf_map_update_elem(outputs, &cpu, &c->output, BPF_ANY) == 0 &&
	       ioctl(c->sample, PERF_EVENT_IOC_SET_BPF, program) == 0;
}

static void close_cpu(struct cpu *c)
{
	if (c->ring && c->ring != MAP_FAILED)
		munmap(c->ring, 4096 + RING_SIZE);
	close(c->sample);
	close(c->output);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Uses CPU time for one round, and drains the rings, so that no sample is lost. */
static void be_sampled(struct cpu *cpus, int nr)
{
	double end = now() + ROUND_MS / 1e3;

	for (int i = 0; i < nr; i++)
		ioctl(cpus[i].sample, PERF_EVENT_IOC_ENABLE, 0);
	while (now() < end) {
		for (volatile int i = 0; i < 10000; i++)
			;
		for (int i = 0; i < nr; i++)
			cpus[i].ring->data_tail = cpus[i].ring->data_head;
	}
	for (int i = 0; i < nr; i++)
		ioctl(cpus[i].sample, PERF_EVENT_IOC_DISABLE, 0);
}

static void set_plan(int plans, const struct row *row)
{
	struct sample_tls_plan plan = { .window = row->variable ? 0 : row->size };
	u32 pid = (u32)getpid();

	if (row->variable) {
		plan.nr = 1;
		plan.sources[0] = (struct sample_tls_source){
			.offset = (const char *)row->variable -
				  (const char *)__builtin_thread_pointer(),
			.what = (u8)row->what,
			.size = row->size,
		};
	}
	bpf_map_update_elem(plans, &pid, &plan, BPF_ANY);
}

/* The program with a plan of its own, and the events that it is attached to. */
struct subject {
	struct sample_tls_bpf *skel;
	struct cpu *cpus;
	int nr, program;
};

static bool subject_open(struct subject *s, const struct row *row, bool reading)
{
	int nr = (int)MIN(sysconf(_SC_NPROCESSORS_ONLN), MAX_CPUS);

	s->skel = sample_tls_bpf__open();
	if (!s->skel)
		return false;
	s->skel->rodata->no_reading = !reading;
	bpf_program__set_autoload(s->skel->progs.sample_tls_plain, false);
	if (sample_tls_bpf__load(s->skel) != 0)
		return false;
	s->program = bpf_program__fd(s->skel->progs.sample_tls_timed);
	set_plan(bpf_map__fd(s->skel->maps.plans), row);
	s->cpus = g_new0(struct cpu, nr);
	for (s->nr = 0; s->nr < nr; s->nr++)
		if (!open_cpu(&s->cpus[s->nr], s->nr, s->program,
			      bpf_map__fd(s->skel->maps.outputs)))
			return false;
	return true;
}

static void subject_close(struct subject *s)
{
	for (int i = 0; i < s->nr; i++)
		close_cpu(&s->cpus[i]);
	g_free(s->cpus);
	sample_tls_bpf__destroy(s->skel);
}

/* ns per run in a round, or 0. */
static double subject_round(struct subject *s)
{
	struct bpf_prog_info before = { 0 }, after = { 0 };
	u32 size = sizeof(before);

	bpf_obj_get_info_by_fd(s->program, &before, &size);
	be_sampled(s->cpus, s->nr);
	bpf_obj_get_info_by_fd(s->program, &after, &size);
	if (after.run_cnt < before.run_cnt + ROUND_MS)
		return 0;
	return (double)(after.run_time_ns - before.run_time_ns) /
	       (double)(after.run_cnt - before.run_cnt);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
}

/* By row and round: time of one run, and the difference to the run without reading. */
static struct {
	double nothing[ROUNDS], time[ROWS][ROUNDS], more[ROWS][ROUNDS];
} results;

/* Alternates between the rows, so that other load on the machine affects all rows alike. */
static bool measure_rounds(struct subject subjects[ROWS + 1])
{
	for (u32 round = 0; round < ROUNDS; round++) {
		double nothing = results.nothing[round] = subject_round(&subjects[ROWS]);

		for (u32 i = 0; nothing > 0 && i < ROWS; i++) {
			double time = results.time[i][round] = subject_round(&subjects[i]);

			if (time <= 0)
				return false;
			results.more[i][round] = time - nothing;
		}
		if (nothing <= 0)
			return false;
	}
	return true;
}

static bool measure_all(const struct row rows[ROWS])
{
	struct subject subjects[ROWS + 1] = { 0 };
	bool good = subject_open(&subjects[ROWS], &rows[0], false);

	for (u32 i = 0; good && i < ROWS; i++)
		good = subject_open(&subjects[i], &rows[i], true);
	good = good && measure_rounds(subjects);
	for (u32 i = 0; i <= ROWS; i++)
		if (subjects[i].skel)
			subject_close(&subjects[i]);
	return good;
}

/* Is the row over its limit? */
static bool say(const struct row *row, double *times, double *more, double best_nothing)
{
	double best;

	sort(times);
	sort(more);
	best = times[BEST] - best_nothing;
	printf("%-22s %7.0f %7.0f %7.0f %7.0f", row->name, times[ROUNDS / 2], more[ROUNDS / 2],
	       times[BEST], best);
	if (row->limit_ns)
		printf(" %8u%s", row->limit_ns, best > row->limit_ns ? "  EXCEEDED" : "");
	putchar('\n');
	return row->limit_ns && best > row->limit_ns;
}

int main(void)
{
	const struct row rows[ROWS] = {
		{ "window of 64 bytes", NULL, SAMPLE_TLS_BYTES, 64, 100 },
		{ "window of 256 bytes", NULL, SAMPLE_TLS_BYTES, 256, 0 },
		{ "record of 64 bytes", inline_record, SAMPLE_TLS_BYTES, 64, 0 },
		{ "OTEP, 4 attributes", &otep, SAMPLE_TLS_OTEP, 8, 400 },
		{ "Elastic", &elastic, SAMPLE_TLS_ELASTIC, 8, 0 },
		{ "custom-labels, 4", &label_pointer, SAMPLE_TLS_LABELS, 8, 0 },
	};
	int result = 0, stats;

	libbpf_set_print(NULL);
	stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	fill_otep();
	otep = otep_record;
	elastic = elastic_record;
	label_pointer = &label_set;
	if (stats < 0 || !measure_all(rows)) {
		fprintf(stderr, "tls_cost: not measured: %s\n", strerror(errno));
		return 2;
	}
	sort(results.nothing);
	printf("%-22s  median    more    best    more  at most\n", "ns per sample");
	printf("%-22s %7.0f %15.0f\n", "reading nothing", results.nothing[ROUNDS / 2],
	       results.nothing[BEST]);
	for (u32 i = 0; i < ROWS; i++)
		result |= say(&rows[i], results.time[i], results.more[i], results.nothing[BEST]);
	close(stats);
	return result;
}
