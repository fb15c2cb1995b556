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
	struct perfdata_writer *writer;
	GHashTable *
		places; /* generation of a chunk -> place of the last entry that was given, and 1 */
	GHashTable *told; /* hashes of descriptions that were given */
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

/* The side area is rewritten now and then, with the same records. */
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

static gboolean is_old(void *generation, void *value, void *arg)
{
	return *(const u64 *)generation < *(const u64 *)arg;
}

/* Chunks that were taken for newer samples do not come back. */
static void forget_old(struct tail_state *t, const struct shelf_image *image)
{
	u64 oldest = 0;

	for (u32 i = 0; i < image->header.nr_chunks; i++) {
		const struct image_chunk *chunk =
			(const void *)((const u8 *)image->data + image->header.chunks_at +
				       (u64)i * image->header.chunk_size);

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

static void follow(struct tail_state *t, const struct shelf_image *image, bool once)
{
	const struct image_header *live = image->data;
	struct stat st;
	bool last;

	do {
		shelf_flush(image->path);
		last = once || !shelf_is_written(live) || stat(image->path, &st);
		image_each_record(image->data, &image->header, give, t);
		end_round(t);
		forget_old(t, image);
		if (!last)
			g_usleep(ROUND_US);
	} while (!last && !t->error);
}

static struct perfdata_writer *start_output(const char *path, int fd, GError **error)
{
	const struct perfdata_options options = { .pipe = true };
	struct perfdata *pd = perfdata_open_forced(path, error);
	struct perfdata_writer *w;
	const GPtrArray *evsels;

	if (!pd)
		return NULL;
	evsels = perfdata_evsels(pd);
	w = perfdata_create_fd(fd, "the output", &options, (struct evsel *const *)evsels->pdata,
			       evsels->len, perfdata_info(pd), error);
	perfdata_close(pd);
	return w;
}

bool tail_image(const char *path, int fd, bool once, GError **error)
{
	struct shelf_image *image = shelf_open(path, error);
	struct tail_state t = { 0 };
	bool fine = false;

	if (!image)
		return false;
	t.writer = start_output(path, fd, error);
	t.places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	t.told = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	if (t.writer) {
		follow(&t, image, once);
		fine = perfdata_finish(t.writer, NULL, t.error ? NULL : &t.error);
	}
	g_hash_table_unref(t.places);
	g_hash_table_unref(t.told);
	shelf_close(image);
	if (t.error)
		g_propagate_error(error, t.error);
	return fine && !t.error;
}
