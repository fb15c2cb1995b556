// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/waits.h"

#include <string.h>

#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"

/* const char *const syscall_names[], from the system's header. */
#include "fields/syscalls.h"

static const char *next_text(const char **at, const char *end)
{
	const char *text = *at, *nul = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;

	if (!nul)
		return "";
	*at = nul + 1;
	return text;
}

bool wait_is_event(const struct evsel *evsel)
{
	return wall_is_stretch(evsel->name);
}

bool wait_of(const struct evsel *evsel, const struct sample *sample, struct wait *w)
{
	const char *at = sample->raw;
	u32 size = sample->raw_size;
	struct wall_raw raw;
	const char *end;

	if (!(sample->type & PERF_SAMPLE_RAW))
		return false;
	if (offcpu_is(evsel))
		at = (const char *)offcpu_rest(sample, &size);
	else if (!wait_is_event(evsel))
		return false;
	if (size < sizeof(raw))
		return false;
	end = at + size;
	memcpy(&raw, at, sizeof(raw));
	if (raw.version != WALL_VERSION || raw.state >= WALL_NR_STATES)
		return false;
	w->raw = raw;
	at += sizeof(raw);
	w->wchan = next_text(&at, end);
	w->file = next_text(&at, end);
	w->connection = next_text(&at, end);
	w->waker = next_text(&at, end);
	return true;
}

const char *wait_syscall_name(s32 number)
{
	return number >= 0 && (u32)number < ARRAY_SIZE(syscall_names) ? syscall_names[number]
								      : NULL;
}

const char *wait_state_name(enum wall_state state)
{
	static const char *const names[] = {
		[WALL_UNKNOWN] = "(unknown)",	 [WALL_RUNNING] = "R (on CPU)",
		[WALL_QUEUED] = "R (run queue)", [WALL_SLEEP] = "S (sleep)",
		[WALL_DISK] = "D (disk)",	 [WALL_STOPPED] = "T (stopped)",
		[WALL_TRACED] = "t (traced)",	 [WALL_ZOMBIE] = "Z (zombie)",
		[WALL_IDLE] = "I (idle)",	 [WALL_FROZEN] = "F (frozen)",
	};

	return names[state];
}

/*
 * Waits for work, by system call. A wait with one of these is idle whatever it waits for: somebody else decides when
 * there is something to do. (read() and recv() are not here: who calls them wants an answer, mostly.)
 */
static const struct {
	const char *syscall, *why;
} idle_calls[] = {
	{ "epoll_wait", "event loop" },
	{ "epoll_pwait", "event loop" },
	{ "epoll_pwait2", "event loop" },
	{ "poll", "event loop" },
	{ "ppoll", "event loop" },
	{ "select", "event loop" },
	{ "pselect6", "event loop" },
	{ "io_uring_enter", "event loop" },
	{ "io_getevents", "event loop" },
	{ "accept", "accept" },
	{ "accept4", "accept" },
	{ "pause", "signal" },
	{ "rt_sigsuspend", "signal" },
	{ "rt_sigtimedwait", "signal" },
	{ "nanosleep", "timer" },
	{ "clock_nanosleep", "timer" },
	{ "wait4", "child" },
	{ "waitid", "child" },
};

static bool sleeps(const struct wait *w)
{
	return w->raw.state == WALL_SLEEP || w->raw.state == WALL_IDLE;
}

const char *wait_idle(const struct wait *w)
{
	const char *call = wait_syscall_name(w->raw.syscall);

	if (!sleeps(w))
		return NULL;
	if (w->raw.flags & WALL_KERNEL)
		return "kernel thread";
	for (u32 i = 0; call && i < ARRAY_SIZE(idle_calls); i++)
		if (!strcmp(idle_calls[i].syscall, call))
			return idle_calls[i].why;
	return NULL;
}
