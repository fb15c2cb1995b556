// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One thread moves records from the sources to the queue, in rounds. Why it does nothing else: a
 * ring of 512 KiB holds about 10,000 samples, at 10 kHz that is a second. Whoever writes to a disk
 * may be stopped for longer.
 *
 *	wait for		a ring that is half full, a source's descriptor, wake_fd, or the timer
 *	round			drain() of each source, then position() of each
 *	mark			at the end of the last buffer of the round
 *
 * Order between rings. Rings are read one after the other, while all CPUs go on writing:
 *
 *	ring 0 read: up to time 105	ring 1 read: up to time 112	round ends
 *
 * A record of time 108 in ring 0 comes in the next round, after one of 112. But all that existed
 * when the round began (time 100) is in it. So a reader may sort everything up to the newest time
 * of the round before.
 *
 * Wake-ups. For each sample there would be thousands a second. A watermark at half of the ring and
 * a timer of DRAINER_PERIOD_MS make 25, and show the records soon enough. --wall has few records,
 * so its period grows when it is calm. With doze, only rings and wake_fd end the wait.
 *
 * The main thread talks to this thread by atomic flags (stop, switch_now) and wake_fd. A flag is
 * set before wake_fd is written. So a wake-up that finds no flag is only too early, and a flag is
 * never missed.
 */
#include "record/drainer.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/base/options.h"

/* A period with fewer bytes is calm. After this many calm periods in a row the drainer slows down. */
#define LITTLE_BYTES 16384
#define CALM_AFTER   8

struct drainer {
	struct recording *rec;
	struct alerts *alerts;
	pthread_t thread;
	int realtime;
	struct queue_outlet out;
	struct drainer_counts counts;
	GArray *fds;	/* struct pollfd: wake_fd, then the sources' */
	GArray *nr_fds; /* u32 per source: number of its fds */
	int wake_fd;
	int stop, switch_now; /* atomic */
	u64 asked;	      /* recording.asked, before the last round began */
	bool doze;	      /* no timer while no records come */
	u64 drained;	      /* bytes, when the last round began */
	int period;	      /* ms, before this round */
	bool may_calm;
	u32 nr_calm; /* number of calm rounds in a row */
	bool ended;  /* no ring gets further records */
};

/* The least position of all sources that have one: called after all of them were drained. */
static u64 position(const struct recording *rec)
{
	u64 position = G_MAXUINT64;

	for (u32 i = 0; i < rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(rec->sources, i);

		if (src->ops->position)
			position = MIN(position, src->ops->position(src));
	}
	return position;
}

/*
 * began_ns is taken before the first ring is read: what existed then is in this round.
 *
 * An empty round without stages needs no mark, as there is nothing to finish. With stages it does:
 * they may hold records back.
 */
static void drain_once(struct drainer *d, bool last, bool then_switch)
{
	struct queue_mark mark = {
		.round = true,
		.last = last,
		.then_switch = then_switch,
		.asked = d->asked,
		.wakes = d->counts.wakes,
		.began_ns = clock_ns(CLOCK_MONOTONIC),
	};

	for (u32 i = 0; i < d->rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(d->rec->sources, i);

		if (src->ops->drain)
			src->ops->drain(src, &d->out.outlet, last);
	}
	mark.position = position(d->rec);
	/* Without stages, an empty round needs no mark. */
	if (d->out.buffer || last || d->rec->stages->len)
		queue_outlet_mark(&d->out, &mark);
}

/*
 * The list is made anew in each round, because sources lose descriptors when threads end. nr_fds
 * says which part belongs to whom.
 */
static void gather_fds(struct drainer *d)
{
	struct pollfd wake = { .fd = d->wake_fd, .events = POLLIN };

	g_array_set_size(d->fds, 0);
	g_array_append_val(d->fds, wake);
	for (u32 i = 0; i < d->rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(d->rec->sources, i);
		u32 *nr = &g_array_index(d->nr_fds, u32, i);

		*nr = d->fds->len;
		if (src->ops->poll_fds)
			src->ops->poll_fds(src, d->fds);
		*nr = d->fds->len - *nr;
	}
}

/*
 * False: all sources that have polled() report their end.
 *
 * Two sources know when the recorded threads end: the rings (POLLHUP) and that of refused events
 * (pidfds). Events of whole CPUs have no such end, so with -a somebody else ends the recording.
 */
static bool tell_polled(struct drainer *d)
{
	u32 at = 1, nr_knowing = 0, nr_alive = 0;

	for (u32 i = 0; i < d->rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(d->rec->sources, i);
		u32 nr = g_array_index(d->nr_fds, u32, i);

		if (src->ops->polled) {
			nr_knowing++;
			nr_alive += src->ops->polled(src, &g_array_index(d->fds, struct pollfd, at),
						     nr);
		}
		at += nr;
	}
	return nr_alive || !nr_knowing;
}

/*
 * How long to wait, in ms; -1: for ever. Example of --wall: below 16 KiB in 40 ms, nine times in a
 * row, the period becomes 320 ms. One period with more, and it is 40 ms again. The limit grows with
 * the period, so that 320 ms may have eight times as many bytes.
 */
static int patience(struct drainer *d)
{
	u64 came = d->out.records_size - d->drained;
	bool calm = came < (u64)LITTLE_BYTES * (u32)d->period / DRAINER_PERIOD_MS;

	d->drained = d->out.records_size;
	if (d->doze && !came)
		return -1;
	d->nr_calm = calm ? d->nr_calm + 1 : 0;
	d->period = d->may_calm && d->nr_calm > CALM_AFTER ? DRAINER_CALM_MS : DRAINER_PERIOD_MS;
	return d->period;
}

/*
 * False when no source will get any more records. This counted as a wake-up already; the end that
 * the recorder then asks for does not count again.
 */
static bool wait_for_records(struct drainer *d)
{
	eventfd_t ignored;

	gather_fds(d);
	if (poll((struct pollfd *)d->fds->data, d->fds->len, patience(d)) > 0)
		d->counts.wakes += !d->ended;
	if (g_array_index(d->fds, struct pollfd, 0).revents)
		eventfd_read(d->wake_fd, &ignored);
	return tell_polled(d);
}

/* True if readers wait for what is in the rings now. */
static bool is_asked(struct drainer *d)
{
	u64 before = d->asked;

	if (d->rec->asked)
		d->asked = __atomic_load_n(d->rec->asked, __ATOMIC_ACQUIRE);
	return d->asked != before;
}

/*
 * The flag of a new file is taken before the round, so the round is the last one of the old file.
 * The same holds for requests of readers: what they ask for was in the rings when they asked.
 *
 * After stop there is one more round. The main thread has stopped the counting before, so it is
 * complete.
 */
static void *drain_all(void *arg)
{
	struct drainer *d = arg;

	pthread_setname_np(pthread_self(), "perf-drainer");
	if (!d->realtime) /* on a busy machine, a drainer that waits for a CPU loses samples */
		setpriority(PRIO_PROCESS, (id_t)gettid(), -20);
	while (!g_atomic_int_get(&d->stop)) {
		bool still = wait_for_records(d);
		bool then_switch = g_atomic_int_compare_and_exchange(&d->switch_now, 1, 0);

		drain_once(d, is_asked(d) || then_switch, then_switch);
		if (!d->ended && !still)
			alerts_raise(d->alerts, ALERT_TARGETS_ENDED);
		d->ended = !still;
	}
	drain_once(d, true, false);
	return NULL;
}

/*
 * The priority is in the attributes of the new thread, so if it is refused, pthread_create() fails.
 */
static int start_thread(struct drainer *d)
{
	struct sched_param param = { .sched_priority = d->realtime };
	pthread_attr_t attr;
	int errnum;

	pthread_attr_init(&attr);
	if (d->realtime) {
		pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
		pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	}
	errnum = d->realtime ? pthread_attr_setschedparam(&attr, &param) : 0;
	if (!errnum)
		errnum = pthread_create(&d->thread, &attr, drain_all, d);
	pthread_attr_destroy(&attr);
	return errnum;
}

static void release(struct drainer *d)
{
	g_array_unref(d->fds);
	g_array_unref(d->nr_fds);
	close(d->wake_fd);
	g_free(d);
}

struct drainer *drainer_start(struct recording *rec, struct queue *queue, struct alerts *alerts,
			      int realtime, GError **error)
{
	struct drainer *d = g_new0(struct drainer, 1);
	int errnum;

	d->rec = rec;
	d->alerts = alerts;
	d->period = DRAINER_PERIOD_MS;
	d->may_calm = rec->opts->wall.hz && !rec->stages->len;
	d->realtime = realtime;
	d->doze = rec->opts->doze && !rec->opts->wall.hz;
	d->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	d->fds = g_array_new(false, false, sizeof(struct pollfd));
	d->nr_fds = g_array_new(false, true, sizeof(u32));
	g_array_set_size(d->nr_fds, rec->sources->len);
	queue_outlet_init(&d->out, queue);
	errnum = start_thread(d);
	if (!errnum)
		return d;
	release(d);
	if (!realtime)
		error_set_errno(error, errnum, "start of a thread");
	else /* the first sentence is upstream's */
		error_set(error, PERF_ERROR_PERMISSION, "Could not set realtime priority. %s",
			  errnum == EPERM ? "--realtime needs CAP_SYS_NICE, or a limit above it "
					    "(ulimit -r)"
					  : g_strerror(errnum));
	return NULL;
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

void drainer_ask(struct drainer *d)
{
	wake(d);
}

void drainer_join(struct drainer *d, struct drainer_counts *counts)
{
	g_atomic_int_set(&d->stop, 1);
	wake(d);
	pthread_join(d->thread, NULL);
	*counts = d->counts;
	release(d);
}
