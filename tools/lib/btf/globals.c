// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Example:
 *
 *	mov $0xffffffff82a5c3e0,%rdi; call mutex_lock		a vote: struct mutex
 *	mov $0xffffffff82a5c3e0,%rdi; call mutex_unlock		another one
 *	mov 0x1a2b3c(%rip),%rdi; call kmem_cache_alloc		at 0xffffffff82bc1d40: a vote for struct kmem_cache *
 *	call kmem_cache_create; mov %rax,0x1a2b00(%rip)		another one
 *
 * Votes for a type and for a structure that begins with it (a lock, and what it is the first member of) contradict each
 * other. Then the larger one is right.
 */
#include "btf/globals.h"

#include <string.h>

#include "base/search.h"

#define MAX_HOPS  32
#define MAX_TYPES 4 /* different ones for one variable */

struct votes {
	u64 address;
	struct {
		u32 type, nr;
	} types[MAX_TYPES];
	u32 nr, others; /* others: for more types than fit */
	u32 named;	/* the type by the symbol's name; 0: none */
};

struct btf_globals {
	const struct btf *btf;
	const struct btf_code *code;
	GHashTable *protos;	/* name -> id of the FUNC's prototype; 0: several FUNCs */
	GHashTable *structures; /* name -> id */
	GHashTable *pointers;	/* id of a structure -> id of the pointer to it */
	GHashTable *votes;	/* u64 * (the address) -> struct votes * */
};

/* What the beginning or the end of a variable's name tells, if it has the size of that type. */
static const struct {
	const char *text, *type;
	bool suffix, pointer;
} conventions[] = {
	{ "__tracepoint_", "tracepoint", false, false },
	{ "__bpf_trace_tp_map_", "bpf_raw_event_map", false, false },
	{ "__SCK__", "static_call_key", false, false },
	{ "event_class_", "trace_event_class", false, false },
	{ "event_", "trace_event_call", false, false },
	{ "dev_attr_", "device_attribute", false, false },
	{ "driver_attr_", "driver_attribute", false, false },
	{ "bus_attr_", "bus_attribute", false, false },
	{ "class_attr_", "class_attribute", false, false },
	{ "__syscall_meta__", "syscall_metadata", false, false },
	{ "_cachep", "kmem_cache", true, true },
	{ "_wq", "workqueue_struct", true, true },
	{ "_mutex", "mutex", true, false },
	{ "_sem", "rw_semaphore", true, false },
	{ "_rwsem", "rw_semaphore", true, false },
	{ "_fops", "file_operations", true, false },
	{ "_work", "work_struct", true, false },
	{ "_work", "delayed_work", true, false },
	{ "_timer", "timer_list", true, false },
	{ "_list", "list_head", true, false },
	{ "_head", "list_head", true, false },
	{ "_idr", "idr", true, false },
	{ "_ida", "ida", true, false },
	{ "_notifier", "notifier_block", true, false },
	{ "_nb", "notifier_block", true, false },
	{ "_wait", "wait_queue_head", true, false },
	{ "_waitq", "wait_queue_head", true, false },
};

static void index_types(struct btf_globals *g)
{
	for (u32 id = 1; id < btf_nr_types(g->btf); id++) {
		const struct btf_type *type = btf_type(g->btf, id);
		const char *name = btf_name(g->btf, type->name_off);
		void *of;

		if (btf_kind(type) == BTF_KIND_STRUCT && *name) {
			g_hash_table_insert(g->structures, (void *)name, GUINT_TO_POINTER(id));
		} else if (btf_kind(type) == BTF_KIND_PTR) {
			of = GUINT_TO_POINTER(type->type);
			g_hash_table_insert(g->pointers, of, GUINT_TO_POINTER(id));
		} else if (btf_kind(type) == BTF_KIND_FUNC) {
			u32 proto = g_hash_table_contains(g->protos, name) ? 0 : type->type;

			g_hash_table_insert(g->protos, (void *)name, GUINT_TO_POINTER(proto));
		}
	}
}

struct btf_globals *btf_globals_new(const struct btf *btf, const struct btf_code *code)
{
	struct btf_globals *g = g_new0(struct btf_globals, 1);

	g->btf = btf;
	g->code = code;
	g->protos = g_hash_table_new(g_str_hash, g_str_equal);
	g->structures = g_hash_table_new(g_str_hash, g_str_equal);
	g->pointers = g_hash_table_new(NULL, NULL);
	g->votes = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	index_types(g);
	return g;
}

void btf_globals_free(struct btf_globals *g)
{
	g_hash_table_unref(g->protos);
	g_hash_table_unref(g->structures);
	g_hash_table_unref(g->pointers);
	g_hash_table_unref(g->votes);
	g_free(g);
}

static struct votes *votes_of(struct btf_globals *g, u64 address)
{
	struct votes *votes = g_hash_table_lookup(g->votes, &address);

	if (votes)
		return votes;
	votes = g_new0(struct votes, 1);
	votes->address = address;
	g_hash_table_insert(g->votes, &votes->address, votes);
	return votes;
}

static void vote(struct btf_globals *g, u64 address, u32 type)
{
	struct votes *votes = votes_of(g, address);

	for (u32 i = 0; i < votes->nr; i++)
		if (votes->types[i].type == type) {
			votes->types[i].nr++;
			return;
		}
	if (votes->nr == MAX_TYPES) {
		votes->others++;
		return;
	}
	votes->types[votes->nr].type = type;
	votes->types[votes->nr++].nr = 1;
}

static bool is_view(u32 kind)
{
	return kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE ||
	       kind == BTF_KIND_RESTRICT || kind == BTF_KIND_TYPE_TAG;
}

/* Without typedefs and qualifiers; 0: void. */
static u32 strip(const struct btf *btf, u32 id)
{
	for (u32 i = 0; id && i < MAX_HOPS; i++) {
		const struct btf_type *type = btf_type(btf, id);

		if (!is_view(btf_kind(type)))
			return id;
		id = type->type;
	}
	return 0;
}

/* The structure or union that a @type points to; 0: it is no pointer, or to something else. */
static u32 pointee(const struct btf *btf, u32 type)
{
	u32 id = strip(btf, type), kind;

	if (!id || btf_kind(btf_type(btf, id)) != BTF_KIND_PTR)
		return 0;
	id = strip(btf, btf_type(btf, id)->type);
	kind = id ? btf_kind(btf_type(btf, id)) : 0;
	return (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION) && btf_type(btf, id)->size ? id
											      : 0;
}

static const struct btf_type *proto_at(const struct btf_globals *g, u64 callee)
{
	const struct btf_function *f = g->code->functions;
	u32 at = SEARCH(i, 0, g->code->nr, f[i].start < callee), id;

	for (; at < g->code->nr && f[at].start == callee; at++) {
		id = GPOINTER_TO_UINT(g_hash_table_lookup(g->protos, f[at].name));
		if (id)
			return btf_type(g->btf, id);
	}
	return NULL;
}

/* The pointer type for a structure; 0: the BTF has none. */
static u32 pointer_to(const struct btf_globals *g, u32 structure)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(g->pointers, GUINT_TO_POINTER(structure)));
}

void btf_globals_argument(struct btf_globals *g, u64 callee, u32 nth, u64 global, bool loaded)
{
	const struct btf_type *proto = proto_at(g, callee);
	const struct btf_param *params;
	u32 id;

	if (!proto || nth >= BTF_INFO_VLEN(proto->info))
		return;
	params = (const void *)(proto + 1);
	id = pointee(g->btf, params[nth].type);
	if (id && loaded)
		id = pointer_to(g, id);
	if (id)
		vote(g, global, id);
}

void btf_globals_result(struct btf_globals *g, u64 callee, u64 global)
{
	const struct btf_type *proto = proto_at(g, callee);
	u32 id = proto ? pointee(g->btf, proto->type) : 0;

	id = id ? pointer_to(g, id) : 0;
	if (id)
		vote(g, global, id);
}

void btf_globals_symbol(struct btf_globals *g, const char *name, u64 start, u64 end)
{
	for (u32 i = 0; i < ARRAY_SIZE(conventions); i++) {
		u32 id, size;

		if (conventions[i].suffix ? !g_str_has_suffix(name, conventions[i].text)
					  : !g_str_has_prefix(name, conventions[i].text))
			continue;
		id = GPOINTER_TO_UINT(g_hash_table_lookup(g->structures, conventions[i].type));
		if (!id)
			continue;
		size = conventions[i].pointer ? sizeof(u64) : btf_type(g->btf, id)->size;
		if (conventions[i].pointer)
			id = pointer_to(g, id);
		if (!id || end - start != size)
			continue;
		votes_of(g, start)->named = id;
		return;
	}
}

/* Does structure @outer begin with @inner? */
static bool begins_with(const struct btf *btf, u32 outer, u32 inner)
{
	for (u32 i = 0; outer && i < MAX_HOPS; i++) {
		const struct btf_type *type = btf_type(btf, outer);
		const struct btf_member *members = (const void *)(type + 1);

		if (outer == inner)
			return true;
		if ((btf_kind(type) != BTF_KIND_STRUCT && btf_kind(type) != BTF_KIND_UNION) ||
		    !BTF_INFO_VLEN(type->info) || BTF_MEMBER_BIT_OFFSET(members[0].offset))
			return false;
		outer = strip(btf, members[0].type);
	}
	return false;
}

/* 0: the votes do not agree. */
static u32 elected(const struct btf_globals *g, const struct votes *votes)
{
	u32 best = 0, total = votes->others, for_best = 0;

	for (u32 i = 0; i < votes->nr; i++) {
		u32 type = votes->types[i].type, nr = 0;

		total += votes->types[i].nr;
		for (u32 k = 0; k < votes->nr; k++)
			if (begins_with(g->btf, type, votes->types[k].type))
				nr += votes->types[k].nr;
		if (nr > for_best) {
			for_best = nr;
			best = type;
		}
	}
	return 3 * for_best >= 2 * total ? best : 0;
}

static int compare_globals(const void *pa, const void *pb)
{
	const struct btf_global *a = pa, *b = pb;

	return (a->address > b->address) - (a->address < b->address);
}

GArray *btf_globals_decide(struct btf_globals *g)
{
	GArray *decided = g_array_new(FALSE, FALSE, sizeof(struct btf_global));
	GHashTableIter iter;
	void *at;

	g_hash_table_iter_init(&iter, g->votes);
	while (g_hash_table_iter_next(&iter, NULL, &at)) {
		const struct votes *votes = at;
		struct btf_global global = { .address = votes->address };

		global.type = elected(g, votes) ?: votes->named;
		if (global.type)
			g_array_append_val(decided, global);
	}
	g_array_sort(decided, compare_globals);
	return decided;
}
