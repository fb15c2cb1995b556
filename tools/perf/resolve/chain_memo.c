// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/chain_memo.h"

#include <glib.h>
#include <string.h>

#include "base/table.h"

#define MAX_SIZE   (64u << 20) /* bytes of addresses and frames */
#define BLOCK_SIZE (1u << 20)

struct memo_entry {
	struct recorded_chain key; /* its ips are owned by the memo */
	u64 from, to;
	u32 nr_frames;
	bool broken;
	const struct code **frames;
};

struct chain_memo {
	GArray *chains; /* struct memo_entry */
	struct table index;
	GPtrArray *blocks; /* memory for addresses and frames */
	u8 *at;
	size_t left, size;
	u32 first_id; /* id of chains[0] */
};

struct chain_memo *chain_memo_new(void)
{
	struct chain_memo *m = g_new0(struct chain_memo, 1);

	m->chains = g_array_new(FALSE, FALSE, sizeof(struct memo_entry));
	m->blocks = g_ptr_array_new_with_free_func(g_free);
	m->first_id = 1;
	table_init(&m->index);
	return m;
}

void chain_memo_free(struct chain_memo *m)
{
	if (!m)
		return;
	g_array_unref(m->chains);
	g_ptr_array_unref(m->blocks);
	table_release(&m->index);
	g_free(m);
}

void chain_memo_forget(struct chain_memo *m)
{
	if (!m->chains->len)
		return;
	m->first_id += m->chains->len;
	g_array_set_size(m->chains, 0);
	g_ptr_array_set_size(m->blocks, 0);
	m->left = m->size = 0;
	table_release(&m->index);
	table_init(&m->index);
}

static u32 hash_of(const struct recorded_chain *key)
{
	u64 whose = (u64)key->mode << 32 | key->pid;

	return table_fold(table_mix(whose, table_mix_words(key->ips, key->nr)));
}

static bool same_key(const struct recorded_chain *a, const struct recorded_chain *b)
{
	return a->pid == b->pid && a->mode == b->mode && a->nr == b->nr &&
	       !memcmp(a->ips, b->ips, a->nr * sizeof(u64));
}

bool chain_memo_find(const struct chain_memo *m, const struct recorded_chain *key, u64 time,
		     struct memo_chain *out)
{
	u32 hash = hash_of(key), at = hash;
	s64 i;

	while ((i = table_next(&m->index, hash, &at)) >= 0) {
		const struct memo_entry *c = &g_array_index(m->chains, struct memo_entry, i);

		if (time < c->from || time >= c->to || !same_key(&c->key, key))
			continue;
		*out = (struct memo_chain){ m->first_id + (u32)i, c->nr_frames,
					    (const struct code *const *)c->frames, c->broken };
		return true;
	}
	return false;
}

static void *copy(struct chain_memo *m, const void *from, size_t size)
{
	void *at;

	if (!m->at || size > m->left) {
		m->left = MAX(size, BLOCK_SIZE);
		m->at = g_malloc(m->left);
		g_ptr_array_add(m->blocks, m->at);
	}
	at = memcpy(m->at, from, size);
	m->at += size;
	m->left -= size;
	m->size += size;
	return at;
}

void chain_memo_store(struct chain_memo *m, const struct recorded_chain *key, u64 from, u64 to,
		      struct memo_chain *out)
{
	struct memo_entry c = { *key, from, to, out->nr_frames, out->broken, NULL };

	if (m->size > MAX_SIZE)
		chain_memo_forget(m);
	c.frames = copy(m, out->frames, out->nr_frames * sizeof(*out->frames));
	c.key.ips = copy(m, key->ips, key->nr * sizeof(u64));
	table_add(&m->index, hash_of(key), m->chains->len);
	out->id = m->first_id + m->chains->len;
	out->frames = (const struct code *const *)c.frames;
	g_array_append_val(m->chains, c);
}
