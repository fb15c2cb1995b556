// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of --latency-of: the durations of system calls, or of block requests, that a look has
 * found in progress. The counting is bpf/latency.bpf.c's. Here its records become samples.
 *
 * Example, a read() that takes 80 ms:
 *
 *	 10 ms	sys_enter: number 57 of this thread			bpf/latency.bpf.c
 *	 50 ms	a pass finds the thread asleep in it: caught = 57	bpf/wall.bpf.c; its sample has the number 57
 *	 90 ms	sys_exit, caught is 57: a record			bpf/latency.bpf.c
 *	=	a sample with a period of 80 ms and the number 57, at 90 ms
 *
 * A reader joins both samples by thread and number. A call that no pass finds has no record.
 *
 * The keeper of the clock is made at the first drain(), because it belongs to the thread that uses
 * it: the drainer's.
 *
 * Losses: ends that did not fit into the ring are counted (LOST). A request that was evicted from
 * the table of requests (LRU, 16,384 entries) has no end.
 */
#include "record/waits/latency.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bpf/latency.h"
#include "bpf/latency.skel.h"
#include "bpf/sample_tls.h"
#include "perfdata/evsel.h"
#include "record/base/kernel_types.h"
#include "record/base/options.h"
#include "record/base/pid_namespace.h"
#include "record/tls/count.h"
#include "record/waits/wall.h"
#include "record/waits/wall_calls.h"
#include "record/waits/wall_clock.h"
#include "record/waits/wall_files.h"
#include "record/waits/wall_put.h"
#include "record/waits/wall_sample.h"
#include "record/waits/wall_thread.h"

struct latency {
	struct source source;
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct evsel *evsel;
	struct latency_bpf *skel;
	struct ring_buffer *ring;
	struct wall_files *files;
	struct wall_clock_keeper *keeper; /* of the drainer's thread */
	struct wall_clock clock;
	GByteArray *made;
	u64 nr;
};

static struct latency *latency(struct source *src)
{
	return container_of(src, struct latency, source);
}

/* The kernel's result of a request: a negative errno, or since Linux 5.16 its blk_status_t, which is positive. */
static s32 request_error(s64 result)
{
	static const u8 errors[] = { 0,		EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK,
				     EREMOTEIO, EBADE,	    ENODATA,   EILSEQ, ENOMEM,
				     EIO,	EREMCHG,    EAGAIN,    EBUSY };

	if (result <= 0)
		return (s32)result;
	return result < (s64)ARRAY_SIZE(errors) ? -errors[result] : -EIO;
}

/*
 * In the place of a system call's arguments: sector, bytes, ns queued, ns served, process of the issuer and cmd_flags,
 * issuer and error. The waker is who completed it.
 */
static void look_of_request(const struct latency_record *r, struct wall_look *look,
			    struct wall_texts *texts)
{
	const struct latency_request *q = &r->request;
	u64 issued = q->issued ?: r->ended;

	wall_texts_clear(texts);
	texts->file = g_strdup_printf("block:%u:%u", q->dev >> 20, q->dev & 0xfffff);
	*look = (struct wall_look){
		.pid = q->pid,
		.tid = q->tid,
		.cgroup = q->cgroup,
		.sequence = q->sequence,
		.syscall = -1,
		.state = WALL_DISK,
		.flags = (u8)(WALL_IN_IO | (r->context > SAMPLE_TLS_IN_TASK ? WALL_IRQ_WAKER : 0)),
		.file = texts->file,
		.args = { q->sector, q->bytes, issued - r->began, r->ended - issued,
			  (u64)q->issue_pid << 32 | q->flags,
			  (u64)q->issue_tid << 32 | (u32)request_error(r->result) },
		.waker_pid = r->thread.pid,
		.waker_tid = r->thread.tid,
		.waker = r->thread.comm,
	};
}

/*
 * Runs in the drainer's thread. The record of a call ends where the frames would begin: its thread
 * is on its way out of the call, and its stack says nothing about the wait.
 */
static int take(void *arg, void *data, size_t size)
{
	struct latency *l = arg;
	struct latency_record r = { 0 };
	g_autofree char *result = NULL;
	struct wall_texts texts;
	struct wall_look look;

	if (size < offsetof(struct latency_record, thread.frames))
		return 0;
	memcpy(&r, data, MIN(size, sizeof(r)));
	r.thread.nr_frames = 0;
	wall_thread_look(&r.thread, &l->clock, l->files, &texts, &look);
	if (l->opts->wall.latency_of == LATENCY_OF_BLOCK_IO)
		look_of_request(&r, &look, &texts);
	else
		look.result = result = g_strdup_printf("%lld", (long long)r.result);
	look.nr = 1;
	look.since = r.began + (u64)l->clock.from_kernel;
	wall_sample_make(&look, r.ended + (u64)l->clock.from_kernel, r.ended - r.began, l->evsel,
			 l->made);
	l->nr++;
	wall_texts_clear(&texts);
	return 0;
}

static bool latency_prepare(struct source *src, struct recording *rec, GError **error)
{
	struct latency *l = latency(src);
	bool io = rec->opts->wall.latency_of == LATENCY_OF_BLOCK_IO;

	l->evsel = recording_add_evsel(rec, io ? LATENCY_BLOCK_IO_EVENT : LATENCY_SYSCALL_EVENT);
	l->evsel->attr.sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
	return true;
}

/* For requests that complete in an interrupt: where the program finds the count of these. */
static void tell_count(struct latency_bpf *skel)
{
	struct btf *btf = btf__load_vmlinux_btf();

	skel->rodata->has_count =
		tls_count_find(btf, &skel->rodata->count_from_rq, &skel->rodata->current_from_rq);
	btf__free(btf);
}

/*
 * Loads only the programs of what is measured: the others would cost time at each call or request,
 * and a kernel may lack their tracepoints. Returns 0 or an errno.
 */
static int load(struct latency *l)
{
	bool io = l->opts->wall.latency_of == LATENCY_OF_BLOCK_IO;
	int err;

	l->skel = latency_bpf__open();
	if (!l->skel)
		return errno;
	bpf_program__set_autoload(l->skel->progs.call_begins, !io);
	bpf_program__set_autoload(l->skel->progs.call_ends, !io);
	bpf_program__set_autoload(l->skel->progs.request_inserted, io);
	bpf_program__set_autoload(l->skel->progs.request_issued, io);
	bpf_program__set_autoload(l->skel->progs.request_requeued, io);
	bpf_program__set_autoload(l->skel->progs.request_ends, io);
	l->skel->rodata->own_ns = pid_namespace_own();
	for (u32 i = 0; i < ARRAY_SIZE(l->skel->rodata->has_fd); i++)
		l->skel->rodata->has_fd[i] = wall_call_has_fd((s32)i);
	if (io)
		tell_count(l->skel);
	err = -latency_bpf__load(l->skel);
	if (err)
		return err;
	l->ring = ring_buffer__new(bpf_map__fd(l->skel->maps.ends), take, l, NULL);
	return l->ring ? 0 : errno;
}

static bool latency_open(struct source *src, struct recording *rec, GError **error)
{
	int err;

	libbpf_set_print(NULL);
	err = load(latency(src));
	if (err)
		return kernel_bpf_failed("--latency-of", NULL, err, error);
	return true;
}

static bool latency_enable(struct source *src, GError **error)
{
	int err = -latency_bpf__attach(latency(src)->skel);

	return !err || error_set_errno(error, err, "--latency-of");
}

static bool latency_disable(struct source *src, GError **error)
{
	struct latency *l = latency(src);

	if (l->skel)
		latency_bpf__detach(l->skel);
	return true;
}

static void latency_drain(struct source *src, struct outlet *out, bool last)
{
	struct latency *l = latency(src);

	if (!l->keeper)
		l->keeper = wall_clock_new(l->opts, l->paths, NULL);
	if (l->keeper)
		wall_clock_keep(l->keeper, &l->clock);
	ring_buffer__consume(l->ring);
	wall_put(out, l->made);
}

static char *latency_summary(struct source *src)
{
	struct latency *l = latency(src);
	u64 lost = l->skel->bss->lost;
	g_autofree char *more = lost ? g_strdup_printf(", %" PRIu64 " LOST", lost) : NULL;

	return g_strdup_printf("%s: %" PRIu64 " ends of those found in progress%s", l->evsel->name,
			       l->nr, more ?: "");
}

static void latency_close(struct source *src)
{
	struct latency *l = latency(src);

	ring_buffer__free(l->ring);
	latency_bpf__destroy(l->skel);
	wall_clock_free(l->keeper);
	wall_files_free(l->files);
	g_byte_array_unref(l->made);
	g_free(l);
}

void latency_source_maps(const struct source *src, int *calls, int *requests)
{
	const struct latency *l = container_of(src, struct latency, source);

	*calls = bpf_map__fd(l->skel->maps.calls);
	*requests = bpf_map__fd(l->skel->maps.requests);
}

struct source *latency_source_new(const struct record_options *opts,
				  const struct kernel_paths *paths)
{
	static const struct source_ops ops = {
		.name = "latency",
		.prepare = latency_prepare,
		.open = latency_open,
		.enable = latency_enable,
		.drain = latency_drain,
		.disable = latency_disable,
		.summary = latency_summary,
		.close = latency_close,
	};
	struct latency *l = g_new0(struct latency, 1);

	l->source.ops = &ops;
	l->opts = opts;
	l->paths = paths;
	l->files = wall_files_new(paths->proc);
	l->made = g_byte_array_new();
	return &l->source;
}
