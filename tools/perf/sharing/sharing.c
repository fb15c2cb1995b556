// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A touch is what one thread does with one member of one object within one line. Two touches of a line by different threads
 * conflict if one of them writes, and their times overlap: memory that is freed by one thread and used by another later is not
 * shared.
 *
 *	line 0x1180	thread 1  table[2].hits    bytes 32-39  writes  0.01 s to 0.99 s
 *			thread 2  table[2].misses  bytes 40-47  writes  0.01 s to 0.99 s	conflict, other bytes: SHARING_MEMBERS
 *			thread 3  table[2].hits    bytes 32-39  reads   1.50 s to 1.51 s	no conflict: later
 */
#include "sharing/sharing.h"

#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/percent.h"
#include "insn/insn.h"
#include "perfdata/event.h"
#include "session/named.h"
#include "sharing/line_id.h"
#include "typeflow/typeflow.h"

const u32 sharing_needs = NEED_ADDR | NEED_WAITED | NEED_DATA_TYPE | NEED_CHARGED | NEED_SYMBOL |
			  NEED_THREAD | NEED_COMM | NEED_SAMPLE | NEED_CPU | NEED_ACTIVITY;

struct line_touch {
	/* What it is of: the key. */
	u64 line, object;
	u32 file; /* of memory that processes share: text of its identity, and @line and @object are offsets in it; else 0 */
	u32 pid;  /* 0: of the kernel, or of a file */
	u32 tid, type, member;
	u32 zero; /* the key has no padding */
	/* Sums. */
	s64 offset; /* into the object */
	u64 bytes;  /* one bit per byte of a line of 64; of a larger line, per 1/64 */
	u64 period, samples, reads, writes;
	u64 first, last; /* times */
	u32 comm;
	GArray *who; /* struct line_user */
	u8 kind;     /* enum sharing_kind; NR_SHARING_KINDS: no conflict */
	bool typed;  /* else @object is the line */
};

/* For whom a thread did it, and on which CPU. */
struct line_user {
	u32 span; /* text + 1; 0: none */
	u32 cpu;  /* + 1; 0: not recorded */
};

/* More of them for one thread and member are not told apart: a search through all is made for each sample. */
#define WHO_MOST 64

#define KEY_SIZE offsetof(struct line_touch, offset)

static guint hash_touch(const void *arg)
{
	const struct line_touch *t = arg;

	return (guint)((t->line >> 6) * 31 + t->object * 17 + t->tid * 13 + t->member + t->file);
}

static gboolean same_touch(const void *a, const void *b)
{
	return !memcmp(a, b, KEY_SIZE);
}

static void free_touch(void *touch)
{
	g_array_unref(((struct line_touch *)touch)->who);
	g_free(touch);
}

struct sharing *sharing_new(const char *event, struct lexicon *lexicon)
{
	struct sharing *s = g_new0(struct sharing, 1);

	s->event = g_strdup(event);
	s->lexicon = lexicon;
	s->line_size = MAX(lexicon->cache_line_size, 64);
	s->type = fields_find("type", FIELD_NORMAL, NULL);
	s->member = fields_find("typeoff", FIELD_NORMAL, NULL);
	s->span = fields_find("span", FIELD_NORMAL, NULL);
	s->touches = g_hash_table_new_full(hash_touch, same_touch, NULL, free_touch);
	s->rows = g_array_new(false, true, sizeof(struct sharing_row));
	return s;
}

void sharing_free(struct sharing *s)
{
	if (!s)
		return;
	g_hash_table_unref(s->touches);
	g_array_unref(s->rows);
	g_free(s->event);
	g_free(s);
}

/* The bytes of the line from @va on, as bits. */
static u64 bytes_of(const struct sharing *s, u64 va, u16 width)
{
	u64 unit = s->line_size / 64;
	u64 from = va % s->line_size / unit, nr = (MAX(width, 1) + unit - 1) / unit;

	nr = MIN(nr, 64 - from);
	return (nr >= 64 ? UINT64_MAX : ((u64)1 << nr) - 1) << from;
}

/* What hardware says; else what the instruction is. */
static u8 access_of(const struct place *place)
{
	union perf_mem_data_src source = { .val = place->sample->data_src };
	u8 access = 0;

	if (source.mem_op & PERF_MEM_OP_LOAD)
		access |= INSN_READ;
	if (source.mem_op & PERF_MEM_OP_STORE)
		access |= INSN_WRITE;
	return place->addr_access ? place->addr_access : access;
}

static struct line_touch *touch_of(struct sharing *s, const struct place *place)
{
	const struct access *access = place->access;
	bool typed = access && access->type && access->offset != TYPE_OFFSET_ANY;
	struct line_touch key = { 0 }, *found;
	struct line_id id;
	u64 va;

	id = line_id_of(place, s->line_size, s->lexicon->texts, &va);
	key.file = id.file;
	key.line = id.line;
	key.pid = id.pid;
	key.object = typed ? va - (u64)access->offset : key.line;
	key.tid = (u32)place->event->id.tid;
	key.type = (u32)s->type->key(s->type, s->lexicon, place);
	key.member = (u32)s->member->key(s->member, s->lexicon, place);
	found = g_hash_table_lookup(s->touches, &key);
	if (found)
		return found;
	found = g_memdup2(&key, sizeof(key));
	found->first = place->time;
	found->typed = typed;
	found->offset = typed ? access->offset : 0;
	found->who = g_array_new(FALSE, FALSE, sizeof(struct line_user));
	found->comm = intern_id(s->lexicon->texts, place->comm);
	g_hash_table_add(s->touches, found);
	return found;
}

static u32 span_of(const struct sharing *s, const struct place *place)
{
	g_autoptr(GString) text = NULL;

	if (!place->activity || !activity_has_ids(place->activity))
		return 0;
	text = g_string_new(NULL);
	field_print(s->span, s->lexicon, s->span->key(s->span, s->lexicon, place), text);
	return (u32)intern_id(s->lexicon->texts, text->str) + 1;
}

static void add_who(const struct sharing *s, struct line_touch *touch, const struct place *place)
{
	struct line_user who = { span_of(s, place), 0 };

	if (place->sample->type & PERF_SAMPLE_CPU)
		who.cpu = place->sample->cpu + 1;
	for (u32 i = 0; i < touch->who->len; i++)
		if (!memcmp(&g_array_index(touch->who, struct line_user, i), &who, sizeof(who)))
			return;
	if (touch->who->len < WHO_MOST)
		g_array_append_val(touch->who, who);
}

void sharing_take(struct sharing *s, const struct place *place)
{
	u64 period = place->sample->period;
	u8 access = access_of(place);
	struct line_touch *touch;

	s->period += period;
	s->samples++;
	s->addresses[place->addr_how]++;
	if (!place->addr || !access ||
	    (place->addr_how != ADDRESS_EVENT && place->addr_how != ADDRESS_COMPUTED))
		return;
	touch = touch_of(s, place);
	touch->bytes |= bytes_of(s, place->addr->va, place->addr_width);
	touch->period += period;
	touch->samples++;
	touch->reads += !!(access & INSN_READ);
	touch->writes += !!(access & INSN_WRITE);
	add_who(s, touch, place);
	touch->first = MIN(touch->first, place->time);
	touch->last = MAX(touch->last, place->time);
}

bool sharing_has_addresses(const struct sharing *s)
{
	return s->addresses[ADDRESS_EVENT] || s->addresses[ADDRESS_COMPUTED];
}

u64 sharing_begins(const struct sharing *s, const char *type, u64 *weights)
{
	GHashTableIter iter;
	const struct line_touch *t;
	u64 samples = 0;

	g_hash_table_iter_init(&iter, s->touches);
	while (g_hash_table_iter_next(&iter, (void **)&t, NULL)) {
		if (!t->typed || t->file ||
		    strcmp(intern_text(s->lexicon->texts, t->type), type) != 0)
			continue;
		weights[t->object % s->line_size] += t->period;
		samples += t->samples;
	}
	return samples;
}

double sharing_share(const struct sharing *s)
{
	return percent_of(s->shared, s->period);
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct line_touch *a = *(struct line_touch *const *)pa,
				*b = *(struct line_touch *const *)pb;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

static bool conflict(const struct line_touch *a, const struct line_touch *b)
{
	return a->tid != b->tid && (a->writes || b->writes) && a->first <= b->last &&
	       b->first <= a->last;
}

static enum sharing_kind kind_of(const struct line_touch *a, const struct line_touch *b)
{
	if (a->bytes & b->bytes)
		return SHARING_SAME;
	if (a->type != b->type || !a->typed)
		return SHARING_OTHER;
	return a->object == b->object ? SHARING_MEMBERS : SHARING_NEIGHBOUR;
}

/* The first of the kinds, in their order: who shares the bytes themselves cannot be helped by another layout. */
static void decide_line(struct line_touch *const *touches, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		touches[i]->kind = NR_SHARING_KINDS;
		for (u32 k = 0; k < nr && touches[i]->kind; k++)
			if (conflict(touches[i], touches[k]))
				touches[i]->kind =
					MIN(touches[i]->kind, (u8)kind_of(touches[i], touches[k]));
	}
}

static GPtrArray *sorted_touches(const struct sharing *s)
{
	GPtrArray *all = g_ptr_array_new();
	GHashTableIter each;
	void *touch;

	g_hash_table_iter_init(&each, s->touches);
	while (g_hash_table_iter_next(&each, &touch, NULL))
		g_ptr_array_add(all, touch);
	g_ptr_array_sort(all, compare_lines);
	return all;
}

static bool same_line(const struct line_touch *a, const struct line_touch *b)
{
	return a->file == b->file && a->pid == b->pid && a->line == b->line;
}

static void decide(GPtrArray *all)
{
	struct line_touch *const *touches = (struct line_touch *const *)all->pdata;
	u32 from = 0;

	for (u32 i = 1; i <= all->len; i++) {
		if (i < all->len && same_line(touches[from], touches[i]))
			continue;
		decide_line(touches + from, i - from);
		from = i;
	}
}

/* By row: kind, type, member; then by line. */
static int compare_rows(const void *pa, const void *pb)
{
	const struct line_touch *a = *(struct line_touch *const *)pa,
				*b = *(struct line_touch *const *)pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	return compare_lines(pa, pb);
}

#define NAMES_MOST 3

/* Appends a name to a list of which only the first are told. */
static void append_name(GString *text, GHashTable *names, const struct intern *texts, u32 name)
{
	if (g_hash_table_add(names, GUINT_TO_POINTER(name)) &&
	    g_hash_table_size(names) <= NAMES_MOST)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "",
				       intern_text(texts, name));
}

static u32 end_names(GString *text, GHashTable *names, struct intern *texts)
{
	if (g_hash_table_size(names) > NAMES_MOST)
		g_string_append_printf(text, " and %u more", g_hash_table_size(names) - NAMES_MOST);
	return intern_id(texts, text->str);
}

/* The spans of the touches, and the number of CPUs. */
static void find_who(const struct sharing *s, struct line_touch *const *touches, u32 nr,
		     struct sharing_row *row)
{
	g_autoptr(GHashTable) spans = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (u32 i = 0; i < nr; i++)
		for (u32 k = 0; k < touches[i]->who->len; k++) {
			const struct line_user *who =
				&g_array_index(touches[i]->who, struct line_user, k);

			if (who->cpu)
				g_hash_table_add(cpus, GUINT_TO_POINTER(who->cpu));
			if (who->span)
				append_name(text, spans, s->lexicon->texts, who->span - 1);
		}
	row->cpus = g_hash_table_size(cpus);
	row->spans = end_names(text, spans, s->lexicon->texts);
}

/* "worker, server": the names of the threads, in order of first sight. */
static u32 names_of(const struct sharing *s, struct line_touch *const *touches, u32 nr,
		    u32 *nr_threads)
{
	g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) threads = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (u32 i = 0; i < nr; i++) {
		g_hash_table_add(threads, GUINT_TO_POINTER(touches[i]->tid));
		append_name(text, names, s->lexicon->texts, touches[i]->comm);
	}
	*nr_threads = g_hash_table_size(threads);
	return end_names(text, names, s->lexicon->texts);
}

static void add_row(struct sharing *s, struct line_touch *const *touches, u32 nr, u32 least)
{
	struct sharing_row row = { .kind = touches[0]->kind,
				   .type = touches[0]->type,
				   .member = touches[0]->member,
				   .typed = touches[0]->typed,
				   .offset = touches[0]->offset };

	for (u32 i = 0; i < nr; i++) {
		const struct line_touch *t = touches[i], *before = i ? touches[i - 1] : NULL;

		row.period += t->period;
		row.samples += t->samples;
		row.reads += t->reads;
		row.writes += t->writes;
		row.lines += !before || !same_line(before, t);
		row.objects += !before || before->file != t->file || before->pid != t->pid ||
			       before->object != t->object;
	}
	s->shared += row.period;
	if (row.samples < least) {
		s->nr_small++;
		return;
	}
	find_who(s, touches, nr, &row);
	row.who = names_of(s, touches, nr, &row.threads);
	g_array_append_val(s->rows, row);
}

static bool same_group(const struct sharing_row *a, const struct sharing_row *b)
{
	return a->kind == b->kind && a->type == b->type;
}

/* Rows of a group are beside each other. */
static void sum_groups(GArray *rows)
{
	for (u32 from = 0, i = 1; i <= rows->len; i++) {
		struct sharing_row *first = &g_array_index(rows, struct sharing_row, from);
		u64 sum = 0;

		if (i < rows->len && same_group(first, &g_array_index(rows, struct sharing_row, i)))
			continue;
		for (u32 k = from; k < i; k++)
			sum += g_array_index(rows, struct sharing_row, k).period;
		for (; from < i; from++)
			g_array_index(rows, struct sharing_row, from).group = sum;
	}
}

static int compare_shown(const void *pa, const void *pb)
{
	const struct sharing_row *a = pa, *b = pb;

	if (a->group != b->group)
		return a->group > b->group ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return a->member < b->member ? -1 : a->member > b->member;
}

void sharing_finish(struct sharing *s, u32 least)
{
	g_autoptr(GPtrArray) all = sorted_touches(s);
	struct line_touch *const *touches;
	u32 from = 0;

	decide(all);
	g_ptr_array_sort(all, compare_rows);
	touches = (struct line_touch *const *)all->pdata;
	for (u32 i = 1; i <= all->len && touches[from]->kind < NR_SHARING_KINDS; i++) {
		if (i < all->len && touches[i]->kind == touches[from]->kind &&
		    touches[i]->type == touches[from]->type &&
		    touches[i]->member == touches[from]->member)
			continue;
		add_row(s, touches + from, i - from, least);
		from = i;
		if (from == all->len)
			break;
	}
	sum_groups(s->rows);
	g_array_sort(s->rows, compare_shown);
}
