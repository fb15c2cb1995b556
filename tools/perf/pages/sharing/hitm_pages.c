// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/sharing/hitm_pages.h"

#include <inttypes.h>
#include <string.h>

#include "base/percent.h"
#include "base/table.h"
#include "pages/base/list_rows.h"

/* One of the three pages. */
struct hitm_list {
	const struct hitm *h;
	enum hitm_node_info nodes;
	bool machine;
	const struct hitm_line *only; /* the page of rows is about this line; NULL: all */
	GArray *rows;		      /* struct line_row; of the page of rows */
	/* Those columns that the page shows. */
	struct rows_column shown[32];
	u8 what[32];
	u32 nr;
};

struct line_row {
	u32 line; /* index of the line among those shown */
	const struct hitm_line *of;
	const struct hitm_row *row;
	bool first; /* of its line */
};

#define NUMBER(id, text, of_kind, of_width)                                                        \
	{                                                                                          \
		.name = id, .title = text, .kind = of_kind, .width = of_width, .right = true,      \
		.right_title = true                                                                \
	}
#define COUNT(id, text, of_unit)                                                                   \
	{                                                                                          \
		.name = id, .title = text, .unit = of_unit, .kind = CELL_COUNT, .width = 5,        \
		.right = true, .right_title = true                                                 \
	}
#define TEXT(id, of_title)                                                                         \
	{                                                                                          \
		.name = id, .title = of_title, .kind = CELL_TEXT                                   \
	}

/* The page of counts: a row each. @share: of loads that missed the last level. */
static const struct count_row {
	const char *words;
	u8 count, more; /* enum hitm_count; more: added to it, if it is not 0 */
	bool share;
} counts[] = {
	{ "records", HITM_RECORDS },
	{ "locked accesses", HITM_LOCKED },
	{ "loads", HITM_LOADS },
	{ "loads, uncacheable", HITM_LOAD_UNCACHED },
	{ "loads, I/O", HITM_LOAD_IO },
	{ "loads, miss", HITM_LOAD_MISS },
	{ "loads without an address", HITM_LOAD_NO_ADDRESS },
	{ "loads, fill buffer hit", HITM_LOAD_BUFFER },
	{ "loads, L1 hit", HITM_LOAD_L1 },
	{ "loads, L2 hit", HITM_LOAD_L2 },
	{ "loads, last level hit", HITM_LOAD_LLC, HITM_LOCAL },
	{ "loads, local HITM", HITM_LOCAL },
	{ "loads, remote HITM", HITM_REMOTE, .share = true },
	{ "loads, remote cache hit", HITM_REMOTE_HIT, .share = true },
	{ "loads, local RAM", HITM_LOCAL_RAM, .share = true },
	{ "loads, remote RAM", HITM_REMOTE_RAM, .share = true },
	{ "loads from RAM, exclusive", HITM_EXCLUSIVE },
	{ "loads from RAM, shared", HITM_SHARED },
	{ "loads, last level miss", NR_HITM_COUNTS },
	{ "loads blocked by data", HITM_BLOCKED_DATA },
	{ "loads blocked by an address", HITM_BLOCKED_ADDRESS },
	{ "loads, local peer hit", HITM_LOCAL_PEER },
	{ "loads, remote peer hit", HITM_REMOTE_PEER },
	{ "stores", HITM_STORES },
	{ "stores, uncacheable", HITM_STORE_UNCACHED },
	{ "stores without an address", HITM_STORE_NO_ADDRESS },
	{ "stores, L1 hit", HITM_STORE_L1 },
	{ "stores, L1 miss", HITM_STORE_L1_MISS },
	{ "stores, level not known", HITM_STORE_NO_LEVEL },
	{ "accesses that are not mapped", HITM_UNMAPPED },
	{ "neither load nor store", HITM_UNKNOWN },
};

enum count_column { COUNT_WHAT, COUNT_ALL, COUNT_SHARE, COUNT_SHARED };

static const struct rows_column count_columns[] = {
	[COUNT_WHAT] = TEXT("what", "Accesses"),
	[COUNT_ALL] = COUNT("number", "All", "samples"),
	[COUNT_SHARE] = NUMBER("miss_share", "Of misses", CELL_SHARE, 7),
	[COUNT_SHARED] = COUNT("shared", "On shared lines", "samples"),
};

static u64 count_of(const struct hitm_counts *c, const struct count_row *row)
{
	if (row->count == NR_HITM_COUNTS)
		return hitm_llc_misses(c);
	return c->nr[row->count] + (row->more ? c->nr[row->more] : 0);
}

static void count_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct hitm_list *l = arg;
	const struct count_row *row = &counts[line];

	if (column == COUNT_SHARED)
		out->number = count_of(&l->h->shared, row);
	else if (column == COUNT_ALL || column == COUNT_SHARE)
		out->number = count_of(&l->h->total, row);
	if (column == COUNT_SHARE && row->share)
		out->real = percent_of(out->number, hitm_llc_misses(&l->h->total));
	else if (column == COUNT_SHARE)
		out->kind = CELL_NONE;
}

static void count_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	g_string_append(out, counts[line].words);
}

static u64 count_key(const void *arg, u32 line)
{
	return line;
}

/* "0-2,5"; "N/A": not known. */
static void append_memory_nodes(const GArray *nodes, GString *out)
{
	if (!nodes->len)
		g_string_append(out, "N/A");
	for (u32 i = 0, to; i < nodes->len; i = to) {
		u32 first = g_array_index(nodes, u32, i);

		for (to = i + 1;
		     to < nodes->len && g_array_index(nodes, u32, to) == first + to - i;)
			to++;
		g_string_append_printf(out, "%s%u", i ? "," : "", first);
		if (to > i + 1)
			g_string_append_printf(out, "-%u", first + to - i - 1);
	}
}

enum line_column {
	LINE_INDEX,
	LINE_ADDRESS,
	LINE_NODES,
	LINE_PHYS,
	LINE_SHARE,
	LINE_HITS,
	LINE_LOCAL,
	LINE_REMOTE,
	LINE_RECORDS,
	LINE_LOADS,
	LINE_STORES,
	LINE_STORE_L1,
	LINE_STORE_MISS,
	LINE_STORE_NO_LEVEL,
	LINE_BUFFER,
	LINE_L1,
	LINE_L2,
	LINE_LLC,
	LINE_LLC_HITM,
	LINE_REMOTE_HIT,
	LINE_REMOTE_HITM,
	LINE_RAM,
	LINE_REMOTE_RAM,
	NR_LINE_COLUMNS,
};

static const struct rows_column line_columns[NR_LINE_COLUMNS] = {
	[LINE_INDEX] = NUMBER("index", "Index", CELL_ID, 5),
	[LINE_ADDRESS] = NUMBER("line", "Cacheline", CELL_ADDRESS, 18),
	[LINE_NODES] = TEXT("nodes", "Node"),
	[LINE_PHYS] = COUNT("phys_changes", "PA cnt", "changes"),
	[LINE_SHARE] = NUMBER("share", "Tot Hitm", CELL_SHARE, 7),
	[LINE_HITS] = COUNT("hits", "Hitm", "samples"),
	[LINE_LOCAL] = COUNT("local", "LclHitm", "samples"),
	[LINE_REMOTE] = COUNT("remote", "RmtHitm", "samples"),
	[LINE_RECORDS] = COUNT("records", "Records", "samples"),
	[LINE_LOADS] = COUNT("loads", "Loads", "samples"),
	[LINE_STORES] = COUNT("stores", "Stores", "samples"),
	[LINE_STORE_L1] = COUNT("store_l1_hit", "St L1Hit", "samples"),
	[LINE_STORE_MISS] = COUNT("store_l1_miss", "St L1Miss", "samples"),
	[LINE_STORE_NO_LEVEL] = COUNT("store_no_level", "St N/A", "samples"),
	[LINE_BUFFER] = COUNT("load_buffer", "Ld FB", "samples"),
	[LINE_L1] = COUNT("load_l1", "Ld L1", "samples"),
	[LINE_L2] = COUNT("load_l2", "Ld L2", "samples"),
	[LINE_LLC] = COUNT("load_llc", "LLC LclHit", "samples"),
	[LINE_LLC_HITM] = COUNT("llc_hitm", "LLC LclHitm", "samples"),
	[LINE_REMOTE_HIT] = COUNT("remote_hit", "RmtHit", "samples"),
	[LINE_REMOTE_HITM] = COUNT("remote_hitm", "RmtHitm", "samples"),
	[LINE_RAM] = COUNT("local_ram", "Lcl Dram", "samples"),
	[LINE_REMOTE_RAM] = COUNT("remote_ram", "Rmt Dram", "samples"),
};

/* Counts that are a column as they are. */
static const u8 line_counts[NR_LINE_COLUMNS] = {
	[LINE_STORES] = HITM_STORES,
	[LINE_STORE_L1] = HITM_STORE_L1,
	[LINE_STORE_MISS] = HITM_STORE_L1_MISS,
	[LINE_STORE_NO_LEVEL] = HITM_STORE_NO_LEVEL,
	[LINE_BUFFER] = HITM_LOAD_BUFFER,
	[LINE_L1] = HITM_LOAD_L1,
	[LINE_L2] = HITM_LOAD_L2,
	[LINE_LLC] = HITM_LOAD_LLC,
	[LINE_LLC_HITM] = HITM_LOCAL,
	[LINE_REMOTE_HIT] = HITM_REMOTE_HIT,
	[LINE_REMOTE_HITM] = HITM_REMOTE,
	[LINE_RAM] = HITM_LOCAL_RAM,
	[LINE_REMOTE_RAM] = HITM_REMOTE_RAM,
};

static bool by_peer(const struct hitm_list *l)
{
	return l->h->o.display == HITM_BY_PEER;
}

static const struct hitm_line *line_at(const struct hitm_list *l, u32 line)
{
	return g_ptr_array_index(l->h->lines, line);
}

/* A count of what samples state only if it was recorded. */
static void set_recorded(struct cell *out, u64 number)
{
	out->number = number;
	if (!number)
		out->kind = CELL_NONE;
}

static void line_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct hitm_list *l = arg;
	const struct hitm_line *of = line_at(l, line);
	const struct hitm_counts *c = &of->seen.counts;

	switch (column) {
	case LINE_INDEX:
		out->number = line;
		break;
	case LINE_ADDRESS:
		out->number = of->address;
		break;
	case LINE_PHYS:
		set_recorded(out, of->seen.phys_changes);
		break;
	case LINE_SHARE:
		out->number = hitm_hits(l->h, c);
		out->real = percent_of(out->number, hitm_hits(l->h, &l->h->total));
		break;
	case LINE_HITS:
		out->number = by_peer(l) ? hitm_all_peers(c) : hitm_all(c);
		break;
	case LINE_LOCAL:
		out->number = c->nr[by_peer(l) ? HITM_LOCAL_PEER : HITM_LOCAL];
		break;
	case LINE_REMOTE:
		out->number = c->nr[by_peer(l) ? HITM_REMOTE_PEER : HITM_REMOTE];
		break;
	case LINE_RECORDS:
		out->number = hitm_level_loads(c) + hitm_level_stores(c);
		break;
	case LINE_LOADS:
		out->number = hitm_level_loads(c);
		break;
	default:
		out->number = c->nr[line_counts[column]];
	}
}

static void line_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	append_memory_nodes(line_at(arg, line)->seen.nodes, out);
}

static u64 line_key(const void *arg, u32 line)
{
	const struct line_id *id = &line_at(arg, line)->id;

	return table_mix(table_mix(id->line, id->file), id->pid);
}

enum row_column {
	ROW_NUMBER,
	ROW_LINE,
	ROW_REMOTE,
	ROW_LOCAL,
	ROW_STORE_L1,
	ROW_STORE_MISS,
	ROW_STORE_NO_LEVEL,
	ROW_OFFSET,
	ROW_NODES,
	ROW_PHYS,
	ROW_PID,
	ROW_TID,
	ROW_CODE,
	ROW_REMOTE_LATENCY,
	ROW_LOCAL_LATENCY,
	ROW_LOAD_LATENCY,
	ROW_RECORDS,
	ROW_CPUS,
	ROW_SYMBOL,
	ROW_OBJECT,
	ROW_SOURCE,
	ROW_MEMBER,
	ROW_CPU_NODES,
	NR_ROW_COLUMNS,
};

static const struct rows_column row_columns[NR_ROW_COLUMNS] = {
	[ROW_NUMBER] = NUMBER("index", "Num", CELL_ID, 3),
	[ROW_LINE] = NUMBER("line", "Cacheline", CELL_ADDRESS, 18),
	[ROW_REMOTE] = NUMBER("remote", "RmtHitm", CELL_SHARE, 7),
	[ROW_LOCAL] = NUMBER("local", "LclHitm", CELL_SHARE, 7),
	[ROW_STORE_L1] = NUMBER("store_l1_hit", "St L1Hit", CELL_SHARE, 7),
	[ROW_STORE_MISS] = NUMBER("store_l1_miss", "St L1Miss", CELL_SHARE, 7),
	[ROW_STORE_NO_LEVEL] = NUMBER("store_no_level", "St N/A", CELL_SHARE, 7),
	[ROW_OFFSET] = NUMBER("offset", "Offset", CELL_ADDRESS, 6),
	[ROW_NODES] = TEXT("nodes", "Node"),
	[ROW_PHYS] = COUNT("phys_changes", "PA cnt", "changes"),
	[ROW_PID] = NUMBER("pid", "Pid", CELL_ID, 3),
	[ROW_TID] = TEXT("tid", "Tid"),
	[ROW_CODE] = NUMBER("code", "Code address", CELL_ADDRESS, 18),
	[ROW_REMOTE_LATENCY] = NUMBER("remote_latency", "Rmt hitm cycles", CELL_AVERAGE, 5),
	[ROW_LOCAL_LATENCY] = NUMBER("local_latency", "Lcl hitm cycles", CELL_AVERAGE, 5),
	[ROW_LOAD_LATENCY] = NUMBER("load_latency", "Load cycles", CELL_AVERAGE, 5),
	[ROW_RECORDS] = COUNT("records", "Records", "samples"),
	[ROW_CPUS] = COUNT("cpus", "CPUs", "CPUs"),
	[ROW_SYMBOL] = TEXT("symbol", "Symbol"),
	[ROW_OBJECT] = TEXT("dso", "Shared Object"),
	[ROW_SOURCE] = TEXT("srcline", "Source:Line"),
	[ROW_MEMBER] = TEXT("member", "Member"),
	[ROW_CPU_NODES] = { .name = "cpu_nodes",
			    .title = "CPUs' nodes",
			    .kind = CELL_TEXT,
			    .loose = true },
};

static const struct line_row *row_at(const struct hitm_list *l, u32 line)
{
	return &g_array_index(l->rows, struct line_row, line);
}

/* A count of a row as a part of the line's. */
static void set_part(struct cell *out, const struct line_row *r, enum hitm_count what)
{
	out->number = r->row->seen.counts.nr[what];
	out->real = percent_of(out->number, r->of->seen.counts.nr[what]);
}

static void set_latency(struct cell *out, const struct line_row *r, enum hitm_latency kind)
{
	const struct hitm_latencies *all = &r->row->latencies;

	if (all->nr[kind])
		out->real = all->sum[kind] / (double)all->nr[kind];
	else
		out->kind = CELL_NONE;
}

/* Shares and latencies. False: the column is another one. */
static bool set_measure(const struct hitm_list *l, const struct line_row *r, enum row_column what,
			struct cell *out)
{
	bool peer = by_peer(l);

	switch (what) {
	case ROW_REMOTE:
		set_part(out, r, peer ? HITM_REMOTE_PEER : HITM_REMOTE);
		return true;
	case ROW_LOCAL:
		set_part(out, r, peer ? HITM_LOCAL_PEER : HITM_LOCAL);
		return true;
	case ROW_STORE_L1:
		set_part(out, r, HITM_STORE_L1);
		return true;
	case ROW_STORE_MISS:
		set_part(out, r, HITM_STORE_L1_MISS);
		return true;
	case ROW_STORE_NO_LEVEL:
		set_part(out, r, HITM_STORE_NO_LEVEL);
		return true;
	case ROW_REMOTE_LATENCY:
		set_latency(out, r, peer ? LATENCY_REMOTE_PEER : LATENCY_REMOTE_HITM);
		return true;
	case ROW_LOCAL_LATENCY:
		set_latency(out, r, peer ? LATENCY_LOCAL_PEER : LATENCY_LOCAL_HITM);
		return true;
	case ROW_LOAD_LATENCY:
		set_latency(out, r, LATENCY_LOAD);
		return true;
	default:
		return false;
	}
}

static void row_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct hitm_list *l = arg;
	const struct line_row *r = row_at(l, line);
	enum row_column what = l->what[column];

	if (set_measure(l, r, what, out))
		return;
	if ((what == ROW_NUMBER || what == ROW_LINE) && !r->first && !l->machine)
		out->kind = CELL_NONE;
	else if (what == ROW_NUMBER)
		out->number = r->line;
	else if (what == ROW_LINE)
		out->number = r->of->address;
	else if (what == ROW_OFFSET)
		out->number = r->row->offset;
	else if (what == ROW_PHYS)
		set_recorded(out, r->row->seen.phys_changes);
	else if (what == ROW_PID)
		out->number = r->row->pid;
	else if (what == ROW_CODE)
		out->number = r->row->va;
	else if (what == ROW_RECORDS)
		out->number = hitm_level_loads(&r->row->seen.counts) +
			      hitm_level_stores(&r->row->seen.counts);
	else if (what == ROW_CPUS)
		set_recorded(out, g_hash_table_size(r->row->cpus));
}

static void append_share(GString *out, u64 part, u64 whole)
{
	if (whole)
		g_string_append_printf(out, " %.1f%%", percent_of(part, whole));
	else
		g_string_append(out, " n/a");
}

/* The CPUs of one node, from @from up to @to. */
static void append_cpu_node(const struct hitm_list *l, const struct line_row *r,
			    const GPtrArray *cpus, u32 from, u32 to, GString *out)
{
	const struct hitm_cpu *first = g_ptr_array_index(cpus, from);
	u64 hits = 0, stores = 0;

	for (u32 i = from; i < to; i++) {
		const struct hitm_cpu *cpu = g_ptr_array_index(cpus, i);

		hits += cpu->hits;
		stores += cpu->stores;
	}
	g_string_append_printf(out, "%s%s", from ? " " : "", first->node < 0 ? "N/A" : "");
	if (first->node >= 0)
		g_string_append_printf(out, "%" PRId64, first->node);
	if (l->nodes == HITM_NODE_SHARES) {
		g_string_append_printf(out, "{%u", to - from);
		append_share(out, hits, hitm_hits(l->h, &r->row->seen.counts));
		append_share(out, stores, r->row->seen.counts.nr[HITM_STORES]);
		g_string_append_c(out, '}');
	}
	for (u32 i = from; l->nodes == HITM_NODE_CPUS && i < to; i++)
		g_string_append_printf(out, "%c%u%s", i == from ? '{' : ',',
				       ((const struct hitm_cpu *)g_ptr_array_index(cpus, i))->cpu,
				       i + 1 == to ? "}" : "");
}

static void append_cpu_nodes(const struct hitm_list *l, const struct line_row *r, GString *out)
{
	g_autoptr(GPtrArray) cpus = hitm_row_cpus(r->row);
	u32 from = 0;

	if (!cpus->len)
		g_string_append(out, "N/A");
	for (u32 i = 1; i <= cpus->len; i++) {
		const struct hitm_cpu *first = g_ptr_array_index(cpus, from);

		if (i < cpus->len &&
		    first->node == ((const struct hitm_cpu *)g_ptr_array_index(cpus, i))->node)
			continue;
		append_cpu_node(l, r, cpus, from, i, out);
		from = i;
		if (from == cpus->len)
			break;
	}
}

static void row_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct hitm_list *l = arg;
	const struct line_row *r = row_at(l, line);
	const struct lexicon *lex = l->h->lexicon;

	switch (l->what[column]) {
	case ROW_NODES:
		append_memory_nodes(r->row->seen.nodes, out);
		break;
	case ROW_TID:
		g_string_append_printf(out, "%u:%s", r->row->tid,
				       intern_text(lex->texts, r->row->comm));
		break;
	case ROW_SYMBOL:
		field_print(l->h->symbol, lex, r->row->symbol, out);
		break;
	case ROW_OBJECT:
		field_print(l->h->object, lex, r->row->object, out);
		break;
	case ROW_SOURCE:
		g_string_append(out, intern_text(lex->texts, r->row->source));
		break;
	case ROW_MEMBER:
		field_print(l->h->member, lex, r->row->member, out);
		break;
	default:
		append_cpu_nodes(l, r, out);
	}
}

static u64 row_key(const void *arg, u32 line)
{
	const struct line_row *r = row_at(arg, line);
	u64 key = table_mix(table_mix(r->of->id.line, (u64)r->of->id.file << 32 | r->of->id.pid),
			    table_mix(r->row->offset, r->row->va));

	return table_mix(key, table_mix((u64)r->row->pid << 32 | r->row->tid, r->row->dso));
}

static void number(const void *arg, u32 line, u32 column, const struct cell *cell, GString *out)
{
	switch (cell->kind) {
	case CELL_NONE:
		break;
	case CELL_SHARE:
		g_string_append_printf(out, "%.2f%%", cell->real);
		break;
	case CELL_AVERAGE:
		g_string_append_printf(out, "%.0f", cell->real);
		break;
	case CELL_ADDRESS:
		g_string_append_printf(out, "0x%" PRIx64, cell->number);
		break;
	default:
		g_string_append_printf(out, "%" PRIu64, cell->number);
	}
}

/* What hits are called, if they are those of peers. */
static void name_column(const struct hitm_list *l, struct rows_column *column)
{
	static const char *const titles[][2] = {
		{ "Tot Hitm", "Peer Snoop" },
		{ "Hitm", "Peer" },
		{ "LclHitm", "LclPeer" },
		{ "RmtHitm", "RmtPeer" },
		{ "Rmt hitm cycles", "Rmt peer cycles" },
		{ "Lcl hitm cycles", "Lcl peer cycles" },
	};
	bool of_hits = strcmp(column->name, "remote_hitm") != 0;

	if (!strcmp(column->name, "share") && l->h->o.display == HITM_BY_LOCAL)
		column->title = "Lcl Hitm";
	else if (!strcmp(column->name, "share") && l->h->o.display == HITM_BY_REMOTE)
		column->title = "Rmt Hitm";
	for (u32 i = 0; by_peer(l) && of_hits && i < ARRAY_SIZE(titles); i++)
		if (!strcmp(column->title, titles[i][0])) {
			column->title = titles[i][1];
			break;
		}
}

static bool has_column(const struct hitm_list *l, enum row_column what)
{
	u32 by = l->h->o.coalesce;

	switch (what) {
	case ROW_NUMBER:
	case ROW_LINE:
		return !l->only;
	case ROW_PID:
		return by & HITM_OF_PID;
	case ROW_TID:
		return by & HITM_OF_TID;
	case ROW_CODE:
	case ROW_SYMBOL:
	case ROW_MEMBER:
		return by & HITM_OF_CODE;
	case ROW_OBJECT:
		return by & (HITM_OF_CODE | HITM_OF_DSO);
	case ROW_SOURCE:
		return by & HITM_OF_CODE && l->h->o.sources;
	default:
		return true;
	}
}

static void choose(struct hitm_list *l, const struct rows_column *columns, u32 nr, bool rows)
{
	for (u32 i = 0; i < nr; i++) {
		if (rows && !has_column(l, i))
			continue;
		l->shown[l->nr] = columns[i];
		name_column(l, &l->shown[l->nr]);
		l->what[l->nr++] = (u8)i;
	}
}

static void add_rows_of(struct hitm_list *l, u32 number, const struct hitm_line *line,
			struct rows *rows)
{
	for (u32 k = 0; k < line->rows->len; k++) {
		struct line_row row = { number, line, g_ptr_array_index(line->rows, k), !k };

		g_array_append_val(l->rows, row);
		list_rows_add(rows, LIST_TOP);
	}
}

static void add_rows(struct hitm_list *l, struct rows *rows)
{
	for (u32 i = 0; i < l->h->lines->len; i++)
		if (!l->only || l->only == line_at(l, i))
			add_rows_of(l, i, line_at(l, i), rows);
}

static void add_counts_notes(const struct hitm *h, struct notes *notes)
{
	g_autoptr(GString) events = g_string_new(NULL);

	for (u32 i = 0; i < h->events->len; i++)
		g_string_append_printf(events, "%s'%s'", i ? ", " : "",
				       (char *)g_ptr_array_index(h->events, i));
	note_set_text(notes_add_words(notes, "events", events->str), GAP_NONE,
		      "Accesses as the hardware states them, by the event%s %s",
		      h->events->len == 1 ? "" : "s", events->str);
	note_set_text(notes_add_number(notes, "shared_lines", CELL_COUNT, h->nr_shared), GAP_BELOW,
		      "%u cache line%s with HITM or hits of peers", h->nr_shared,
		      h->nr_shared == 1 ? "" : "s");
}

static void add_notes(const struct hitm *h, enum hitm_page which, struct notes *notes)
{
	static const char *const by[] = {
		[HITM_BY_TOTAL] = "HITM, local and remote",
		[HITM_BY_LOCAL] = "local HITM",
		[HITM_BY_REMOTE] = "remote HITM",
		[HITM_BY_PEER] = "hits of peers",
	};

	if (which == HITM_PAGE_COUNTS)
		add_counts_notes(h, notes);
	else if (which == HITM_PAGE_LINES)
		note_set_text(notes_add_number(notes, "lines", CELL_COUNT, h->lines->len),
			      GAP_BELOW, "Cache lines by %s", by[h->o.display]);
	else
		note_set_text(notes_add_number(notes, "lines", CELL_COUNT, h->lines->len),
			      GAP_BELOW, "Who accesses these lines: percentages are of the line");
}

static void free_list(void *arg)
{
	struct hitm_list *l = arg;

	g_array_unref(l->rows);
	g_free(l);
}

/* The three pages, in their order. */
static const struct list_page {
	const char *title, *kind;
	const struct rows_column *columns;
	u32 nr;
	struct list_ops ops;
} list_pages[NR_HITM_PAGES] = {
	[HITM_PAGE_COUNTS] = { "accesses",
			       "hitm-counts",
			       count_columns,
			       ARRAY_SIZE(count_columns),
			       { count_cell, count_text, count_key, number } },
	[HITM_PAGE_LINES] = { "lines",
			      "hitm-lines",
			      line_columns,
			      NR_LINE_COLUMNS,
			      { line_cell, line_text, line_key, number } },
	[HITM_PAGE_ROWS] = { "accesses of lines",
			     "hitm-rows",
			     row_columns,
			     NR_ROW_COLUMNS,
			     { row_cell, row_text, row_key, number } },
};

static struct page *new_page(const struct hitm *h, const struct hitm_line *only,
			     enum hitm_page which, enum hitm_node_info nodes, bool machine)
{
	const struct list_page *p = &list_pages[which];
	struct hitm_list *l = g_new0(struct hitm_list, 1);
	struct page *page = page_new(g_strdup(p->title));

	l->h = h;
	l->only = only;
	l->nodes = nodes;
	l->machine = machine;
	l->rows = g_array_new(FALSE, FALSE, sizeof(struct line_row));
	page->kind = p->kind;
	page->own = l;
	page->free_own = free_list;
	add_notes(h, which, &page->notes);
	choose(l, p->columns, p->nr, which == HITM_PAGE_ROWS);
	page->rows = list_rows_new(l->shown, l->nr, &p->ops, l);
	if (which == HITM_PAGE_ROWS)
		add_rows(l, page->rows);
	for (u32 i = 0; which == HITM_PAGE_LINES && i < h->lines->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	for (u32 i = 0; which == HITM_PAGE_COUNTS && i < ARRAY_SIZE(counts); i++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
}

struct page *hitm_page_new(const struct hitm *h, enum hitm_page which, enum hitm_node_info nodes,
			   bool machine)
{
	return new_page(h, NULL, which, nodes, machine);
}

struct page *hitm_line_page_new(const struct hitm *h, const struct hitm_line *line,
				enum hitm_node_info nodes)
{
	return new_page(h, line, HITM_PAGE_ROWS, nodes, false);
}

enum hitm_page hitm_page_kind(const struct page *page)
{
	enum hitm_page which = 0;

	while (which < NR_HITM_PAGES && g_strcmp0(page->kind, list_pages[which].kind) != 0)
		which++;
	return which;
}

static const struct hitm_list *list_of(const struct page *page)
{
	return page->own;
}

const struct hitm *hitm_page_of(const struct page *page)
{
	return list_of(page)->h;
}

const struct hitm_line *hitm_page_only(const struct page *page)
{
	return list_of(page)->only;
}

const struct hitm_line *hitm_page_line(const struct page *page, struct row row)
{
	u32 line = list_rows_line(row);

	return hitm_page_kind(page) == HITM_PAGE_LINES ? line_at(list_of(page), line)
						       : row_at(list_of(page), line)->of;
}

const struct hitm_row *hitm_page_row(const struct page *page, struct row row)
{
	return row_at(list_of(page), list_rows_line(row))->row;
}
