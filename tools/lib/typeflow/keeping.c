// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers without pointers: read from and written to the file that store.h describes, for later runs, and passed from
 * one thread to another.
 *
 *	in memory (analysed.h)				stored (store.h)
 *	row { at 3, type 18, offset 8, FLOW }		row { at 3, type 1, offset 8, FLOW }
 *	types[17]: struct node, 24 bytes, at 0x2a	type 0 { place: type_number(), size 24, hash of its name }
 *	row { at 6, type 0, STACK_OP }			row { at 6, type 0, STACK_OP }
 *
 * Types are numbered anew, so the file has only those that are used. The place is that of the type's entry in the
 * debug information. It is found again in another run if the file is the same, which build-id and object_identity()
 * tell; size and name are compared again at each type.
 *
 * An answer that is kept must be the one that an analysis would give. So a row that is damaged or cannot be written
 * gives no answer (keeping_find() is false), and the function is analysed again:
 *
 *	the offset does not fit into 32 bits		the row is left out; STORE_MORE_ROWS
 *	the type has no number (type_number())		the same
 *	rounds are left					STORE_MORE_ANSWERS: a row without an answer does not count
 *	only announced addresses were analysed		STORE_MORE_ROWS: other addresses are analysed
 *
 * The same format passes answers from lanes to the caller: a type of a lane's debug information becomes a number, and
 * the caller finds the type of its own debug information by it.
 */
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/search.h"
#include "typeflow/flow/explain.h"
#include "typeflow/flow/flow.h"
#include "typeflow/answers/identity.h"
#include "typeflow/answers/store.h"
#include "typeflow/analysed.h"

#define WORTH_KEEPING                                                                              \
	2000 /* decoded instructions: fewer are analysed again as fast as a file is read */

/* An object without debug information is not kept: the debug information may be found next time. */
static bool keeping_key(const struct typeflow *flow, const struct object_entry *entry,
			struct store_key *key)
{
	*key = (struct store_key){ .folder = flow->folder, .variant = flow->fusion };
	if (!flow->folder || !entry->object.debug)
		return false;
	key->object = dso_build_id(entry->object.dso);
	if (!key->object.size)
		return false;
	key->contents = object_identity(entry->object.dso);
	return true;
}

void keeping_read(const struct typeflow *flow, struct object_entry *entry)
{
	struct store *store = NULL;
	struct store_key key;

	entry->keeps = keeping_key(flow, entry, &key);
	if (entry->keeps)
		store = store_open(&key);
	if (store)
		keeping_add(entry, store);
}

void keeping_add(struct object_entry *entry, struct store *store)
{
	struct kept_answers *kept = g_new0(struct kept_answers, 1);

	kept->store = store;
	kept->types = g_ptr_array_new();
	g_ptr_array_set_size(kept->types, (int)store_nr_types(store));
	g_ptr_array_add(entry->kept, kept);
}

void keeping_free(struct kept_answers *kept)
{
	store_close(kept->store);
	g_ptr_array_unref(kept->types);
	g_free(kept);
}

bool keeping_knows(const struct object_entry *entry, u64 vaddr)
{
	const GPtrArray *all = (entry->whole ?: entry)->kept;

	for (u32 i = 0; i < all->len; i++) {
		const struct kept_answers *kept = g_ptr_array_index(all, i);

		if (store_find(kept->store, vaddr, NULL))
			return true;
	}
	return false;
}

/* The type of the stored index, or NULL. */
static const struct type *stored_type(const struct object_entry *entry, struct kept_answers *kept,
				      u32 index)
{
	const struct store_type *known = store_type(kept->store, index);
	const struct type *type;

	if (!known || !entry->object.debug)
		return NULL;
	type = g_ptr_array_index(kept->types, index);
	if (type)
		return type;
	type = debuginfo_type_numbered(entry->object.debug, known->place);
	if (!type || (u32)type->size != known->size || g_str_hash(type->name) != known->name_hash)
		return NULL;
	g_ptr_array_index(kept->types, index) = (void *)type;
	return type;
}

/*
 * False also for a row that contradicts itself: a type without a `how` that means one, or the reverse. Only a damaged
 * file has such rows.
 */
static bool find_in(const struct object_entry *entry, struct kept_answers *kept, u64 vaddr,
		    struct access *out)
{
	const struct store_row *row;
	const struct store_function *function = store_find(kept->store, vaddr, &row);
	bool typed;

	if (!function)
		return false;
	*out = (struct access){ .how = ACCESS_UNKNOWN, .why = (u8)function->why };
	if (!row)
		return !function->more && function->why < NR_ACCESS_WHY;
	typed = row->how != ACCESS_UNKNOWN && row->how < ACCESS_STACK_OP;
	if (row->how >= NR_ACCESS_HOW || row->why >= NR_ACCESS_WHY || typed != (row->type != 0))
		return false;
	out->type = row->type ? stored_type(entry, kept, row->type - 1) : NULL;
	if (row->type && !out->type)
		return false;
	out->offset = row->offset;
	out->how = row->how;
	out->why = row->why;
	out->roles = row->roles;
	out->numbers = row->numbers;
	out->width = row->width;
	return !(function->more & STORE_MORE_ANSWERS) || out->how != ACCESS_UNKNOWN ||
	       out->why == ACCESS_NO_MEMORY || row->settled;
}

bool keeping_find(struct object_entry *entry, u64 vaddr, struct access *out)
{
	for (u32 i = 0; i < entry->kept->len; i++)
		if (find_in(entry, g_ptr_array_index(entry->kept, i), vaddr, out))
			return true;
	return false;
}

static bool waited_in(const struct store *store, u64 vaddr, GArray *out)
{
	const struct store_function *function = store_find(store, vaddr, NULL);
	u32 nr;
	const struct wait_way *ways = function ? store_ways(store, function, vaddr, &nr) : NULL;

	for (u32 i = 0; ways && i < nr; i++)
		if (ways[i].how >= NR_WAITED_HOW)
			return false;
	if (ways)
		waits_tell(ways, nr, function->low, out);
	return ways;
}

bool keeping_waited(const struct object_entry *entry, u64 vaddr, GArray *out)
{
	for (u32 i = 0; i < entry->kept->len; i++) {
		const struct kept_answers *kept = g_ptr_array_index(entry->kept, i);

		if (waited_in(kept->store, vaddr, out))
			return true;
	}
	return false;
}

struct keeping {
	struct object_entry *entry;
	struct store_parts parts;
	bool equal;		 /* equal types get one index */
	GHashTable *by_identity; /* type_identity() plus 1 -> index plus 1 */
	u32 *by_id;		 /* type's id -> index plus 1 */
};

/* Index plus 1; 0: the type has no number by which it can be found again. */
static u32 add_type(struct keeping *k, const struct type *type)
{
	struct store_type kept = { .size = (u32)type->size };

	if (!type_number(type, &kept.place))
		return 0;
	kept.name_hash = g_str_hash(type->name);
	g_array_append_val(k->parts.types, kept);
	return k->parts.types->len;
}

/* The same, but equal types share an index: for files. */
static u32 add_equal_type(struct keeping *k, const struct type *type)
{
	gpointer identity = GUINT_TO_POINTER(type_identity(type) + 1);
	u32 index = GPOINTER_TO_UINT(g_hash_table_lookup(k->by_identity, identity));

	if (index)
		return index;
	index = add_type(k, type);
	if (index)
		g_hash_table_insert(k->by_identity, identity, GUINT_TO_POINTER(index));
	return index;
}

static u32 keep_type(struct keeping *k, const struct type *type)
{
	u32 *known = &k->by_id[type->id];

	if (!*known)
		*known = k->equal ? add_equal_type(k, type) : add_type(k, type);
	return *known;
}

static bool keep_row(struct keeping *k, const struct insn_row *row)
{
	struct store_row kept = {
		.at = row->at,
		.offset = (s32)row->offset,
		.width = (u8)row->width,
		.how = row->how,
		.why = row->why,
		.roles = row->roles,
		.numbers = row->numbers,
		.settled = row->settled,
	};

	if (kept.offset != row->offset || row->width > UINT8_MAX)
		return false;
	if (row->type)
		kept.type = keep_type(k, g_ptr_array_index(k->entry->types, row->type - 1));
	if (row->type && !kept.type)
		return false;
	g_array_append_val(k->parts.rows, kept);
	return true;
}

static void keep_waits(struct keeping *k, const struct function *function,
		       struct store_function *kept)
{
	u32 base = k->parts.ways->len;

	kept->first_wait = k->parts.waits->len;
	kept->nr_waits = function->waits->len;
	g_array_append_vals(k->parts.ways, function->ways->data, function->ways->len);
	for (u32 i = 0; i < function->waits->len; i++) {
		struct wait_row row = g_array_index(function->waits, struct wait_row, i);

		row.first += base;
		g_array_append_val(k->parts.waits, row);
	}
}

/* A function that was only decoded has waits, but no rows: its `more` says that rows are to be found by an analysis. */
static void keep_function(struct keeping *k, const struct function *function)
{
	struct store_function kept = {
		.low = function->low,
		.first = k->parts.rows->len,
		.why = function->why,
		.more = (function->part || !function->asked ? STORE_MORE_ROWS : 0) |
			(function->more ? STORE_MORE_ROWS | STORE_MORE_ANSWERS : 0),
	};

	for (u32 i = 0; i < function->rows->len; i++)
		if (!keep_row(k, &g_array_index(function->rows, struct insn_row, i)))
			kept.more |= STORE_MORE_ROWS;
	kept.nr = k->parts.rows->len - kept.first;
	keep_waits(k, function, &kept);
	for (u32 i = 0; i < function->ranges->len; i++) {
		const struct range *range = &g_array_index(function->ranges, struct range, i);
		struct store_piece piece = {
			.start = range->low,
			.end = range->high,
			.function = k->parts.functions->len,
		};

		g_array_append_val(k->parts.pieces, piece);
	}
	g_array_append_val(k->parts.functions, kept);
}

/* Adds the functions of @store, with the new indices of its types. */
static void keep_stored(struct keeping *k, const struct store *store)
{
	u32 nr = store_nr_types(store);
	g_autofree u32 *moved = g_new0(u32, nr + 1);

	for (u32 i = 0; i < nr; i++) {
		const struct store_type *type = store_type(store, i);

		g_array_append_val(k->parts.types, *type);
		moved[i] = k->parts.types->len;
	}
	store_merge(store, &k->parts, moved);
}

/* Collects all answers that @entry found by its own analyses. */
static void keeping_begin(struct keeping *k, struct object_entry *entry, bool equal)
{
	struct debuginfo_counts counts = { 0 };

	*k = (struct keeping){ .entry = entry, .equal = equal };
	if (entry->object.debug)
		debuginfo_counts(entry->object.debug, &counts);
	k->parts.pieces = g_array_new(false, false, sizeof(struct store_piece));
	k->parts.functions = g_array_new(false, false, sizeof(struct store_function));
	k->parts.rows = g_array_new(false, false, sizeof(struct store_row));
	k->parts.types = g_array_new(false, false, sizeof(struct store_type));
	k->parts.waits = g_array_new(false, false, sizeof(struct wait_row));
	k->parts.ways = g_array_new(false, false, sizeof(struct wait_way));
	k->by_identity = g_hash_table_new(NULL, NULL);
	k->by_id = g_new0(u32, counts.types + 1);
	for (u32 i = 0; i < entry->functions->len; i++)
		keep_function(k, g_ptr_array_index(entry->functions, i));
}

static void keeping_end(struct keeping *k)
{
	g_free(k->by_id);
	g_hash_table_unref(k->by_identity);
	g_array_unref(k->parts.pieces);
	g_array_unref(k->parts.functions);
	g_array_unref(k->parts.rows);
	g_array_unref(k->parts.types);
	g_array_unref(k->parts.waits);
	g_array_unref(k->parts.ways);
}

struct store *keeping_take(struct object_entry *from)
{
	struct keeping k;
	struct store *store;

	keeping_begin(&k, from, from->whole->keeps);
	store = store_new(&k.parts);
	keeping_end(&k);
	return store;
}

void keeping_write(struct typeflow *flow, struct object_entry *entry)
{
	struct store_key key;
	struct keeping k;

	if (!entry || !entry->keeps || entry->instructions < WORTH_KEEPING ||
	    !keeping_key(flow, entry, &key))
		return;
	keeping_begin(&k, entry, true);
	/* The first store is the file of earlier runs; newer answers come before it. */
	for (u32 i = entry->kept->len; i > 0; i--) {
		const struct kept_answers *kept = g_ptr_array_index(entry->kept, i - 1);

		keep_stored(&k, kept->store);
	}
	store_write(&key, &k.parts);
	keeping_end(&k);
}
