// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_join.h"

#include <glib.h>
#include <string.h>

#include "activity/layout.h"
#include "bpf/sample_tls.h"

#define RECORD_MAX 65528 /* the largest multiple of 8 that fits a record's size */

/*
 * B records that wait for their sample. More than one do only where one event's interrupt hits
 * between the two records of another's.
 */
#define NR_WAITING 4

/* What every sample starts with, see TLS_JOIN_SAMPLE_TYPE. */
struct sample_front {
	struct perf_event_header header;
	u64 id, ip;
	u32 pid, tid;
	u64 time;
};

/* A B record: IDENTIFIER, TID, TIME, RAW. */
struct output_front {
	struct perf_event_header header;
	u64 id;
	u32 pid, tid;
	u64 time;
	u32 raw_size;
};

struct waiting {
	bool taken;
	struct sample_tls_head head;
	u8 bytes[ACTIVITY_WINDOW_MAX];
};

struct tls_joiner {
	u64 output_id, event_id;
	struct waiting waiting[NR_WAITING];
	u32 newest;	 /* of waiting */
	bool adjacent;	 /* the last record was the newest of waiting */
	bool after_lost; /* the last record was LOST */
	struct tls_counts counts;
	u8 record[1 << 16]; /* a record being made */
};

struct tls_joiner *tls_joiner_new(u64 output_id, u64 event_id)
{
	struct tls_joiner *j = g_new0(struct tls_joiner, 1);

	j->output_id = output_id;
	j->event_id = event_id;
	return j;
}

void tls_joiner_free(struct tls_joiner *j)
{
	g_free(j);
}

struct tls_counts tls_joiner_counts(const struct tls_joiner *j)
{
	struct tls_counts counts = j->counts;

	for (u32 i = 0; i < NR_WAITING; i++)
		counts.lone += j->waiting[i].taken;
	return counts;
}

static void take_output(struct tls_joiner *j, const struct perf_event_header *record)
{
	struct output_front front;
	struct waiting *w;
	const u8 *raw;

	memcpy(&front, record, MIN(record->size, sizeof(front)));
	raw = (const u8 *)record + offsetof(struct output_front, raw_size) + sizeof(front.raw_size);
	if (record->size < offsetof(struct output_front, raw_size) + sizeof(front.raw_size) ||
	    front.raw_size > record->size - (raw - (const u8 *)record) ||
	    front.raw_size < sizeof(w->head))
		return;
	j->newest = (j->newest + 1) % NR_WAITING;
	w = &j->waiting[j->newest];
	if (w->taken)
		j->counts.lone++;
	memcpy(&w->head, raw, sizeof(w->head));
	w->taken = w->head.size <= sizeof(w->bytes) && w->head.size % 8 == 0 &&
		   w->head.size <= front.raw_size - sizeof(w->head);
	if (w->taken)
		memcpy(w->bytes, raw + sizeof(w->head), w->head.size);
	j->adjacent = w->taken;
}

static bool is_pair(const struct tls_joiner *j, const struct waiting *w,
		    const struct sample_front *e)
{
	if (!w->taken || w->head.tid != e->tid || w->head.ip != e->ip)
		return false;
	if (w->head.time)
		return w->head.time == e->time && w->head.event == e->id;
	return j->adjacent && w == &j->waiting[j->newest];
}

/* The bytes of @e, which wait no longer, or NULL. The others keep waiting for theirs. */
static struct waiting *find_pair(struct tls_joiner *j, const struct sample_front *e)
{
	for (u32 i = 0; i < NR_WAITING; i++) {
		struct waiting *w = &j->waiting[(j->newest + NR_WAITING - i) % NR_WAITING];

		if (is_pair(j, w, e)) {
			w->taken = false;
			return w;
		}
	}
	return NULL;
}

/* u64 size; data; u64 dyn_size: into @to; returns the section's size. */
static size_t write_section(u8 *to, const u8 *bytes, u64 size, u64 dyn_size)
{
	memcpy(to, &size, sizeof(size));
	if (!size)
		return sizeof(size);
	memcpy(to + sizeof(size), bytes, size);
	memcpy(to + sizeof(size) + size, &dyn_size, sizeof(dyn_size));
	return sizeof(size) + size + sizeof(dyn_size);
}

static void pass_sample(struct tls_joiner *j, const struct sample_front *e,
			const struct perf_event_header *record, struct outlet *out)
{
	static const u8 not_read[8];
	const struct waiting *w = find_pair(j, e);
	struct perf_event_header header = *record;
	size_t room = record->size <= RECORD_MAX ? RECORD_MAX - record->size : 0;
	u8 *end = j->record + record->size;
	size_t section;

	if (room < 3 * sizeof(u64) || (w && room < w->head.size + 2 * sizeof(u64))) {
		j->counts.oversized++;
		return;
	}
	if (w && w->head.size) {
		j->counts.joined++;
		section = write_section(end, w->bytes, w->head.size, w->head.size);
	} else if (w || j->after_lost) {
		*(w ? &j->counts.unreadable : &j->counts.unknown) += 1;
		section = write_section(end, not_read, sizeof(not_read), 0);
	} else {
		j->counts.none++;
		section = write_section(end, NULL, 0, 0);
	}
	memcpy(j->record, record, record->size);
	header.size = (u16)(record->size + section);
	memcpy(j->record, &header, sizeof(header));
	outlet_put(out, j->record, header.size);
}

/* LOST, THROTTLE and UNTHROTTLE name the event that wrote them: never B's in the file. */
static void pass_other(struct tls_joiner *j, const struct perf_event_header *record,
		       struct outlet *out)
{
	u64 *id;

	memcpy(j->record, record, record->size);
	if (record->type == PERF_RECORD_LOST && record->size >= sizeof(*record) + 2 * sizeof(u64)) {
		id = (u64 *)(j->record + sizeof(*record));
		if (*id == j->output_id)
			*id = j->event_id;
	}
	if (record->size >= sizeof(*record) + sizeof(u64)) {
		id = (u64 *)(j->record + record->size - sizeof(u64));
		if (*id == j->output_id)
			*id = j->event_id;
	}
	outlet_put(out, j->record, record->size);
}

void tls_joiner_pass(struct tls_joiner *j, const struct perf_event_header *record,
		     struct outlet *out)
{
	bool sample = record->type == PERF_RECORD_SAMPLE;
	struct sample_front front;

	if (sample && record->size >= sizeof(*record) + sizeof(u64)) {
		memcpy(&front.id, record + 1, sizeof(front.id));
		if (front.id == j->output_id) {
			take_output(j, record);
			return;
		}
	}
	if (sample && record->size >= sizeof(front)) {
		memcpy(&front, record, sizeof(front));
		pass_sample(j, &front, record, out);
	} else {
		pass_other(j, record, out);
	}
	j->adjacent = false;
	j->after_lost = record->type == PERF_RECORD_LOST;
}
