// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/row_places.h"

#include "dso/buildid.h"
#include "dso/dso.h"
#include "export/exchange/content_id.h"
#include "export/exchange/row_files.h"

void row_places_init(struct row_places *p, struct exchange_tables *tables)
{
	*p = (struct row_places){ .tables = tables,
				  .stacks = g_array_new(FALSE, TRUE, sizeof(struct row_stack)),
				  .locations = g_array_new(FALSE, TRUE, sizeof(u64)),
				  .build_ids = g_array_new(FALSE, TRUE, sizeof(u32)) };
}

void row_places_release(struct row_places *p)
{
	g_array_unref(p->stacks);
	g_array_unref(p->locations);
	g_array_unref(p->build_ids);
}

u32 row_places_build_id(struct row_places *p, u32 dso)
{
	char hex[BUILD_ID_HEX];
	struct build_id id;
	u32 *text;

	if (!dso)
		return 0;
	if (p->build_ids->len < dso)
		g_array_set_size(p->build_ids, dso);
	text = &g_array_index(p->build_ids, u32, dso - 1);
	if (!*text) {
		id = dso_build_id(exchange_dso(p->tables, dso)->dso);
		*text = 1 + exchange_text(p->tables, build_id_hex(&id, hex));
	}
	return *text - 1;
}

/* 0: the function that has the code; 1: a call inlined into it; ... */
static u32 depth_of(const struct exchange_tables *t, const struct exchange_frame *f)
{
	u32 depth = 0;

	for (; f->outer; f = exchange_frame(t, f->outer))
		depth++;
	return depth;
}

static const char *text_of(const struct exchange_tables *t, u32 text)
{
	return intern_text(t->texts, text);
}

static u64 make_location(struct row_places *p, const struct exchange_frame *f)
{
	const struct exchange_tables *t = p->tables;
	const struct exchange_dso *dso = f->dso ? exchange_dso(t, f->dso) : NULL;
	u32 build_id = row_places_build_id(p, f->dso);
	struct content_id id;

	content_id_begin(&id, "perf location 1");
	content_id_text(&id, text_of(t, build_id ?: dso ? dso->name : 0));
	content_id_number(&id, f->vaddr);
	content_id_number(&id, depth_of(t, f));
	if (!dso || !dso->by_file)
		content_id_text(&id, text_of(t, f->function));
	return content_id_end(&id);
}

static u64 location_of(struct row_places *p, u32 frame)
{
	u64 *id;

	if (p->locations->len < frame)
		g_array_set_size(p->locations, frame);
	id = &g_array_index(p->locations, u64, frame - 1);
	if (!*id)
		*id = make_location(p, exchange_frame(p->tables, frame));
	return *id;
}

static u64 make_stack(struct row_places *p, u32 node)
{
	struct content_id id;

	content_id_begin(&id, "perf stack 1");
	for (; node; node = exchange_node(p->tables, node)->parent)
		content_id_number(&id, location_of(p, exchange_node(p->tables, node)->frame));
	return content_id_end(&id);
}

/* The frame of the function that has the innermost code. */
static const struct exchange_frame *outermost_at(const struct exchange_tables *t, u32 node)
{
	while (exchange_frame(t, exchange_node(t, node)->frame)->outer &&
	       exchange_node(t, node)->parent)
		node = exchange_node(t, node)->parent;
	return exchange_frame(t, exchange_node(t, node)->frame);
}

const struct row_stack *row_places_stack(struct row_places *p, u32 node)
{
	const struct exchange_frame *code;
	struct row_stack *s;

	if (p->stacks->len < node)
		g_array_set_size(p->stacks, node);
	s = &g_array_index(p->stacks, struct row_stack, node - 1);
	if (s->stack_id)
		return s;
	code = outermost_at(p->tables, node);
	*s = (struct row_stack){ .stack_id = make_stack(p, node),
				 .leaf_id = location_of(p, exchange_node(p->tables, node)->frame),
				 .dso = code->dso ? exchange_dso(p->tables, code->dso)->name : 0,
				 .build_id = row_places_build_id(p, code->dso),
				 .symbol = code->function };
	return s;
}

static void write_stack(struct row_places *p, struct row_files *files, u32 node)
{
	struct rowset *b = row_files_rows(files, TABLE_STACKS);

	rowset_set(b, STACKS_ID, row_places_stack(p, node)->stack_id);
	for (; node; node = exchange_node(p->tables, node)->parent)
		rowset_append(b, STACKS_FRAMES,
			      location_of(p, exchange_node(p->tables, node)->frame));
	row_files_end_row(files, TABLE_STACKS);
}

static void write_location(struct row_places *p, struct row_files *files, u32 frame)
{
	const struct exchange_frame *f = exchange_frame(p->tables, frame);
	struct rowset *b = row_files_rows(files, TABLE_LOCATIONS);

	rowset_set(b, LOCATIONS_ID, location_of(p, frame));
	rowset_set(b, LOCATIONS_BUILD_ID, row_places_build_id(p, f->dso));
	rowset_set(b, LOCATIONS_DSO, f->dso ? exchange_dso(p->tables, f->dso)->name : 0);
	rowset_set(b, LOCATIONS_ADDRESS, f->vaddr);
	rowset_set(b, LOCATIONS_DEPTH, depth_of(p->tables, f));
	rowset_set(b, LOCATIONS_SYMBOL, f->function);
	rowset_set(b, LOCATIONS_FILE, f->file);
	rowset_set(b, LOCATIONS_LINE, f->line);
	row_files_end_row(files, TABLE_LOCATIONS);
}

static bool is_new(GHashTable *seen, u64 id)
{
	return g_hash_table_add(seen, g_memdup2(&id, sizeof(id)));
}

/* Frames that differ in facts that are not part of the number have one row. */
void row_places_write(struct row_places *p, struct row_files *files)
{
	g_autoptr(GHashTable)
		seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (u32 i = 0; row_files_rows(files, TABLE_STACKS) && i < p->stacks->len; i++) {
		u64 id = g_array_index(p->stacks, struct row_stack, i).stack_id;

		if (id && is_new(seen, id))
			write_stack(p, files, i + 1);
	}
	for (u32 i = 0; row_files_rows(files, TABLE_LOCATIONS) && i < p->locations->len; i++) {
		u64 id = g_array_index(p->locations, u64, i);

		if (id && is_new(seen, id))
			write_location(p, files, i + 1);
	}
}
