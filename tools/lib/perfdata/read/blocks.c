// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples in blocks of memory: of files that have no parts. */
#include "perfdata/read/reader_private.h"

struct perfdata_block *perfdata_block_new(void)
{
	struct perfdata_block *b = g_new0(struct perfdata_block, 1);

	b->bytes = g_byte_array_new();
	b->parts = g_array_new(FALSE, FALSE, sizeof(struct perfdata_part));
	return b;
}

void perfdata_block_free(struct perfdata_block *b)
{
	if (!b)
		return;
	g_byte_array_unref(b->bytes);
	g_array_unref(b->parts);
	g_free(b);
}

/* A part of a block whose memory may still move. */
struct block_run {
	u32 from, to; /* in the block's bytes */
	u64 foff;
	bool still;
};

static bool goes_on(const struct block_run *last, const struct block_run *next)
{
	return last->to == next->from && last->still == next->still &&
	       next->foff == last->foff + (last->still ? 0 : last->to - last->from);
}

/* Copies the records at @at behind those that are there. */
static void add(GByteArray *bytes, GArray *runs, const struct perfdata_part *at)
{
	static const u8 padding[8];
	u32 size = (u32)(at->to - at->from), from = ALIGN_UP(bytes->len, 8u);
	struct block_run new = { from, from + size, at->foff, at->still };
	struct block_run *last = runs->len ? &g_array_index(runs, struct block_run, runs->len - 1)
					   : NULL;

	/* A record of an odd size is the last one of its run. */
	g_byte_array_append(bytes, padding, from - bytes->len);
	g_byte_array_append(bytes, at->from, size);
	if (last && goes_on(last, &new))
		last->to = new.to;
	else
		g_array_append_val(runs, new);
}

static void make_parts(struct perfdata_block *b, const GArray *runs)
{
	const u8 *bytes = b->bytes->data;

	for (u32 i = 0; i < runs->len; i++) {
		const struct block_run *run = &g_array_index(runs, struct block_run, i);
		struct perfdata_part part = { bytes + run->from, bytes + run->to, run->foff,
					      run->still };

		g_array_append_val(b->parts, part);
	}
}

int perfdata_next_block(struct perfdata *pd, u64 size, struct perfdata_block *b, GError **error)
{
	g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(struct block_run));
	int got = 1;

	while (got > 0 && b->bytes->len < size) {
		struct perfdata_part at;
		struct event ev;

		if (reader_sample_run(pd, &at)) {
			add(b->bytes, runs, &at);
			continue;
		}
		got = perfdata_next(pd, &ev, error);
		if (got <= 0 || ev.type != PERF_RECORD_SAMPLE)
			continue;
		at = (struct perfdata_part){ (const u8 *)ev.raw, (const u8 *)ev.raw + ev.size,
					     ev.foff, pd->inflating };
		add(b->bytes, runs, &at);
	}
	make_parts(b, runs);
	return got;
}
