// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One ring's records in order, B taken out, each sample with its section. The header has the idea.
 * Here is what can come between B and E.
 *
 * An interrupt. The timer of one event may hit after the other event's program has written B:
 *
 *	B1  cycles, time 100		waiting: B1
 *	B2  cpu-clock, time 101		waiting: B1, B2
 *	E2  cpu-clock, time 101		takes B2: event, time, thread and address are equal
 *	E1  cycles, time 100		takes B1
 *
 * So up to NR_WAITING B records wait. On kernels where B has no time, only a B directly before E is
 * certain: E2 takes B2, and E1 has no bytes.
 *
 * A loss. The ring is full between B and E. The kernel writes LOST before the next record that
 * fits:
 *
 *	B1				waiting
 *	LOST 3				E1 and two more are lost; B1 gets no sample (lone)
 *	E2				its B may be among the lost: unreadable
 *
 * LOST counts B records, too. The file shall count only what the user asked for, so lost B records
 * are subtracted: the output event's own counter says how many there were (Linux 6.0).
 *
 * A ring that overwrites is read backward: E comes before its B. So E is held until the next record
 * has been seen.
 *
 * Only the collector's thread calls a joiner. held and record are buffers of the largest record, so
 * nothing is allocated for a sample.
 */
#include "record/tls/join.h"

#include <glib.h>
#include <string.h>

#include "activity/layout.h"
#include "base/cursor.h"
#include "bpf/sample_tls.h"
#include "perfdata/decoder.h"
#include "record/tls/hits.h"

#define RECORD_MAX 65528 /* the largest multiple of 8 that fits a record's size */

/*
 * The B records that wait for their sample. There is more than one only if the interrupt of one
 * event comes between B and E of another event.
 */
#define NR_WAITING 4

/* The first fields of every sample, see TLS_JOIN_SAMPLE_TYPE. */
struct sample_front {
	struct perf_event_header header;
	u64 id, ip;
	u32 pid, tid;
	u64 time;
};

/* taken: a B waits here. A new B overwrites the oldest, which then counts as lone. */
struct waiting {
	bool taken;
	struct tls_output output;
};

struct tls_joiner {
	u64 output_id, event_id;
	u64 shared; /* the common sample_type of B and E, without RAW */
	struct waiting waiting[NR_WAITING];
	u32 newest;	 /* index in @waiting */
	bool adjacent;	 /* the last record was the newest in @waiting */
	bool after_lost; /* the last record was LOST */
	u64 lost_time;	 /* of the last LOST record: B of earlier samples may be lost */
	bool backward;
	/* backward: size of the sample in @held; the next record may be its B */
	size_t held_size;
	/* lost B records: all, and those already subtracted from LOST records */
	u64 own_lost, own_told;
	struct tls_counts counts;
	tls_join_fn fn; /* or NULL */
	void *arg;
	GHashTable *tracepoints; /* sample ids of tracepoints, as pointers to u64 */
	const struct perfdata_decoder *decoder;
	struct tls_hits hits;
	struct tls_output read; /* the B record that was read last */
	_Alignas(u64) u8 held[1 << 16];
	u8 record[1 << 16]; /* the record that is being built */
};

/* Each field is one word. */
static size_t size_of(u64 shared)
{
	return sizeof(u64) * (size_t)__builtin_popcountll(shared);
}

struct tls_joiner *tls_joiner_new(u64 output_id, u64 shared, u64 event_id, bool backward)
{
	struct tls_joiner *j = g_new0(struct tls_joiner, 1);

	j->output_id = output_id;
	j->shared = shared;
	j->event_id = event_id;
	j->backward = backward;
	j->tracepoints = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return j;
}

void tls_joiner_free(struct tls_joiner *j)
{
	if (!j)
		return;
	g_hash_table_unref(j->tracepoints);
	g_free(j);
}

void tls_joiner_listen(struct tls_joiner *j, tls_join_fn fn, void *arg)
{
	j->fn = fn;
	j->arg = arg;
}

void tls_joiner_add_tracepoint(struct tls_joiner *j, u64 id, const struct perfdata_decoder *decoder)
{
	j->decoder = decoder;
	g_hash_table_add(j->tracepoints, g_memdup2(&id, sizeof(id)));
}

void tls_joiner_own_lost(struct tls_joiner *j, u64 total)
{
	j->own_lost = total;
}

struct tls_counts tls_joiner_counts(const struct tls_joiner *j)
{
	struct tls_counts counts = j->counts;

	for (u32 i = 0; i < NR_WAITING; i++)
		counts.lone += j->waiting[i].taken;
	return counts;
}

/*
 * Reads B: header, trailer fields of the shared sample_type, u32 raw size, head, bytes. A record
 * that is malformed is dropped, and its sample has no bytes.
 */
static void take_output(struct tls_joiner *j, const struct perf_event_header *record)
{
	struct cursor c = cursor_of(record, record->size);
	struct tls_output *o = &j->read;
	struct waiting *w;
	u32 raw_size;

	cursor_bytes(&c, sizeof(*record) + size_of(j->shared));
	raw_size = cursor_u32(&c);
	c.end = c.pos + MIN(raw_size, cursor_left(&c));
	cursor_read(&c, &o->head, sizeof(o->head));
	j->adjacent = false;
	if (c.failed || o->head.size > sizeof(o->bytes) || o->head.size % 8 != 0)
		return;
	cursor_read(&c, o->bytes, o->head.size);
	if (c.failed)
		return;
	j->adjacent = true;
	if (o->head.ip == SAMPLE_TLS_HIT) {
		tls_hits_add(&j->hits, o);
		return;
	}
	j->newest = (j->newest + 1) % NR_WAITING;
	w = &j->waiting[j->newest];
	j->counts.lone += w->taken;
	w->taken = true;
	tls_output_copy(&w->output, o);
}

/*
 * With the time: two events of one CPU may have the same time, so the event is compared, too.
 * Without it: the same thread may have several samples with the same address, so only a B directly
 * before E counts.
 */
static bool is_pair(const struct tls_joiner *j, const struct waiting *w,
		    const struct sample_front *e)
{
	const struct sample_tls_head *head = &w->output.head;

	if (!w->taken || head->tid != e->tid || head->ip != e->ip)
		return false;
	if (head->time)
		return head->time == e->time && head->event == e->id;
	return j->adjacent && w == &j->waiting[j->newest];
}

static u8 context_of_sample(const struct perf_event_header *record, void *arg)
{
	const struct tls_joiner *j = arg;
	struct event ev;

	if (!j->decoder || !perfdata_decoder_decode(j->decoder, record, &ev))
		return SAMPLE_TLS_IN_UNKNOWN;
	return tls_hits_context(ev.sample.raw, ev.sample.raw_size);
}

/*
 * The bytes for sample @e, or NULL. B of a timer or counter is then removed. B of a tracepoint
 * stays: other events share the hit.
 */
static const struct tls_output *find_pair(struct tls_joiner *j, const struct sample_front *e,
					  const struct perf_event_header *record)
{
	if (g_hash_table_contains(j->tracepoints, &e->id))
		return tls_hits_find(&j->hits, e->tid, record, context_of_sample, j);
	for (u32 i = 0; i < NR_WAITING; i++) {
		struct waiting *w = &j->waiting[(j->newest + NR_WAITING - i) % NR_WAITING];

		if (is_pair(j, w, e)) {
			w->taken = false;
			return &w->output;
		}
	}
	return NULL;
}

/* Writes the section into @to: u64 size; data; u64 dyn_size. Returns its size. */
static size_t write_section(const struct tls_joiner *j, const struct sample_front *e, u8 *to,
			    const u8 *bytes, u64 size, u64 dyn_size)
{
	const struct tls_joined joined = { e->pid, e->time, bytes, size, dyn_size };

	if (j->fn)
		j->fn(&joined, j->arg);
	memcpy(to, &size, sizeof(size));
	if (!size)
		return sizeof(size);
	memcpy(to + sizeof(size), bytes, size);
	memcpy(to + sizeof(size) + size, &dyn_size, sizeof(dyn_size));
	return sizeof(size) + size + sizeof(dyn_size);
}

/*
 * @e has no B here. True if its B may be lost.
 *
 * Forward, the time of the LOST record decides for all samples up to it: LOST may be written some
 * time after the loss, when there is room again. Backward, only the neighbour of a LOST record is
 * concerned.
 */
static bool may_have_lost(struct tls_joiner *j, const struct sample_front *e,
			  const struct perf_event_header *record)
{
	bool hit_lost = g_hash_table_contains(j->tracepoints, &e->id) &&
			tls_hits_may_be_lost(&j->hits, e->tid, e->id, record, context_of_sample, j);

	return hit_lost || j->after_lost || e->time <= j->lost_time;
}

/*
 * Three outcomes, counted separately: the bytes; a section that states bytes of which none was read
 * (unreadable or unknown); a section of size 0 (none).
 *
 * A record's size is a u16. A sample that would be too large with its section is dropped and
 * counted: without the section, readers would take the next record's bytes for it.
 */
static void pass_sample(struct tls_joiner *j, const struct sample_front *e,
			const struct perf_event_header *record, struct outlet *out)
{
	static const u8 not_read[sizeof(struct sample_tls_frame)];
	const struct tls_output *w = find_pair(j, e, record);
	struct perf_event_header header = *record;
	size_t room = record->size <= RECORD_MAX ? RECORD_MAX - record->size : 0;
	u8 *end = j->record + record->size;
	size_t section;

	if (room < 3 * sizeof(u64) || (w && room < w->head.size + 2 * sizeof(u64))) {
		j->counts.oversized++;
		return;
	}
	if (w && w->head.size && !w->head.unread) {
		j->counts.joined++;
		section = write_section(j, e, end, w->bytes, w->head.size, w->head.size);
	} else if (w || may_have_lost(j, e, record)) {
		*(w ? &j->counts.unreadable : &j->counts.unknown) += 1;
		section = write_section(j, e, end, w && w->head.size ? w->bytes : not_read,
					sizeof(not_read), 0);
	} else {
		j->counts.none++;
		section = write_section(j, e, end, NULL, 0, 0);
	}
	memcpy(j->record, record, record->size);
	header.size = (u16)(record->size + section);
	memcpy(j->record, &header, sizeof(header));
	outlet_put(out, j->record, header.size);
}

/* The kernel may write LOST with the id of our output event, which the file does not have. */
static void rename_event(const struct tls_joiner *j, u8 *at)
{
	if (memcmp(at, &j->output_id, sizeof(j->output_id)) == 0)
		memcpy(at, &j->event_id, sizeof(j->event_id));
}

/* The record is struct { header; u64 id, lost; } and a trailer. The trailer has the time. */
static void note_loss(struct tls_joiner *j, const struct perf_event_header *record)
{
	size_t at = sizeof(*record) + 2 * sizeof(u64) + size_of(j->shared & PERF_SAMPLE_TID);

	tls_hits_lose(&j->hits);
	if (!j->backward && j->shared & PERF_SAMPLE_TIME && record->size >= at + sizeof(u64))
		memcpy(&j->lost_time, (const u8 *)record + at, sizeof(u64));
}

/*
 * The record is struct { header; u64 id, lost; } and the trailer: TID, TIME, ID, STREAM_ID, CPU,
 * IDENTIFIER. The kernel writes it with the id of the event that first finds room in the ring
 * again.
 */
static void pass_lost(struct tls_joiner *j, const struct perf_event_header *record,
		      struct outlet *out)
{
	size_t at = sizeof(*record) + 2 * sizeof(u64);
	u64 lost, own = j->own_lost - j->own_told;

	memcpy(j->record, record, record->size);
	if (record->size >= at) {
		memcpy(&lost, j->record + at - sizeof(lost), sizeof(lost));
		own = MIN(own, lost);
		lost -= own;
		j->own_told += own;
		memcpy(j->record + at - sizeof(lost), &lost, sizeof(lost));
		if (!lost) /* only B records were lost */
			return;
	}
	if (record->size == at + size_of(j->shared)) {
		rename_event(j, j->record + sizeof(*record));
		at += size_of(j->shared & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME));
		if (j->shared & PERF_SAMPLE_ID)
			rename_event(j, j->record + at);
		at += size_of(j->shared & PERF_SAMPLE_ID);
		if (j->shared & PERF_SAMPLE_STREAM_ID)
			rename_event(j, j->record + at);
		if (j->shared & PERF_SAMPLE_IDENTIFIER)
			rename_event(j, j->record + record->size - sizeof(u64));
	}
	outlet_put(out, j->record, record->size);
}

/* Passes the held sample, with its B if B has come. */
static void release_held(struct tls_joiner *j, struct outlet *out)
{
	struct sample_front front;

	if (!j->held_size)
		return;
	j->held_size = 0;
	memcpy(&front, j->held, sizeof(front));
	pass_sample(j, &front, (const struct perf_event_header *)j->held, out);
}

void tls_joiner_flush(struct tls_joiner *j, struct outlet *out)
{
	if (!j->backward) /* a forward ring is read on from the same position */
		return;
	/* Its B may be overwritten. */
	j->after_lost = true;
	release_held(j, out);
	j->after_lost = j->adjacent = false;
}

static void pass_front(struct tls_joiner *j, const struct sample_front *front,
		       const struct perf_event_header *record, struct outlet *out)
{
	if (!j->backward) {
		pass_sample(j, front, record, out);
		return;
	}
	memcpy(j->held, record, record->size);
	j->held_size = record->size;
}

/*
 * Three kinds of records: B (kept or given to the sample that is held), samples of the user's
 * events, and all others. Any other record between B and E ends their neighbourhood.
 */
void tls_joiner_pass(struct tls_joiner *j, const struct perf_event_header *record,
		     struct outlet *out)
{
	bool sample = record->type == PERF_RECORD_SAMPLE;
	struct sample_front front;

	if (sample && record->size >= sizeof(*record) + sizeof(u64)) {
		memcpy(&front.id, record + 1, sizeof(front.id));
		if (front.id == j->output_id) {
			take_output(j, record);
			release_held(j, out);
			return;
		}
	}
	/* In a backward ring, only the record read next can be a sample's B. */
	if (record->type == PERF_RECORD_LOST)
		note_loss(j, record);
	else if (j->backward)
		tls_hits_clear(&j->hits);
	j->adjacent = j->adjacent && !j->backward;
	release_held(j, out);
	if (sample && record->size >= sizeof(front)) {
		memcpy(&front, record, sizeof(front));
		pass_front(j, &front, record, out);
	} else if (record->type == PERF_RECORD_LOST) {
		pass_lost(j, record, out);
	} else {
		outlet_put(out, record, record->size);
	}
	j->adjacent = false;
	j->after_lost = record->type == PERF_RECORD_LOST;
}
