// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/stitch.h"

#include <glib.h>
#include <string.h>

/* Limit of remembered threads. If there are more, all are forgotten. */
#define MAX_THREADS 65536u

struct stitcher {
	GHashTable *whole; /* tid -> GArray of struct unwind_frame */
	GArray *ips;	   /* u64: of the last continued chain */
};

static void array_free(gpointer array)
{
	g_array_unref(array);
}

struct stitcher *stitcher_new(void)
{
	struct stitcher *s = g_new0(struct stitcher, 1);

	s->whole = g_hash_table_new_full(NULL, NULL, NULL, array_free);
	s->ips = g_array_new(FALSE, FALSE, sizeof(u64));
	return s;
}

void stitcher_free(struct stitcher *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->whole);
	g_array_unref(s->ips);
	g_free(s);
}

static void remember(struct stitcher *s, u32 tid, const struct unwound_chain *chain)
{
	GArray *frames = g_hash_table_lookup(s->whole, GUINT_TO_POINTER(tid));

	if (!frames) {
		if (g_hash_table_size(s->whole) == MAX_THREADS)
			g_hash_table_remove_all(s->whole);
		frames = g_array_new(FALSE, FALSE, sizeof(struct unwind_frame));
		g_hash_table_insert(s->whole, GUINT_TO_POINTER(tid), frames);
	}
	g_array_set_size(frames, 0);
	g_array_append_vals(frames, chain->frames, chain->nr_frames);
}

/* The index of @frame in @frames, searched from the outermost one; frames->len: not found. */
static u32 find_frame(const GArray *frames, const struct unwind_frame *frame)
{
	for (u32 i = frames->len; i--;) {
		const struct unwind_frame *f = &g_array_index(frames, struct unwind_frame, i);

		if (f->sp == frame->sp)
			return f->ip == frame->ip ? i : frames->len;
		if (f->sp < frame->sp)
			break;
	}
	return frames->len;
}

bool stitcher_take(struct stitcher *s, u32 tid, struct unwound_chain *chain)
{
	const GArray *frames;
	u32 at;

	if (chain->end.why == UNWIND_ROOT)
		remember(s, tid, chain);
	if (chain->end.why != UNWIND_CUT || !chain->nr_frames || chain->nr_spliced)
		return false;
	frames = g_hash_table_lookup(s->whole, GUINT_TO_POINTER(tid));
	at = frames ? find_frame(frames, &chain->frames[chain->nr_frames - 1]) : 0;
	if (!frames || at == frames->len)
		return false;
	g_array_set_size(s->ips, 0);
	g_array_append_vals(s->ips, chain->ips, chain->nr_ips);
	for (u32 i = at + 1; i < frames->len; i++) {
		u64 ip = unwind_frame_shown(&g_array_index(frames, struct unwind_frame, i));

		g_array_append_val(s->ips, ip);
	}
	chain->ips = (const u64 *)s->ips->data;
	chain->nr_user += s->ips->len - chain->nr_ips;
	chain->nr_ips = s->ips->len;
	return true;
}
