// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each thread waits for at most one lock, so it has at most one arrow. From each thread the arrows are followed, in the order of
 * the numbers, and a circle is told where it is found from its lowest number. For 7 -> 8, 8 -> 9, 9 -> 8:
 *
 *	from 7		8, 9, 8, 9, ...	never 7: it waits for the circle, and is not in it. MOST_CIRCLE steps end this
 *	from 8		9, 8		a circle: "8 9"
 *	from 9		8		is lower: not again
 *
 * What was added may be old: each thread was seen at another time. So a circle counts only if, now, each lock's memory still names
 * the owner, and no thread has got a CPU since it was seen. The memory is read first: a thread that has not run up to then cannot have
 * changed what it waits for.
 */
#include "record/waits/deadlocks.h"

#include <sys/uio.h>

#include "base/file.h"

#define MOST_STUCK  65536u /* threads */
#define MOST_CIRCLE 1024u  /* threads in a circle */
#define WORD_TID    0x3fffffffu

struct deadlocks {
	GHashTable *stuck; /* tid -> struct stuck * */
};

struct deadlocks *deadlocks_new(void)
{
	struct deadlocks *d = g_new0(struct deadlocks, 1);

	d->stuck = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return d;
}

void deadlocks_free(struct deadlocks *d)
{
	if (!d)
		return;
	g_hash_table_destroy(d->stuck);
	g_free(d);
}

static const struct stuck *find(const struct deadlocks *d, u32 tid)
{
	return g_hash_table_lookup(d->stuck, GUINT_TO_POINTER(tid));
}

void deadlocks_add(struct deadlocks *d, const struct stuck *stuck)
{
	if (stuck->lock.owner == WALL_OWNER_KNOWN && stuck->lock.kind != WALL_LOCK_TIMED &&
	    !wall_lock_is_shared(stuck->lock.kind) && g_hash_table_size(d->stuck) < MOST_STUCK)
		g_hash_table_replace(d->stuck, GUINT_TO_POINTER(stuck->tid),
				     g_memdup2(stuck, sizeof(*stuck)));
}

/* Bytes from the lock to the word that names its owner (bpf/find_lock.h). */
static u64 owner_at(u8 kind)
{
	if (kind == WALL_LOCK_MUTEX)
		return 8;
	return kind == WALL_LOCK_READ || kind == WALL_LOCK_WRITE ? 24 : 0;
}

static bool names_owner(const struct stuck *s, const struct stuck *owner)
{
	u32 word = 0;
	struct iovec local = { &word, sizeof(word) };
	struct iovec remote = { (void *)(uintptr_t)(s->lock.va + owner_at(s->lock.kind)),
				sizeof(word) };

	return process_vm_readv((pid_t)s->pid, &local, 1, &remote, 1, 0) == sizeof(word) &&
	       (word & WORD_TID) == owner->own_tid;
}

/* The last number of schedstat: how often it has got a CPU. */
static bool has_not_run(const struct stuck *s, const struct kernel_paths *paths)
{
	g_autofree char *text = file_text("%s/%u/task/%u/schedstat", paths->proc, s->pid, s->tid);
	const char *last = text ? strrchr(text, ' ') : NULL;

	return last && g_ascii_strtoull(last + 1, NULL, 10) == s->runs;
}

static bool is_so(const struct deadlocks *d, const struct stuck *first,
		  const struct kernel_paths *paths)
{
	const struct stuck *s = first;

	do {
		const struct stuck *owner = find(d, s->lock.owner_tid);

		if (s->pid != owner->pid || !names_owner(s, owner) || !has_not_run(s, paths))
			return false;
		s = owner;
	} while (s != first);
	return true;
}

/* Is @first in a circle, and the thread of the lowest number there? */
static bool begins_circle(const struct deadlocks *d, const struct stuck *first)
{
	const struct stuck *s = first;

	for (u32 i = 0; i < MOST_CIRCLE; i++) {
		s = find(d, s->lock.owner_tid);
		if (!s || s->tid < first->tid)
			return false;
		if (s == first)
			return true;
	}
	return false;
}

static void append_circle(const struct deadlocks *d, const struct stuck *first, GString *tids,
			  GString *words)
{
	const struct stuck *s = first;

	do {
		g_string_append_printf(tids, "%s%u",
				       s != first  ? " "
				       : tids->len ? ", "
						   : "",
				       s->tid);
		if (words)
			g_string_append_printf(words, "%s%s (%u)",
					       s != first   ? " -> "
					       : words->len ? "; "
							    : "",
					       s->comm, s->tid);
		s = find(d, s->lock.owner_tid);
	} while (s != first);
	if (words)
		g_string_append_printf(words, " -> %s (%u)", s->comm, s->tid);
}

static gint by_tid(gconstpointer a, gconstpointer b)
{
	const struct stuck *sa = *(const struct stuck *const *)a,
			   *sb = *(const struct stuck *const *)b;

	return sa->tid < sb->tid ? -1 : sa->tid > sb->tid;
}

char *deadlocks_find(const struct deadlocks *d, const struct kernel_paths *paths, GString *words)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GString *tids = g_string_new(NULL);
	GHashTableIter iter;
	gpointer stuck;

	g_hash_table_iter_init(&iter, d->stuck);
	while (g_hash_table_iter_next(&iter, NULL, &stuck))
		g_ptr_array_add(all, stuck);
	g_ptr_array_sort(all, by_tid);
	for (u32 i = 0; i < all->len; i++) {
		const struct stuck *s = g_ptr_array_index(all, i);

		if (begins_circle(d, s) && is_so(d, s, paths))
			append_circle(d, s, tids, words);
	}
	return g_string_free(tids, !tids->len);
}
