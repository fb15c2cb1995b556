// SPDX-License-Identifier: GPL-2.0-or-later
#include "sharing/hitm.h"

#include <stddef.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/table.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"
#include "perfevent/proc.h"
#include "typeflow/typeflow.h"

/* Lines with less than this part of all hits are not shown. */
#define LEAST_SHARE 0.001

static void seen_init(struct hitm_seen *seen)
{
	*seen = (struct hitm_seen){ .nodes = g_array_new(FALSE, FALSE, sizeof(u32)) };
}

static guint hash_row(const void *arg)
{
	const struct hitm_row *r = arg;

	return table_fold(table_mix(table_mix(r->offset, r->va),
				    table_mix((u64)r->pid << 32 | r->tid, r->dso)));
}

static gboolean same_row(const void *a, const void *b)
{
	return !memcmp(a, b, offsetof(struct hitm_row, seen));
}

static void free_row(void *arg)
{
	struct hitm_row *row = arg;

	g_array_unref(row->seen.nodes);
	g_hash_table_unref(row->cpus);
	g_free(row);
}

static guint hash_line(const void *arg)
{
	const struct line_id *id = arg;

	return table_fold(table_mix(id->line, (u64)id->file << 32 | id->pid));
}

static gboolean same_line(const void *pa, const void *pb)
{
	const struct line_id *a = pa, *b = pb;

	return a->line == b->line && a->file == b->file && a->pid == b->pid;
}

static void free_line(void *arg)
{
	struct hitm_line *line = arg;

	g_array_unref(line->seen.nodes);
	g_hash_table_unref(line->all);
	if (line->rows)
		g_ptr_array_unref(line->rows);
	g_free(line);
}

/* A header that lists more CPUs than this for its nodes is not true: the rest is not read. */
#define MOST_CPUS 65536

/* The node of each CPU, by the header's lists such as "0-3,8". */
static GHashTable *find_cpu_nodes(const struct perfdata_info *info)
{
	GHashTable *nodes = g_hash_table_new(NULL, NULL);
	u32 nr = 0;

	for (u32 i = 0; i < info->numa->len && nr < MOST_CPUS; i++) {
		const struct info_numa_node *node = g_ptr_array_index(info->numa, i);
		GArray *cpus = node->cpus ? cpu_list_parse(node->cpus, NULL) : NULL;

		for (u32 k = 0; cpus && k < cpus->len; k++)
			g_hash_table_insert(nodes, GINT_TO_POINTER(g_array_index(cpus, int, k)),
					    GUINT_TO_POINTER(node->node));
		nr += cpus ? MAX(cpus->len, 1) : 1;
		if (cpus)
			g_array_unref(cpus);
	}
	return nodes;
}

struct hitm *hitm_new(const struct hitm_options *options, struct lexicon *lexicon,
		      const struct perfdata_info *info)
{
	struct hitm *h = g_new0(struct hitm, 1);

	h->o = *options;
	h->lexicon = lexicon;
	h->info = info;
	h->symbol = fields_find("symbol", FIELD_NORMAL, NULL);
	h->object = fields_find("dso", FIELD_NORMAL, NULL);
	h->member = fields_find("typeoff", FIELD_NORMAL, NULL);
	h->type = fields_find("type", FIELD_NORMAL, NULL);
	h->cpu_nodes = find_cpu_nodes(info);
	h->all = g_hash_table_new_full(hash_line, same_line, NULL, free_line);
	h->events = g_ptr_array_new_with_free_func(g_free);
	h->lines = g_ptr_array_new();
	return h;
}

void hitm_free(struct hitm *h)
{
	if (!h)
		return;
	g_hash_table_unref(h->all);
	g_hash_table_unref(h->cpu_nodes);
	g_ptr_array_unref(h->events);
	g_ptr_array_unref(h->lines);
	g_free(h);
}

u64 hitm_hits(const struct hitm *h, const struct hitm_counts *c)
{
	switch (h->o.display) {
	case HITM_BY_LOCAL:
		return c->nr[HITM_LOCAL];
	case HITM_BY_REMOTE:
		return c->nr[HITM_REMOTE];
	case HITM_BY_PEER:
		return hitm_all_peers(c);
	default:
		return hitm_all(c);
	}
}

static void add_node(GArray *nodes, u32 node)
{
	u32 at = 0;

	while (at < nodes->len && g_array_index(nodes, u32, at) < node)
		at++;
	if (at == nodes->len || g_array_index(nodes, u32, at) != node)
		g_array_insert_val(nodes, at, node);
}

static void add_seen(const struct hitm *h, struct hitm_seen *seen, const struct hitm_counts *counts,
		     u64 phys)
{
	u64 node;

	hitm_counts_add(&seen->counts, counts);
	if (!phys)
		return;
	if (perfdata_info_memory_node(h->info, phys, &node))
		add_node(seen->nodes, (u32)node);
	seen->phys_changes += seen->phys != phys;
	seen->phys = phys;
}

static void add_latency(struct hitm_latencies *l, const struct hitm_counts *c, u64 weight)
{
	enum hitm_latency kind = c->nr[HITM_REMOTE]	   ? LATENCY_REMOTE_HITM
				 : c->nr[HITM_LOCAL]	   ? LATENCY_LOCAL_HITM
				 : c->nr[HITM_REMOTE_PEER] ? LATENCY_REMOTE_PEER
				 : c->nr[HITM_LOCAL_PEER]  ? LATENCY_LOCAL_PEER
							   : LATENCY_LOAD;

	if (!c->nr[HITM_LOADS])
		return;
	l->sum[kind] += (double)weight;
	l->nr[kind]++;
}

static void add_cpu(const struct hitm *h, struct hitm_row *row, const struct hitm_counts *counts,
		    u32 number)
{
	void *key = GUINT_TO_POINTER(number), *node;
	struct hitm_cpu *cpu = g_hash_table_lookup(row->cpus, key);

	if (!cpu) {
		cpu = g_new0(struct hitm_cpu, 1);
		cpu->cpu = number;
		cpu->node = -1;
		if (g_hash_table_lookup_extended(h->cpu_nodes, key, NULL, &node))
			cpu->node = GPOINTER_TO_UINT(node);
		g_hash_table_insert(row->cpus, key, cpu);
	}
	cpu->hits += hitm_hits(h, counts);
	cpu->stores += counts->nr[HITM_STORES];
}

static void set_place(const struct hitm *h, struct hitm_row *row, const struct place *place)
{
	const struct access *access = place->access;

	row->symbol = h->symbol->key(h->symbol, h->lexicon, place);
	row->object = h->object->key(h->object, h->lexicon, place);
	row->member = h->member->key(h->member, h->lexicon, place);
	row->source = h->o.sources ? lexicon_line(h->lexicon, place->ip) : 0;
	row->comm = intern_id(h->lexicon->texts, place->comm);
	row->code = place->ip;
	row->typed = access && access->type && access->offset != TYPE_OFFSET_ANY;
	if (!row->typed)
		return;
	row->type = h->type->key(h->type, h->lexicon, place);
	row->type_offset = access->offset;
}

static struct hitm_row *row_of(const struct hitm *h, struct hitm_line *line,
			       const struct place *place, u64 offset)
{
	struct hitm_row key = { .offset = offset }, *row;

	if (h->o.coalesce & HITM_OF_PID)
		key.pid = place->event->id.pid;
	if (h->o.coalesce & HITM_OF_TID)
		key.tid = place->event->id.tid;
	if (h->o.coalesce & HITM_OF_CODE)
		key.va = place->ip->va;
	if (h->o.coalesce & (HITM_OF_CODE | HITM_OF_DSO))
		key.dso = (u32)h->object->key(h->object, h->lexicon, place);
	row = g_hash_table_lookup(line->all, &key);
	if (row)
		return row;
	row = g_memdup2(&key, sizeof(key));
	seen_init(&row->seen);
	row->cpus = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	set_place(h, row, place);
	g_hash_table_add(line->all, row);
	return row;
}

static struct hitm_line *line_of(struct hitm *h, const struct place *place, u64 *offset)
{
	u64 va = 0;
	struct line_id id = line_id_of(place, h->o.line_size, h->lexicon->texts, &va);
	struct hitm_line *line = g_hash_table_lookup(h->all, &id);

	*offset = va % h->o.line_size;
	if (line)
		return line;
	line = g_new0(struct hitm_line, 1);
	line->id = id;
	line->address = place->addr->va / h->o.line_size * h->o.line_size;
	seen_init(&line->seen);
	line->all = g_hash_table_new_full(hash_row, same_row, NULL, free_row);
	g_hash_table_add(h->all, line);
	return line;
}

void hitm_take(struct hitm *h, const struct place *place)
{
	const struct sample *sample = place->sample;
	union perf_mem_data_src source = { .val = sample->data_src };
	struct hitm_counts counts = { 0 };
	struct hitm_line *line;
	struct hitm_row *row;
	u64 offset;

	if (!(sample->type & PERF_SAMPLE_DATA_SRC) || !place->addr)
		return;
	if (!g_ptr_array_find_with_equal_func(h->events, place->evsel->name, g_str_equal, NULL))
		g_ptr_array_add(h->events, g_strdup(place->evsel->name));
	h->has_levels |= (source.mem_lvl & (PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS)) != 0;
	hitm_counts_take(&counts, sample->data_src, sample->addr,
			 place->addr->map && place->ip->map);
	hitm_counts_add(&h->total, &counts);
	if (!sample->addr)
		return;
	line = line_of(h, place, &offset);
	row = row_of(h, line, place, offset);
	add_seen(h, &line->seen, &counts, sample->phys_addr);
	add_seen(h, &row->seen, &counts, sample->phys_addr);
	add_latency(&row->latencies, &counts, sample->weight);
	if (sample->type & PERF_SAMPLE_CPU)
		add_cpu(h, row, &counts, sample->cpu);
}

static int compare(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_lines(const void *pa, const void *pb, void *hitm)
{
	const struct hitm_line *a = *(struct hitm_line *const *)pa,
			       *b = *(struct hitm_line *const *)pb;
	int order = compare(hitm_hits(hitm, &b->seen.counts), hitm_hits(hitm, &a->seen.counts));

	return order ?: compare(a->id.pid, b->id.pid)
	       ?: compare(a->id.file, b->id.file) ?: compare(a->id.line, b->id.line);
}

static int compare_rows(const void *pa, const void *pb, void *hitm)
{
	const struct hitm_row *a = *(struct hitm_row *const *)pa,
			      *b = *(struct hitm_row *const *)pb;

	return compare(a->offset, b->offset)
	       ?: compare(hitm_hits(hitm, &b->seen.counts), hitm_hits(hitm, &a->seen.counts))
	       ?: compare(a->pid, b->pid)
	       ?: compare(a->tid, b->tid)
	       ?: compare(a->va, b->va) ?: compare(a->dso, b->dso);
}

/* Rows without hits and stores are not shown: they take the line from nobody. */
static void finish_line(struct hitm *h, struct hitm_line *line)
{
	GHashTableIter each;
	void *arg;

	line->rows = g_ptr_array_new();
	g_hash_table_iter_init(&each, line->all);
	while (g_hash_table_iter_next(&each, &arg, NULL)) {
		const struct hitm_row *row = arg;

		if (hitm_hits(h, &row->seen.counts) || row->seen.counts.nr[HITM_STORES])
			g_ptr_array_add(line->rows, arg);
	}
	g_ptr_array_sort_with_data(line->rows, compare_rows, h);
}

static bool is_shown(const struct hitm *h, const struct hitm_line *line)
{
	double hits = (double)hitm_hits(h, &line->seen.counts);
	double all = (double)hitm_hits(h, &h->total);

	return h->o.all || (hits > 0 && hits / all >= LEAST_SHARE);
}

void hitm_finish(struct hitm *h)
{
	GHashTableIter each;
	void *arg;

	g_hash_table_iter_init(&each, h->all);
	while (g_hash_table_iter_next(&each, &arg, NULL)) {
		struct hitm_line *line = arg;
		const struct hitm_counts *c = &line->seen.counts;

		if (hitm_all(c) || hitm_all_peers(c)) {
			h->nr_shared++;
			hitm_counts_add(&h->shared, c);
		}
		if (!is_shown(h, line))
			continue;
		finish_line(h, line);
		g_ptr_array_add(h->lines, line);
	}
	g_ptr_array_sort_with_data(h->lines, compare_lines, h);
}

static int compare_cpus(const void *pa, const void *pb)
{
	const struct hitm_cpu *a = *(struct hitm_cpu *const *)pa,
			      *b = *(struct hitm_cpu *const *)pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

GPtrArray *hitm_row_cpus(const struct hitm_row *row)
{
	GPtrArray *cpus = g_ptr_array_new();
	GHashTableIter each;
	void *cpu;

	g_hash_table_iter_init(&each, row->cpus);
	while (g_hash_table_iter_next(&each, NULL, &cpu))
		g_ptr_array_add(cpus, cpu);
	g_ptr_array_sort(cpus, compare_cpus);
	return cpus;
}
