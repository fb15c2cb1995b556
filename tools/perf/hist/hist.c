// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/hist.h"

#include <string.h>

#include "base/table.h"
#include "hist/private.h"
#include "machine/machine.h"

#define ENTRIES_PER_BLOCK 128u
#define CACHE_LINE	  64u

/* A power of two, about the number of outstanding loads of a CPU. */
#define QUEUE_SIZE 16u

struct queued {
	u32 hash;
	struct hist_row row;
};

struct hist {
	struct hist_options options;
	GPtrArray *blocks; /* ENTRIES_PER_BLOCK entries each, each followed by its keys and sums */
	size_t entry_size; /* with these */
	u32 nr;
	struct table index;
	GArray *stacks; /* struct hist_stack */
	struct table stack_index;
	GArray *parts;		 /* struct hist_part */
	struct table part_index; /* of those that were added */
	GArray *branches;	 /* struct hist_branches, by entry */
	GArray *accesses;	 /* struct hist_accesses, by entry */

	struct queued
		queue[QUEUE_SIZE]; /* a ring; the keys of [i] are queue_keys[i * nr_keys ...] */
	u64 *queue_keys;
	u32 queue_first, queue_nr;
};

struct hist *hist_new(const struct hist_options *options)
{
	struct hist *h = g_new0(struct hist, 1);
	size_t nr_sums = options->nr_members * (options->children ? 2 : 1);

	h->options = *options;
	h->entry_size = sizeof(struct hist_entry) + options->nr_keys * sizeof(u64) +
			nr_sums * sizeof(struct hist_sum);
	h->blocks = g_ptr_array_new_with_free_func(g_free);
	table_init(&h->index);
	h->stacks = g_array_new(FALSE, FALSE, sizeof(struct hist_stack));
	h->branches = g_array_new(FALSE, TRUE, sizeof(struct hist_branches));
	h->accesses = g_array_new(FALSE, TRUE, sizeof(struct hist_accesses));
	table_init(&h->stack_index);
	h->parts = g_array_new(FALSE, FALSE, sizeof(struct hist_part));
	table_init(&h->part_index);
	h->queue_keys = g_new(u64, QUEUE_SIZE * (size_t)options->nr_keys + 1);
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	g_ptr_array_free(h->blocks, TRUE);
	table_release(&h->index);
	g_array_free(h->stacks, TRUE);
	table_release(&h->stack_index);
	g_array_free(h->parts, TRUE);
	table_release(&h->part_index);
	g_array_free(h->branches, TRUE);
	g_array_free(h->accesses, TRUE);
	g_free(h->queue_keys);
	g_free(h);
}

static struct hist_entry *entry_at(const struct hist *h, u32 id)
{
	u8 *block = h->blocks->pdata[id / ENTRIES_PER_BLOCK];

	return (struct hist_entry *)(void *)(block + id % ENTRIES_PER_BLOCK * h->entry_size);
}

static struct hist_entry *make(struct hist *h, const u64 *keys, u32 hash)
{
	size_t keys_size = h->options.nr_keys * sizeof(u64);
	struct hist_entry *e;

	if (h->nr % ENTRIES_PER_BLOCK == 0)
		g_ptr_array_add(h->blocks, g_malloc0(ENTRIES_PER_BLOCK * h->entry_size));
	e = entry_at(h, h->nr);
	e->keys = (u64 *)(e + 1);
	memcpy(e->keys, keys, keys_size);
	e->self = (struct hist_sum *)((u8 *)e->keys + keys_size);
	if (h->options.children)
		e->children = e->self + h->options.nr_members;
	e->id = h->nr++;
	table_add(&h->index, hash, e->id);
	return e;
}

u32 hist_hash(const struct hist *h, const u64 *keys)
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
		struct hist_entry *e = entry_at(h, (u32)id);
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
	return look_up(h, keys, hist_hash(h, keys)) != NULL;
}

struct hist_entry *hist_find(struct hist *h, const u64 *keys, u32 hash, bool *made)
{
	struct hist_entry *e = look_up(h, keys, hash);

	*made = !e;
	return e ? e : make(h, keys, hash);
}

static void sum_add(struct hist_sum *sum, const struct hist_weight *w)
{
	sum->period += w->period;
	sum->samples += w->samples;
	sum->latency += w->latency;
	sum->by_mode[w->mode] += w->period;
	for (u32 i = 0; i < ARRAY_SIZE(sum->weight); i++)
		if (w->weight[i])
			sum->weight[i] += w->weight[i];
}

static bool is_before(const struct thread *a, const struct thread *b)
{
	if (a->pid != b->pid)
		return a->pid < b->pid;
	return a->tid != b->tid ? a->tid < b->tid : a->start < b->start;
}

void hist_add_thread(struct hist_entry *e, const struct thread *thread)
{
	if (e->thread != thread && (!e->thread || (thread && is_before(thread, e->thread))))
		e->thread = thread;
}

void hist_add_to(struct hist_entry *e, u32 member, const struct hist_weight *weight)
{
	sum_add(&e->self[member], weight);
	if (e->children)
		sum_add(&e->children[member], weight);
}

static struct hist_entry *add(struct hist *h, const u64 *keys, u32 hash, u32 member,
			      const struct hist_weight *weight, const struct thread *thread)
{
	struct hist_entry *e = look_up(h, keys, hash);

	if (!e)
		e = make(h, keys, hash);
	hist_add_thread(e, thread);
	hist_add_to(e, member, weight);
	return e;
}

struct hist_entry *hist_add(struct hist *h, const u64 *keys, u32 member,
			    const struct hist_weight *weight, const struct thread *thread)
{
	return add(h, keys, hist_hash(h, keys), member, weight, thread);
}

static u32 stack_hash(const struct hist_entry *e, u32 member, u32 stack)
{
	return table_fold(table_mix(table_mix(member, e->id), stack));
}

void hist_prefetch_stack(const struct hist *h, const struct hist_entry *e, u32 member, u32 stack)
{
	table_prefetch(&h->stack_index, stack_hash(e, member, stack));
}

struct hist_stack *hist_find_stack(struct hist *h, struct hist_entry *e, u32 member, u32 stack)
{
	u32 hash = stack_hash(e, member, stack), at = hash;
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
	s->samples += weight->samples;
	s->latency += weight->latency;
}

static u64 *keys_in_queue(const struct hist *h, u32 i)
{
	return h->queue_keys + (size_t)i * h->options.nr_keys;
}

static void take_first(struct hist *h)
{
	u32 i = h->queue_first;
	const struct queued *q = &h->queue[i];
	struct hist_entry *e =
		add(h, keys_in_queue(h, i), q->hash, q->row.member, &q->row.weight, q->row.thread);

	e->shown |= q->row.shown;
	if (q->row.stack)
		hist_add_stack(h, e, q->row.member, q->row.stack, &q->row.weight);
	h->queue_first = (i + 1) % QUEUE_SIZE;
	h->queue_nr--;
}

void hist_prefetch_index(const struct hist *h, u32 hash)
{
	table_prefetch(&h->index, hash);
}

/* The index was prefetched: now prefetch the entry that it refers to. */
void hist_prefetch_entry(const struct hist *h, u32 hash)
{
	u32 at = hash;
	s64 id = table_next(&h->index, hash, &at);
	const u8 *e;

	if (id < 0)
		return;
	e = (const u8 *)entry_at(h, (u32)id);
	for (size_t i = 0; i < MIN(h->entry_size, 4 * CACHE_LINE); i += CACHE_LINE)
		__builtin_prefetch(e + i);
}

void hist_queue(struct hist *h, const u64 *keys, const struct hist_row *row)
{
	u32 hash = hist_hash(h, keys), i;

	if (h->queue_nr == QUEUE_SIZE)
		take_first(h);
	i = (h->queue_first + h->queue_nr++) % QUEUE_SIZE;
	h->queue[i] = (struct queued){ hash, *row };
	memcpy(keys_in_queue(h, i), keys, h->options.nr_keys * sizeof(u64));
	table_prefetch(&h->index, hash);
	if (h->queue_nr > QUEUE_SIZE / 2)
		hist_prefetch_entry(h, h->queue[(i + QUEUE_SIZE / 2) % QUEUE_SIZE].hash);
}

void hist_settle(struct hist *h)
{
	while (h->queue_nr)
		take_first(h);
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

struct hist_accesses *hist_accesses(struct hist *h, const struct hist_entry *e)
{
	if (e->id >= h->accesses->len)
		g_array_set_size(h->accesses, e->id + 1);
	return &g_array_index(h->accesses, struct hist_accesses, e->id);
}

u64 hist_accesses_of(const struct hist *h, const struct hist_entry *e, enum access_class class)
{
	return e->id < h->accesses->len
		       ? g_array_index(h->accesses, struct hist_accesses, e->id).period[class]
		       : 0;
}

u32 hist_nr(const struct hist *h)
{
	return h->nr;
}

struct hist_entry *hist_at(const struct hist *h, u32 id)
{
	return entry_at(h, id);
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

u32 hist_nr_members(const struct hist *h)
{
	return h->options.nr_members;
}

static u32 part_hash(const struct hist_part *part)
{
	return table_fold(table_mix((u64)part->entry << 32 | part->cluster, part->stack));
}

static bool is_same_part(const struct hist_part *a, const struct hist_part *b)
{
	return a->entry == b->entry && a->stack == b->stack && a->cluster == b->cluster;
}

void hist_add_part(struct hist *h, const struct hist_part *part)
{
	u32 hash = part_hash(part), at = hash;
	s64 i;

	while ((i = table_next(&h->part_index, hash, &at)) >= 0) {
		struct hist_part *known = &g_array_index(h->parts, struct hist_part, i);

		if (!is_same_part(known, part))
			continue;
		known->period += part->period;
		known->samples += part->samples;
		return;
	}
	table_add(&h->part_index, hash, h->parts->len);
	hist_append_part(h, part);
}

void hist_append_part(struct hist *h, const struct hist_part *part)
{
	g_array_append_vals(h->parts, part, 1);
}

const GArray *hist_parts(const struct hist *h)
{
	return h->parts;
}
