// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/waits.h"

#include <string.h>

#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"

struct syscall_row {
	const char *name; /* NULL: there is no such call */
	u8 nr_args;
};

/* syscalls[], generated from the system's header and syscalls.args. */
#include "fields/syscalls.h"

#define MOST_ARGS ARRAY_SIZE(((struct wall_raw *)0)->args)

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
	u32 size = sample->raw_size, head;
	struct wall_raw raw = { 0 };
	const char *end;

	if (!(sample->type & PERF_SAMPLE_RAW))
		return false;
	if (offcpu_is(evsel))
		at = (const char *)offcpu_rest(sample, &size);
	else if (!wait_is_event(evsel))
		return false;
	if (size < WALL_SIZE_2)
		return false;
	end = at + size;
	memcpy(&raw, at, WALL_SIZE_2);
	head = raw.version == WALL_VERSION ? (u32)sizeof(raw) : (u32)WALL_SIZE_2;
	if (raw.version < 2 || raw.version > WALL_VERSION || raw.state >= WALL_NR_STATES ||
	    size < head)
		return false;
	memcpy(&raw, at, head);
	w->raw = raw;
	at += head;
	w->wchan = next_text(&at, end);
	w->file = next_text(&at, end);
	w->connection = next_text(&at, end);
	w->waker = next_text(&at, end);
	w->result = next_text(&at, end);
	return true;
}

const char *wait_syscall_name(s32 number)
{
	return number >= 0 && (u32)number < ARRAY_SIZE(syscalls) ? syscalls[number].name : NULL;
}

u32 wait_syscall_nr_args(s32 number)
{
	return wait_syscall_name(number) ? syscalls[number].nr_args : MOST_ARGS;
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
