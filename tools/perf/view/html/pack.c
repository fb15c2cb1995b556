// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/html/pack.h"

#include <glib.h>
#include <zlib.h>

#include "base/types.h"

struct pack {
	FILE *out;
	z_stream deflate;
	gint state, save; /* state of g_base64_encode_step() */
};

static bool put_base64(struct pack *p, const u8 *bytes, size_t size)
{
	char text[2 * sizeof(u8) * 4096];
	size_t length = g_base64_encode_step(bytes, size, TRUE, text, &p->state, &p->save);

	return fwrite(text, 1, length, p->out) == length;
}

/* Compresses the remaining input; with Z_FINISH, also ends the compressed data. */
static bool put_deflated(struct pack *p, int flush)
{
	u8 bytes[4096];
	int status;

	do {
		p->deflate.next_out = bytes;
		p->deflate.avail_out = sizeof(bytes);
		status = deflate(&p->deflate, flush);
		if (status == Z_STREAM_ERROR ||
		    !put_base64(p, bytes, sizeof(bytes) - p->deflate.avail_out))
			return false;
	} while (!p->deflate.avail_out);
	return true;
}

static ssize_t pack_write(void *cookie, const char *text, size_t size)
{
	struct pack *p = cookie;

	p->deflate.next_in = (Bytef *)text;
	p->deflate.avail_in = (uInt)size;
	return put_deflated(p, Z_NO_FLUSH) ? (ssize_t)size : 0;
}

static int pack_close(void *cookie)
{
	struct pack *p = cookie;
	char text[16];
	size_t length;
	bool ok;

	p->deflate.avail_in = 0;
	ok = put_deflated(p, Z_FINISH);
	length = g_base64_encode_close(TRUE, text, &p->state, &p->save);
	ok = fwrite(text, 1, length, p->out) == length && ok;
	deflateEnd(&p->deflate);
	g_free(p);
	return ok ? 0 : -1;
}

#define GZIP_WINDOW (15 + 16) /* the largest, with a gzip header */
#define LEVEL	    6
#define MEMORY	    9

FILE *pack_open(FILE *out)
{
	struct pack *p = g_new0(struct pack, 1);
	FILE *packed;

	p->out = out;
	if (deflateInit2(&p->deflate, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		g_free(p);
		return NULL;
	}
	packed = fopencookie(p, "w",
			     (cookie_io_functions_t){ .write = pack_write, .close = pack_close });
	if (!packed) {
		deflateEnd(&p->deflate);
		g_free(p);
	}
	return packed;
}
