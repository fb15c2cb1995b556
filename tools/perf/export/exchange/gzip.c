// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/gzip.h"

#include <glib.h>

#define GZIP_HEADER 16 /* added to the window's bits: with a gzip header */

void gzip_init(struct gzip *g, FILE *out)
{
	g->zlib = (z_stream){ 0 };
	g->out = out;
	if (deflateInit2(&g->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_HEADER,
			 MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) != Z_OK)
		g_error("zlib: out of memory");
}

static void run(struct gzip *g, int flush)
{
	do {
		g->zlib.next_out = g->buffer;
		g->zlib.avail_out = sizeof(g->buffer);
		deflate(&g->zlib, flush);
		fwrite(g->buffer, 1, sizeof(g->buffer) - g->zlib.avail_out, g->out);
	} while (!g->zlib.avail_out);
}

void gzip_put(void *gzip, const void *bytes, size_t size)
{
	struct gzip *g = gzip;
	const u8 *at = bytes;

	while (size) {
		uInt part = (uInt)MIN(size, 1u << 30);

		g->zlib.next_in = (Bytef *)at;
		g->zlib.avail_in = part;
		run(g, Z_NO_FLUSH);
		at += part;
		size -= part;
	}
}

void gzip_finish(struct gzip *g)
{
	g->zlib.next_in = NULL;
	g->zlib.avail_in = 0;
	run(g, Z_FINISH);
}

void gzip_release(struct gzip *g)
{
	deflateEnd(&g->zlib);
}
