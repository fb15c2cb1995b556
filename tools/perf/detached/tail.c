// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/tail.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "detached/shelf.h"
#include "perfdata/abi.h"
#include "perfdata/image/image_read.h"
#include "perfdata/read/reader.h"
#include "perfdata/write/writer.h"

#define ROUND_US  200000
#define TOLD_MOST 1000000

struct tail_state {
	struct outlet outlet; /* outlet for describe() */
	struct perfdata_writer *writer;
	GHashTable *
		places; /* generation of a chunk -> offset of the last passed entry in it, plus 1 */
	GHashTable *told; /* hashes of passed descriptions */
	GError *error;
};

static bool is_new_place(struct tail_state *t, u64 generation, u64 place)
{
	u64 *seen = g_hash_table_lookup(t->places, &generation);

	if (seen && place + 1 <= seen[1])
		return false;
	if (!seen) {
		seen = g_new(u64, 2);
		seen[0] = generation;
		g_hash_table_insert(t->places, seen, seen);
	}
	seen[1] = place + 1;
	return true;
}

/* The side area is rewritten from time to time, with the same records. */
static bool is_new_description(struct tail_state *t, const struct perf_event_header *record)
{
	u64 hash = image_check(record, record->size, 0, 0);

	if (g_hash_table_size(t->told) > TOLD_MOST)
		g_hash_table_remove_all(t->told);
	return g_hash_table_add(t->told, g_memdup2(&hash, sizeof(hash)));
}

static void give(const struct perf_event_header *record, const struct image_chunk *chunk, u64 place,
		 void *arg)
{
	struct tail_state *t = arg;

	if (t->error ||
	    !(chunk ? is_new_place(t, chunk->generation, place) : is_new_description(t, record)))
		return;
	perfdata_write(t->writer, record, record->size, &t->error);
}

static void give_descriptions(struct outlet *outlet, const void *records, size_t size)
{
	const struct perf_event_header *record;

	for (size_t at = 0; at < size; at += record->size) {
		record = (const void *)((const u8 *)records + at);
		give(record, NULL, 0, container_of(outlet, struct tail_state, outlet));
	}
}

static gboolean is_old(void *generation, void *value, void *arg)
{
	return *(const u64 *)generation < *(const u64 *)arg;
}

/* Generations of chunks that were reused for newer samples do not return. */
static void forget_old(struct tail_state *t, const struct tail_source *source)
{
	const struct image_header *h = source->header;
	u64 oldest = 0;

	for (u32 i = 0; i < h->nr_chunks; i++) {
		const struct image_chunk *chunk =
			(const void *)((const u8 *)source->data + h->chunks_at +
				       (u64)i * h->chunk_size);

		if (chunk->generation && (!oldest || chunk->generation < oldest))
			oldest = chunk->generation;
	}
	g_hash_table_foreach_remove(t->places, is_old, &oldest);
}

static void end_round(struct tail_state *t)
{
	const struct perf_event_header finished = { .type = PERFDATA_FINISHED_ROUND,
						    .size = sizeof(finished) };

	if (!t->error && perfdata_write(t->writer, &finished, sizeof(finished), &t->error))
		perfdata_flush(t->writer, &t->error);
}

static void follow(struct tail_state *t, struct tail_source *source)
{
	bool last;

	do {
		last = !source->is_written(source);
		image_each_record(source->data, source->header, give, t);
		if (source->describe)
			source->describe(source, &t->outlet);
		end_round(t);
		forget_old(t, source);
		if (!last)
			g_usleep(ROUND_US);
	} while (!last && !t->error);
}

static struct perfdata_writer *start_output(struct perfdata *pd, int fd, GError **error)
{
	const struct perfdata_options options = { .pipe = true };
	const GPtrArray *evsels = perfdata_evsels(pd);

	return perfdata_create_fd(fd, "the output", &options, (struct evsel *const *)evsels->pdata,
				  evsels->len, perfdata_info(pd), error);
}

bool tail_source(struct tail_source *source, int fd, GError **error)
{
	struct tail_state t = { .outlet = { give_descriptions, OUTLET_NO_RING } };
	bool fine = false;

	t.writer = start_output(source->pd, fd, error);
	t.places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	t.told = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	if (t.writer) {
		follow(&t, source);
		fine = perfdata_finish(t.writer, NULL, t.error ? NULL : &t.error);
	}
	g_hash_table_unref(t.places);
	g_hash_table_unref(t.told);
	if (t.error)
		g_propagate_error(error, t.error);
	return fine && !t.error;
}

struct shelf_tail {
	struct tail_source source;
	struct shelf_image *image;
};

static bool is_written(struct tail_source *source)
{
	const struct shelf_tail *tail = container_of(source, struct shelf_tail, source);
	struct stat st;

	shelf_flush(tail->image->path);
	return shelf_is_written(tail->image) && !stat(tail->image->path, &st);
}

bool tail_image(const char *path, int fd, GError **error)
{
	struct shelf_tail tail = { .source.is_written = is_written };
	bool fine = false;

	tail.image = shelf_open(path, error);
	if (!tail.image)
		return false;
	tail.source.data = tail.image->data;
	tail.source.header = &tail.image->header;
	tail.source.pd = perfdata_open_forced(path, error);
	if (tail.source.pd) {
		fine = tail_source(&tail.source, fd, error);
		perfdata_close(tail.source.pd);
	}
	shelf_close(tail.image);
	return fine;
}
