// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/changes.h"

#include <glib.h>

#include "base/search.h"

struct times {
	GArray *at; /* u64; ascending if @in_order */
	bool in_order;
};

struct changes {
	GHashTable *numbers; /* pid or tid -> struct times * */
	struct times all;
	bool in_order; /* all of them are ascending */
};

static void times_free(void *p)
{
	struct times *t = p;

	g_array_unref(t->at);
	g_free(t);
}

static void times_init(struct times *t)
{
	t->at = g_array_new(FALSE, FALSE, sizeof(u64));
	t->in_order = true;
}

struct changes *changes_new(void)
{
	struct changes *c = g_new0(struct changes, 1);

	c->numbers = g_hash_table_new_full(NULL, NULL, NULL, times_free);
	times_init(&c->all);
	c->in_order = true;
	return c;
}

void changes_free(struct changes *c)
{
	if (!c)
		return;
	g_hash_table_destroy(c->numbers);
	g_array_unref(c->all.at);
	g_free(c);
}

static u64 time_at(const struct times *t, u32 i)
{
	return g_array_index(t->at, u64, i);
}

/* A fact that holds from time 0 on is no change: nothing was different before. */
static void note(struct changes *c, struct times *t, u64 time)
{
	u32 nr = t->at->len;
	u64 last = nr ? time_at(t, nr - 1) : 0;

	if (!time || (nr && last == time))
		return;
	if (time < last)
		t->in_order = c->in_order = false;
	g_array_append_val(t->at, time);
}

void changes_note(struct changes *c, u32 number, u64 time)
{
	struct times *t = g_hash_table_lookup(c->numbers, GUINT_TO_POINTER(number));

	if (!t) {
		t = g_new(struct times, 1);
		times_init(t);
		g_hash_table_insert(c->numbers, GUINT_TO_POINTER(number), t);
	}
	note(c, t, time);
}

void changes_note_all(struct changes *c, u64 time)
{
	note(c, &c->all, time);
}

static int compare(gconstpointer a, gconstpointer b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void settle(struct times *t)
{
	if (!t->in_order)
		g_array_sort(t->at, compare);
	t->in_order = true;
}

void changes_settle(struct changes *c)
{
	GHashTableIter iter;
	gpointer t;

	if (c->in_order)
		return;
	c->in_order = true;
	settle(&c->all);
	g_hash_table_iter_init(&iter, c->numbers);
	while (g_hash_table_iter_next(&iter, NULL, &t))
		settle(t);
}

static void narrow(const struct times *t, u64 time, u64 *from, u64 *to)
{
	u32 later = SEARCH(i, 0, t->at->len, time_at(t, i) <= time);

	if (later)
		*from = MAX(*from, time_at(t, later - 1));
	if (later < t->at->len)
		*to = MIN(*to, time_at(t, later));
}

void changes_window(const struct changes *c, u32 number, u64 time, u64 *from, u64 *to)
{
	const struct times *t = g_hash_table_lookup(c->numbers, GUINT_TO_POINTER(number));

	narrow(&c->all, time, from, to);
	if (t)
		narrow(t, time, from, to);
}
