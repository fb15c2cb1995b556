// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread that opens each newly mapped file while its process still runs.
 *
 *	t=0.0 ms	exec of a program that lives 2 ms, in a container
 *	t=0.1 ms	MMAP2 record in our own ring: wakes this thread
 *	t=0.2 ms	opens /proc/PID/map_files/...: reads the build-id, keeps the file open
 *	t=2.0 ms	the process ends; its container's file system goes away
 *	t=40 ms		the drainer reads the recording's rings; the collector asks for the build-id, and finds it
 *
 * The event has mappings of code only (attr.mmap without mmap_data), so there are few records. Its
 * rings have a watermark of one byte: the first record wakes the thread. Then it sleeps PAUSE_NS,
 * so that a machine that starts many processes does not wake it at each.
 *
 * What is lost here is not lost to the recording: the same mappings are in the recording's rings.
 * So nothing here is an error, and a ring that overflows is not told.
 *
 * Threads: open and close run in the main thread, watch() in its own. Between them, only seen_files
 * (with its lock) is shared.
 */
#include "record/file_watch.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/decoder.h"
#include "perfevent/parse.h"
#include "record/base/options.h"
#include "record/base/target.h"
#include "record/jit_maps.h"
#include "record/seen_files.h"

/* 4 pages hold a hundred records. */
#define RING_PAGES 4
/* Each thread of the target needs an fd per CPU. With many threads, short processes are rare. */
#define FDS_MAX 1024
/* A machine that starts many processes wakes the thread at most 1,000 times a second. */
#define PAUSE_NS 1000000

struct file_watch {
	struct source source;
	const struct recording *rec;
	struct event_list list;
	struct openset *set;
	struct perfdata_decoder *decoder;
	GArray *rings; /* struct ring */
	GArray *fds;   /* struct pollfd: stop_fd, then the rings' */
	int stop_fd;
	bool running;
	pthread_t thread;
};

static struct file_watch *file_watch(struct source *src)
{
	return container_of(src, struct file_watch, source);
}

static void look(struct file_watch *w, struct ring *ring)
{
	const struct perf_event_header *record;
	struct event ev;

	if (!ring_begin(ring))
		return;
	while ((record = ring_next(ring)))
		if (record->type == PERF_RECORD_MMAP2 &&
		    perfdata_decoder_decode(w->decoder, record, &ev) &&
		    (jit_maps_covers(&ev.mmap) ||
		     (ev.mmap.filename[0] == '/' && ev.mmap.has_inode && ev.mmap.ino)))
			seen_files_look(w->rec->seen, &ev.mmap);
	ring_end(ring);
}

/* fds[0] is stop_fd. A descriptor whose threads have all ended gets fd -1, which poll() ignores. */
static void *watch(void *arg)
{
	static const struct timespec pause = { 0, PAUSE_NS };
	struct file_watch *w = arg;
	struct pollfd *fds = (struct pollfd *)w->fds->data;

	pthread_setname_np(pthread_self(), "perf-files");
	setpriority(PRIO_PROCESS, (id_t)gettid(), -20);
	while (poll(fds, w->fds->len, -1) >= 0 && !fds[0].revents) {
		for (u32 i = 0; i < w->rings->len; i++) {
			look(w, &g_array_index(w->rings, struct ring, i));
			/* All threads of the event have ended: it would not wait any more. */
			if (fds[i + 1].revents & (POLLHUP | POLLERR))
				fds[i + 1].fd = -1;
		}
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void add_event(struct file_watch *w)
{
	const struct record_options *opts = w->rec->opts;
	struct event_spec *spec = event_list_add_dummy(&w->list);
	struct perf_event_attr *attr = &spec->evsel->attr;
	bool command = target_kind(opts) == TARGET_COMMAND;

	attr->mmap = attr->mmap2 = 1;
	attr->sample_period = 1;
	attr->sample_id_all = 1;
	attr->inherit = !opts->no_inherit && !opts->per_thread;
	/* Until its exec(), a command runs our own code. */
	attr->disabled = attr->enable_on_exec = command;
	ring_set_watermark(attr, RING_PAGES, 1);
}

/* One ring for the event's fds on CPU @cpu. */
static bool add_ring(struct file_watch *w, u32 cpu, u32 tid, bool same_cpu)
{
	int fd = openset_fd(w->set, 0, cpu, tid);
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	struct ring ring;

	if (fd < 0)
		return true;
	if (same_cpu && w->rings->len)
		return ring_attach(&g_array_index(w->rings, struct ring, w->rings->len - 1), fd,
				   NULL);
	if (!ring_open(&ring, fd, RING_PAGES, false, w->rec->paths, NULL))
		return false;
	g_array_append_val(w->rings, ring);
	g_array_append_val(w->fds, polled);
	return true;
}

/* One ring per CPU if the event is bound to CPUs, else one for each thread. */
static bool add_rings(struct file_watch *w)
{
	const struct open_target *target = w->rec->target;

	for (u32 c = 0; c < target->nr_cpus; c++) {
		u32 before = w->rings->len;

		for (u32 t = 0; t < target->nr_tids; t++)
			if (!add_ring(w, c, t, target->cpus[c] >= 0 && w->rings->len > before))
				return false;
	}
	return true;
}

static bool is_wanted(const struct recording *rec)
{
	const struct record_options *opts = rec->opts;

	return rec->seen && rec->set && !opts->no_buildid && !opts->overwrite && !opts->doze &&
	       (u64)rec->target->nr_cpus * rec->target->nr_tids <= FDS_MAX;
}

/* Whatever fails here, the recording is as it would be without the thread. */
static bool open_watch(struct source *src, struct recording *rec, GError **error)
{
	struct file_watch *w = file_watch(src);
	struct evsel *evsel;

	w->rec = rec;
	if (!is_wanted(rec))
		return true;
	add_event(w);
	evsel = event_list_at(&w->list, 0)->evsel;
	w->set = openset_open(&w->list, rec->target, rec->paths, NULL);
	w->decoder = w->set ? perfdata_decoder_new(&evsel, 1, NULL) : NULL;
	w->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	g_array_append_vals(w->fds, &(struct pollfd){ .fd = w->stop_fd, .events = POLLIN }, 1);
	w->running = w->decoder && w->stop_fd >= 0 && add_rings(w) &&
		     !pthread_create(&w->thread, NULL, watch, w);
	return true;
}

static void close_watch(struct source *src)
{
	struct file_watch *w = file_watch(src);

	if (w->running) {
		eventfd_write(w->stop_fd, 1);
		pthread_join(w->thread, NULL);
	}
	for (u32 i = 0; i < w->rings->len; i++)
		ring_close(&g_array_index(w->rings, struct ring, i));
	if (w->stop_fd >= 0)
		close(w->stop_fd);
	if (w->set)
		openset_close(w->set);
	perfdata_decoder_free(w->decoder);
	event_list_release(&w->list);
	g_array_unref(w->rings);
	g_array_unref(w->fds);
	g_free(w);
}

struct source *file_watch_new(void)
{
	static const struct source_ops ops = {
		.name = "files",
		.open = open_watch,
		.close = close_watch,
	};
	struct file_watch *w = g_new0(struct file_watch, 1);

	w->source.ops = &ops;
	w->stop_fd = -1;
	w->rings = g_array_new(false, false, sizeof(struct ring));
	w->fds = g_array_new(false, false, sizeof(struct pollfd));
	event_list_init(&w->list);
	return &w->source;
}
