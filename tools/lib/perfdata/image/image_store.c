// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/image/image_store.h"

#include <stdatomic.h>
#include <string.h>

#define NO_CHUNK ((u32)-1)

/* The owner of a ring: a process, or a CPU. */
struct owner {
	u64 key;
	u32 newest;    /* chunk; NO_CHUNK: it has no chunk any more */
	u32 nr_chunks; /* chunks that it owns now */
	bool ended;
};

struct image_store {
	u8 *memory;
	struct image_header *header;
	GHashTable *owners;   /* u64 -> struct owner * */
	struct owner **owner; /* of each chunk; NULL: free */
	struct owner *last;   /* result of the last lookup */
	u32 nr_used;	      /* chunks that have ever been used */
	u64 generation;
	u32 side_next; /* the half that is being written */
};

static u64 round_up(u64 size)
{
	return (size + IMAGE_PAGE - 1) & ~(u64)(IMAGE_PAGE - 1);
}

static u32 count_chunks(const struct image_layout *layout)
{
	return (u32)MAX(layout->chunks_room / layout->chunk_size, 1);
}

u64 image_layout_size(const struct image_layout *layout)
{
	return IMAGE_PAGE + round_up(layout->facts_room) + 2 * round_up(layout->side_room) +
	       (u64)count_chunks(layout) * layout->chunk_size;
}

struct image_store *image_store_new(void *memory, const struct image_layout *layout)
{
	struct image_store *w = g_new0(struct image_store, 1);
	struct image_header *h = memory;

	w->memory = memory;
	w->header = h;
	w->owners = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	w->owner = g_new0(struct owner *, count_chunks(layout));
	memcpy(h->magic, IMAGE_MAGIC, IMAGE_MAGIC_SIZE);
	h->version = IMAGE_VERSION;
	h->header_size = sizeof(*h);
	h->image_size = image_layout_size(layout);
	h->time_word = h->tid_word = -1;
	h->facts_at = IMAGE_PAGE;
	h->facts_room = round_up(layout->facts_room);
	h->side_at = h->facts_at + h->facts_room;
	h->side_room = round_up(layout->side_room);
	h->side_generation[0] = 1;
	h->chunks_at = h->side_at + 2 * h->side_room;
	h->chunk_size = layout->chunk_size;
	h->nr_chunks = count_chunks(layout);
	return w;
}

void image_store_free(struct image_store *w)
{
	if (!w)
		return;
	g_hash_table_unref(w->owners);
	g_free(w->owner);
	g_free(w);
}

struct image_header *image_store_header(struct image_store *w)
{
	return w->header;
}

bool image_store_facts(struct image_store *w, const void *facts, u64 size, GError **error)
{
	struct image_header *h = w->header;
	u64 padded = (size + 7) & ~(u64)7;
	u8 *to = w->memory + h->facts_at;

	if (padded > h->facts_room)
		return error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"the description of the events and of the machine takes %" G_GUINT64_FORMAT
			" bytes, and there is room for %" G_GUINT64_FORMAT,
			size, h->facts_room);
	memset(to, 0, padded);
	memcpy(to, facts, size);
	h->facts_size = size;
	h->facts_check = image_check(to, padded, 0, 0);
	__atomic_store_n(&h->state, IMAGE_RECORDING, __ATOMIC_RELEASE);
	return true;
}

static struct image_chunk *chunk_at(const struct image_store *w, u32 i)
{
	return (void *)(w->memory + w->header->chunks_at + (u64)i * w->header->chunk_size);
}

static struct owner *owner_of(struct image_store *w, u64 key)
{
	struct owner *owner = w->last;

	if (owner && owner->key == key)
		return owner;
	owner = g_hash_table_lookup(w->owners, &key);
	if (!owner) {
		owner = g_new0(struct owner, 1);
		owner->key = key;
		owner->newest = NO_CHUNK;
		g_hash_table_insert(w->owners, &owner->key, owner);
		w->header->rings++;
	}
	w->last = owner;
	return owner;
}

/* The chunk to reuse: the oldest one, but not the newest chunk of a living process. */
static u32 pick_victim(struct image_store *w)
{
	u32 best = NO_CHUNK, oldest = 0;

	for (u32 i = 0; i < w->header->nr_chunks; i++) {
		u64 time = chunk_at(w, i)->last_time;
		const struct owner *owner = w->owner[i];

		if (time < chunk_at(w, oldest)->last_time)
			oldest = i;
		if (!owner->ended && owner->newest == i)
			continue;
		if (best == NO_CHUNK || time < chunk_at(w, best)->last_time)
			best = i;
	}
	if (best != NO_CHUNK)
		return best;
	w->header->rings_lost++;
	return oldest;
}

/* Frees an owner with its last chunk, so that memory does not grow with the number of processes. */
static void disown(struct image_store *w, u32 i)
{
	struct owner *owner = w->owner[i];

	w->owner[i] = NULL;
	if (owner->newest == i)
		owner->newest = NO_CHUNK;
	if (--owner->nr_chunks)
		return;
	if (w->last == owner)
		w->last = NULL;
	g_hash_table_remove(w->owners, &owner->key);
}

static struct image_chunk *new_chunk(struct image_store *w, u64 key, u64 time)
{
	u32 i = w->nr_used < w->header->nr_chunks ? w->nr_used++ : pick_victim(w);
	struct image_chunk *chunk = chunk_at(w, i);
	struct owner *owner;

	if (w->owner[i]) {
		disown(w, i);
		w->header->overwritten++;
	}
	owner = owner_of(w, key);
	/* Entries from the chunk's earlier use do not match the new generation. */
	__atomic_store_n(&chunk->used, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&chunk->generation, ++w->generation, __ATOMIC_RELEASE);
	chunk->key = key;
	chunk->first_time = chunk->last_time = time;
	w->owner[i] = owner;
	owner->newest = i;
	owner->nr_chunks++;
	return chunk;
}

static void put_entry(u8 *area, u64 *used, u64 generation, const struct perf_event_header *record)
{
	u64 at = *used;
	u8 *to = area + at;
	u64 check = image_check(record, record->size, at, generation);

	memcpy(to + sizeof(check), record, record->size);
	memcpy(to, &check, sizeof(check));
	__atomic_store_n(used, at + sizeof(check) + record->size, __ATOMIC_RELEASE);
}

void image_store_put(struct image_store *w, u64 key, u64 time,
		     const struct perf_event_header *record)
{
	u64 room = w->header->chunk_size - sizeof(struct image_chunk);
	u64 need = sizeof(u64) + record->size;
	struct image_chunk *chunk;
	struct owner *owner;

	if (record->size % 8 || need > room) {
		w->header->lost++;
		return;
	}
	owner = owner_of(w, key);
	chunk = owner->newest == NO_CHUNK ? NULL : chunk_at(w, owner->newest);
	if (!chunk || chunk->used + need > room)
		chunk = new_chunk(w, key, time);
	put_entry((u8 *)(chunk + 1), &chunk->used, chunk->generation, record);
	chunk->first_time = MIN(chunk->first_time, time);
	chunk->last_time = MAX(chunk->last_time, time);
	w->header->samples += record->type == PERF_RECORD_SAMPLE;
}

void image_store_end_key(struct image_store *w, u64 key)
{
	struct owner *owner = g_hash_table_lookup(w->owners, &key);

	if (owner)
		owner->ended = true;
}

u64 image_store_oldest(const struct image_store *w)
{
	u64 oldest = 0;

	for (u32 i = 0; i < w->nr_used; i++) {
		u64 time = chunk_at(w, i)->first_time;

		if (!oldest || time < oldest)
			oldest = time;
	}
	return oldest;
}

static bool put_side(struct image_store *w, u32 half, const struct perf_event_header *record)
{
	struct image_header *h = w->header;
	u64 need = sizeof(u64) + record->size;

	if (record->size % 8 || h->side_used[half] + need > h->side_room)
		return false;
	put_entry(w->memory + h->side_at + half * h->side_room, &h->side_used[half],
		  h->side_generation[half], record);
	return true;
}

bool image_store_side(struct image_store *w, const struct perf_event_header *record)
{
	return put_side(w, w->header->side_active, record);
}

void image_store_side_begin(struct image_store *w)
{
	struct image_header *h = w->header;

	w->side_next = !h->side_active;
	__atomic_store_n(&h->side_used[w->side_next], 0, __ATOMIC_RELEASE);
	h->side_generation[w->side_next] = h->side_generation[h->side_active] + 1;
}

bool image_store_side_put(struct image_store *w, const struct perf_event_header *record)
{
	return put_side(w, w->side_next, record);
}

void image_store_side_end(struct image_store *w)
{
	__atomic_store_n(&w->header->side_active, w->side_next, __ATOMIC_RELEASE);
}
