// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/code_cache.h"

#include <glib.h>
#include <string.h>

#include "base/big.h"
#include "base/table.h"

#define WAYS	   4u
#define LINE	   64u
#define FIRST_SETS (1u << 12)
#define MOST_SETS  (1u << 20)

struct code_slot {
	u64 va;
	u32 code;   /* 0: the slot is free */
	u32 window; /* number of the window, counted from the cache's start */
};

struct set {
	struct code_slot ways[WAYS];
};
G_STATIC_ASSERT(sizeof(struct set) == LINE);

struct code_cache {
	struct set *sets;
	u32 mask;	  /* number of sets - 1 */
	u32 evicted;	  /* answers that were still valid when evicted, since the last growth */
	u32 last;	  /* the window stored last; mostly the next one is the same */
	u32 first_window; /* number of windows[0]; older windows are forgotten */
	GArray *windows;  /* struct code_window */
	struct table window_index;
};

static struct set *sets_new(u32 nr)
{
	return big_new0((size_t)nr * sizeof(struct set));
}

struct code_cache *code_cache_new(void)
{
	struct code_cache *c = g_new0(struct code_cache, 1);

	c->sets = sets_new(FIRST_SETS);
	c->mask = FIRST_SETS - 1;
	c->windows = g_array_new(FALSE, FALSE, sizeof(struct code_window));
	table_init(&c->window_index);
	return c;
}

void code_cache_free(struct code_cache *c)
{
	if (!c)
		return;
	big_free(c->sets, ((size_t)c->mask + 1) * sizeof(*c->sets));
	g_array_unref(c->windows);
	table_release(&c->window_index);
	g_free(c);
}

void code_cache_forget(struct code_cache *c)
{
	if (!c->windows->len)
		return;
	/* Start again before the numbers wrap around: old slots still have low numbers. */
	if (c->first_window > UINT32_MAX / 2) {
		memset(c->sets, 0, (c->mask + 1) * sizeof(*c->sets));
		c->first_window = 0;
	}
	c->first_window += c->windows->len;
	g_array_set_size(c->windows, 0);
	table_release(&c->window_index);
	table_init(&c->window_index);
	c->last = 0;
}

static struct set *set_of(const struct code_cache *c, u32 pid, u64 va)
{
	return &c->sets[table_fold(table_mix(pid, va)) & c->mask];
}

static const struct code_window *window_at(const struct code_cache *c, u32 number)
{
	return &g_array_index(c->windows, struct code_window, number - c->first_window);
}

static bool counts(const struct code_cache *c, const struct code_slot *slot)
{
	return slot->code && slot->window >= c->first_window;
}

u32 code_cache_find(const struct code_cache *c, u32 pid, u32 mode, u64 va, u64 time,
		    const struct code_window **window)
{
	const struct set *set = set_of(c, pid, va);

	for (u32 i = 0; i < WAYS; i++) {
		const struct code_slot *slot = &set->ways[i];
		const struct code_window *w;

		if (slot->va != va || !counts(c, slot))
			continue;
		w = window_at(c, slot->window);
		if (w->pid == pid && w->mode == mode && time >= w->from && time < w->to) {
			*window = w;
			return slot->code;
		}
	}
	return 0;
}

static bool same_window(const struct code_window *a, const struct code_window *b)
{
	return a->from == b->from && a->to == b->to && a->pid == b->pid && a->mode == b->mode;
}

static u32 number_of(struct code_cache *c, const struct code_window *window)
{
	u64 mixed = table_mix(table_mix((u64)window->mode << 32 | window->pid, window->from),
			      window->to);
	u32 hash = table_fold(mixed), at = hash;
	s64 i;

	if (c->last < c->windows->len &&
	    same_window(&g_array_index(c->windows, struct code_window, c->last), window))
		return c->first_window + c->last;
	while ((i = table_next(&c->window_index, hash, &at)) >= 0)
		if (same_window(&g_array_index(c->windows, struct code_window, i), window))
			break;
	if (i < 0) {
		i = c->windows->len;
		g_array_append_val(c->windows, *window);
		table_add(&c->window_index, hash, (u32)i);
	}
	c->last = (u32)i;
	return c->first_window + c->last;
}

/* Puts the newest answer first. Evicts an invalid answer if there is one, else the last one. */
static bool put(const struct code_cache *c, struct set *set, struct code_slot new)
{
	u32 at = 0;
	bool lost;

	while (at < WAYS - 1 && counts(c, &set->ways[at]))
		at++;
	lost = counts(c, &set->ways[at]);
	memmove(&set->ways[1], &set->ways[0], at * sizeof(struct code_slot));
	set->ways[0] = new;
	return lost;
}

static void grow(struct code_cache *c)
{
	struct set *old = c->sets;
	u32 nr_old = c->mask + 1;

	c->evicted = 0;
	if (nr_old >= MOST_SETS)
		return;
	c->sets = sets_new(nr_old * 2);
	c->mask = nr_old * 2 - 1;
	for (u32 i = 0; i < nr_old; i++)
		for (u32 w = WAYS; w--;) {
			const struct code_slot *slot = &old[i].ways[w];

			if (counts(c, slot))
				put(c, set_of(c, window_at(c, slot->window)->pid, slot->va), *slot);
		}
	big_free(old, (size_t)nr_old * sizeof(*old));
}

void code_cache_store(struct code_cache *c, const struct code_window *window, u64 va, u32 code)
{
	struct code_slot new = { va, code, number_of(c, window) };
	struct set *set;

	if (c->evicted > c->mask / 4)
		grow(c);
	set = set_of(c, window->pid, va);
	for (u32 i = 0; i < WAYS; i++)
		if (set->ways[i].va == va && set->ways[i].window == new.window) {
			set->ways[i].code = code;
			return;
		}
	c->evicted += put(c, set, new);
}

void code_cache_prefetch(const struct code_cache *c, u32 pid, u64 va)
{
	__builtin_prefetch(set_of(c, pid, va));
}

u32 code_cache_guess(const struct code_cache *c, u32 pid, u64 va)
{
	const struct set *set = set_of(c, pid, va);

	for (u32 i = 0; i < WAYS; i++)
		if (set->ways[i].va == va && counts(c, &set->ways[i]))
			return set->ways[i].code;
	return 0;
}
