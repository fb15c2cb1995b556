// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/sizes.h"

#include <glib.h>

/* Limit of remembered threads. If there are more, all are forgotten. */
#define MAX_THREADS 65536u

struct thread_size {
	u32 size;
	u32 nr;	  /* stacks in the present window */
	u64 most; /* largest need among them */
};

struct stack_sizes {
	u32 least, most;
	GHashTable *threads; /* tid -> struct thread_size */
};

struct stack_sizes *stack_sizes_new(u32 least, u32 most)
{
	struct stack_sizes *s = g_new0(struct stack_sizes, 1);

	*s = (struct stack_sizes){ least, most, g_hash_table_new_full(NULL, NULL, NULL, g_free) };
	return s;
}

void stack_sizes_free(struct stack_sizes *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->threads);
	g_free(s);
}

static struct thread_size *find(struct stack_sizes *s, u32 tid)
{
	struct thread_size *t = g_hash_table_lookup(s->threads, GUINT_TO_POINTER(tid));

	if (t)
		return t;
	if (g_hash_table_size(s->threads) == MAX_THREADS)
		g_hash_table_remove_all(s->threads);
	t = g_new0(struct thread_size, 1);
	t->size = s->most;
	g_hash_table_insert(s->threads, GUINT_TO_POINTER(tid), t);
	return t;
}

/* The size for stacks of @bytes, plus a quarter. */
static u32 size_for(const struct stack_sizes *s, u64 bytes)
{
	u32 size = s->least;

	while (size < s->most && size < bytes + bytes / 4)
		size *= 2;
	return MIN(size, s->most);
}

u32 stack_sizes_take(struct stack_sizes *s, u32 tid, const struct stack_need *need)
{
	struct thread_size *t = find(s, tid);
	u32 before = t->size;

	t->most = MAX(t->most, need->bytes);
	if (need->cut) {
		/* A copy made with an older, smaller size tells nothing about the present size. */
		if (need->copied >= t->size)
			t->size = MAX(size_for(s, need->bytes), MIN(2 * t->size, s->most));
		t->nr = 0;
	} else if (++t->nr == SIZES_WINDOW) {
		t->size = MIN(t->size, size_for(s, t->most));
		t->nr = 0;
		t->most = 0;
	}
	return t->size != before ? t->size : 0;
}
