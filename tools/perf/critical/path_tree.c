// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/path_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/percent.h"
#include "base/table.h"

struct path_tree {
	const struct history *history;
	const struct doings *doings;
	GArray *nodes; /* struct path_tree_node */
	struct table index;
	GArray *by_time; /* const struct tick *, made when first needed */
	struct {
		u32 instance, from, top, nr;
		const struct stay *through[WALK_DEPTH];
		u32 nodes[WALK_DEPTH];
	} way; /* of the segment before: the next one mostly came through the same waits */
	u64 whole[NR_CLASSES];
};

static struct path_tree_node *node_at(const struct path_tree *t, u32 i)
{
	return &g_array_index(t->nodes, struct path_tree_node, i);
}

struct path_tree *path_tree_new(const struct history *history, const struct doings *doings)
{
	struct path_tree *t = g_new0(struct path_tree, 1);
	struct path_tree_node root = { .kind = NODE_ROOT };

	t->history = history;
	t->doings = doings;
	t->nodes = g_array_new(FALSE, FALSE, sizeof(struct path_tree_node));
	g_array_append_val(t->nodes, root);
	table_init(&t->index);
	return t;
}

void path_tree_free(struct path_tree *t)
{
	if (!t)
		return;
	g_array_unref(t->nodes);
	table_release(&t->index);
	g_clear_pointer(&t->by_time, g_array_unref);
	g_free(t);
}

static bool is_same(const struct path_tree_node *a, const struct path_tree_node *b)
{
	return a->parent == b->parent && a->kind == b->kind && a->how == b->how &&
	       a->is_lock == b->is_lock && a->is_owned == b->is_owned && a->name == b->name &&
	       a->text == b->text;
}

static u32 hash_of(const struct path_tree_node *n)
{
	u64 h = table_mix((u64)n->parent << 32 | n->text, (u64)n->name << 32 | n->kind);

	return table_fold(table_mix(h, (u64)n->how << 2 | n->is_lock << 1 | n->is_owned));
}

/* The node below @parent that is like @like; it is made if there is none. */
static u32 below(struct path_tree *t, u32 parent, struct path_tree_node like)
{
	u32 hash, at;
	s64 i;

	like.parent = parent;
	hash = at = hash_of(&like);
	while ((i = table_next(&t->index, hash, &at)) >= 0)
		if (is_same(node_at(t, (u32)i), &like))
			return (u32)i;
	if (t->nodes->len >= PATH_TREE_MOST && like.kind != NODE_OTHERS)
		return node_at(t, parent)->kind == NODE_OTHERS
			       ? parent
			       : below(t, parent, (struct path_tree_node){ .kind = NODE_OTHERS });
	g_array_append_val(t->nodes, like);
	table_add(&t->index, hash, t->nodes->len - 1);
	return t->nodes->len - 1;
}

/* The activity is known, and is of something else than the instance. */
static bool is_foreign(const struct path_tree *t, u32 activity, u32 instance)
{
	return activity && instance != UINT32_MAX && !doings_is_of(t->doings, activity, instance);
}

static bool is_own(const struct path_tree *t, u32 activity, u32 instance)
{
	return activity && instance != UINT32_MAX && doings_is_of(t->doings, activity, instance);
}

static enum path_role role_of(const struct stay *stay)
{
	if (!stay->is_lock || stay->owned == WALL_OWNER_NONE)
		return stay->end == END_MESSAGE ? ROLE_SENDER
		       : stay->end == END_CHILD ? ROLE_CHILD
		       : stay->retried		? ROLE_LAST_WAKER
						: ROLE_WAKER;
	if (stay->owned == WALL_OWNER_KNOWN)
		return ROLE_OWNER;
	return stay->owned == WALL_OWNER_READERS ? ROLE_READER : ROLE_RELEASER;
}

static u32 below_wait(struct path_tree *t, u32 node, const struct stay *stay)
{
	return below(t, node,
		     (struct path_tree_node){
			     .kind = NODE_WAIT,
			     .text = stay->object,
			     .is_lock = stay->is_lock,
			     .is_owned = stay->is_lock && stay->owned != WALL_OWNER_NONE,
		     });
}

/* @activity: the one of the owner, or of the waker. */
static u32 below_owner(struct path_tree *t, u32 node, const struct stay *stay, u32 activity)
{
	u32 next = walk_next(stay);

	return below(t, node,
		     (struct path_tree_node){
			     .kind = NODE_OWNER,
			     .how = (u8)role_of(stay),
			     .name = history_thread_at(t->history, next)->name,
			     .text = doings_span(t->doings, activity),
		     });
}

static u32 below_busy(struct path_tree *t, u32 node, u32 activity)
{
	return below(t, node,
		     (struct path_tree_node){ .kind = NODE_BUSY,
					      .text = doings_span(t->doings, activity) });
}

/*
 * The index from which on the way to @s has other nodes than the one before. The node behind a wait depends on the wait and on the
 * activity of the thread behind it, which the next wait tells; behind the last one, it is the segment's.
 */
static u32 known_of_way(struct path_tree *t, const struct path_segment *s, u32 instance, u32 from,
			u32 top)
{
	u32 same = from, most = MIN(s->depth, t->way.nr);

	if (t->way.instance == instance && t->way.from == from && t->way.top == top) {
		while (same < most && t->way.through[same] == s->through[same])
			same++;
		same = MAX(same, from + 1) - 1;
	}
	t->way.instance = instance;
	t->way.from = from;
	t->way.top = top;
	return same;
}

/*
 * The node of the waits through which a path came. Where it comes to a thread that works for the instance itself, the
 * work was handed over there: the path begins anew. In a pool, the worker waits until the request's own thread
 * wakes it. Where only a child span tells the way, that is said.
 */
static u32 node_of(struct path_tree *t, const struct path_segment *s, u32 instance)
{
	u32 node = 0, from = 0, known;

	for (u32 i = 0; i <= s->depth && !(i && s->through[i - 1]->end == END_CHILD); i++)
		if (is_own(t, walk_activity_at(s, i), instance))
			from = i;
	if (is_foreign(t, walk_activity_at(s, from), instance) && !from)
		node = below_busy(t, node, walk_activity_at(s, from));
	known = known_of_way(t, s, instance, from, node);
	node = known > from ? t->way.nodes[known - 1] : node;
	for (u32 i = known; i < s->depth; i++) {
		u32 activity = walk_activity_at(s, i + 1);

		/* Nothing is lost to the request's own spans. */
		if (s->through[i]->end != END_CHILD && is_own(t, activity, instance))
			activity = 0;
		node = below_owner(t, below_wait(t, node, s->through[i]), s->through[i], activity);
		t->way.through[i] = s->through[i];
		t->way.nodes[i] = node;
	}
	t->way.nr = s->depth;
	return node;
}

static void add_samples(struct path_tree *t, u32 node, enum path_class class, u32 weight)
{
	struct path_tree_node *n = node_at(t, node);

	n->weight[class] += weight;
	n->samples++;
}

/* What a thread ran, by the samples in that time. */
static void add_run(struct path_tree *t, u32 node, u32 thread, u64 from, u64 to,
		    enum path_class class)
{
	u32 running = below(t, node, (struct path_tree_node){ .kind = NODE_RUNNING }), nr;
	const struct tick *ticks = history_ticks_in(t->history, thread, from, to, &nr);

	node_at(t, running)->ns[class] += to - from;
	for (u32 i = 0; i < nr; i++) {
		u32 code =
			below(t, running,
			      (struct path_tree_node){ .kind = NODE_CODE, .text = ticks[i].code });

		add_samples(t, code, class, ticks[i].weight);
		if (ticks[i].data)
			add_samples(t,
				    below(t, code,
					  (struct path_tree_node){ .kind = NODE_DATA,
								   .text = ticks[i].data }),
				    class, ticks[i].weight);
	}
}

static gint by_time(gconstpointer pa, gconstpointer pb)
{
	const struct tick *const *a = pa, *const *b = pb;

	return (*a)->time < (*b)->time ? -1 : (*a)->time > (*b)->time;
}

static void order_ticks(struct path_tree *t)
{
	u32 nr;
	const struct tick *ticks = history_ticks(t->history, &nr);

	t->by_time = g_array_sized_new(FALSE, FALSE, sizeof(ticks), nr);
	for (u32 i = 0; i < nr; i++, ticks++)
		g_array_append_val(t->by_time, ticks);
	g_array_sort(t->by_time, by_time);
}

static u32 first_after(const struct path_tree *t, u64 time)
{
	u32 low = 0, high = t->by_time->len;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (g_array_index(t->by_time, const struct tick *, middle)->time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Who had the CPU for which the thread waited. */
static void add_cpu(struct path_tree *t, const struct path_segment *s, u32 queued,
		    enum path_class class)
{
	const struct stay *stay = s->stay;
	struct path_tree_node cpu = { .kind = NODE_CPU, .how = stay->owned };

	if (stay->owner != HISTORY_NOBODY) {
		cpu.name = history_thread_at(t->history, stay->owner)->name;
		cpu.text = doings_span(t->doings, stay->owner_activity);
	}
	node_at(t, below(t, queued, cpu))->ns[class] += s->to - s->from;
}

/* Who ran while a thread waited for a CPU, if the recording does not tell for which CPU it waited. */
static void add_queued(struct path_tree *t, const struct path_segment *s, u32 node,
		       enum path_class class)
{
	bool is_known = s->stay && s->stay->is_lock;
	u32 queued =
		below(t, node, (struct path_tree_node){ .kind = NODE_QUEUED, .how = !is_known });

	if (is_known) {
		add_cpu(t, s, queued, class);
		return;
	}
	if (!t->by_time)
		order_ticks(t);
	node_at(t, queued)->ns[class] += s->to - s->from;
	for (u32 i = first_after(t, s->from); i < t->by_time->len; i++) {
		const struct tick *tick = g_array_index(t->by_time, const struct tick *, i);

		if (tick->time > s->to)
			break;
		add_samples(t,
			    below(t, queued,
				  (struct path_tree_node){
					  .kind = NODE_MEANWHILE,
					  .name = history_thread_at(t->history, tick->thread)->name,
					  .text = doings_span(t->doings, tick->activity) }),
			    class, tick->weight);
	}
}

/* A wait that the walk does not go on through. Waits for a lock may end in several ways: each is a node below. */
static u32 below_end(struct path_tree *t, u32 node, const struct path_segment *s)
{
	struct path_tree_node end = { .kind = NODE_REASON, .how = s->why };

	if (s->stay && !s->stay->is_lock && s->why != WHY_STRANGER)
		return below(t, node,
			     (struct path_tree_node){
				     .kind = NODE_WAIT, .how = s->why, .text = s->stay->object });
	if (s->stay)
		node = below_wait(t, node, s->stay);
	if (s->why == WHY_STRANGER)
		end.name = history_thread_at(t->history, walk_next(s->stay))->name;
	return below(t, node, end);
}

void path_tree_add(struct path_tree *t, const struct path_segment *s, u32 instance,
		   enum path_class class)
{
	u32 node = node_of(t, s, instance);

	if (s->why == WHY_RAN)
		add_run(t, node, s->thread, s->from, s->to, class);
	else if (s->why == WHY_QUEUED)
		add_queued(t, s, node, class);
	else
		node_at(t, below_end(t, node, s))->ns[class] += s->to - s->from;
}

/* Divides the time of runs by the samples below them. */
static void divide(struct path_tree *t)
{
	g_autofree u64 *below_ns = g_new0(u64, (gsize)t->nodes->len * NR_CLASSES);

	for (u32 i = 1; i < t->nodes->len; i++) {
		const struct path_tree_node *n = node_at(t, i);

		if (n->kind == NODE_CODE || n->kind == NODE_MEANWHILE)
			for (u32 k = 0; k < NR_CLASSES; k++)
				below_ns[n->parent * NR_CLASSES + k] += n->weight[k];
	}
	for (u32 i = 1; i < t->nodes->len; i++) {
		struct path_tree_node *n = node_at(t, i), *parent = node_at(t, n->parent);

		for (u32 k = 0; k < NR_CLASSES; k++) {
			u64 all = n->kind == NODE_DATA ? parent->weight[k]
						       : below_ns[n->parent * NR_CLASSES + k];

			if ((n->kind == NODE_CODE || n->kind == NODE_MEANWHILE ||
			     n->kind == NODE_DATA) &&
			    all)
				n->ns[k] = (u64)((double)parent->ns[k] * (double)n->weight[k] /
						 (double)all);
		}
	}
}

/* Nodes that are a division of the one above, whose time is there already. */
static bool is_part(const struct path_tree_node *n)
{
	return n->kind == NODE_CODE || n->kind == NODE_DATA || n->kind == NODE_MEANWHILE;
}

struct to_order {
	double difference, share;
	u32 node;
};

static int by_difference(const void *pa, const void *pb)
{
	const struct to_order *a = pa, *b = pb;

	if (a->difference != b->difference)
		return a->difference > b->difference ? -1 : 1;
	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Links the nodes, of each parent those with the largest difference first. */
static void link_nodes(struct path_tree *t)
{
	u32 nr = t->nodes->len;
	g_autofree struct to_order *list = g_new(struct to_order, nr);

	for (u32 i = 0; i < nr; i++) {
		struct path_tree_node *n = node_at(t, i);
		double slow = percent_of(n->ns[CLASS_SLOW], t->whole[CLASS_SLOW]);
		double rest = percent_of(n->ns[CLASS_REST], t->whole[CLASS_REST]);

		n->first = n->next = PATH_NO_NODE;
		list[i] = (struct to_order){ slow - rest, slow, i };
	}
	qsort(list, nr, sizeof(*list), by_difference);
	for (u32 i = nr; i--;) {
		struct path_tree_node *n = node_at(t, list[i].node),
				      *parent = node_at(t, n->parent);

		if (!list[i].node)
			continue;
		n->next = parent->first;
		parent->first = list[i].node;
	}
}

void path_tree_settle(struct path_tree *t, const u64 whole[NR_CLASSES])
{
	memcpy(t->whole, whole, sizeof(t->whole));
	for (u32 i = t->nodes->len; i-- > 1;) {
		const struct path_tree_node *n = node_at(t, i);

		for (u32 k = 0; k < NR_CLASSES && !is_part(n); k++)
			node_at(t, n->parent)->ns[k] += n->ns[k];
	}
	divide(t);
	link_nodes(t);
}

u32 path_tree_nr(const struct path_tree *t)
{
	return t->nodes->len;
}

const struct path_tree_node *path_tree_at(const struct path_tree *t, u32 i)
{
	return node_at(t, i);
}
