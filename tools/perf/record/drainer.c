// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/drainer.h"

#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "perfdata/abi.h"
#include "record/options.h"
#include "record/rings.h"

struct drainer {
	struct recording *rec;
	struct alerts *alerts;
	GThread *thread;
	struct queue_outlet out;
	struct drainer_counts counts;
	int wake_fd;
	int stop, switch_now; /* atomic */
	bool rounds;	      /* FINISHED_ROUND says something: nothing old is still to come */
	bool ended;	      /* no ring will get anything any more */
};

static void put_finished_round(struct drainer *d)
{
	struct perf_event_header record = { .type = PERFDATA_FINISHED_ROUND,
					    .size = sizeof(record) };

	outlet_put(&d->out.outlet, &record, sizeof(record));
}

static void drain_once(struct drainer *d, bool last, bool then_switch)
{
	u64 before = d->out.records_size;

	d->out.wakes = d->counts.wakes;
	for (u32 i = 0; i < d->rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(d->rec->sources, i);

		if (src->ops->drain)
			src->ops->drain(src, &d->out.outlet, last);
	}
	if (d->out.records_size != before) {
		d->counts.bytes += d->out.records_size - before;
		if (d->rounds)
			put_finished_round(d);
	}
	queue_outlet_flush(&d->out, then_switch);
}

/*
 * False when no ring will get anything any more. That was a wake already: the end that the
 * recorder declares thereupon is none.
 */
static bool wait_for_records(struct drainer *d, GArray *fds)
{
	struct pollfd wake = { .fd = d->wake_fd, .events = POLLIN };
	eventfd_t ignored;

	g_array_set_size(fds, 0);
	g_array_append_val(fds, wake);
	rings_poll_fds(d->rec, fds);
	if (poll((struct pollfd *)fds->data, fds->len, DRAINER_PERIOD_MS) <= 0)
		return true;
	d->counts.wakes += !d->ended;
	if (g_array_index(fds, struct pollfd, 0).revents)
		eventfd_read(d->wake_fd, &ignored);
	return rings_polled(d->rec, &g_array_index(fds, struct pollfd, 1), fds->len - 1);
}

/*
 * A drainer that waits for its turn on a busy machine is what loses samples, and it has little
 * to do: where this user may, it goes before everything that is not real-time.
 */
static void go_first(void)
{
	struct sched_param param = { .sched_priority = 1 };

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
		setpriority(PRIO_PROCESS, (id_t)gettid(), -20);
}

static void *drain_all(void *arg)
{
	struct drainer *d = arg;
	g_autoptr(GArray) fds = g_array_new(false, false, sizeof(struct pollfd));

	go_first();
	while (!g_atomic_int_get(&d->stop)) {
		bool still = wait_for_records(d, fds);
		bool then_switch = g_atomic_int_compare_and_exchange(&d->switch_now, 1, 0);

		drain_once(d, then_switch, then_switch);
		if (!d->ended && !still)
			alerts_raise(d->alerts, ALERT_TARGETS_ENDED);
		d->ended = !still;
	}
	drain_once(d, true, false);
	return NULL;
}

struct drainer *drainer_start(struct recording *rec, struct queue *queue, struct alerts *alerts)
{
	struct drainer *d = g_new0(struct drainer, 1);

	d->rec = rec;
	d->alerts = alerts;
	d->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	/* Rings that overwrite are read at the end: their records are older than any round. */
	d->rounds = !rec->opts->overwrite;
	queue_outlet_init(&d->out, queue);
	d->thread = g_thread_new("perf-drainer", drain_all, d);
	return d;
}

static void wake(struct drainer *d)
{
	eventfd_write(d->wake_fd, 1);
}

void drainer_switch(struct drainer *d)
{
	g_atomic_int_set(&d->switch_now, 1);
	wake(d);
}

void drainer_join(struct drainer *d, struct drainer_counts *counts)
{
	g_atomic_int_set(&d->stop, 1);
	wake(d);
	g_thread_join(d->thread);
	*counts = d->counts;
	close(d->wake_fd);
	g_free(d);
}
