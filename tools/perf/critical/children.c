// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/children.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

#define ROUNDED_NS 1000000u /* files of spans may have rounded times */
#define MOST_WAITS 1000	    /* of one span */

struct seen_span {
	struct span_ids ids; /* the key */
	u64 parent, from, to;
	s64 correction;
	u64 last;		    /* end of the last sight */
	u32 host, thread, activity; /* of that */
	bool on_several;	    /* hosts */
};

struct child_wait {
	struct span_ids ids;
	u64 from, to;
	u32 host, thread;
};

struct children {
	const struct spans *spans;
	GHashTable *seen; /* struct seen_span */
	GArray *waits;	  /* struct child_wait; sorted after seeing */
	bool is_sorted;
};

static guint hash_ids(gconstpointer p)
{
	const struct span_ids *ids = p;

	return (guint)table_mix(table_mix(ids->trace_high, ids->trace_low), ids->span);
}

static gboolean equal_ids(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct span_ids));
}

struct children *children_new(const struct spans *spans)
{
	struct children *c = g_new0(struct children, 1);

	c->spans = spans;
	c->seen = g_hash_table_new_full(hash_ids, equal_ids, NULL, g_free);
	c->waits = g_array_new(FALSE, FALSE, sizeof(struct child_wait));
	return c;
}

void children_free(struct children *c)
{
	if (!c)
		return;
	g_hash_table_destroy(c->seen);
	g_array_unref(c->waits);
	g_free(c);
}

void children_see(struct children *c, const struct child_sight *s)
{
	struct seen_span *span = g_hash_table_lookup(c->seen, &s->ids);
	const struct child_wait wait = { s->ids, s->from, s->to, s->host, s->thread };

	if (!span && g_hash_table_size(c->seen) >= CHILDREN_MOST)
		return;
	if (!span) {
		span = g_new0(struct seen_span, 1);
		span->ids = s->ids;
		span->from = UINT64_MAX;
		span->host = s->host;
		span->correction = s->correction;
		g_hash_table_insert(c->seen, &span->ids, span);
	}
	span->parent = s->parent ?: span->parent;
	span->on_several |= span->host != s->host;
	span->from = MIN(span->from, s->from);
	if (s->to >= span->last) {
		span->last = span->to = s->to;
		span->thread = s->thread;
		span->activity = s->activity;
	}
	if (s->waits && c->waits->len < CHILDREN_MOST)
		g_array_append_val(c->waits, wait);
}

static int by_span(const void *pa, const void *pb)
{
	const struct child_wait *a = pa, *b = pb;

	return memcmp(&a->ids, &b->ids, sizeof(a->ids))
		       ?: (a->from > b->from) - (a->from < b->from);
}

static int by_ids(const void *pa, const void *pb)
{
	const struct child_wait *a = pa, *b = pb;

	return memcmp(&a->ids, &b->ids, sizeof(a->ids));
}

/* The waits of a span, and how many; NULL: there are none, or too many to compare each child with. */
static const struct child_wait *waits_of(const struct children *c, const struct span_ids *ids,
					 u32 *nr)
{
	const struct child_wait key = { .ids = *ids }, *first, *end, *found;

	found = c->waits->len ? bsearch(&key, c->waits->data, c->waits->len, sizeof(key), by_ids)
			      : NULL;
	if (!found)
		return NULL;
	first = end = found;
	while ((const char *)first > c->waits->data && !by_ids(first - 1, found) &&
	       found - first <= MOST_WAITS)
		first--;
	while ((const char *)end < c->waits->data + c->waits->len * sizeof(key) &&
	       !by_ids(end, found) && end - first <= MOST_WAITS)
		end++;
	if (end - first > MOST_WAITS)
		return NULL;
	*nr = (u32)(end - first);
	return first;
}

static const struct span *stated(const struct children *c, const struct span_ids *ids)
{
	u8 trace[SPAN_TRACE_ID_SIZE];

	if (!c->spans)
		return NULL;
	span_bytes(ids->trace_high, trace);
	span_bytes(ids->trace_low, trace + 8);
	return spans_find(c->spans, trace, ids->span);
}

/* What the files of spans state is taken if all sights are in it: programs may use an id again. */
static void take_stated(struct seen_span *s, const struct span *span)
{
	u64 from, to;

	if (!span || !span->start_ns || !span->duration_ns)
		return;
	from = span->start_ns + (u64)s->correction;
	to = from + span->duration_ns;
	if (from > s->from + ROUNDED_NS || s->to > to + ROUNDED_NS || to < from)
		return;
	s->from = MIN(s->from, from);
	s->to = MAX(s->to, to);
}

/*
 * The waits in which the child may be: of the innermost span around it that waits. Spans in between may never be a thread's activity, such as that of a
 * client's library; if they are, but do not wait, nobody waits for the child. Who takes from a queue is not waited for.
 */
static const struct child_wait *find_waits(const struct children *c, const struct seen_span *s,
					   u32 *nr)
{
	const struct span *span = stated(c, &s->ids);
	struct span_ids around = s->ids;
	const struct child_wait *found;

	around.span = s->parent ?: span ? span->parent : 0;
	if (s->on_several || (span && span->kind == SPAN_CONSUMER))
		return NULL;
	for (u32 i = 0; around.span && i < SPANS_MAX_DEPTH; i++) {
		found = waits_of(c, &around, nr);
		if (found || g_hash_table_contains(c->seen, &around))
			return found;
		span = stated(c, &around);
		around.span = span ? span->parent : 0;
	}
	return NULL;
}

static void settle(struct children *c)
{
	GHashTableIter iter;
	gpointer value;

	if (c->is_sorted)
		return;
	c->is_sorted = true;
	if (c->waits->len)
		qsort(c->waits->data, c->waits->len, sizeof(struct child_wait), by_span);
	g_hash_table_iter_init(&iter, c->seen);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct seen_span *s = value;

		take_stated(s, stated(c, &s->ids));
	}
}

/* May the child be in that wait, if times may be wrong by @error? UINT64_MAX: they may be anything. */
static bool fits(const struct seen_span *s, const struct child_wait *wait, u64 error)
{
	if (wait->to - wait->from < s->to - s->from)
		return false;
	return error == UINT64_MAX || (s->from + error >= wait->from && s->to <= wait->to + error);
}

static struct child_call call_of(const struct seen_span *s, const struct child_wait *first,
				 const struct child_wait *last)
{
	return (struct child_call){ .sent = first->from,
				    .received = last->to,
				    .begun = s->from,
				    .ended = s->to,
				    .from_host = first->host,
				    .host = s->host,
				    .waiter = first->thread,
				    .from = s->thread,
				    .activity = s->activity };
}

/* Of the waits that may have the child in them, the first one to begin and the last one to end. Returns how many; 0, too: it is of this host. */
static u32 candidates(const struct seen_span *s, const struct child_wait *waits, u32 nr, u64 error,
		      const struct child_wait **first, const struct child_wait **last)
{
	u32 found = 0;

	*first = *last = NULL;
	for (u32 i = 0; i < nr; i++) {
		if (waits[i].host == s->host || waits[i].host != waits[0].host)
			return 0;
		if (!fits(s, &waits[i], error))
			continue;
		found++;
		*first = *first ?: &waits[i];
		*last = !*last || waits[i].to > (*last)->to ? &waits[i] : *last;
	}
	return found;
}

/* In how many waits the child may be; out, if in any: @call. @errors: as children_each_pair() has them; NULL: times may be anything. */
static u32 find_call(const struct children *c, const struct seen_span *s, const u64 *errors,
		     struct child_call *call)
{
	const struct child_wait *first, *last, *waits;
	u64 error = UINT64_MAX;
	u32 nr = 0, found;

	waits = find_waits(c, s, &nr);
	if (!waits)
		return 0;
	if (errors) {
		if (errors[s->host] == UINT64_MAX || errors[waits->host] == UINT64_MAX)
			return 0;
		error = errors[s->host] + errors[waits->host];
	}
	found = candidates(s, waits, nr, error, &first, &last);
	if (found)
		*call = call_of(s, first, last);
	return found;
}

void children_each(struct children *c, child_fn *fn, void *arg)
{
	GHashTableIter iter;
	gpointer value;

	settle(c);
	g_hash_table_iter_init(&iter, c->seen);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct child_call call;

		if (find_call(c, value, NULL, &call))
			fn(&call, arg);
	}
}

/* By the wait; then the last end first, and around another one the outer child. */
static gint by_wait(gconstpointer pa, gconstpointer pb)
{
	const struct child_call *a = pa, *b = pb;

	if (a->waiter != b->waiter)
		return a->waiter < b->waiter ? -1 : 1;
	if (a->received != b->received)
		return a->received < b->received ? -1 : 1;
	if (a->ended != b->ended)
		return a->ended > b->ended ? -1 : 1;
	if (a->begun != b->begun)
		return a->begun < b->begun ? -1 : 1;
	return a->activity < b->activity ? -1 : a->activity > b->activity;
}

static bool is_of_one_wait(const struct child_call *a, const struct child_call *b)
{
	return a->waiter == b->waiter && a->received == b->received;
}

/* Of the children of one wait, which are @calls, has the first one ended last for certain? */
static bool is_last(const struct child_call *calls, u32 nr, const u64 *errors)
{
	for (u32 i = 1; i < nr && is_of_one_wait(calls, &calls[i]); i++)
		if (calls[i].host != calls->host &&
		    calls->ended - calls[i].ended <= errors[calls->host] + errors[calls[i].host])
			return false;
	return true;
}

static void tell_last(const GArray *calls, const u64 *errors, child_fn *fn, void *arg)
{
	const struct child_call *all = (const void *)calls->data;

	for (u32 i = 0; i < calls->len; i++)
		if ((!i || !is_of_one_wait(&all[i - 1], &all[i])) &&
		    is_last(&all[i], calls->len - i, errors))
			fn(&all[i], arg);
}

void children_each_pair(struct children *c, const u64 *errors, child_fn *fn, void *arg)
{
	g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(struct child_call));
	GHashTableIter iter;
	gpointer value;

	settle(c);
	g_hash_table_iter_init(&iter, c->seen);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct child_call call;

		if (find_call(c, value, errors, &call) == 1)
			g_array_append_val(calls, call);
	}
	g_array_sort(calls, by_wait);
	tell_last(calls, errors, fn, arg);
}
