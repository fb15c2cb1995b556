// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file is written in order: header, ids and attrs, records, features. At the end the header is
 * written again with the final sizes. Before that, each flush writes to data.size how far the
 * records go. (At first it is 0: readers take that as "up to the last whole record".) So if the
 * writer is killed, only the features are missing.
 *
 * One exception: stock perf rejects compressed records if the feature COMPRESSED is missing. So
 * each flush also writes that feature behind the records, and the header lists it. The next records
 * overwrite it; while they do, the header lists no features.
 *
 * Compression follows upstream: one zstd stream over the whole file, flushed for each COMPRESSED
 * record, so that a killed recorder loses only what it still held in memory. Record type COMPRESSED
 * is known to every perf from 5.2 to 7.3. (COMPRESSED2, which states the size of its payload, came
 * with 6.16; perf 6.1 stops reading there.) The payload of COMPRESSED is the whole rest of the
 * record, so the next record would be at an odd offset. But each flush ends a zstd block, so empty
 * raw blocks of three bytes each can be added until the size is a multiple of 8.
 */
#include "perfdata/write/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "perfdata/features.h"
#include "perfdata/write/deflate.h"
#include "perfdata/write/sections.h"

#define GATHER_SIZE    (256 * 1024)
#define COMPRESS_CHUNK 60000 /* bytes per COMPRESSED record: their zstd always fits in 64 KiB */
#define COMPRESS_ROOM  (65535 - 24)

struct perfdata_writer {
	char *name;
	int fd;
	bool close_fd, pipe;
	bool failed; /* write no more */
	bool stated; /* the header declares features after the records */
	GPtrArray *evsels;
	GByteArray *gathered;
	struct perfdata_file_header header;
	u64 written;		     /* bytes in the file */
	u64 stated_end;		     /* those of them that the header declares */
	u64 records_in, records_out; /* for the ratio */

	struct deflate *zstd; /* NULL: plain */
	int zstd_level;
	u8 *packed;
};

static void forget_features(struct perfdata_writer *w)
{
	const u64 none[ARRAY_SIZE(w->header.features)] = { 0 };
	ssize_t n;

	if (!w->stated)
		return;
	n = pwrite(w->fd, none, sizeof(none), offsetof(struct perfdata_file_header, features));
	(void)n; /* then these features stay until the next flush or the end */
	w->stated = false;
}

/* Appends all of @data or nothing: after a partial write, the file is truncated to its old size. */
static bool append(struct perfdata_writer *w, const void *data, u64 size, GError **error)
{
	if (w->failed)
		return error_set(error, PERF_ERROR_SYSTEM, "%s: an earlier write failed", w->name);
	forget_features(w);
	if (file_write_fd(w->fd, data, size)) {
		w->written += size;
		return true;
	}
	error_set_errno(error, errno, "%s: write", w->name);
	w->failed = true;
	if (!w->pipe && ftruncate(w->fd, (off_t)w->written) == 0)
		lseek(w->fd, (off_t)w->written, SEEK_SET);
	return false;
}

/* The facts that the writer knows itself, as features. */
static struct perfdata_info *own_info(const struct perfdata_writer *w)
{
	struct perfdata_info *info = sections_of_events(w->evsels);

	if (w->zstd) {
		info->comp_version = 1;
		info->comp_type = 1;
		info->comp_level = (u32)w->zstd_level;
		info->comp_ratio = (u32)(perfdata_ratio(w) + 0.5);
		info->comp_mmap_len = GATHER_SIZE;
		perfdata_info_set(info, FEAT_COMPRESSED);
	}
	return info;
}

static bool write_start(struct perfdata_writer *w, const struct perfdata_info *info, GError **error)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct perfdata_info *own = own_info(w);

	if (w->pipe)
		sections_put_pipe_start(w->evsels, own, info, out);
	else
		sections_put_start(w->evsels, info, &w->header, out);
	perfdata_info_free(own);
	return append(w, out->data, out->len, error);
}

static void writer_free(struct perfdata_writer *w)
{
	if (w->close_fd && w->fd >= 0)
		close(w->fd);
	deflate_free(w->zstd);
	g_free(w->packed);
	g_byte_array_unref(w->gathered);
	g_ptr_array_unref(w->evsels);
	g_free(w->name);
	g_free(w);
}

static struct perfdata_writer *writer_new(int fd, const char *name, bool close_fd,
					  const struct perfdata_options *options, GError **error)
{
	struct perfdata_writer *w = g_new0(struct perfdata_writer, 1);

	w->name = g_strdup(name);
	w->fd = fd;
	w->close_fd = close_fd;
	w->pipe = options->pipe;
	w->evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);
	w->gathered = g_byte_array_new();
	if (options->zstd_level > 0) {
		w->zstd_level = options->zstd_level;
		w->zstd = deflate_new(&w->zstd_level, error);
		w->packed = g_malloc(sizeof(struct perf_event_header) + COMPRESS_ROOM + 24);
		if (!w->zstd) {
			writer_free(w);
			return NULL;
		}
	}
	return w;
}

/* @w as writer_new() made it. */
static struct perfdata_writer *start(struct perfdata_writer *w, struct evsel *const *evsels, u32 nr,
				     const struct perfdata_info *info, GError **error)
{
	if (!w)
		return NULL;
	for (u32 i = 0; i < nr; i++)
		g_ptr_array_add(w->evsels, evsel_copy(evsels[i]));
	if (!write_start(w, info, error)) {
		writer_free(w);
		return NULL;
	}
	sections_put_updates(w->evsels, w->gathered);
	sections_put_notes(info, w->gathered);
	return w;
}

struct perfdata_writer *perfdata_create_fd(int fd, const char *name,
					   const struct perfdata_options *options,
					   struct evsel *const *evsels, u32 nr,
					   const struct perfdata_info *info, GError **error)
{
	return start(writer_new(fd, name, false, options, error), evsels, nr, info, error);
}

/*
 * False for a pipe or a terminal that was named as the file (/dev/stdout). The header of a file is rewritten at the
 * end, which they do not support, and a terminal would execute escape sequences in recorded names.
 */
static bool is_seekable(struct perfdata_writer *w, GError **error)
{
	return lseek(w->fd, 0, SEEK_CUR) >= 0 ||
	       error_set(error, PERF_ERROR_USAGE,
			 "%s: a pipe or a terminal cannot hold a recording: name a file, or write "
			 "into a pipe with -o -",
			 w->name);
}

struct perfdata_writer *perfdata_create(const char *path, const struct perfdata_options *options,
					struct evsel *const *evsels, u32 nr,
					const struct perfdata_info *info, GError **error)
{
	struct perfdata_options with = *options;
	struct perfdata_writer *w;

	if (strcmp(path, "-") == 0) {
		with.pipe = true;
		return perfdata_create_fd(STDOUT_FILENO, path, &with, evsels, nr, info, error);
	}
	w = writer_new(-1, path, true, &with, error);
	if (!w)
		return NULL; /* an existing file stays as it is */
	w->fd = file_create(path, O_RDWR);
	if (w->fd < 0) {
		error_set_errno(error, errno, "%s: create", path);
		writer_free(w);
		return NULL;
	}
	if (!is_seekable(w, error)) {
		writer_free(w);
		return NULL;
	}
	return start(w, evsels, nr, info, error);
}

/* Compresses up to COMPRESS_CHUNK bytes into one COMPRESSED record and writes it. */
static bool write_compressed(struct perfdata_writer *w, const u8 *data, u64 size, GError **error)
{
	struct perf_event_header header = { .type = PERFDATA_COMPRESSED };
	u8 *out = w->packed + sizeof(header);
	const char *problem;
	size_t used;

	if (!deflate_flush(w->zstd, data, size, out, COMPRESS_ROOM, &used, &problem)) {
		w->failed = true;
		return error_set(error, PERF_ERROR_SYSTEM, "%s: compress: %s", w->name, problem);
	}
	while ((sizeof(header) + used) % 8) {
		memset(out + used, 0, 3);
		used += 3;
	}
	header.size = (u16)(sizeof(header) + used);
	memcpy(w->packed, &header, sizeof(header));
	w->records_in += size;
	w->records_out += header.size;
	return append(w, w->packed, header.size, error);
}

static bool flush_bytes(struct perfdata_writer *w, const u8 *data, u64 size, GError **error)
{
	if (!w->zstd)
		return append(w, data, size, error);
	while (size) {
		u64 chunk = MIN(size, COMPRESS_CHUNK);

		if (!write_compressed(w, data, chunk, error))
			return false;
		data += chunk;
		size -= chunk;
	}
	return true;
}

static bool flush_gathered(struct perfdata_writer *w, GError **error)
{
	bool good = !w->gathered->len || flush_bytes(w, w->gathered->data, w->gathered->len, error);

	g_byte_array_set_size(w->gathered, 0);
	return good;
}

/* Writes the feature COMPRESSED after the records, because readers need it for compressed records. */
static bool state_compression(struct perfdata_writer *w)
{
	struct perfdata_section section = { .offset = w->written + sizeof(section) };
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct perfdata_info *info;

	if (!w->zstd)
		return false;
	info = own_info(w);
	g_byte_array_append(bytes, (const u8 *)&section, sizeof(section));
	feature_write(info, FEAT_COMPRESSED, bytes);
	perfdata_info_free(info);
	section.size = bytes->len - sizeof(section);
	memcpy(bytes->data, &section, sizeof(section));
	return pwrite(w->fd, bytes->data, bytes->len, (off_t)w->written) == (ssize_t)bytes->len;
}

/* Writes the present end of the records to the header, so that stock perf can read the file if the writer is killed. */
static void state_end(struct perfdata_writer *w)
{
	const size_t from = offsetof(struct perfdata_file_header, data.size);
	struct perfdata_file_header now = w->header;
	ssize_t n;

	w->stated_end = w->written;
	now.data.size = w->written - now.data.offset;
	w->stated = state_compression(w);
	if (w->stated)
		now.features[FEAT_COMPRESSED / 64] |= 1ULL << FEAT_COMPRESSED % 64;
	n = pwrite(w->fd, (const u8 *)&now + from, sizeof(now) - from, (off_t)from);
	(void)n; /* without the size, readers read to the end of the file */
}

bool perfdata_flush(struct perfdata_writer *w, GError **error)
{
	bool good = flush_gathered(w, error);

	if (!w->pipe && w->written != w->stated_end)
		state_end(w);
	return good;
}

bool perfdata_write(struct perfdata_writer *w, const void *records, size_t size, GError **error)
{
	if (w->gathered->len + size > GATHER_SIZE && !flush_gathered(w, error))
		return false;
	if (size >= GATHER_SIZE)
		return flush_bytes(w, records, size, error);
	if (size)
		g_byte_array_append(w->gathered, records, (guint)size);
	return true;
}

u64 perfdata_written(const struct perfdata_writer *w)
{
	return w->written + w->gathered->len;
}

char *perfdata_present_name(const struct perfdata_writer *w)
{
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", w->fd);
	struct stat own, there;
	char *name;

	if (fstat(w->fd, &own) || !S_ISREG(own.st_mode))
		return g_strdup(w->name);
	if (!own.st_nlink)
		return NULL;
	if (!stat(w->name, &there) && there.st_dev == own.st_dev && there.st_ino == own.st_ino)
		return g_strdup(w->name);
	name = g_file_read_link(link, NULL);
	return name ? name : g_strdup(w->name);
}

double perfdata_ratio(const struct perfdata_writer *w)
{
	return w->records_out ? (double)w->records_in / (double)w->records_out : 1.0;
}

static bool patch_header(struct perfdata_writer *w, GError **error)
{
	if (pwrite(w->fd, &w->header, sizeof(w->header), 0) == (ssize_t)sizeof(w->header))
		return true;
	return error_set_errno(error, errno, "%s: write the header", w->name);
}

static bool write_features(struct perfdata_writer *w, const struct perfdata_info *info,
			   GError **error)
{
	g_autoptr(GByteArray) out = g_byte_array_new();
	struct perfdata_info *own = own_info(w);

	sections_put_features(own, info, w->written, &w->header, out);
	perfdata_info_free(own);
	if (append(w, out->data, out->len, error))
		return true;
	memset(w->header.features, 0, sizeof(w->header.features));
	w->header.event_types = (struct perfdata_section){ 0 };
	return false;
}

static bool finish_pipe(struct perfdata_writer *w, const struct perfdata_info *info, GError **error)
{
	g_autoptr(GByteArray) out = g_byte_array_new();

	sections_put_pipe_end(info, out);
	return append(w, out->data, out->len, error);
}

bool perfdata_finish(struct perfdata_writer *w, const struct perfdata_info *info, GError **error)
{
	bool good = perfdata_flush(w, error);

	if (good && w->failed)
		good = error_set(error, PERF_ERROR_SYSTEM, "%s: an earlier write failed", w->name);
	if (w->pipe) {
		good = good && finish_pipe(w, info, error);
	} else {
		/* After a failure, the header still states the end of the records. */
		w->header.data.size = w->written - w->header.data.offset;
		good = good && write_features(w, info, error);
		good = patch_header(w, good ? error : NULL) && good;
		if (!good)
			state_end(w);
	}
	writer_free(w);
	return good;
}

void perfdata_abandon(struct perfdata_writer *w)
{
	perfdata_flush(w, NULL);
	writer_free(w);
}
