// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/side.h"

#include <string.h>

#include "perfdata/write/encode.h"

#define NOBODY ((u64)-1) /* records that are not about a process */

/*
 * One record. It is shared by the process that it is about and by the children that inherited it.
 */
struct side_note {
	u32 refs;
	u32 tid;	/* thread; 0: the whole process */
	u64 time, gone; /* ns; gone: when it ended, 0: it still holds */
	u64 start, len; /* of a map */
	bool is_map;
	_Alignas(8) struct perf_event_header record; /* its bytes follow */
};

struct side_process {
	u64 pid;
	u64 forked;	      /* ns */
	GPtrArray *notes;     /* struct side_note *: records about this process */
	GPtrArray *inherited; /* struct side_note *: maps and comm of the parent when it forked */
	bool ended;
};

struct side {
	const struct perfdata_decoder *decoder;
	GByteArray *bytes;     /* of the record that is being built */
	GHashTable *processes; /* u64 -> struct side_process * */
	u64 size;	       /* bytes of all notes of all processes */
};

static void note_unref(void *ptr)
{
	struct side_note *note = ptr;

	if (!--note->refs)
		g_free(note);
}

static void process_free(void *ptr)
{
	struct side_process *p = ptr;

	g_ptr_array_unref(p->notes);
	g_ptr_array_unref(p->inherited);
	g_free(p);
}

struct side *side_new(const struct perfdata_decoder *decoder)
{
	struct side *s = g_new0(struct side, 1);

	s->decoder = decoder;
	s->bytes = g_byte_array_new();
	s->processes = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, process_free);
	return s;
}

void side_free(struct side *s)
{
	if (!s)
		return;
	g_hash_table_unref(s->processes);
	g_byte_array_unref(s->bytes);
	g_free(s);
}

u64 side_size(const struct side *s)
{
	return s->size;
}

static struct side_process *process_of(struct side *s, u64 pid)
{
	struct side_process *p = g_hash_table_lookup(s->processes, &pid);

	if (p)
		return p;
	p = g_new0(struct side_process, 1);
	p->pid = pid;
	p->notes = g_ptr_array_new_with_free_func(note_unref);
	p->inherited = g_ptr_array_new_with_free_func(note_unref);
	g_hash_table_insert(s->processes, &p->pid, p);
	return p;
}

static struct side_note *add_note(struct side *s, struct side_process *p, const struct event *ev,
				  const struct perf_event_header *record)
{
	struct side_note *note = g_malloc0(sizeof(*note) - sizeof(note->record) + record->size);

	note->refs = 1;
	note->time = ev->id.time;
	memcpy(&note->record, record, record->size);
	g_ptr_array_add(p->notes, note);
	s->size += record->size;
	return note;
}

/* At least 1, because 0 means "still holds". */
static u64 when(const struct event *ev)
{
	return MAX(ev->id.time, 1);
}

static void end_notes(struct side_process *p, u64 time, u32 tid, bool only_maps)
{
	for (u32 i = 0; i < p->notes->len; i++) {
		struct side_note *note = g_ptr_array_index(p->notes, i);

		if (!note->gone && (!tid || note->tid == tid) && (!only_maps || note->is_map))
			note->gone = time;
	}
}

static bool same_record(const struct side_note *note, const struct perf_event_header *record)
{
	return note->record.size == record->size && !memcmp(&note->record, record, record->size);
}

/* A new mapping ends the mappings that it overlaps. */
static void take_map(struct side *s, const struct event *ev, const struct perf_event_header *record)
{
	struct side_process *p = process_of(s, ev->mmap.pid);
	u64 start = ev->mmap.start, end = start + ev->mmap.len;
	struct side_note *note;

	for (u32 i = 0; i < p->notes->len; i++) {
		note = g_ptr_array_index(p->notes, i);
		if (note->is_map && !note->gone && note->start >= start &&
		    note->start + note->len <= end)
			note->gone = when(ev);
	}
	note = add_note(s, p, ev, record);
	note->is_map = true;
	note->start = start;
	note->len = ev->mmap.len;
}

static void take_comm(struct side *s, const struct event *ev,
		      const struct perf_event_header *record)
{
	struct side_process *p = process_of(s, ev->comm.pid);

	for (u32 i = 0; i < p->notes->len; i++) {
		struct side_note *note = g_ptr_array_index(p->notes, i);

		if (note->record.type == PERF_RECORD_COMM && note->tid == ev->comm.tid &&
		    !note->gone)
			note->gone = when(ev);
	}
	if (ev->comm.exec) {
		end_notes(p, when(ev), 0, true);
		g_ptr_array_set_size(p->inherited, 0);
	}
	add_note(s, p, ev, record)->tid = ev->comm.tid;
}

static void inherit(GPtrArray *to, const GPtrArray *from)
{
	for (u32 i = 0; i < from->len; i++) {
		struct side_note *note = g_ptr_array_index(from, i);

		if (note->gone || (!note->is_map && note->record.type != PERF_RECORD_COMM))
			continue;
		note->refs++;
		g_ptr_array_add(to, note);
	}
}

static void take_fork(struct side *s, const struct event *ev,
		      const struct perf_event_header *record)
{
	struct side_process *parent, *p;

	if (ev->task.pid == ev->task.ppid) {
		add_note(s, process_of(s, ev->task.pid), ev, record)->tid = ev->task.tid;
		return;
	}
	parent = process_of(s, ev->task.ppid);
	p = process_of(s, ev->task.pid);
	p->ended = false;
	p->forked = ev->task.time;
	g_ptr_array_set_size(p->inherited, 0);
	inherit(p->inherited, parent->inherited);
	inherit(p->inherited, parent->notes);
	add_note(s, p, ev, record);
}

static void take_exit(struct side *s, const struct event *ev,
		      const struct perf_event_header *record)
{
	struct side_process *p = process_of(s, ev->task.pid);

	add_note(s, p, ev, record)->tid = ev->task.tid;
	if (ev->task.tid == ev->task.pid) {
		end_notes(p, when(ev), 0, false);
		p->ended = true;
	} else {
		end_notes(p, when(ev), ev->task.tid, false);
	}
}

/* The removal of a symbol ends the record that added it. */
static void take_symbol(struct side *s, const struct event *ev,
			const struct perf_event_header *record)
{
	struct side_process *p = process_of(s, NOBODY);
	bool goes = ev->ksymbol.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	struct side_note *note;

	for (u32 i = 0; goes && i < p->notes->len; i++) {
		note = g_ptr_array_index(p->notes, i);
		if (!note->gone && note->record.type == PERF_RECORD_KSYMBOL &&
		    note->start == ev->ksymbol.addr)
			note->gone = when(ev);
	}
	note = add_note(s, p, ev, record);
	note->start = ev->ksymbol.addr;
	note->gone = goes ? when(ev) : 0;
}

/* All other records are kept; identical records are kept once. */
static void take_other(struct side *s, u64 pid, const struct event *ev,
		       const struct perf_event_header *record)
{
	struct side_process *p = process_of(s, pid);

	for (u32 i = 0; i < p->notes->len; i++)
		if (same_record(g_ptr_array_index(p->notes, i), record))
			return;
	add_note(s, p, ev, record);
}

static void take(struct side *s, const struct event *ev, const struct perf_event_header *record)
{
	switch (ev->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_map(s, ev, record);
		break;
	case PERF_RECORD_COMM:
		take_comm(s, ev, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(s, ev, record);
		break;
	case PERF_RECORD_EXIT:
		take_exit(s, ev, record);
		break;
	case PERF_RECORD_KSYMBOL:
		take_symbol(s, ev, record);
		break;
	case PERF_RECORD_NAMESPACES:
		take_other(s, ev->namespaces.pid, ev, record);
		break;
	case PERFDATA_EVENT_TYPE:
		if (ev->ext.kind == PERFDATA_EXT_TLS_LAYOUT)
			take_other(s, ev->ext.tls_layout.pid, ev, record);
		else if (ev->ext.kind == PERFDATA_EXT_PROCESS)
			take_other(s, ev->ext.process.pid, ev, record);
		else
			take_other(s, NOBODY, ev, record);
		break;
	default:
		take_other(s, NOBODY, ev, record);
	}
}

enum side_prune {
	PRUNE_OLD,   /* notes that ended before the oldest sample */
	PRUNE_ENDED, /* ended notes, until there is room */
	PRUNE_ANY,   /* any notes, until there is room */
};

static bool is_superfluous(const struct side *s, const struct side_note *note, enum side_prune how,
			   u64 oldest, u64 limit)
{
	if (how == PRUNE_OLD)
		return note->gone && note->gone < oldest;
	return s->size > limit && (note->gone || how == PRUNE_ANY);
}

/* Returns the number of removed notes that still held. */
static u32 prune_process(struct side *s, struct side_process *p, enum side_prune how, u64 oldest,
			 u64 limit)
{
	u32 kept = 0, lost = 0;

	for (u32 i = 0; i < p->notes->len; i++) {
		struct side_note *note = g_ptr_array_index(p->notes, i);

		if (!is_superfluous(s, note, how, oldest, limit)) {
			p->notes->pdata[kept++] = note;
			continue;
		}
		s->size -= note->record.size;
		lost += !note->gone;
		note_unref(note);
	}
	p->notes->len = kept;
	return lost;
}

static u32 prune(struct side *s, enum side_prune how, u64 oldest, u64 limit)
{
	GHashTableIter iter;
	struct side_process *p;
	u32 lost = 0;

	g_hash_table_iter_init(&iter, s->processes);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&p)) {
		lost += prune_process(s, p, how, oldest, limit);
		if (p->ended && !p->notes->len)
			g_hash_table_iter_remove(&iter);
	}
	return lost;
}

/* Writes the parent's record as the child's own, with the time of the fork. */
static bool put_inherited(struct side *s, const struct side_process *p,
			  const struct side_note *note, struct image_store *w)
{
	struct event ev;

	if (!perfdata_decoder_decode(s->decoder, &note->record, &ev))
		return true;
	ev.id.pid = ev.id.tid = (u32)p->pid;
	ev.id.time = p->forked;
	if (note->is_map) {
		ev.mmap.pid = ev.mmap.tid = (u32)p->pid;
	} else {
		ev.comm.pid = ev.comm.tid = (u32)p->pid;
		ev.comm.exec = false;
	}
	g_byte_array_set_size(s->bytes, 0);
	return !event_encode(&ev, ev.evsel, s->bytes, NULL) ||
	       image_store_side_put(w, (const void *)s->bytes->data);
}

/* If all inherited notes still exist, the parent's records and FORK are enough. */
static bool needs_own(const struct side_process *p)
{
	for (u32 i = 0; i < p->inherited->len; i++)
		if (((const struct side_note *)g_ptr_array_index(p->inherited, i))->gone)
			return true;
	return false;
}

static u32 put_process(struct side *s, const struct side_process *p, struct image_store *w)
{
	bool own = needs_own(p) && !p->ended;
	u32 lost = 0;

	for (u32 i = 0; i < p->notes->len; i++) {
		const struct side_note *note = g_ptr_array_index(p->notes, i);

		lost += !image_store_side_put(w, &note->record);
		if (note->record.type != PERF_RECORD_FORK || note->tid || !own)
			continue;
		for (u32 k = 0; k < p->inherited->len; k++)
			lost += !put_inherited(s, p, g_ptr_array_index(p->inherited, k), w);
		own = false;
	}
	return lost;
}

static u32 rewrite(struct side *s, struct image_store *w)
{
	GHashTableIter iter;
	struct side_process *p;
	u32 lost = 0;

	image_store_side_begin(w);
	g_hash_table_iter_init(&iter, s->processes);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&p))
		lost += put_process(s, p, w);
	image_store_side_end(w);
	return lost;
}

void side_take(struct side *s, const struct event *ev, const struct perf_event_header *record,
	       struct image_store *w)
{
	struct image_header *h = image_store_header(w);
	u64 limit = h->side_room / 4 * 3;
	u32 lost;

	take(s, ev, record);
	if (image_store_side(w, record))
		return;
	/* A quarter stays free, so that the next rewriting is not needed immediately. */
	prune(s, PRUNE_OLD, image_store_oldest(w), 0);
	prune(s, PRUNE_ENDED, 0, limit);
	lost = prune(s, PRUNE_ANY, 0, limit);
	h->side_lost += lost + rewrite(s, w);
}
