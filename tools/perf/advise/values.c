// SPDX-License-Identifier: GPL-2.0-or-later
#include "advise/values.h"

#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "base/table.h"
#include "resolve/place.h"
#include "typeflow/typeflow.h"

/* The values of one member. */
struct value_range {
	s64 offset;
	u32 type; /* text */
	u32 width;
	u64 samples;
	u64 least, most;     /* without a sign */
	s64 lowest, highest; /* with a sign */
};

struct advise_values {
	struct lexicon *lexicon;
	const struct field *type;
	GHashTable *ranges; /* struct value_range * */
};

static guint hash_range(const void *arg)
{
	const struct value_range *r = arg;

	return table_fold(table_mix((u64)r->offset, (u64)r->type << 32 | r->width));
}

static gboolean same_range(const void *pa, const void *pb)
{
	const struct value_range *a = pa, *b = pb;

	return a->offset == b->offset && a->type == b->type && a->width == b->width;
}

struct advise_values *advise_values_new(struct lexicon *lexicon)
{
	struct advise_values *v = g_new0(struct advise_values, 1);

	v->lexicon = lexicon;
	v->type = fields_find("type", FIELD_NORMAL, NULL);
	v->ranges = g_hash_table_new_full(hash_range, same_range, NULL, g_free);
	return v;
}

void advise_values_free(struct advise_values *v)
{
	if (!v)
		return;
	g_hash_table_unref(v->ranges);
	g_free(v);
}

static struct value_range *range_of(struct advise_values *v, struct value_range key)
{
	struct value_range *range = g_hash_table_lookup(v->ranges, &key);

	if (range)
		return range;
	key.least = UINT64_MAX;
	key.lowest = INT64_MAX;
	key.highest = INT64_MIN;
	range = g_memdup2(&key, sizeof(key));
	g_hash_table_add(v->ranges, range);
	return range;
}

void advise_values_take(struct advise_values *v, const struct place *place)
{
	const struct access *access = place->access;
	struct value_range key = { .width = place->addr_width }, *range;
	u32 above;
	u64 value;

	if (!place->has_value || !access || !access->type || access->offset == TYPE_OFFSET_ANY ||
	    !key.width || key.width > 8)
		return;
	key.offset = access->offset;
	key.type = (u32)v->type->key(v->type, v->lexicon, place);
	range = range_of(v, key);
	above = 64 - 8 * key.width;
	value = place->value << above;
	range->samples++;
	range->least = MIN(range->least, value >> above);
	range->most = MAX(range->most, value >> above);
	range->lowest = MIN(range->lowest, (s64)value >> above);
	range->highest = MAX(range->highest, (s64)value >> above);
}

/* Debug information tells signs, but struct type does not have them. */
static bool has_sign(const struct type *type)
{
	static const char *const names[] = { "int", "long int", "long long int", "short int", "i16",
					     "i32", "i64",	"isize",	 NULL };

	return g_strv_contains(names, type->name);
}

/* The fewest bytes in which all values fit, whether the member has a sign or not. 0: no fewer than now. */
static u32 bytes_needed(const struct value_range *r, bool sign)
{
	for (u32 bytes = 1; bytes < r->width; bytes *= 2) {
		u64 limit = 1ull << (8 * bytes - 1);

		if (sign ? r->lowest >= -(s64)limit && r->highest < (s64)limit
			 : r->most < 2 * limit)
			return bytes;
	}
	return 0;
}

/* Integers: other members have no values that are to be compared, or no other type. */
static bool is_integer(const struct member *member, const struct type *type)
{
	bool number = type->kind == TYPE_ENUM ||
		      (type->kind == TYPE_BASE && type->encoding == TYPE_NUMBER);

	return member->name && !member->bit_size && number && type->size > 1 && type->size <= 8;
}

static char *say(const struct value_range *r, const struct member *member, bool sign, u32 bytes)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "'%s' (%u bytes) had ", member->name, r->width);
	if (r->least == r->most && sign)
		g_string_append_printf(text, "%" PRId64, r->lowest);
	else if (r->least == r->most)
		g_string_append_printf(text, "%" PRIu64, r->least);
	else if (sign)
		g_string_append_printf(text, "values from %" PRId64 " to %" PRId64, r->lowest,
				       r->highest);
	else
		g_string_append_printf(text, "values from %" PRIu64 " to %" PRIu64, r->least,
				       r->most);
	g_string_append_printf(text,
			       " in all %" PRIu64 " samples that tell them, for which %u byte%s "
			       "would do; others are not known",
			       r->samples, bytes, bytes == 1 ? "" : "s");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

GPtrArray *advise_narrower(const struct advise_values *v, const struct advise_parts *parts,
			   u64 fewest)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

	for (u32 i = 0; v && i < parts->parts->len; i++) {
		const struct advise_part *part = advise_part(parts, i);
		const struct member *member = advise_part_member(parts, i);
		const struct type *type = type_strip(member->type);
		struct value_range key = { .offset = (s64)part->offset, .width = (u32)type->size };
		const struct value_range *range;
		bool sign = has_sign(type);
		u32 bytes;

		if (part->nr != 1 || !is_integer(member, type))
			continue;
		key.type = intern_id(v->lexicon->texts, type_shown_name(parts->type));
		range = g_hash_table_lookup(v->ranges, &key);
		bytes = range && range->samples >= fewest ? bytes_needed(range, sign) : 0;
		if (bytes)
			g_ptr_array_add(out, say(range, member, sign, bytes));
	}
	return out;
}
