// SPDX-License-Identifier: GPL-2.0-or-later
/* Answers that outlive a run: from and to the file that store.h describes. */
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/search.h"
#include "typeflow/explain.h"
#include "typeflow/flow.h"
#include "typeflow/identity.h"
#include "typeflow/skid.h"
#include "typeflow/store.h"
#include "typeflow/analysed.h"

#define WORTH_KEEPING 50000 /* instructions: what is decided of fewer is decided anew as fast */

/* Only what has debug information is kept: without, it may be there the next time. */
bool keeping_key(const struct typeflow *flow, const struct object_entry *entry,
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

/* The type that was meant, or NULL. */
static const struct type *stored_type(struct object_entry *entry, u32 index)
{
	const struct store_type *known = store_type(entry->store, index);
	const struct type *type;

	if (!known)
		return NULL;
	type = g_ptr_array_index(entry->stored, index);
	if (type)
		return type;
	type = debuginfo_type_numbered(entry->object.debug, known->place);
	if (!type || (u32)type->size != known->size || g_str_hash(type->name) != known->name_hash)
		return NULL;
	g_ptr_array_index(entry->stored, index) = (void *)type;
	return type;
}

/* False where nothing is kept of it, or less than could be said. */
bool keeping_find(struct object_entry *entry, u64 vaddr, struct access *out)
{
	const struct store_row *row;
	const struct store_function *function = store_find(entry->store, vaddr, &row);
	bool typed;
	u8 width = 0;

	if (!function)
		return false;
	*out = (struct access){ .how = ACCESS_UNKNOWN, .why = (u8)function->why };
	if (!row)
		return !function->more && function->why < NR_ACCESS_WHY;
	typed = row->how != ACCESS_UNKNOWN && row->how < ACCESS_STACK_OP;
	if (row->how >= NR_ACCESS_HOW || row->why >= NR_ACCESS_WHY || typed != (row->type != 0))
		return false;
	out->type = row->type ? stored_type(entry, row->type - 1) : NULL;
	if (row->type && !out->type)
		return false;
	out->offset = row->offset;
	out->how = row->how;
	out->why = row->why;
	out->roles = row->roles;
	*(row->why == ACCESS_NO_MEMORY ? &out->back : &width) = row->width;
	out->width = width;
	return !function->more || out->how != ACCESS_UNKNOWN || out->why == ACCESS_NO_MEMORY;
}

struct keeping {
	struct object_entry *entry;
	struct store_parts parts;
	GHashTable *by_identity; /* of a type, plus 1 -> index plus 1 */
	u32 *by_id;		 /* of a type -> index plus 1 */
};

/* Index plus 1, equal types having one; 0: it cannot be found again. */
static u32 keep_type(struct keeping *k, const struct type *type)
{
	struct store_type kept = { .size = (u32)type->size };
	u32 identity, index;

	if (k->by_id[type->id])
		return k->by_id[type->id];
	identity = type_identity(type) + 1;
	index = GPOINTER_TO_UINT(g_hash_table_lookup(k->by_identity, GUINT_TO_POINTER(identity)));
	if (!index && type_number(type, &kept.place)) {
		kept.name_hash = g_str_hash(type->name);
		g_array_append_val(k->parts.types, kept);
		index = k->parts.types->len;
		g_hash_table_insert(k->by_identity, GUINT_TO_POINTER(identity),
				    GUINT_TO_POINTER(index));
	}
	k->by_id[type->id] = index;
	return index;
}

static bool keep_row(struct keeping *k, const struct insn_row *row)
{
	struct store_row kept = {
		.at = row->at,
		.offset = (s32)row->offset,
		.width = row->why == ACCESS_NO_MEMORY ? row->back : (u8)row->width,
		.how = row->how,
		.why = row->why,
		.roles = row->roles,
	};

	if (kept.offset != row->offset || row->width > UINT8_MAX)
		return false;
	if (row->type)
		kept.type = keep_type(k, g_ptr_array_index(k->entry->types, row->type - 1));
	g_array_append_val(k->parts.rows, kept);
	return !row->type || kept.type;
}

static void keep_function(struct keeping *k, const struct function *function)
{
	struct store_function kept = {
		.low = function->low,
		.first = k->parts.rows->len,
		.nr = function->rows->len,
		.why = function->why,
		.more = function->part || function->more != NULL,
	};

	for (u32 i = 0; i < function->rows->len; i++) {
		if (keep_row(k, &g_array_index(function->rows, struct insn_row, i)))
			continue;
		g_array_set_size(k->parts.rows, kept.first);
		return;
	}
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

/* The types of the old file, as the new one counts them. */
static void keep_stored(struct keeping *k)
{
	struct object_entry *entry = k->entry;
	u32 nr = store_nr_types(entry->store);
	g_autofree u32 *moved = g_new0(u32, nr + 1);

	for (u32 i = 0; i < nr; i++) {
		const struct store_type *type = store_type(entry->store, i);

		g_array_append_val(k->parts.types, *type);
		moved[i] = k->parts.types->len;
	}
	store_merge(entry->store, &k->parts, moved);
}

void keeping_write(struct typeflow *flow, struct object_entry *entry)
{
	struct keeping k = { .entry = entry };
	struct debuginfo_counts counts;
	struct store_key key;

	if (!entry || entry->instructions < WORTH_KEEPING || !keeping_key(flow, entry, &key))
		return;
	debuginfo_counts(entry->object.debug, &counts);
	k.parts.pieces = g_array_new(false, false, sizeof(struct store_piece));
	k.parts.functions = g_array_new(false, false, sizeof(struct store_function));
	k.parts.rows = g_array_new(false, false, sizeof(struct store_row));
	k.parts.types = g_array_new(false, false, sizeof(struct store_type));
	k.by_identity = g_hash_table_new(NULL, NULL);
	k.by_id = g_new0(u32, counts.types);
	for (u32 i = 0; i < entry->functions->len; i++)
		keep_function(&k, g_ptr_array_index(entry->functions, i));
	if (entry->store)
		keep_stored(&k);
	store_write(&key, &k.parts);
	g_free(k.by_id);
	g_hash_table_unref(k.by_identity);
	g_array_unref(k.parts.pieces);
	g_array_unref(k.parts.functions);
	g_array_unref(k.parts.rows);
	g_array_unref(k.parts.types);
}
