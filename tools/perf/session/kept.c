// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/kept.h"

#include <glib.h>
#include <string.h>

#define CHUNK_BYTES (256u << 10)

struct chunk {
	u64 first; /* number of its first sample */
	u32 nr, used, room;
	u8 bytes[] __attribute__((aligned(8)));
};

struct kept_samples {
	GPtrArray *chunks; /* struct chunk *, the oldest first */
	size_t bytes, most_bytes;
	u64 end;
};

struct kept_samples *kept_new(size_t most_bytes)
{
	struct kept_samples *k = g_new0(struct kept_samples, 1);

	k->chunks = g_ptr_array_new_with_free_func(g_free);
	k->most_bytes = most_bytes;
	return k;
}

void kept_free(struct kept_samples *k)
{
	if (!k)
		return;
	g_ptr_array_unref(k->chunks);
	g_free(k);
}

static struct chunk *chunk_at(const struct kept_samples *k, u32 i)
{
	return k->chunks->pdata[i];
}

static struct chunk *newest(const struct kept_samples *k)
{
	return k->chunks->len ? chunk_at(k, k->chunks->len - 1) : NULL;
}

static struct chunk *add_chunk(struct kept_samples *k, u32 least)
{
	u32 room = MAX(CHUNK_BYTES, least);
	struct chunk *chunk;

	while (k->chunks->len && k->bytes + room > k->most_bytes) {
		k->bytes -= chunk_at(k, 0)->room;
		g_ptr_array_remove_index(k->chunks, 0);
	}
	chunk = g_malloc(sizeof(*chunk) + room);
	chunk->first = k->end;
	chunk->nr = chunk->used = 0;
	chunk->room = room;
	k->bytes += room;
	g_ptr_array_add(k->chunks, chunk);
	return chunk;
}

/* Records lie where 8-byte numbers do. */
static u32 size_of(const struct perf_event_header *sample)
{
	return ((u32)sample->size + 7) & ~7u;
}

void kept_add(struct kept_samples *k, const struct perf_event_header *sample)
{
	struct chunk *chunk = newest(k);
	u32 size = size_of(sample);

	if (!chunk || chunk->used + size > chunk->room)
		chunk = add_chunk(k, size);
	memcpy(chunk->bytes + chunk->used, sample, sample->size);
	chunk->used += size;
	chunk->nr++;
	k->end++;
}

u64 kept_first(const struct kept_samples *k)
{
	return k->chunks->len ? chunk_at(k, 0)->first : k->end;
}

u64 kept_end(const struct kept_samples *k)
{
	return k->end;
}

const struct perf_event_header *kept_next(struct kept_cursor *c)
{
	const struct perf_event_header *sample;
	const struct chunk *chunk;

	for (; c->chunk < c->kept->chunks->len; c->chunk++, c->at = 0) {
		chunk = chunk_at(c->kept, c->chunk);
		if (c->at == chunk->used)
			continue;
		sample = (const struct perf_event_header *)(const void *)(chunk->bytes + c->at);
		c->at += size_of(sample);
		c->number++;
		return sample;
	}
	return NULL;
}

struct kept_cursor kept_find(const struct kept_samples *k, u64 number)
{
	struct kept_cursor c = { .kept = k, .number = kept_first(k) };

	for (u32 i = 0; i < k->chunks->len && chunk_at(k, i)->first <= number; i++) {
		c.chunk = i;
		c.number = chunk_at(k, i)->first;
	}
	while (c.number < number && kept_next(&c))
		;
	return c;
}
