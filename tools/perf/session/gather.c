// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/gather.h"

#include <glib.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/big.h"
#include "base/table.h"
#include "machine/machine.h"
#include "perfdata/evsel.h"
#include "perfdata/read/samples.h"
#include "resolve/activity.h"
#include "session/entries.h"

#define BLOCK_SIZE   (1u << 20)
#define FIRST_SLOTS  1024u
#define NR_WINDOWS   64u
#define SIDE_BY_SIDE 16u

/* The variable-size part of a sample. */
struct tail {
	const u64 *ips;
	const void *bytes;
	u32 nr_ips, nr_bytes, nr_filled;
	u32 context; /* the head's */
};

/*
 * A slot of the hash table of "where" numbers. The table is large, and most look-ups miss the cache. So a slot has all
 * that a look-up needs in one part of one cache line.
 */
struct gather_head {
	u64 ip;
	u32 context; /* its number; for a sample with a tail, mixed with the tail's hash */
	u32 number;  /* +1; 0: a free slot */
};

/* The part of a sample's key that many samples with different addresses share. */
struct context {
	u32 span; /* number of the process and time */
	u16 misc, evsel;
};

/* A process, or one thread of it, in a time window in which nothing changes for it. */
struct gather_span {
	u32 pid, tid;
	u64 since;
};

struct who {
	u32 pid, tid, cpu;
	u64 since;
	const char *comm; /* equal names have equal pointers */
};

/* The last answer for a thread. */
struct window {
	u32 pid, tid;
	u64 from, to; /* times; equal: none */
	u32 span, who;
	struct who is;
};

struct gather {
	struct machine *machine;
	struct activities *activities;
	struct gather_options options;
	bool tails; /* heads have them */

	struct gather_head *heads; /* slots */
	u32 mask, nr_heads;
	GArray *tail_of;  /* struct tail, by the head's number */
	GArray *contexts; /* struct context */
	GArray *spans;	  /* struct gather_span */
	GArray *whos;	  /* struct who */
	struct table context_index, span_index, who_index;
	u32 last_context;

	struct window windows[NR_WINDOWS]; /* by the low bits of tid */
	struct machine_hits hits;

	GPtrArray *blocks; /* memory of tails */
	u8 *at;
	size_t left;
};

static size_t slots_size(const struct gather *g)
{
	return ((size_t)g->mask + 1) * sizeof(*g->heads);
}

static void make_slots(struct gather *g, u32 nr)
{
	g->mask = nr - 1;
	g->heads = big_new0(slots_size(g));
}

struct gather *gather_new(struct machine *machine, struct activities *activities,
			  const struct gather_options *options)
{
	struct gather *g = g_new0(struct gather, 1);

	g->machine = machine;
	g->activities = activities;
	g->options = *options;
	g->tails = options->chains || options->kernel_chains || options->activities ||
		   options->entries;
	make_slots(g, FIRST_SLOTS);
	g->tail_of = g_array_new(FALSE, FALSE, sizeof(struct tail));
	g->contexts = g_array_new(FALSE, FALSE, sizeof(struct context));
	g->spans = g_array_new(FALSE, FALSE, sizeof(struct gather_span));
	g->whos = g_array_new(FALSE, FALSE, sizeof(struct who));
	g->blocks = g_ptr_array_new_with_free_func(g_free);
	table_init(&g->context_index);
	table_init(&g->span_index);
	table_init(&g->who_index);
	return g;
}

void gather_free(struct gather *g)
{
	if (!g)
		return;
	big_free(g->heads, slots_size(g));
	g_array_unref(g->tail_of);
	g_array_unref(g->contexts);
	g_array_unref(g->spans);
	g_array_unref(g->whos);
	g_ptr_array_unref(g->blocks);
	table_release(&g->context_index);
	table_release(&g->span_index);
	table_release(&g->who_index);
	g_free(g);
}

static void empty_table(struct table *t)
{
	table_release(t);
	table_init(t);
}

void gather_empty(struct gather *g)
{
	big_free(g->heads, slots_size(g));
	make_slots(g, FIRST_SLOTS);
	g->nr_heads = 0;
	g_array_set_size(g->tail_of, 0);
	g_array_set_size(g->contexts, 0);
	g_array_set_size(g->spans, 0);
	g_array_set_size(g->whos, 0);
	g_ptr_array_set_size(g->blocks, 0);
	g->left = 0;
	empty_table(&g->context_index);
	empty_table(&g->span_index);
	empty_table(&g->who_index);
	memset(g->windows, 0, sizeof(g->windows));
}

size_t gather_size(const struct gather *g)
{
	return (size_t)g->nr_heads * 2 * sizeof(struct gather_head) +
	       g->tail_of->len * sizeof(struct tail) + (size_t)g->blocks->len * BLOCK_SIZE;
}

static u32 number_of_span(struct gather *g, const struct gather_span *new)
{
	u64 whose = (u64) new->pid << 32 | new->tid;
	u32 hash = table_fold(table_mix(whose, new->since)), at = hash;
	s64 i;

	while ((i = table_next(&g->span_index, hash, &at)) >= 0) {
		const struct gather_span *known = &g_array_index(g->spans, struct gather_span, i);

		if (known->pid == new->pid && known->tid == new->tid && known->since == new->since)
			return (u32)i;
	}
	g_array_append_val(g->spans, *new);
	table_add(&g->span_index, hash, g->spans->len - 1);
	return g->spans->len - 1;
}

static bool same_context(const struct context *a, const struct context *b)
{
	return a->span == b->span && a->misc == b->misc && a->evsel == b->evsel;
}

static const struct context *context_at(const struct gather *g, u32 i)
{
	return &g_array_index(g->contexts, struct context, i);
}

/* Mostly that of the sample before. */
static u32 number_of_context(struct gather *g, const struct context *new)
{
	u64 what = (u64) new->misc << 16 | new->evsel;
	u32 hash = table_fold(table_mix(new->span, what)), at = hash;
	s64 i;

	if (g->last_context < g->contexts->len && same_context(context_at(g, g->last_context), new))
		return g->last_context;
	while ((i = table_next(&g->context_index, hash, &at)) >= 0)
		if (same_context(context_at(g, (u32)i), new))
			break;
	if (i < 0) {
		i = g->contexts->len;
		g_array_append_val(g->contexts, *new);
		table_add(&g->context_index, hash, (u32)i);
	}
	g->last_context = (u32)i;
	return g->last_context;
}

static u32 number_of_who(struct gather *g, const struct who *new)
{
	u64 mixed = table_mix(table_mix((u64) new->pid << 32 | new->tid, (uintptr_t) new->comm),
			      new->since);
	u32 hash = table_fold(table_mix(mixed, new->cpu)), at = hash;
	s64 i;

	while ((i = table_next(&g->who_index, hash, &at)) >= 0) {
		const struct who *known = &g_array_index(g->whos, struct who, i);

		if (known->pid == new->pid && known->tid == new->tid && known->comm == new->comm &&
		    known->since == new->since && known->cpu == new->cpu)
			return (u32)i;
	}
	g_array_append_val(g->whos, *new);
	table_add(&g->who_index, hash, g->whos->len - 1);
	return g->whos->len - 1;
}

/* The thread, as far as it is needed, at @id's time. */
static struct who who_at(struct gather *g, const struct sample_head *id, struct window *w)
{
	const struct thread *thread;
	struct who who = { 0 };

	if (!g->options.threads && !g->options.comms && !g->options.apart)
		return who;
	machine_window(g->machine, id->tid, id->time, &w->from, &w->to);
	if (g->options.threads) {
		who.pid = id->pid;
		who.tid = id->tid;
		who.since = w->from;
	}
	if (g->options.comms) {
		thread = machine_thread(g->machine, id->pid, id->tid, id->time, &g->hits);
		who.comm = machine_comm(g->machine, thread, id->time);
		/* Rows show a later name, which may differ between threads. */
		if (who.comm[0] == ':')
			who.comm = machine_first_comm(thread) ?: who.comm;
	}
	return who;
}

static const struct window *window_of(struct gather *g, const struct sample_head *id)
{
	struct window *w = &g->windows[id->tid % NR_WINDOWS];
	struct gather_span span;

	if (w->tid == id->tid && w->pid == id->pid && id->time >= w->from && id->time < w->to)
		return w;
	*w = (struct window){ .pid = id->pid, .tid = id->tid, .to = UINT64_MAX };
	machine_window(g->machine, id->pid, id->time, &w->from, &w->to);
	activities_window(g->activities, id->pid, id->time, &w->from, &w->to);
	span = (struct gather_span){ .pid = id->pid, .since = w->from };
	w->is = who_at(g, id, w);
	if (g->options.apart) {
		span.tid = id->tid;
		span.since = w->from;
	}
	w->span = number_of_span(g, &span);
	if (!g->options.cpus)
		w->who = number_of_who(g, &w->is);
	return w;
}

static struct tail tail_of(const struct gather *g, const struct sample_head *s)
{
	bool kernel = (s->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	struct tail t = { 0 };

	if ((g->options.chains || (g->options.kernel_chains && kernel)) && s->nr_ips) {
		t.ips = s->ips;
		t.nr_ips = s->nr_ips;
	} else if (g->options.entries && s->nr_ips && entries_have(g->options.entries, s->ip)) {
		t.ips = entries_caller(s->ip, s->ips, s->nr_ips);
		t.nr_ips = t.ips != NULL;
	}
	if (g->options.activities && s->tls_size) {
		t.bytes = s->tls;
		t.nr_bytes = s->tls_size;
		t.nr_filled = s->tls_filled;
	}
	return t;
}

/* Only the filled part counts; the rest is undefined. */
static u32 hash_tail(const struct tail *t)
{
	u64 mixed = table_mix(t->nr_bytes, t->nr_filled);

	if (t->nr_ips)
		mixed = table_mix(mixed, table_mix_words(t->ips, t->nr_ips));
	if (t->nr_filled)
		mixed = table_mix(mixed, table_mix_words(t->bytes, t->nr_filled / sizeof(u64)));
	return table_fold(mixed);
}

static bool same_tail(const struct tail *a, const struct tail *b)
{
	return a->context == b->context && a->nr_ips == b->nr_ips && a->nr_bytes == b->nr_bytes &&
	       a->nr_filled == b->nr_filled &&
	       (!a->nr_ips || !memcmp(a->ips, b->ips, a->nr_ips * sizeof(u64))) &&
	       (!a->nr_bytes || !memcmp(a->bytes, b->bytes, a->nr_bytes));
}

static const struct tail *tail_at(const struct gather *g, u32 i)
{
	return &g_array_index(g->tail_of, struct tail, i);
}

static u32 hash_of(const struct gather_head *h)
{
	return table_fold(table_mix(h->ip, h->context));
}

static const void *copy(struct gather *g, const void *from, size_t size)
{
	void *at;

	if (!size)
		return NULL;
	if (size > g->left) {
		g->left = MAX(size, BLOCK_SIZE);
		g->at = g_malloc(g->left);
		g_ptr_array_add(g->blocks, g->at);
	}
	at = memcpy(g->at, from, size);
	g->at += size;
	g->left -= size;
	return at;
}

static void put(struct gather *g, struct gather_head head)
{
	u32 at = hash_of(&head);

	while (g->heads[at & g->mask].number)
		at++;
	g->heads[at & g->mask] = head;
}

static void grow(struct gather *g)
{
	struct gather_head *old = g->heads;
	size_t size = slots_size(g);
	u32 nr = g->mask + 1;

	make_slots(g, nr * 2);
	for (u32 i = 0; i < nr; i++)
		if (old[i].number)
			put(g, old[i]);
	big_free(old, size);
}

static u32 add_head(struct gather *g, const struct gather_head *new, const struct tail *tail)
{
	struct gather_head head = *new;
	struct tail kept = *tail;

	if (g->tails) {
		kept.ips = copy(g, tail->ips, tail->nr_ips * sizeof(u64));
		kept.bytes = copy(g, tail->bytes, ALIGN_UP(tail->nr_bytes, 8u));
		g_array_append_val(g->tail_of, kept);
	}
	/* At most five eighths full, so that a miss needs only a few steps. */
	if (g->nr_heads >= (g->mask + 1) / 8 * 5)
		grow(g);
	head.number = ++g->nr_heads;
	put(g, head);
	return head.number - 1;
}

static u32 number_of_head(struct gather *g, u32 hash, const struct gather_head *new,
			  const struct tail *tail)
{
	for (u32 at = hash;; at++) {
		const struct gather_head *known = &g->heads[at & g->mask];

		if (!known->number)
			return add_head(g, new, tail);
		if (known->ip == new->ip && known->context == new->context &&
		    (!g->tails || same_tail(tail_at(g, known->number - 1), tail)))
			return known->number - 1;
	}
}

static u32 make(struct gather *g, const struct sample_head *s, struct gather_head *head,
		struct tail *tail)
{
	const struct window *w = window_of(g, s);
	struct context context = { w->span, s->misc, (u16)s->evsel->idx };
	struct who who;

	head->ip = s->ip;
	head->context = number_of_context(g, &context);
	if (g->tails) {
		*tail = tail_of(g, s);
		tail->context = head->context;
		head->context ^= hash_tail(tail);
	}
	if (!g->options.cpus)
		return w->who;
	who = w->is;
	who.cpu = s->cpu;
	return number_of_who(g, &who);
}

/* Processes several together, so that memory for one is fetched while others are computed. */
static void take_some(struct gather *g, const struct sample_head *samples, u32 nr,
		      struct gathered *out)
{
	struct gather_head heads[SIDE_BY_SIDE];
	struct tail tails[SIDE_BY_SIDE];
	u32 hashes[SIDE_BY_SIDE];

	for (u32 i = 0; i < nr; i++) {
		out[i].who = make(g, &samples[i], &heads[i], &tails[i]);
		hashes[i] = hash_of(&heads[i]);
		__builtin_prefetch(&g->heads[hashes[i] & g->mask]);
	}
	for (u32 i = 0; g->tails && i < nr; i++) {
		const struct gather_head *known = &g->heads[hashes[i] & g->mask];

		if (known->number)
			__builtin_prefetch(tail_at(g, known->number - 1));
	}
	for (u32 i = 0; i < nr; i++)
		out[i].where = number_of_head(g, hashes[i], &heads[i], &tails[i]);
}

void gather_take(struct gather *g, const struct sample_head *samples, u32 nr, struct gathered *out)
{
	for (u32 done = 0; done < nr; done += SIDE_BY_SIDE)
		take_some(g, samples + done, MIN(nr - done, SIDE_BY_SIDE), out + done);
}
