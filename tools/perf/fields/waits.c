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

bool wait_is_exact(const struct evsel *evsel)
{
	return offcpu_is(evsel);
}

/* Size of struct wall_raw in that version; 0: the version is unknown. */
static u32 size_of_version(u8 version)
{
	static const u32 sizes[] = { [2] = WALL_SIZE_2,
				     [WALL_VERSION_NO_LOCK] = WALL_SIZE_3,
				     [WALL_VERSION] = sizeof(struct wall_raw) };

	return version < ARRAY_SIZE(sizes) ? sizes[version] : 0;
}

/* Up to 7 bytes of padding are no edge. */
static void take_edge(struct wait *w, const char *at, const char *end)
{
	struct wall_edge edge;

	if (end - at < (ptrdiff_t)sizeof(edge))
		return;
	memcpy(&edge, at, sizeof(edge));
	at += sizeof(edge);
	w->ready = next_text(&at, end);
	w->messages = at;
	edge.nr_messages = MIN(edge.nr_messages, WALL_MOST_MESSAGES);
	if (end - at < (ptrdiff_t)(edge.nr_messages * sizeof(struct wall_message)))
		edge.nr_messages = 0;
	if (edge.owner_state < WALL_NR_STATES && edge.owner_moment < WALL_NR_MOMENTS)
		w->edge = edge;
}

/* Version 4: the name of the lock's owner, its activity, and the edge. */
static void take_owner(struct wait *w, const char *at, const char *end)
{
	w->owner = next_text(&at, end);
	if (w->raw.lock.activity_size <= end - at) {
		w->owner_tls = at;
		take_edge(w, at + w->raw.lock.activity_size, end);
	} else {
		w->raw.lock.activity_size = 0;
	}
	if (w->raw.lock.kind >= WALL_NR_LOCKS || w->raw.lock.owner >= WALL_NR_OWNERS)
		w->raw.lock = (struct wall_lock){ 0 };
}

static bool take_raw(const char *at, u32 size, struct wait *w)
{
	const char *end = at + size;
	u32 head;

	if (size < WALL_SIZE_2)
		return false;
	head = size_of_version((u8)*at);
	if (!head || size < head)
		return false;
	w->raw = (struct wall_raw){ 0 };
	memcpy(&w->raw, at, head);
	if (w->raw.state >= WALL_NR_STATES)
		return false;
	at += head;
	w->wchan = next_text(&at, end);
	w->file = next_text(&at, end);
	w->connection = next_text(&at, end);
	w->waker = next_text(&at, end);
	w->result = next_text(&at, end);
	w->owner = w->ready = "";
	w->owner_tls = w->messages = NULL;
	w->edge = (struct wall_edge){ .owner_syscall = -1 };
	if (w->raw.version > WALL_VERSION_NO_LOCK)
		take_owner(w, at, end);
	return true;
}

bool wait_of(const struct evsel *evsel, const struct sample *sample, struct wait *w)
{
	const char *at = sample->raw;
	u32 size = sample->raw_size;
	struct wait read;

	if (!(sample->type & PERF_SAMPLE_RAW))
		return false;
	if (offcpu_is(evsel))
		at = (const char *)offcpu_rest(sample, &size);
	else if (!wait_is_event(evsel))
		return false;
	if (!take_raw(at, size, &read))
		return false;
	*w = read;
	return true;
}

struct wall_message wait_message(const struct wait *w, u32 i)
{
	struct wall_message m;

	memcpy(&m, w->messages + i * sizeof(m), sizeof(m));
	return m;
}

const char *wait_peer(const char *connection)
{
	const char *of = strstr(connection, " of "), *end = connection + strlen(connection);

	return of && end[-1] == ']' ? of : end;
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
