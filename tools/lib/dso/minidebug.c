// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * .gnu_debugdata ("minidebuginfo", Fedora): an ELF file with a .symtab and little else, compressed by xz. It has the
 * functions that are not in .dynsym.
 */
#include <lzma.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dso/private.h"

/* Symbols of a real library have some MiB. The limit protects against decompression bombs. */
#define UNPACKED_MAX (256u << 20)

static GByteArray *unpack(const u8 *packed, size_t size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	GByteArray *out = g_byte_array_new();
	lzma_ret ret = LZMA_OK;
	u8 chunk[65536];

	if (lzma_stream_decoder(&stream, UNPACKED_MAX, 0) != LZMA_OK)
		goto bad;
	stream.next_in = packed;
	stream.avail_in = size;
	while (ret == LZMA_OK && out->len < UNPACKED_MAX) {
		stream.next_out = chunk;
		stream.avail_out = sizeof(chunk);
		ret = lzma_code(&stream, LZMA_FINISH);
		g_byte_array_append(out, chunk, sizeof(chunk) - stream.avail_out);
	}
	lzma_end(&stream);
	if (ret == LZMA_STREAM_END)
		return out;
bad:
	g_byte_array_unref(out);
	return NULL;
}

struct image *minidebug_open(const struct image *image)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(image, ".gnu_debugdata", &shdr);
	size_t size;
	const u8 *packed = scn ? image_section_bytes(scn, &size) : NULL;
	GByteArray *bytes = packed ? unpack(packed, size) : NULL;
	g_autofree char *path = NULL;
	struct image *mini = NULL;
	int fd;

	if (!bytes)
		return NULL;
	fd = memfd_create("debugdata", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, bytes->data, bytes->len) == (ssize_t)bytes->len) {
		path = g_strdup_printf("/proc/self/fd/%d", fd);
		mini = image_open(path, NULL);
	}
	if (fd >= 0)
		close(fd);
	g_byte_array_unref(bytes);
	return mini;
}
