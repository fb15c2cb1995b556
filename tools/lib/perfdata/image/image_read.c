// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/image/image_read.h"

#include <string.h>

#include "perfdata/abi.h"

bool image_fits(const void *data, u64 size)
{
	return size >= IMAGE_MAGIC_SIZE && !memcmp(data, IMAGE_MAGIC, IMAGE_MAGIC_SIZE);
}

static bool inside(u64 at, u64 room, u64 size)
{
	return !(at % 8) && at >= IMAGE_PAGE && at <= size && room <= size - at;
}

/* Much more than a recorder writes, but not so much that reading it is a problem. */
#define FACTS_MAX   (64u << 20)
#define SIDE_MAX    (256u << 20)
#define CHUNK_MAX   (16u << 20)
#define RECORDS_MAX (1u << 31)

static bool is_sound(const struct image_header *h, u64 size)
{
	return inside(h->facts_at, h->facts_room, size) && h->facts_size <= h->facts_room &&
	       h->facts_size <= FACTS_MAX && h->side_room <= SIDE_MAX && !(h->side_room % 8) &&
	       inside(h->side_at, 2 * h->side_room, size) &&
	       h->chunk_size >= 2 * sizeof(struct image_chunk) && h->chunk_size <= CHUNK_MAX &&
	       !(h->chunk_size % 8) &&
	       inside(h->chunks_at, (u64)h->nr_chunks * h->chunk_size, size);
}

static void end_text(char *text, size_t size)
{
	text[size - 1] = 0;
}

bool image_header_read(const char *name, const void *data, u64 size, struct image_header *h,
		       GError **error)
{
	if (size < IMAGE_PAGE || !image_fits(data, size))
		return error_set(error, PERF_ERROR_FORMAT, "%s: not a detached recording", name);
	memcpy(h, data, sizeof(*h));
	if (h->version != IMAGE_VERSION)
		return error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"%s: a detached recording of version %u; this perf reads version %u", name,
			h->version, IMAGE_VERSION);
	if (!is_sound(h, size))
		return error_set(error, PERF_ERROR_FORMAT,
				 "%s: the header of the detached recording is damaged or truncated",
				 name);
	h->side_active &= 1;
	end_text(h->name, sizeof(h->name));
	end_text(h->target, sizeof(h->target));
	end_text(h->reason_text, sizeof(h->reason_text));
	end_text(h->save_error, sizeof(h->save_error));
	return true;
}

/*
 * Visits the entries of @area, which is a private copy. The first entry with a wrong check ends the walk: after it,
 * entries were never written, or are being written now.
 */
static void each_entry (const u8 *area, u64 used, u64 generation, const struct image_chunk *chunk,
			image_record_fn * fn, void *arg)
{
	const struct image_entry *entry;

	for (u64 at = 0; at + sizeof(*entry) <= used;
	     at += sizeof(entry->check) + entry->record.size) {
		entry = (const void *)(area + at);
		if (entry->record.size < sizeof(entry->record) || entry->record.size % 8 ||
		    entry->record.size > used - at - sizeof(entry->check) ||
		    entry->check != image_check(&entry->record, entry->record.size, at, generation))
			return;
		fn(&entry->record, chunk, at, arg);
	}
}

/*
 * A copy of the valid half of the side area. While it is copied, the writer may start to overwrite it. In this case the
 * other half has become valid, and is copied instead.
 */
static u8 *copy_side(const u8 *data, const struct image_header *h, u64 *used, u64 *generation)
{
	const struct image_header *live = (const void *)data;
	u8 *copy = NULL;

	for (int tries = 0; tries < 16; tries++) {
		u32 half = __atomic_load_n(&live->side_active, __ATOMIC_ACQUIRE) & 1;

		g_free(copy);
		*generation = __atomic_load_n(&live->side_generation[half], __ATOMIC_ACQUIRE);
		*used = MIN(__atomic_load_n(&live->side_used[half], __ATOMIC_ACQUIRE),
			    h->side_room);
		copy = g_memdup2(data + h->side_at + half * h->side_room, *used);
		/* Rewritten twice meanwhile, this half is valid again, with other contents. */
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if ((__atomic_load_n(&live->side_active, __ATOMIC_ACQUIRE) & 1) == half &&
		    __atomic_load_n(&live->side_generation[half], __ATOMIC_ACQUIRE) == *generation)
			break;
	}
	return copy;
}

static void each_side(const u8 *data, const struct image_header *h, image_record_fn *fn, void *arg)
{
	u64 used, generation;
	g_autofree u8 *copy = copy_side(data, h, &used, &generation);

	each_entry (copy, used, generation, NULL, fn, arg)
		;
}

struct picked_chunk {
	u64 generation;
	u32 index;
};

static int by_generation(const void *a, const void *b)
{
	const struct picked_chunk *x = a, *y = b;

	return (x->generation > y->generation) - (x->generation < y->generation);
}

static const struct image_chunk *chunk_at(const u8 *data, const struct image_header *h, u32 i)
{
	return (const void *)(data + h->chunks_at + (u64)i * h->chunk_size);
}

static GArray *pick_chunks(const u8 *data, const struct image_header *h)
{
	GArray *picked = g_array_new(false, false, sizeof(struct picked_chunk));

	for (u32 i = 0; i < h->nr_chunks; i++) {
		struct picked_chunk one = { chunk_at(data, h, i)->generation, i };

		if (one.generation)
			g_array_append_val(picked, one);
	}
	g_array_sort(picked, by_generation);
	return picked;
}

void image_each_record(const void *data, const struct image_header *h, image_record_fn *fn,
		       void *arg)
{
	g_autoptr(GArray) picked = pick_chunks(data, h);
	struct image_chunk *copy = g_malloc(h->chunk_size);

	each_side(data, h, fn, arg);
	for (u32 i = 0; i < picked->len; i++) {
		const struct picked_chunk *one = &g_array_index(picked, struct picked_chunk, i);
		u64 used;

		memcpy(copy, chunk_at(data, h, one->index), h->chunk_size);
		used = MIN(copy->used, h->chunk_size - sizeof(*copy));
		if (copy->generation == one->generation)
			each_entry ((const u8 *)(copy + 1), used, copy->generation, copy, fn, arg)
				;
	}
	g_free(copy);
}

bool image_has_key(const void *data, const struct image_header *h, u64 key)
{
	for (u32 i = 0; i < h->nr_chunks; i++) {
		const struct image_chunk *chunk = chunk_at(data, h, i);

		if (chunk->generation && (h->by_cpu || chunk->key == key))
			return true;
	}
	return false;
}

/* The order of the output file. */
enum image_part {
	PART_SIDE,  /* descriptions, of any time */
	PART_FIRST, /* samples of the thread that crashed */
	PART_NEXT,  /* of the same process */
	PART_REST,
	NR_PARTS,
};

struct image_gathering {
	const struct image_header *header;
	const struct image_choice *choice;
	u64 newest, since; /* times, ns */
	u64 size;	   /* of all parts together */
	GByteArray *parts[NR_PARTS];
};

static u64 word_of(const struct perf_event_header *record, s32 word)
{
	u64 value = 0, at = sizeof(*record) + 8 * (u64)(u32)word;

	if (word >= 0 && word < 16 && at + 8 <= record->size)
		memcpy(&value, (const u8 *)record + at, sizeof(value));
	return value;
}

static u64 sample_time(const struct image_gathering *g, const struct perf_event_header *record)
{
	return record->type == PERF_RECORD_SAMPLE ? word_of(record, g->header->time_word) : 0;
}

static void find_newest(const struct perf_event_header *record, const struct image_chunk *chunk,
			u64 place, void *arg)
{
	struct image_gathering *g = arg;

	g->newest = MAX(g->newest, sample_time(g, record));
	if (chunk && g->choice->next)
		*g->choice->next = MAX(*g->choice->next, chunk->generation);
}

static enum image_part part_of(const struct image_gathering *g,
			       const struct perf_event_header *record)
{
	u64 ids = word_of(record, g->header->tid_word);

	if (record->type != PERF_RECORD_SAMPLE || g->header->tid_word < 0)
		return PART_REST;
	if (g->choice->first_tid && (u32)(ids >> 32) == g->choice->first_tid)
		return PART_FIRST;
	return g->choice->first_pid && (u32)ids == g->choice->first_pid ? PART_NEXT : PART_REST;
}

static void gather(const struct perf_event_header *record, const struct image_chunk *chunk,
		   u64 place, void *arg)
{
	struct image_gathering *g = arg;
	u64 time = sample_time(g, record);
	enum image_part part = chunk ? part_of(g, record) : PART_SIDE;

	if ((time && time < g->since) || (chunk && chunk->generation <= g->choice->after))
		return;
	if (g->size > RECORDS_MAX - record->size)
		return;
	g->size += record->size;
	g_byte_array_append(g->parts[part], (const u8 *)record, record->size);
}

static GByteArray *gather_records(const void *data, const struct image_header *h,
				  const struct image_choice *choice)
{
	const struct perf_event_header init = { .type = PERFDATA_FINISHED_INIT,
						.size = sizeof(init) };
	struct image_gathering g = { .header = h, .choice = choice };

	for (u32 i = 0; i < NR_PARTS; i++)
		g.parts[i] = g_byte_array_new();
	if (choice->next)
		*choice->next = choice->after;
	if (h->keep_ns || choice->next)
		image_each_record(data, h, find_newest, &g);
	if (h->keep_ns && g.newest > h->keep_ns)
		g.since = g.newest - h->keep_ns;
	image_each_record(data, h, gather, &g);
	if (choice->more)
		g_byte_array_append(g.parts[PART_SIDE], choice->more->data, choice->more->len);
	g_byte_array_append(g.parts[PART_SIDE], (const u8 *)&init, sizeof(init));
	for (u32 i = PART_SIDE + 1; i < NR_PARTS; i++) {
		g_byte_array_append(g.parts[PART_SIDE], g.parts[i]->data, g.parts[i]->len);
		g_byte_array_unref(g.parts[i]);
	}
	return g.parts[PART_SIDE];
}

static void move(u64 *offset, u64 from, u64 by)
{
	if (*offset >= from)
		*offset += by;
}

static u32 count_features(const struct perfdata_file_header *header)
{
	u32 nr = 0;

	for (u32 i = 0; i < ARRAY_SIZE(header->features); i++)
		nr += (u32)__builtin_popcountll(header->features[i]);
	return nr;
}

/*
 * The facts are a file with a short data section, followed by other sections. Inserts the records between them, and
 * moves the offsets that point behind the records. Invalid offsets are not changed: the reader of the file rejects
 * them.
 */
static GByteArray *put_between(const u8 *facts, u64 size, const GByteArray *records)
{
	struct perfdata_file_header header;
	GByteArray *file = g_byte_array_new();
	u64 at, nr;

	memcpy(&header, facts, sizeof(header));
	at = MIN(header.data.offset, size);
	at += MIN(header.data.size, size - at);
	nr = count_features(&header);
	header.data.size = at - MIN(header.data.offset, at) + records->len;
	move(&header.event_types.offset, at, records->len);
	g_byte_array_append(file, facts, (guint)at);
	g_byte_array_append(file, records->data, records->len);
	g_byte_array_append(file, facts + at, (guint)(size - at));
	if (at >= sizeof(header))
		memcpy(file->data, &header, sizeof(header));
	for (u64 i = 0; i < nr && (i + 1) * sizeof(struct perfdata_section) <= size - at; i++) {
		struct perfdata_section section;
		u8 *to = file->data + at + records->len + i * sizeof(section);

		memcpy(&section, to, sizeof(section));
		move(&section.offset, at, records->len);
		memcpy(to, &section, sizeof(section));
	}
	return file;
}

GByteArray *image_to_perfdata(const char *name, const void *data, u64 size,
			      const struct image_choice *choice, GError **error)
{
	g_autoptr(GByteArray) records = NULL;
	g_autofree u8 *facts = NULL;
	struct image_header h;
	u64 padded;

	if (!image_header_read(name, data, size, &h, error))
		return NULL;
	padded = (h.facts_size + 7) & ~(u64)7;
	if (h.state == IMAGE_EMPTY || h.facts_size < sizeof(struct perfdata_file_header) ||
	    padded > h.facts_room) {
		error_set(error, PERF_ERROR_FORMAT, "%s: the detached recording has not started",
			  name);
		return NULL;
	}
	facts = g_memdup2((const u8 *)data + h.facts_at, padded);
	if (image_check(facts, padded, 0, 0) != h.facts_check) {
		error_set(error, PERF_ERROR_FORMAT,
			  "%s: the description of the events is damaged or truncated", name);
		return NULL;
	}
	records = gather_records(data, &h, choice);
	return put_between(facts, h.facts_size, records);
}

char *image_reason_text(const struct image_header *h)
{
	const char *text = h->reason_text;

	switch ((enum image_reason)h->reason) {
	case IMAGE_REASON_NONE:
		return NULL;
	case IMAGE_REASON_STOPPED:
		return g_strdup("stopped");
	case IMAGE_REASON_TARGET_EXIT:
		return g_strdup_printf("exit status %d", h->reason_status);
	case IMAGE_REASON_SIGNAL:
		return g_strdup_printf("killed by SIG%s", sigabbrev_np(h->reason_status) ?: "?");
	case IMAGE_REASON_OOM:
		return g_strdup("killed by the kernel: out of memory");
	case IMAGE_REASON_TRIGGER:
		return g_strdup_printf("trigger %s", text);
	case IMAGE_REASON_REMOVED:
		return g_strdup("removed");
	case IMAGE_REASON_TARGET_GONE:
		return g_strdup("the target ended");
	}
	return g_strdup_printf("reason %u", h->reason);
}
