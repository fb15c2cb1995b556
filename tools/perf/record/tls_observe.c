// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_observe.h"

#include "base/cursor.h"
#include "record/mmaps.h"

/*
 * The time in the trailer of @record, of whose body @c has read all but the string at its end.
 * Trailers end otherwise for each event, but begin alike: u32 pid, tid; u64 time.
 */
static u64 read_time(struct cursor *c, const struct perf_event_header *record, const char **string)
{
	size_t at;

	*string = cursor_string(c);
	at = (size_t)(c->pos - (const u8 *)record);
	cursor_bytes(c, ALIGN_UP(at, sizeof(u64)) - at);
	cursor_bytes(c, sizeof(u64));
	return cursor_u64(c);
}

static void observe_mmap(struct tls_lookup *l, const struct perf_event_header *record)
{
	struct event_mmap map;
	struct cursor c;
	u64 time;

	if (record->misc & PERF_MISC_MMAP_DATA || !mmap_of_record(record, &map))
		return;
	c = cursor_of(map.filename, (size_t)((const char *)record + record->size - map.filename));
	time = read_time(&c, record, &map.filename);
	if (!c.failed && map.pid != (u32)-1)
		tls_lookup_mmap(l, &map, time);
}

static void observe_task(struct tls_lookup *l, const struct perf_event_header *record)
{
	struct cursor c = cursor_of(record, record->size);
	struct event_task task = { 0 };

	cursor_bytes(&c, sizeof(*record));
	task.pid = cursor_u32(&c);
	task.ppid = cursor_u32(&c);
	task.tid = cursor_u32(&c);
	task.ptid = cursor_u32(&c);
	task.time = cursor_u64(&c);
	if (c.failed)
		return;
	if (record->type == PERF_RECORD_FORK)
		tls_lookup_fork(l, &task, task.time);
	else
		tls_lookup_exit(l, &task, task.time);
}

static void observe_comm(struct tls_lookup *l, const struct perf_event_header *record)
{
	struct cursor c = cursor_of(record, record->size);
	const char *comm;
	u64 time;
	u32 pid;

	cursor_bytes(&c, sizeof(*record));
	pid = cursor_u32(&c);
	cursor_u32(&c);
	time = read_time(&c, record, &comm);
	if (!c.failed && record->misc & PERF_RECORD_MISC_COMM_EXEC)
		tls_lookup_exec(l, pid, time);
}

void tls_observe(struct tls_lookup *l, const struct perf_event_header *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		observe_mmap(l, record);
		break;
	case PERF_RECORD_COMM:
		observe_comm(l, record);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		observe_task(l, record);
		break;
	default:
		break;
	}
}
