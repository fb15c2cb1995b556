// SPDX-License-Identifier: GPL-2.0-or-later
#include "convert/profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "convert/profile_formats.h"
#include "protobuf/fields.h"

#define GZIP_WINDOW	  (MAX_WBITS + 16)
#define MOST_UNPACKED	  (4ull << 30) /* bytes */
#define PPROF_FIELDS	  14
#define PPROF_SAMPLE_TYPE 1
#define PPROF_STRINGS	  6
#define LOOKED_AT	  4096u /* fields */

static bool is_gzip(const u8 *bytes, size_t size)
{
	return size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static u64 fields_in(const void *bytes, size_t size)
{
	struct cursor c = cursor_of(bytes, size);
	struct protobuf_field field;
	u64 found = 0;

	for (u32 i = 0; i < LOOKED_AT && protobuf_next(&c, &field); i++) {
		if (field.number > PPROF_FIELDS ||
		    (field.wire != PROTOBUF_BYTES && field.wire != PROTOBUF_VARINT))
			return 0;
		found |= 1ull << field.number;
	}
	return c.failed ? 0 : found;
}

/* The fields 1 and 2 alone, both, are those of ProfilesData. A pprof has strings. */
static bool is_otlp(const void *bytes, size_t size)
{
	u64 fields = fields_in(bytes, size);

	return fields && !(fields & ~6ull);
}

static bool is_pprof(const void *bytes, size_t size)
{
	u64 wanted = 1ull << PPROF_STRINGS;

	return (fields_in(bytes, size) & wanted) == wanted;
}

static GMappedFile *map_file(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GMappedFile *mapped = fd < 0 ? NULL : g_mapped_file_new_from_fd(fd, FALSE, NULL);

	if (!mapped)
		error_set_errno(error, errno, "%s", path);
	if (fd >= 0)
		close(fd);
	return mapped;
}

/* Of a recording: those bytes might be a message, too. */
static bool is_perfdata(const u8 *bytes, size_t size)
{
	return size >= 4 && !memcmp(bytes, "PERF", 4);
}

bool profiles_fit(const char *path)
{
	struct stat st;
	GMappedFile *mapped;
	const u8 *bytes;
	size_t size;
	bool fits;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	mapped = map_file(path, NULL);
	if (!mapped)
		return false;
	bytes = (const u8 *)g_mapped_file_get_contents(mapped);
	size = g_mapped_file_get_length(mapped);
	fits = !is_perfdata(bytes, size) &&
	       (is_gzip(bytes, size) || is_otlp(bytes, size) || is_pprof(bytes, size));
	g_mapped_file_unref(mapped);
	return fits;
}

static int temporary(GError **error)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "perf-profile-XXXXXX", NULL);
	int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		error_set_errno(error, errno, "%s: create", path);
	else
		unlink(path);
	return fd;
}

static bool inflate_into(z_stream *z, int fd, GError **error)
{
	g_autofree u8 *buffer = g_malloc(1 << 16);
	u64 written = 0;
	int status;

	do {
		z->next_out = buffer;
		z->avail_out = 1 << 16;
		status = inflate(z, Z_NO_FLUSH);
		if (status != Z_OK && status != Z_STREAM_END)
			return error_set(error, PERF_ERROR_FORMAT,
					 "the compressed data is damaged or cut off");
		written += (1u << 16) - z->avail_out;
		if (written > MOST_UNPACKED)
			return error_set(error, PERF_ERROR_FORMAT, "it unpacks to more than 4 GB");
		if (!file_write_fd(fd, buffer, (1u << 16) - z->avail_out))
			return error_set_errno(error, errno, "temporary file: write");
	} while (status != Z_STREAM_END);
	return true;
}

/* In a temporary file, since it may be larger than memory. */
static GMappedFile *unpack(const u8 *bytes, size_t size, GError **error)
{
	z_stream z = { .next_in = (Bytef *)bytes, .avail_in = (uInt)size };
	GMappedFile *mapped = NULL;
	int fd = -1;

	if (size > UINT32_MAX)
		error_set(error, PERF_ERROR_FORMAT, "it is larger than 4 GB");
	else
		fd = temporary(error);
	if (fd < 0)
		return NULL;
	if (inflateInit2(&z, GZIP_WINDOW) == Z_OK && inflate_into(&z, fd, error))
		mapped = g_mapped_file_new_from_fd(fd, FALSE, NULL);
	inflateEnd(&z);
	close(fd);
	return mapped;
}

static bool import(const void *bytes, size_t size, int fd, GError **error)
{
	GMappedFile *unpacked;
	bool ok;

	if (!is_gzip(bytes, size))
		return is_otlp(bytes, size) ? profile_import_otlp(bytes, size, fd, error)
					    : profile_import_pprof(bytes, size, fd, error);
	unpacked = unpack(bytes, size, error);
	if (!unpacked)
		return false;
	ok = profile_import_pprof(g_mapped_file_get_contents(unpacked),
				  g_mapped_file_get_length(unpacked), fd, error);
	g_mapped_file_unref(unpacked);
	return ok;
}

int profiles_import_bytes(const char *name, const void *bytes, size_t size, GError **error)
{
	int fd = temporary(error);

	if (fd < 0)
		return -1;
	if (import(bytes, size, fd, error))
		return fd;
	g_prefix_error(error, "%s: ", name);
	close(fd);
	return -1;
}

int profiles_import(const char *path, GError **error)
{
	GMappedFile *mapped = map_file(path, error);
	int fd;

	if (!mapped)
		return -1;
	fd = profiles_import_bytes(path, g_mapped_file_get_contents(mapped),
				   g_mapped_file_get_length(mapped), error);
	g_mapped_file_unref(mapped);
	return fd;
}
