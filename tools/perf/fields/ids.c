// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/ids.h"

#include <string.h>

#include "activity/identity.h"
#include "activity/layout.h"
#include "base/table.h"

#define BLOCK_SHIFT 20 /* blocks of 1 MiB; each id is stored as kind, size, bytes */
#define BLOCK_SIZE  (1u << BLOCK_SHIFT)
#define MOST	    (1u << 21) /* if there is a limit: this many ids are counted */
#define MOST_BLOCKS 64u

struct ids {
	GPtrArray *blocks;
	u32 block_used;
	GArray *places;	     /* u32: block << BLOCK_SHIFT | offset */
	GArray *weights;     /* u64 */
	GByteArray *dropped; /* 1: merged into "others"; NULL: none is */
	struct table index;
	u32 nr_states;
	bool limited, beyond;
};

static u32 add(struct ids *ids, u32 hash, enum id_kind kind, const void *bytes, u32 size)
{
	u64 none = 0;
	u32 place;
	u8 *at;

	if (!ids->blocks->len || ids->block_used + 2 + size > BLOCK_SIZE) {
		g_ptr_array_add(ids->blocks, g_malloc(BLOCK_SIZE));
		ids->block_used = 0;
	}
	at = (u8 *)g_ptr_array_index(ids->blocks, ids->blocks->len - 1) + ids->block_used;
	place = (ids->blocks->len - 1) << BLOCK_SHIFT | ids->block_used;
	at[0] = (u8)kind;
	at[1] = (u8)size;
	if (size)
		memcpy(at + 2, bytes, size);
	ids->block_used += 2 + size;
	g_array_append_val(ids->places, place);
	g_array_append_val(ids->weights, none);
	table_add(&ids->index, hash, ids->places->len - 1);
	return ids->places->len - 1;
}

struct ids *ids_new(bool limited)
{
	struct ids *ids = g_new0(struct ids, 1);

	ids->limited = limited;
	ids->blocks = g_ptr_array_new_with_free_func(g_free);
	ids->places = g_array_new(FALSE, FALSE, sizeof(u32));
	ids->weights = g_array_new(FALSE, FALSE, sizeof(u64));
	table_init(&ids->index);
	add(ids, 0, ID_REST, NULL, 0);
	return ids;
}

void ids_free(struct ids *ids)
{
	if (!ids)
		return;
	g_ptr_array_unref(ids->blocks);
	g_array_unref(ids->places);
	g_array_unref(ids->weights);
	if (ids->dropped)
		g_byte_array_unref(ids->dropped);
	table_release(&ids->index);
	g_free(ids);
}

static const u8 *record_of(const struct ids *ids, u32 id)
{
	u32 place = g_array_index(ids->places, u32, id);

	return (const u8 *)g_ptr_array_index(ids->blocks, place >> BLOCK_SHIFT) +
	       (place & (BLOCK_SIZE - 1));
}

enum id_kind ids_kind(const struct ids *ids, u32 id)
{
	return record_of(ids, id)[0];
}

const u8 *ids_bytes(const struct ids *ids, u32 id, u32 *size)
{
	const u8 *record = record_of(ids, id);

	*size = record[1];
	return record + 2;
}

static u32 hash_of(enum id_kind kind, const u8 *bytes, u32 size)
{
	u64 mixed = (u64)kind << 8 | size, word = 0;

	for (; size > sizeof(word); size -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		mixed = table_mix(mixed, word);
	}
	word = 0;
	memcpy(&word, bytes, size);
	return table_fold(table_mix(mixed, word));
}

static u32 known(const struct ids *ids, u32 id)
{
	return ids->dropped && id < ids->dropped->len && ids->dropped->data[id] ? ID_OTHERS : id;
}

static bool is_full(const struct ids *ids)
{
	return ids->limited && (ids->places->len >= MOST || ids->blocks->len >= MOST_BLOCKS);
}

static s64 find(const struct ids *ids, u32 hash, enum id_kind kind, const void *bytes, u32 size)
{
	u32 at = hash;
	s64 i;

	while ((i = table_next(&ids->index, hash, &at)) >= 0) {
		const u8 *record = record_of(ids, (u32)i);

		if (record[0] == kind && record[1] == size && !memcmp(record + 2, bytes, size))
			break;
	}
	return i;
}

u32 ids_get(struct ids *ids, enum id_kind kind, const void *bytes, u32 size)
{
	u32 hash;
	s64 i;

	size = MIN(size, ID_MAX);
	hash = hash_of(kind, bytes, size);
	i = find(ids, hash, kind, bytes, size);
	if (i >= 0)
		return known(ids, (u32)i);
	if (kind != ID_STATE && (ids->dropped || is_full(ids))) {
		ids->beyond |= !ids->dropped;
		return ID_OTHERS;
	}
	ids->nr_states += kind == ID_STATE;
	return add(ids, hash, kind, bytes, size);
}

void ids_weigh(struct ids *ids, u32 id, u64 weight)
{
	g_array_index(ids->weights, u64, id) += weight;
}

u32 ids_name(struct ids *ids, enum id_kind kind, const void *bytes, u32 size)
{
	u32 hash;
	s64 i;

	size = MIN(size, ID_MAX);
	hash = hash_of(kind, bytes, size);
	i = find(ids, hash, kind, bytes, size);
	if (i < 0 && is_full(ids))
		return ID_OTHERS;
	return i < 0 ? add(ids, hash, kind, bytes, size) : (u32)i;
}

static int compare_falling(gconstpointer a, gconstpointer b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x > y ? -1 : x < y;
}

void ids_keep_heaviest(struct ids *ids, u32 nr)
{
	g_autoptr(GArray) sorted = g_array_copy(ids->weights);
	u32 left = nr;
	u64 least;

	if (nr >= sorted->len)
		return;
	g_array_sort(sorted, compare_falling);
	least = g_array_index(sorted, u64, nr ? nr - 1 : 0);
	if (!ids->dropped)
		ids->dropped = g_byte_array_new();
	g_byte_array_set_size(ids->dropped, ids->places->len);
	memset(ids->dropped->data, 0, ids->dropped->len);
	/* Keep the ids above the least weight. Fill the remaining room with ids of exactly that weight. */
	for (u32 i = 1; i < ids->places->len; i++)
		left -= MIN(left, g_array_index(ids->weights, u64, i) > least);
	for (u32 i = 1; i < ids->places->len; i++) {
		u64 *weight = &g_array_index(ids->weights, u64, i);
		bool keep = *weight > least || ids_kind(ids, i) == ID_STATE;

		if (!keep && *weight == least && left) {
			keep = true;
			left--;
		}
		ids->dropped->data[i] = !keep;
		*weight = 0;
	}
}

u32 ids_nr(const struct ids *ids, bool *beyond)
{
	*beyond = ids->beyond;
	return ids->places->len - 1 - ids->nr_states;
}

int ids_order(const struct ids *ids, u32 a, u32 b)
{
	const u8 *x = record_of(ids, a), *y = record_of(ids, b);
	int result;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	result = memcmp(x + 2, y + 2, MIN(x[1], y[1]));
	return result ? result : (int)x[1] - (int)y[1];
}

static void print_hex(const u8 *bytes, u32 size, GString *out)
{
	static const char digits[] = "0123456789abcdef";

	for (u32 i = 0; i < size; i++) {
		g_string_append_c(out, digits[bytes[i] >> 4]);
		g_string_append_c(out, digits[bytes[i] & 15]);
	}
}

void ids_print(const struct ids *ids, u32 id, GString *out)
{
	u32 size;
	const u8 *bytes = ids_bytes(ids, id, &size);

	switch (ids_kind(ids, id)) {
	case ID_HEX:
		print_hex(bytes, size, out);
		break;
	case ID_PAIR:
		print_hex(bytes, 16, out);
		g_string_append_c(out, ':');
		print_hex(bytes + 16, size - 16, out);
		break;
	case ID_SPAN:
		print_hex(bytes + 16, size - 16, out);
		break;
	case ID_TEXT:
		g_string_append_len(out, (const char *)bytes, size);
		break;
	case ID_STATE:
		g_string_append_printf(out, "(%s)", activity_state_name(*bytes));
		break;
	case ID_REST:
		g_string_append(out, "(others)");
		break;
	}
}

void ids_print_whole(const struct ids *ids, u32 id, GString *out)
{
	u32 size;
	const u8 *bytes = ids_bytes(ids, id, &size);

	if (ids_kind(ids, id) == ID_SPAN) {
		print_hex(bytes, 16, out);
		g_string_append_c(out, ':');
	}
	ids_print(ids, id, out);
}
