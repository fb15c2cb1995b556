// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/paths.h"

#include <string.h>

#include "fields/ids.h"
#include "fields/private.h"
#include "session/named.h"
#include "session/session.h"

#define IS_SPAN (1ull << 63) /* marks a key that has no node yet */

struct path_node {
	u32 parent; /* PATH_NONE: outermost */
	u32 id;	    /* its name */
	u32 depth;  /* number of nodes around it, at most SPANS_MAX_DEPTH */
};

/* A span that is in no span file, known only from samples. */
struct instance {
	u8 trace[16];
	u64 id, parent, root; /* 0: not known */
	u32 node;	      /* +1, once it is known; 0: not yet */
	bool visiting;
};

struct paths {
	GArray *nodes; /* struct path_node */
	struct table node_index;
	GArray *instances; /* struct instance */
	struct table instance_index;
	u32 depth; /* recursion depth of the search for parents */
};

static const struct path_node *node_at(const struct paths *paths, u32 i)
{
	return &g_array_index(paths->nodes, struct path_node, i);
}

/* A node that would be too deep becomes a sibling of its parent. */
static u32 node_of(struct paths *paths, u32 parent, u32 id)
{
	struct path_node new = { .id = id };
	u32 hash, at;
	s64 i;

	if (parent != PATH_NONE && node_at(paths, parent)->depth == SPANS_MAX_DEPTH)
		parent = node_at(paths, parent)->parent;
	new.parent = parent;
	new.depth = parent == PATH_NONE ? 0 : node_at(paths, parent)->depth + 1;
	hash = at = table_fold(table_mix(parent, id));

	while ((i = table_next(&paths->node_index, hash, &at)) >= 0) {
		const struct path_node *n = node_at(paths, (u32)i);

		if (n->parent == parent && n->id == id)
			return (u32)i;
	}
	g_array_append_val(paths->nodes, new);
	table_add(&paths->node_index, hash, paths->nodes->len - 1);
	return paths->nodes->len - 1;
}

static struct paths *paths_of(struct lexicon *lex)
{
	struct paths *paths = lex->own->paths;

	if (paths)
		return paths;
	paths = lex->own->paths = g_new0(struct paths, 1);
	paths->nodes = g_array_new(FALSE, FALSE, sizeof(struct path_node));
	table_init(&paths->node_index);
	paths->instances = g_array_new(FALSE, FALSE, sizeof(struct instance));
	table_init(&paths->instance_index);
	node_of(paths, PATH_NONE, ID_OTHERS);
	return paths;
}

void paths_free(struct paths *paths)
{
	if (!paths)
		return;
	g_array_unref(paths->nodes);
	table_release(&paths->node_index);
	g_array_unref(paths->instances);
	table_release(&paths->instance_index);
	g_free(paths);
}

static struct instance *instance_at(const struct paths *paths, u32 i)
{
	return &g_array_index(paths->instances, struct instance, i);
}

static u32 instance_hash(const u8 *trace, u64 id)
{
	u64 words[2];

	memcpy(words, trace, sizeof(words));
	return table_fold(table_mix(table_mix(table_mix(0, words[0]), words[1]), id));
}

static s64 find_instance(const struct paths *paths, const u8 *trace, u64 id)
{
	u32 hash = instance_hash(trace, id), at = hash;
	s64 i;

	while ((i = table_next(&paths->instance_index, hash, &at)) >= 0)
		if (instance_at(paths, (u32)i)->id == id &&
		    !memcmp(instance_at(paths, (u32)i)->trace, trace, 16))
			return i;
	return -1;
}

static u64 key_instance(struct lexicon *lex, const struct place *p, const struct activity *a)
{
	struct paths *paths = paths_of(lex);
	struct instance new = {
		.id = span_number(a->span_id),
		.parent = a->has & ACTIVITY_HAS_PARENT ? span_number(a->parent_id) : 0,
		.root = a->has & ACTIVITY_HAS_ROOT ? span_number(a->root_span) : 0,
	};
	s64 known;

	if (id_of_number(lex, p, a->trace_id, new.id) == ID_OTHERS)
		return PATH_OTHERS;
	memcpy(new.trace, a->trace_id, sizeof(new.trace));
	known = find_instance(paths, new.trace, new.id);
	if (known >= 0)
		return IS_SPAN | (u64)known;
	if (lex->max_ids && paths->instances->len >= lex->max_ids)
		return PATH_OTHERS;
	g_array_append_val(paths->instances, new);
	table_add(&paths->instance_index, instance_hash(new.trace, new.id),
		  paths->instances->len - 1);
	return IS_SPAN | (paths->instances->len - 1);
}

static bool holds(const struct span *const *spans, u32 nr, const struct span *span)
{
	while (nr--)
		if (spans[nr] == span)
			return true;
	return false;
}

/* The node of a span from a file. If its parents form a circle, the span is the innermost node of the circle. */
static u32 known_node(struct lexicon *lex, const u8 *trace, const struct span *span)
{
	const struct spans *spans = session_spans(lex->session);
	const struct span *around[SPANS_MAX_DEPTH];
	u32 nr = 0, node = PATH_NONE;

	while (span && nr < SPANS_MAX_DEPTH && !holds(around, nr, span)) {
		around[nr++] = span;
		span = spans_parent(spans, span);
	}
	while (nr--)
		node = node_of(paths_of(lex), node, id_of_span(lex, trace, around[nr]));
	return node;
}

static u64 key_path(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = p->activity;
	const struct span *span;

	if (!activity_has_ids(a))
		return path_key(node_of(paths_of(lex), PATH_NONE, id_without_span(lex, p)));
	span = named_span(session_spans(lex->session), a, a->span_id);
	return span ? path_key(known_node(lex, a->trace_id, span)) : key_instance(lex, p, a);
}

static u32 path_id(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = p->activity;

	if (!activity_has_ids(a))
		return id_without_span(lex, p);
	return id_of_number(lex, p, a->trace_id, span_number(a->span_id));
}

/* The parent's node: from the span files, from another sample, or from the sample's own root span. */
static u32 around(struct lexicon *lex, const struct instance *span);

static u32 instance_node(struct lexicon *lex, u32 i)
{
	struct paths *paths = paths_of(lex);
	struct instance *span = instance_at(paths, i);
	u32 parent, id;

	if (span->node)
		return span->node - 1;
	/* Stop at circles, and at chains of parents that are too long. */
	if (span->visiting || paths->depth == SPANS_MAX_DEPTH)
		return PATH_NONE;
	span->visiting = true;
	paths->depth++;
	parent = around(lex, span);
	paths->depth--;
	id = id_of_number(lex, NULL, span->trace, span->id);
	span->visiting = false;
	span->node = node_of(paths, parent, id) + 1;
	return span->node - 1;
}

static u32 node_of_id(struct lexicon *lex, const u8 *trace, u64 id, u32 outside)
{
	const struct spans *spans = session_spans(lex->session);
	const struct span *span = spans ? spans_find(spans, trace, id) : NULL;
	s64 sampled = find_instance(paths_of(lex), trace, id);

	if (span)
		return known_node(lex, trace, span);
	if (sampled >= 0)
		return instance_node(lex, (u32)sampled);
	return node_of(paths_of(lex), outside, id_of_number(lex, NULL, trace, id));
}

static u32 around(struct lexicon *lex, const struct instance *span)
{
	u32 outside = PATH_NONE;

	if (span->root && span->root != span->id)
		outside = node_of_id(lex, span->trace, span->root, PATH_NONE);
	if (!span->parent || span->parent == span->id || span->parent == span->root)
		return outside;
	return node_of_id(lex, span->trace, span->parent, outside);
}

u32 path_node(struct lexicon *lex, u64 key)
{
	return key & IS_SPAN ? instance_node(lex, (u32)key) : (u32)key;
}

u32 path_parent(const struct lexicon *lex, u32 node)
{
	return node_at(lex->own->paths, node)->parent;
}

u32 path_nr(const struct lexicon *lex)
{
	return lex->own->paths ? lex->own->paths->nodes->len : 0;
}

bool path_is_below(struct lexicon *lex, u64 key, u64 above)
{
	u32 node = path_node(lex, key), to = path_node(lex, above);

	while (node != PATH_NONE && node != to)
		node = path_parent(lex, node);
	return node == to;
}

const struct field *path_span(const struct lexicon *lex, u32 node, u64 *key)
{
	struct ids *ids = lex->own->ids;
	u32 id = node_at(lex->own->paths, node)->id, size;
	const u8 *bytes;

	*key = id;
	if (ids_kind(ids, id) != ID_SPAN)
		return &field_span;
	bytes = ids_bytes(ids, id, &size);
	*key = ids_name(ids, ID_PAIR, bytes, size);
	return &field_activity;
}

u64 path_key(u32 node)
{
	return node;
}

static int order_paths(const struct lexicon *lex, u64 a, u64 b)
{
	const struct paths *paths = lex->own->paths;

	return ids_order(lex->own->ids, node_at(paths, (u32)a)->id, node_at(paths, (u32)b)->id);
}

static void print_path(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	const struct path_node *node = node_at(lex->own->paths, (u32)key);

	if (node->parent == PATH_NONE)
		ids_print_whole(lex->own->ids, node->id, out);
	else
		ids_print(lex->own->ids, node->id, out);
}

const struct field field_activity_path = {
	.name = "activity_path",
	.header = "Span",
	.family = FIELD_NORMAL,
	.needs = NEED_ACTIVITY,
	.id = true,
	.key = key_path,
	.id_of = path_id,
	.order = order_paths,
	.print = print_path,
};
