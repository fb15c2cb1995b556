// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sights of each lock are kept, ascending by time. For the example of owners.h, where 8 has the lock, and 7 and 9 wait for it:
 *
 *	owners_add()					sights
 *	9's wait is over: at 12 it saw 8		12 8
 *	... and at 30 it got the lock from 8		12 8, 30 9 (giver 8)
 *
 *	owners_split() of 7's wait from 10 to 50, which 9 ended, and which saw 8 at its begin
 *	the first piece is what 7 saw			10 8
 *	12 8 is no other owner				10 8
 *	30 9 is						10 8, 30 9
 *	the last owner is who ended the wait		30 9 is right; if 6 had ended it: 30 "changed", as 6 came unseen
 *	who gave the lock up, where is known		8: where its sample as 9's giver was; 9: where it ended 7's wait
 *
 * A thread's own sights are no pieces of its own wait: it had the lock before.
 */
#include "record/waits/owners.h"

#include <string.h>

#include "base/search.h"

#define MOST_OF_LOCK 4096	/* sights of one lock: then the older half is forgotten */
#define MOST_BYTES   (8u << 20) /* of all locks: then all are forgotten */

struct lock_key {
	u64 va, pid;
};

struct sights {
	struct lock_holder *owners; /* ascending by time */
	u32 nr, room;
	u64 complete_from; /* sights before were forgotten */
};

struct owners {
	GHashTable *locks; /* struct lock_key -> struct sights */
	size_t size;	   /* bytes of all sights */
	u64 newest;	   /* time of the newest sight */
	u64 complete_from; /* sights before were forgotten */
};

static guint hash_key(gconstpointer p)
{
	const struct lock_key *key = p;

	return (guint)((key->va ^ key->pid << 40) * 0x9e3779b97f4a7c15 >> 32);
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct lock_key));
}

static size_t size_of(const struct lock_holder *sight)
{
	return sizeof(*sight) + sight->tls_size;
}

static void free_sights(void *p)
{
	struct sights *s = p;

	for (u32 i = 0; i < s->nr; i++)
		g_free((void *)s->owners[i].tls);
	g_free(s->owners);
	g_free(s);
}

struct owners *owners_new(void)
{
	struct owners *o = g_new0(struct owners, 1);

	o->locks = g_hash_table_new_full(hash_key, equal_keys, g_free, free_sights);
	return o;
}

void owners_free(struct owners *o)
{
	if (!o)
		return;
	g_hash_table_destroy(o->locks);
	g_free(o);
}

static const struct sights *sights_of(const struct owners *o, u32 pid, u64 va)
{
	static const struct sights none;
	const struct lock_key key = { .va = va, .pid = pid };

	return g_hash_table_lookup(o->locks, &key) ?: &none;
}

static struct sights *make_sights(struct owners *o, u32 pid, u64 va)
{
	const struct lock_key key = { .va = va, .pid = pid };
	struct sights *s = g_hash_table_lookup(o->locks, &key);

	if (s)
		return s;
	s = g_new0(struct sights, 1);
	g_hash_table_insert(o->locks, g_memdup2(&key, sizeof(key)), s);
	o->size += sizeof(key) + sizeof(*s);
	return s;
}

static void forget_half(struct owners *o, struct sights *s)
{
	u32 half = s->nr / 2;

	s->complete_from = s->owners[half - 1].time;
	for (u32 i = 0; i < half; i++) {
		o->size -= size_of(&s->owners[i]);
		g_free((void *)s->owners[i].tls);
	}
	s->nr -= half;
	memmove(s->owners, s->owners + half, s->nr * sizeof(*s->owners));
}

static void insert(struct sights *s, u32 at, const struct lock_holder *sight)
{
	if (s->nr == s->room) {
		s->room = s->room ? 2 * s->room : 4;
		s->owners = g_renew(struct lock_holder, s->owners, s->room);
	}
	memmove(s->owners + at + 1, s->owners + at, (s->nr - at) * sizeof(*s->owners));
	s->owners[at] = *sight;
	s->owners[at].tls = g_memdup2(sight->tls, sight->tls_size);
	s->nr++;
}

void owners_add(struct owners *o, u32 pid, u64 va, const struct lock_holder *seen)
{
	struct sights *s;

	if (o->size >= MOST_BYTES) {
		g_hash_table_remove_all(o->locks);
		o->size = 0;
		o->complete_from = o->newest;
	}
	s = make_sights(o, pid, va);
	if (s->nr == MOST_OF_LOCK)
		forget_half(o, s);
	insert(s, SEARCH(i, 0, s->nr, s->owners[i].time <= seen->time), seen);
	o->newest = MAX(o->newest, seen->time);
	o->size += size_of(seen);
}

static bool is_same(const struct lock_holder *a, const struct lock_holder *b)
{
	return a->state == b->state && (a->state != WALL_OWNER_KNOWN || a->tid == b->tid);
}

/*
 * The lock was free when the thread looked: it was on its way to the thread that was seen last. If that one has also given
 * it up in the end, it had it all the time.
 */
static void find_receiver(const struct sights *s, u32 next, const struct owned_wait *wait,
			  struct lock_holder *first)
{
	const struct lock_holder *before = next ? &s->owners[next - 1] : NULL;

	if (first->state != WALL_OWNER_STRANGER || !before || before->state != WALL_OWNER_KNOWN ||
	    before->tid != wait->releaser)
		return;
	*first = *before;
	first->time = wait->first.time;
}

/* Who gives a lock up has had it. If that is another thread than the last one seen, the lock changed hands unseen. */
static void check_releaser(const struct owned_wait *wait, struct lock_holder *last)
{
	if (last->state == WALL_OWNER_KNOWN && wait->releaser && last->tid != wait->releaser)
		last->state = WALL_OWNER_CHANGED;
}

/* Where each owner gave the lock up: the next one knows who gave it the lock. */
static void find_ends(const struct owned_wait *wait, GArray *pieces)
{
	for (u32 i = 0; i < pieces->len; i++) {
		struct lock_holder *piece = &g_array_index(pieces, struct lock_holder, i);
		bool last = i + 1 == pieces->len;
		u32 giver = last ? wait->releaser : piece[1].giver;
		bool gave = piece->state == WALL_OWNER_KNOWN && giver == piece->tid;

		piece->left = !gave ? 0 : last ? wait->released : piece[1].given;
	}
}

void owners_split(const struct owners *o, const struct owned_wait *wait, GArray *pieces)
{
	const struct sights *s = sights_of(o, wait->pid, wait->va);
	u32 next = SEARCH(i, 0, s->nr, s->owners[i].time <= wait->first.time);
	struct lock_holder first = wait->first;

	find_receiver(s, next, wait, &first);
	if (first.time < MAX(o->complete_from, s->complete_from) && first.state == WALL_OWNER_KNOWN)
		first.state = WALL_OWNER_CHANGED;
	g_array_set_size(pieces, 0);
	g_array_append_val(pieces, first);
	for (; next < s->nr && s->owners[next].time < wait->to; next++) {
		const struct lock_holder *sight = &s->owners[next];
		bool own = sight->state == WALL_OWNER_KNOWN && sight->tid == wait->tid;

		if (!own &&
		    !is_same(sight, &g_array_index(pieces, struct lock_holder, pieces->len - 1)))
			g_array_append_vals(pieces, sight, 1);
	}
	check_releaser(wait, &g_array_index(pieces, struct lock_holder, pieces->len - 1));
	find_ends(wait, pieces);
}
