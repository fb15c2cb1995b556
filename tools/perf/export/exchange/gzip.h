/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gzip file that is written piece by piece. */
#ifndef EXPORT_EXCHANGE_GZIP_H
#define EXPORT_EXCHANGE_GZIP_H

#include <stdio.h>
#include <zlib.h>

#include "base/types.h"

struct gzip {
	z_stream zlib;
	FILE *out;
	u8 buffer[65536];
};

/* Errors of writing stay in @out (ferror()). */
void gzip_init(struct gzip *g, FILE *out);
void gzip_put(void *gzip, const void *bytes, size_t size);
void gzip_finish(struct gzip *g);
void gzip_release(struct gzip *g);

#endif
