// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The main thread while a recording runs. It waits in one poll() for everything that can happen:
 *
 *	signal_fd	SIGINT, SIGTERM, SIGHUP: end; SIGCHLD: the command; SIGUSR2: a new file
 *	alerts.fd	the other threads: failed, full, all targets have ended
 *	delay_fd	the next time of --delay
 *	switch_fd	--switch-output by time
 *	control.fd	a command of --control
 *
 * Signals are blocked in all threads and read from signal_fd, so no handler runs in the middle of
 * something. Descriptors that are -1 are ignored by poll().
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/service.h"
#include "record/parts.h"

bool recorder_take_signals(struct recorder *r, GError **error)
{
	sigset_t mask, pipe_too;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGUSR2);
	sigaddset(&mask, RECORDER_ASK);
	/* If the reader has closed our pipe, write() fails with EPIPE. */
	pipe_too = mask;
	sigaddset(&pipe_too, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_too, &r->old_mask);
	r->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd < 0)
		return error_set_errno(error, errno, "signalfd");
	return true;
}

static int repeating_timer(u64 seconds)
{
	struct itimerspec spec = { { (time_t)seconds, 0 }, { (time_t)seconds, 0 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		timerfd_settime(fd, 0, &spec, NULL);
	return fd;
}

/* Plans the next time of --delay, if there is one. Times count from the start, so they do not drift. */
static void plan_switch(struct recorder *r)
{
	const GArray *times = r->opts->delay_times;
	struct itimerspec spec = { 0 };
	u64 at;

	if (!times || r->nr_switched >= times->len)
		return;
	at = r->began_ns + (u64)g_array_index(times, u32, r->nr_switched) * 1000000;
	spec.it_value = (struct timespec){ (time_t)(at / 1000000000), (long)(at % 1000000000) };
	if (r->delay_fd < 0)
		r->delay_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (r->delay_fd >= 0)
		timerfd_settime(r->delay_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

/* The events are enabled at the first time, disabled at the second, and so on. */
static bool switch_in_turn(struct recorder *r, GError **error)
{
	r->nr_switched++;
	plan_switch(r);
	return recorder_switch(r, r->nr_switched % 2, error);
}

/*
 * The order matters. First the side records are enabled (recorder_enable_side_records()). Then existing processes are read; so
 * no mapping is missed between both. Samples are enabled last, so the reading itself is not sampled; but samples of single
 * processes begin with their side records.
 */
static bool start(struct recorder *r, GError **error)
{
	bool own_start = r->target.kind == TARGET_COMMAND;

	if (!r->opts->delayed &&
	    !(own_start ? recorder_enable_sources(r, error) : recorder_enable(r, error)))
		return false;
	if (own_start && !recorder_leave_out_own(r, error))
		return false;
	if (r->opts->delayed)
		recorder_say_events(r, "disabled");
	r->began_ns = clock_ns(CLOCK_MONOTONIC);
	plan_switch(r);
	if (r->opts->switch_output.seconds)
		r->switch_fd = repeating_timer(r->opts->switch_output.seconds);
	return r->command.pid < 0 || command_start(&r->command, error);
}

/* False: the recording ends. */
static bool on_signals(struct recorder *r)
{
	struct signalfd_siginfo info;
	bool go_on = true;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		int signal = (int)info.ssi_signo;

		if (signal == SIGUSR2) {
			if (r->opts->switch_output.on_signal)
				drainer_switch(r->drainer);
		} else if (signal == RECORDER_ASK) {
			drainer_ask(r->drainer);
		} else if (signal == SIGCHLD) {
			go_on = go_on && !command_ended(&r->command);
		} else {
			r->ended_by = signal;
			go_on = false;
		}
	}
	return go_on;
}

static void attend(struct recorder *r)
{
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->attend)
			src->ops->attend(src);
	}
}

/*
 * False: the recording ends.
 *
 * The fd is cleared before the flags are read: a flag that is raised in between makes the fd
 * readable again. With a command, its own end counts, and not that of all threads with events: it
 * may have children without events.
 */
static bool on_alerts(struct recorder *r)
{
	alerts_clear_fd(&r->alerts);
	if (alerts_take(&r->alerts, ALERT_ATTEND))
		attend(r);
	if (alerts_has(&r->alerts, ALERT_FULL)) {
		r->facts.enough = true;
		return false;
	}
	if (alerts_has(&r->alerts, ALERT_TARGETS_ENDED) && r->command.pid < 0)
		return false;
	return !alerts_has(&r->alerts, ALERT_FAILED);
}

static bool timer_fired(int fd)
{
	u64 times;

	return fd >= 0 && read(fd, &times, sizeof(times)) == sizeof(times);
}

/* What has happened on the file descriptors, except signals and alerts. */
static bool on_events(struct recorder *r, const struct pollfd *control, GError **error)
{
	if (timer_fired(r->delay_fd) && !switch_in_turn(r, error))
		return false;
	if (timer_fired(r->switch_fd))
		drainer_switch(r->drainer);
	return !control->revents || recorder_take_commands(r, error);
}

static bool wait_for_end(struct recorder *r, GError **error)
{
	struct pollfd fds[] = {
		{ r->signal_fd, POLLIN }, { r->alerts.fd, POLLIN },  { r->delay_fd, POLLIN },
		{ r->switch_fd, POLLIN }, { r->control.fd, POLLIN },
	};
	struct pollfd *control = &fds[ARRAY_SIZE(fds) - 1];

	for (;;) {
		/* Before poll(): signals and alerts may already have arrived. */
		if (!on_signals(r) || !on_alerts(r) || r->stopped)
			return true;
		control->fd = r->control.fd;
		control->revents = 0;
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			return error_set_errno(error, errno, "poll");
		if (!on_events(r, control, error))
			return false;
	}
}

bool recorder_begin(struct recorder *r, GError **error)
{
	if (!start(r, error))
		return false;
	service_notify("READY=1");
	return true;
}

/*
 * Counting stops before the command is ended, so its end is not sampled. Its EXIT record is there
 * if it has ended by itself.
 */
bool recorder_wait(struct recorder *r, GError **error)
{
	bool fine = wait_for_end(r, error);

	service_notify("STOPPING=1");
	if (!recorder_disable(r, fine ? error : NULL))
		fine = false;
	command_end(&r->command);
	return fine;
}

bool recorder_collect(struct recorder *r, GError **error)
{
	if (recorder_begin(r, error))
		return recorder_wait(r, error);
	recorder_disable(r, NULL);
	command_end(&r->command);
	return false;
}

bool recorder_has_started(struct recorder *r, GError **error)
{
	if (r->command.pid < 0 || command_is_running(&r->command))
		return true;
	return error_set_errno(error, r->command.exec_errno, "%s", r->opts->command[0]);
}

pid_t recorder_command(const struct recorder *r)
{
	return r->command.pid;
}

bool recorder_command_status(const struct recorder *r, int *status)
{
	*status = r->command.status;
	return r->command.pid > 0 && r->command.waited;
}
