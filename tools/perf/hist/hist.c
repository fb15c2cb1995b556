// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/hist.h"

#include <string.h>

#include "base/table.h"
#include "hist/private.h"

#define BLOCK_SIZE (256u << 10)

struct hist {
	struct hist_options options;
	GPtrArray *entries; /* struct hist_entry * */
	struct table index;
	GArray *stacks; /* struct hist_stack */
	struct table stack_index;
	GArray *branches;  /* struct hist_branches, by entry */
	GPtrArray *blocks; /* memory of entries */
	size_t block_left;
	u8 *block_at;
};

struct hist *hist_new(const struct hist_options *options)
{
	struct hist *h = g_new0(struct hist, 1);

	h->options = *options;
	h->entries = g_ptr_array_new();
	table_init(&h->index);
	h->stacks = g_array_new(FALSE, FALSE, sizeof(struct hist_stack));
	h->branches = g_array_new(FALSE, TRUE, sizeof(struct hist_branches));
	table_init(&h->stack_index);
	h->blocks = g_ptr_array_new_with_free_func(g_free);
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	g_ptr_array_free(h->entries, TRUE);
	table_release(&h->index);
	g_array_free(h->stacks, TRUE);
	table_release(&h->stack_index);
	g_array_free(h->branches, TRUE);
	g_ptr_array_free(h->blocks, TRUE);
	g_free(h);
}

/* Zeroed, 8-aligned, lives as long as the hist. */
static void *take(struct hist *h, size_t size)
{
	void *at;

	if (size > h->block_left) {
		h->block_left = MAX(size, BLOCK_SIZE);
		h->block_at = g_malloc0(h->block_left);
		g_ptr_array_add(h->blocks, h->block_at);
	}
	at = h->block_at;
	h->block_at += size;
	h->block_left -= size;
	return at;
}

static struct hist_entry *make(struct hist *h, const u64 *keys, u32 hash)
{
	size_t keys_size = h->options.nr_keys * sizeof(u64);
	size_t sums_size = h->options.nr_members * sizeof(struct hist_sum);
	size_t sums = h->options.children ? 2 : 1;
	u8 *at = take(h, sizeof(struct hist_entry) + keys_size + sums * sums_size);
	struct hist_entry *e = (struct hist_entry *)at;

	e->keys = (u64 *)(at + sizeof(*e));
	memcpy(e->keys, keys, keys_size);
	e->self = (struct hist_sum *)((u8 *)e->keys + keys_size);
	if (h->options.children)
		e->children = e->self + h->options.nr_members;
	e->id = h->entries->len;
	g_ptr_array_add(h->entries, e);
	table_add(&h->index, hash, e->id);
	return e;
}

static u32 keys_hash(const struct hist *h, const u64 *keys)
{
	u64 mixed = 0;

	for (u32 i = 0; i < h->options.nr_keys; i++)
		mixed = table_mix(mixed, keys[i]);
	return table_fold(mixed);
}

static struct hist_entry *look_up(const struct hist *h, const u64 *keys, u32 hash)
{
	u32 nr = h->options.nr_keys, at = hash;
	s64 id;

	while ((id = table_next(&h->index, hash, &at)) >= 0) {
		struct hist_entry *e = h->entries->pdata[id];
		u32 i = 0;

		while (i < nr && e->keys[i] == keys[i])
			i++;
		if (i == nr)
			return e;
	}
	return NULL;
}

bool hist_has(const struct hist *h, const u64 *keys)
{
	return look_up(h, keys, keys_hash(h, keys)) != NULL;
}

struct hist_entry *hist_find(struct hist *h, const u64 *keys, bool *made)
{
	u32 hash = keys_hash(h, keys);
	struct hist_entry *e = look_up(h, keys, hash);

	*made = !e;
	return e ? e : make(h, keys, hash);
}

static void sum_add(struct hist_sum *sum, const struct hist_weight *w)
{
	sum->period += w->period;
	sum->samples++;
	sum->latency += w->latency;
	sum->by_mode[w->mode] += w->period;
	for (u32 i = 0; i < ARRAY_SIZE(sum->weight); i++)
		sum->weight[i] += w->weight[i];
}

struct hist_entry *hist_add(struct hist *h, const u64 *keys, u32 member,
			    const struct hist_weight *weight, const struct thread *thread)
{
	bool made;
	struct hist_entry *e = hist_find(h, keys, &made);

	if (made)
		e->thread = thread;
	sum_add(&e->self[member], weight);
	if (e->children)
		sum_add(&e->children[member], weight);
	return e;
}

struct hist_stack *hist_find_stack(struct hist *h, struct hist_entry *e, u32 member, u32 stack)
{
	u32 hash = table_fold(table_mix(table_mix(member, e->id), stack)), at = hash;
	struct hist_stack new = { .stack = stack, .next = e->stacks, .entry = e->id };
	s64 i;

	while ((i = table_next(&h->stack_index, hash, &at)) >= 0) {
		struct hist_stack *s = &g_array_index(h->stacks, struct hist_stack, i);

		if (s->entry == e->id && s->stack == stack && s->member == member)
			return s;
	}
	new.member = member;
	g_array_append_val(h->stacks, new);
	e->stacks = h->stacks->len;
	table_add(&h->stack_index, hash, h->stacks->len - 1);
	return &g_array_index(h->stacks, struct hist_stack, h->stacks->len - 1);
}

void hist_add_stack(struct hist *h, struct hist_entry *e, u32 member, u32 stack,
		    const struct hist_weight *weight)
{
	struct hist_stack *s = hist_find_stack(h, e, member, stack);

	s->period += weight->period;
	s->samples++;
	s->latency += weight->latency;
}

struct hist_branches *hist_branches(struct hist *h, const struct hist_entry *e)
{
	if (e->id >= h->branches->len)
		g_array_set_size(h->branches, e->id + 1);
	return &g_array_index(h->branches, struct hist_branches, e->id);
}

struct hist_branches hist_branches_of(const struct hist *h, const struct hist_entry *e)
{
	return e->id < h->branches->len ? g_array_index(h->branches, struct hist_branches, e->id)
					: (struct hist_branches){ 0 };
}

u32 hist_nr(const struct hist *h)
{
	return h->entries->len;
}

struct hist_entry *hist_at(const struct hist *h, u32 id)
{
	return g_ptr_array_index(h->entries, id);
}

const struct hist_stack *hist_next_stack(const struct hist *h, const struct hist_entry *e,
					 const struct hist_stack *last)
{
	u32 next = last ? last->next : e->stacks;

	return next ? &g_array_index(h->stacks, struct hist_stack, next - 1) : NULL;
}

GArray *hist_stacks(const struct hist *h)
{
	return h->stacks;
}

u32 hist_nr_keys(const struct hist *h)
{
	return h->options.nr_keys;
}
