// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/service.h"
#include "record/filters.h"
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

static bool enable_events(struct recorder *r, GError **error)
{
	if (r->rec.set && !openset_enable(r->rec.set, error))
		return false;
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		if (!more->side && !openset_enable(more->set, error))
			return false;
	}
	return true;
}

static bool enable_sources(struct recorder *r, GError **error)
{
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->enable && !src->ops->enable(src, error))
			return false;
	}
	return true;
}

/* --exclude-perf: when the threads of all sources run. The kernel takes one filter for an event. */
static bool leave_out_own(struct recorder *r, GError **error)
{
	if (r->filtered)
		return true;
	r->filtered = true;
	return filters_leave_out_own(&r->rec, error);
}

bool recorder_enable(struct recorder *r, GError **error)
{
	return enable_sources(r, error) && leave_out_own(r, error) && enable_events(r, error);
}

bool recorder_disable(struct recorder *r, GError **error)
{
	bool fine = true;

	if (r->rec.set)
		openset_disable(r->rec.set, NULL);
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		if (more->set)
			openset_disable(more->set, NULL);
	}
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->disable && !src->ops->disable(src, fine ? error : NULL))
			fine = false;
	}
	return fine;
}

/* As upstream: with --delay, the states of the events that the user cannot see. */
static void say_events(const struct recorder *r, const char *state)
{
	if (!r->opts->quiet)
		fprintf(stderr, "Events %s\n", state);
}

static int timer_after(u64 ms, bool repeat)
{
	struct itimerspec spec = { .it_value = { (time_t)(ms / 1000),
						 (long)(ms % 1000) * 1000000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (repeat)
		spec.it_interval = spec.it_value;
	if (fd >= 0)
		timerfd_settime(fd, 0, &spec, NULL);
	return fd;
}

/*
 * The order matters. First the side records are enabled. Then existing processes are read; so no mapping is missed
 * between both. Samples are enabled last, so the reading itself is not sampled.
 */
static bool start(struct recorder *r, GError **error)
{
	bool own_start = r->target.kind == TARGET_COMMAND;

	if (r->opts->delay_ms == DELAY_NONE &&
	    !(own_start ? enable_sources(r, error) : recorder_enable(r, error)))
		return false;
	if (own_start && !leave_out_own(r, error))
		return false;
	if (r->opts->delay_ms != DELAY_NONE)
		say_events(r, "disabled");
	if (r->opts->delay_ms > 0)
		r->delay_fd = timer_after((u64)r->opts->delay_ms, false);
	if (r->opts->switch_output.seconds)
		r->switch_fd = timer_after(r->opts->switch_output.seconds * 1000, true);
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

static bool on_alerts(struct recorder *r)
{
	alerts_clear_fd(&r->alerts);
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

static bool wait_for_end(struct recorder *r, GError **error)
{
	struct pollfd fds[] = {
		{ r->signal_fd, POLLIN },
		{ r->alerts.fd, POLLIN },
		{ r->delay_fd, POLLIN },
		{ r->switch_fd, POLLIN },
	};

	for (;;) {
		/* Before poll(): signals and alerts may already have arrived. */
		if (!on_signals(r) || !on_alerts(r))
			return true;
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			return error_set_errno(error, errno, "poll");
		if (timer_fired(r->delay_fd)) {
			if (!recorder_enable(r, error))
				return false;
			say_events(r, "enabled");
		}
		if (timer_fired(r->switch_fd))
			drainer_switch(r->drainer);
	}
}

bool recorder_begin(struct recorder *r, GError **error)
{
	if (!start(r, error))
		return false;
	service_notify("READY=1");
	return true;
}

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
