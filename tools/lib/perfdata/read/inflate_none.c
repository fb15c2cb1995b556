// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libzstd: compressed records cannot be read, and the reader says so. */
#include "perfdata/read/inflate.h"

struct inflate {
	bool fed;
};

struct inflate *inflate_new(void)
{
	return g_new0(struct inflate, 1);
}

void inflate_free(struct inflate *in)
{
	g_free(in);
}

void inflate_reset(struct inflate *in)
{
	in->fed = false;
}

void inflate_expect(struct inflate *in, const void *data, size_t size)
{
}

u32 inflate_nr_expected(const struct inflate *in)
{
	return 0;
}

void inflate_feed(struct inflate *in, const void *data, size_t size)
{
	in->fed = true;
}

int inflate_peek(struct inflate *in, size_t size, const u8 **at, const char **problem)
{
	*problem = "this perf was built without libzstd";
	return in->fed ? -1 : 0;
}

void inflate_skip(struct inflate *in, size_t size)
{
}

size_t inflate_left(const struct inflate *in)
{
	return 0;
}

const u8 *inflate_ready(const struct inflate *in, size_t *size)
{
	*size = 0;
	return NULL;
}
