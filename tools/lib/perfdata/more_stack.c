// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/more_stack.h"

#include <string.h>

#define MAGIC 0x6b63617473726f6dull /* "morstack" */

struct more_stack_tail {
	u64 address, size, magic;
};

void more_stack_take(struct sample *sample)
{
	struct more_stack_tail tail;
	u64 before;

	sample->more_stack = (struct sample_more_stack){ 0 };
	if (sample->raw_size < sizeof(tail))
		return;
	before = sample->raw_size - sizeof(tail);
	memcpy(&tail, (const u8 *)sample->raw + before, sizeof(tail));
	if (tail.magic != MAGIC || tail.size > before || tail.address + tail.size < tail.address)
		return;
	sample->more_stack =
		(struct sample_more_stack){ tail.address, tail.size,
					    (const u8 *)sample->raw + before - tail.size };
}

GByteArray *more_stack_raw(const struct sample *sample, const struct sample_more_stack *more)
{
	const struct more_stack_tail tail = { more->address, more->size, MAGIC };
	GByteArray *raw = g_byte_array_new();

	if (sample->raw_size)
		g_byte_array_append(raw, sample->raw, sample->raw_size);
	g_byte_array_append(raw, more->data, (guint)more->size);
	g_byte_array_append(raw, (const u8 *)&tail, sizeof(tail));
	return raw;
}
