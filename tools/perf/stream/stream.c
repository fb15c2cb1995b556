// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorts events by time in rounds. How long must an event wait until no older one can follow? The records of each ring
 * are sorted by time. The recorder visits all rings, one after the other, and then writes a FINISHED_ROUND record:
 *
 *	round 1:  ring 0: 10 20 30	ring 1: 15 25		greatest time: 30
 *	round 2:  ring 0: 40 50		ring 1: 28 45		greatest time: 50
 *
 * Time 28 is in round 2 although round 1 has time 30: the recorder had read ring 1 before that event happened. In round
 * 3 no time below 30 can follow, because all rings were read after time 30. So the end of a round pushes all events up
 * to the greatest time of the previous round; here, the end of round 2 pushes all up to 30.
 *
 * The queue is an array of (time, record). At each flush its new part is sorted by a merge sort over its ascending runs
 * (a ring gives one long run) and then merged with the rest. Records of a mapped file are not copied. Records of a
 * pipe, or of compressed data, are copied into blocks. A block is freed when its last record was pushed.
 */
#include "stream/stream.h"

#include <string.h>

#include "perfdata/read/reader.h"
#include "perfdata/read/samples.h"

#define BLOCK_SIZE (1u << 20)
#define LEAST_ROOM 1024u

/* Copied records, freed when all of them were pushed. */
struct event_block {
	u32 nr_live;
	u32 used;
	u32 size;
	u64 bytes[];
};

struct queued_event {
	u64 time;
	u64 foff;
	const struct perf_event_header *raw;
	struct event_block *block; /* NULL: the record is in the file's own bytes */
};

struct stream {
	struct perfdata *pd;
	struct sink *sink;
	struct queued_event *queue;
	u64 nr_queued, room;	   /* entries of queue that are used, and all */
	struct event_block *block; /* the block being filled */
	u64 round_max;		   /* greatest time since the last FINISHED_ROUND */
	u64 flush_to;		   /* the same, of the previous round */
	bool by_time;
};

static void block_drop(struct stream *s, struct event_block *b)
{
	if (!b || --b->nr_live)
		return;
	if (b == s->block)
		b->used = 0;
	else
		g_free(b);
}

static const struct perf_event_header *keep(struct stream *s, const struct perf_event_header *raw,
					    struct event_block **block)
{
	u32 size = ALIGN_UP((u32)raw->size, 8u);
	void *at;

	if (!s->block || size > s->block->size - s->block->used) {
		if (s->block && !s->block->nr_live)
			g_free(s->block);
		s->block = g_malloc(sizeof(struct event_block) + BLOCK_SIZE);
		*s->block = (struct event_block){ .size = BLOCK_SIZE };
	}
	at = (u8 *)s->block->bytes + s->block->used;
	memcpy(at, raw, raw->size);
	s->block->used += size;
	s->block->nr_live++;
	*block = s->block;
	return at;
}

/* Do the bytes of a record stay valid after the next read? */
static bool stays(const struct perfdata *pd)
{
	const u64 *seen = perfdata_counts(pd)->records;

	return !perfdata_is_pipe(pd) && !seen[PERFDATA_COMPRESSED] && !seen[PERFDATA_COMPRESSED2];
}

static void enqueue(struct stream *s, const struct perfdata_timed *record, bool stays)
{
	struct queued_event *q;

	if (s->nr_queued == s->room) {
		s->room = MAX(s->room * 2, LEAST_ROOM);
		s->queue = g_renew(struct queued_event, s->queue, s->room);
	}
	q = &s->queue[s->nr_queued++];
	*q = (struct queued_event){ record->time, record->foff, record->raw, NULL };
	if (!stays)
		q->raw = keep(s, record->raw, &q->block);
	s->round_max = MAX(s->round_max, q->time);
}

/* Stable: events of equal time keep their file order. */
static void merge(struct queued_event *to, const struct queued_event *a, u64 nr_a,
		  const struct queued_event *b, u64 nr_b)
{
	while (nr_a && nr_b) {
		if (b->time < a->time) {
			*to++ = *b++;
			nr_b--;
		} else {
			*to++ = *a++;
			nr_a--;
		}
	}
	memcpy(to, a, nr_a * sizeof(*a));
	memcpy(to + nr_a, b, nr_b * sizeof(*b));
}

static u64 run_end(const struct queued_event *q, u64 from, u64 nr)
{
	u64 i = from + 1;

	while (i < nr && q[i - 1].time <= q[i].time)
		i++;
	return i;
}

/* A merge sort over the ascending runs that the array has. */
static void sort(struct queued_event *q, u64 nr)
{
	g_autofree struct queued_event *spare = g_new(struct queued_event, nr + 1);

	while (nr && run_end(q, 0, nr) < nr) {
		for (u64 from = 0, middle, end; from < nr; from = end) {
			middle = end = run_end(q, from, nr);
			if (middle == nr)
				break;
			end = run_end(q, middle, nr);
			merge(spare, q + from, middle - from, q + middle, end - middle);
			memcpy(q + from, spare, (end - from) * sizeof(*q));
		}
	}
}

static bool push_raw(struct stream *s, const struct queued_event *q, u32 nr, GError **error)
{
	for (u32 i = 0; i < nr; i++)
		if (!s->sink->push_raw(s->sink, q[i].raw, q[i].foff, !q[i].block, error))
			return false;
	return true;
}

/* This many events are decoded before the first of them is pushed. */
#define AHEAD 16

/* Pushes the first @nr events (at most AHEAD) of the queue: decodes all, announces all, then pushes each. */
static bool push(struct stream *s, const struct queued_event *q, u32 nr, GError **error)
{
	struct event events[AHEAD];
	GError *wrong = NULL; /* the error of the first record that cannot be decoded */
	u32 good = 0;
	bool ok = true;

	while (good < nr &&
	       perfdata_decode(s->pd, q[good].raw, q[good].foff, &events[good], &wrong))
		good++;
	if (good && s->sink->announce)
		s->sink->announce(s->sink, events, good);
	for (u32 i = 0; ok && i < good; i++)
		ok = s->sink->push(s->sink, &events[i], error);
	if (ok && wrong)
		g_propagate_error(error, g_steal_pointer(&wrong));
	g_clear_error(&wrong);
	return ok && good == nr;
}

static bool flush(struct stream *s, u64 up_to, GError **error)
{
	struct queued_event *q = s->queue;
	u64 nr = s->nr_queued, done = 0;
	bool ok = true;

	sort(q, nr);
	while (ok && done < nr && q[done].time <= up_to) {
		u32 some = 0;

		while (some < AHEAD && done + some < nr && q[done + some].time <= up_to)
			some++;
		ok = s->sink->push_raw ? push_raw(s, &q[done], some, error)
				       : push(s, &q[done], some, error);
		for (u32 i = 0; i < some; i++)
			block_drop(s, q[done++].block);
	}
	s->nr_queued -= done;
	if (done && s->nr_queued)
		memmove(q, q + done, s->nr_queued * sizeof(*q));
	return ok;
}

static bool finish_round(struct stream *s, GError **error)
{
	bool ok = flush(s, s->flush_to, error);

	s->flush_to = s->round_max;
	return ok;
}

/* Kernel records (samples, mmap, comm ...) wait. Records of the tool itself (types from 64) do not. */
static bool waits(const struct stream *s, u32 type, u64 time)
{
	return s->by_time && type < PERFDATA_USER_TYPE_START && time && time != UINT64_MAX;
}

static bool finishes(const struct stream *s, u32 type)
{
	return s->by_time && type == PERFDATA_FINISHED_ROUND;
}

bool stream_take(struct stream *s, const struct event *ev, GError **error)
{
	if (waits(s, ev->type, ev->id.time)) {
		enqueue(s, &(struct perfdata_timed){ ev->raw, ev->foff, ev->id.time },
			stays(s->pd));
		return true;
	}
	if (s->sink->push_raw ? !s->sink->push_raw(s->sink, ev->raw, ev->foff, stays(s->pd), error)
			      : !s->sink->push(s->sink, ev, error))
		return false;
	return !finishes(s, ev->type) || finish_round(s, error);
}

/* As stream_take(), for a record that is not decoded, and whose bytes stay valid if it @stays. */
static bool take_timed(struct stream *s, const struct perfdata_timed *record, bool stays,
		       GError **error)
{
	struct event ev;

	if (waits(s, record->raw->type, record->time)) {
		enqueue(s, record, stays);
		return true;
	}
	if (s->sink->push_raw && !finishes(s, record->raw->type))
		return s->sink->push_raw(s->sink, record->raw, record->foff, stays, error);
	return perfdata_decode(s->pd, record->raw, record->foff, &ev, error) &&
	       stream_take(s, &ev, error);
}

struct stream *stream_new(struct perfdata *pd, bool by_time, struct sink *sink)
{
	struct stream *s = g_new0(struct stream, 1);

	s->pd = pd;
	s->by_time = by_time;
	s->sink = sink;
	return s;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	for (u64 i = 0; i < s->nr_queued; i++)
		block_drop(s, s->queue[i].block);
	g_free(s->block);
	g_free(s->queue);
	g_free(s);
}

/* For streams that do not sort: reads AHEAD events, announces them, then pushes them. */
static bool run_ahead(struct stream *s, GError **error)
{
	struct event events[AHEAD];
	GError *wrong = NULL; /* of a record after those already read */
	int got = 1;
	bool ok = true;

	while (ok && got > 0) {
		u32 nr = 0;

		/* Takes one event at a time if the next read overwrites its bytes. */
		do {
			got = perfdata_next(s->pd, &events[nr], &wrong);
			nr += got > 0;
		} while (got > 0 && nr < AHEAD && stays(s->pd));
		s->sink->announce(s->sink, events, nr);
		for (u32 i = 0; ok && i < nr; i++)
			ok = s->sink->push(s->sink, &events[i], error);
	}
	if (ok && wrong)
		g_propagate_error(error, g_steal_pointer(&wrong));
	g_clear_error(&wrong);
	return ok && got == 0;
}

bool stream_run(struct stream *s, GError **error)
{
	struct perfdata_timed record;
	int got;

	if (s->sink->announce && !s->by_time && !perfdata_is_pipe(s->pd))
		return run_ahead(s, error);
	while ((got = perfdata_next_timed(s->pd, &record, error)) > 0)
		if (!take_timed(s, &record, stays(s->pd), error))
			return false;
	return got == 0 && flush(s, UINT64_MAX, error);
}

/* Bytes before the present part that stay in memory, because records waiting in the queue point to them. */
#define KEPT_BEHIND (16ull << 20)

bool stream_run_parts(struct stream *s, const GArray *parts, void (*read)(u64 size, void *arg),
		      void *arg, GError **error)
{
	struct perfdata_timed records[AHEAD];
	u64 size = 0, kept = 0;
	int got = 0;

	for (u32 i = 0, behind = 0; i < parts->len; i++) {
		struct perfdata_part part = g_array_index(parts, struct perfdata_part, i);

		size += (u64)(part.to - part.from);
		kept += (u64)(part.to - part.from);
		while ((got = perfdata_timed(s->pd, &part, records, AHEAD, error)) > 0)
			for (int k = 0; k < got; k++)
				if (!take_timed(s, &records[k], true, error))
					return false;
		if (got < 0)
			return false;
		read(size, arg);
		for (; kept > KEPT_BEHIND; behind++) {
			part = g_array_index(parts, struct perfdata_part, behind);
			kept -= (u64)(part.to - part.from);
			perfdata_give_back(s->pd, &part);
		}
	}
	return flush(s, UINT64_MAX, error);
}
