// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

struct series {
	u8 *last; /* SPOOL_BLOCK records */
	u32 nr_last;
	GArray *blocks; /* u64: their numbers in the file */
};

struct spool {
	int fd;
	u32 record_size;
	u64 nr_blocks;
	GPtrArray *series; /* struct series *, or NULL */
};

static void series_free(void *arg)
{
	struct series *s = arg;

	if (!s)
		return;
	g_free(s->last);
	g_array_unref(s->blocks);
	g_free(s);
}

struct spool *spool_new(u32 record_size, GError **error)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "perf-convert-XXXXXX", NULL);
	struct spool *spool;
	int fd = g_mkstemp(path);

	if (fd < 0) {
		error_set_errno(error, errno, "%s: create", path);
		return NULL;
	}
	unlink(path);
	spool = g_new0(struct spool, 1);
	spool->fd = fd;
	spool->record_size = record_size;
	spool->series = g_ptr_array_new_with_free_func(series_free);
	return spool;
}

void spool_free(struct spool *spool)
{
	if (!spool)
		return;
	close(spool->fd);
	g_ptr_array_unref(spool->series);
	g_free(spool);
}

static struct series *series_of(const struct spool *spool, u32 number)
{
	return number < spool->series->len ? spool->series->pdata[number] : NULL;
}

static struct series *series_get(struct spool *spool, u32 number)
{
	struct series *s = series_of(spool, number);

	if (s)
		return s;
	if (spool->series->len <= number)
		g_ptr_array_set_size(spool->series, (int)number + 1);
	s = g_new0(struct series, 1);
	s->last = g_malloc(SPOOL_BLOCK * (size_t)spool->record_size);
	s->blocks = g_array_new(FALSE, FALSE, sizeof(u64));
	return spool->series->pdata[number] = s;
}

static bool write_block(struct spool *spool, struct series *s, GError **error)
{
	if (!file_write_fd(spool->fd, s->last, SPOOL_BLOCK * (size_t)spool->record_size))
		return error_set_errno(error, errno, "temporary file: write");
	g_array_append_val(s->blocks, spool->nr_blocks);
	spool->nr_blocks++;
	s->nr_last = 0;
	return true;
}

/* A full block is written when the next record comes, so that the last record is always in memory. */
bool spool_add(struct spool *spool, u32 series, const void *record, GError **error)
{
	struct series *s = series_get(spool, series);

	if (s->nr_last == SPOOL_BLOCK && !write_block(spool, s, error))
		return false;
	memcpy(s->last + s->nr_last++ * (size_t)spool->record_size, record, spool->record_size);
	return true;
}

void *spool_last(struct spool *spool, u32 series)
{
	struct series *s = series_of(spool, series);

	return s && s->nr_last ? s->last + (s->nr_last - 1) * (size_t)spool->record_size : NULL;
}

u32 spool_nr_series(const struct spool *spool)
{
	return spool->series->len;
}

u64 spool_nr(const struct spool *spool, u32 series)
{
	const struct series *s = series_of(spool, series);

	return s ? s->blocks->len * (u64)SPOOL_BLOCK + s->nr_last : 0;
}

static bool read_block(const struct spool *spool, u64 number, u8 *out, GError **error)
{
	size_t size = SPOOL_BLOCK * (size_t)spool->record_size, done = 0;

	while (done < size) {
		ssize_t n =
			pread(spool->fd, out + done, size - done, (off_t)(number * size + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(error, errno, "temporary file: read");
		if (!n)
			return error_set(error, PERF_ERROR_SYSTEM, "temporary file: it was cut");
		done += (size_t)n;
	}
	return true;
}

bool spool_each(struct spool *spool, u32 series, spool_fn *fn, void *arg, GError **error)
{
	const struct series *s = series_of(spool, series);
	g_autofree u8 *block = g_malloc(SPOOL_BLOCK * (size_t)spool->record_size);

	for (u32 i = 0; s && i < s->blocks->len; i++) {
		if (!read_block(spool, g_array_index(s->blocks, u64, i), block, error))
			return false;
		for (u32 j = 0; j < SPOOL_BLOCK; j++)
			fn(block + j * (size_t)spool->record_size, arg);
	}
	for (u32 i = 0; s && i < s->nr_last; i++)
		fn(s->last + i * (size_t)spool->record_size, arg);
	return true;
}
