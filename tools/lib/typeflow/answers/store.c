// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file's contents are the arrays of store.h, one behind the other, and are used in place:
 *
 *	offset	bytes	content
 *	0	48	store_head: 3 pieces, 2 functions, 40 rows, 5 types, 60 waits, 64 ways
 *	48	3 * 24	pieces, by start: { 1040, 1043, 0 } { 1170, 11c7, 0 } { 11d0, 120b, 1 }
 *	120	2 * 32	functions: { low 1040, rows 0 to 23, waits 0 to 34 } { low 11d0, rows 24 to 39, waits 35 to 59 }
 *	184	40 * 16	rows; of each function by address
 *	824	5 * 16	types
 *	904	60 * 12	waits
 *	1624	64 * 12	ways
 *
 * The sizes of the structs keep every array aligned: those with 8-byte members come before those of 12 bytes. A new
 * member, or another meaning of a number, needs a new VERSION.
 *
 * Nothing in a file is trusted. Opening checks that the arrays fill the file. Each index is checked where it is used.
 * An array that is not sorted makes a search miss its row, but never leave the array.
 */
#include "base/search.h"
#include "dso/kept.h"
#include "typeflow/answers/store.h"

struct store_head {
	u64 nr_pieces, nr_functions, nr_rows, nr_types, nr_waits, nr_ways;
};

#define VERSION 5

struct store {
	struct kept_file kept;
	GArray *made; /* the bytes of a store in memory; NULL: they are in @kept */
	const struct store_head *head;
	const struct store_piece *pieces;
	const struct store_function *functions;
	const struct store_row *rows;
	const struct store_type *types;
	const struct wait_row *waits;
	const struct wait_way *ways;
};

static struct kept_key kept_key_of(const struct store_key *key)
{
	return (struct kept_key){ key->folder,	"PERFTYPE",  VERSION,
				  key->variant, key->object, key->contents };
}

/* Sets the pointers to the arrays in @bytes. False: their sizes do not add up to @size. */
static bool lay_out(struct store *store, const u8 *bytes, size_t size)
{
	const struct store_head *head = (const void *)bytes;
	u64 limit = KEPT_FILE_MAX, left = size - sizeof(*head);
	const u8 *at = bytes + sizeof(*head);

	if (size < sizeof(*head))
		return false;
	if (head->nr_pieces > limit || head->nr_functions > limit || head->nr_rows > limit ||
	    head->nr_types > limit || head->nr_waits > limit || head->nr_ways > limit)
		return false;
	if (head->nr_pieces * sizeof(struct store_piece) +
		    head->nr_functions * sizeof(struct store_function) +
		    head->nr_rows * sizeof(struct store_row) +
		    head->nr_types * sizeof(struct store_type) +
		    head->nr_waits * sizeof(struct wait_row) +
		    head->nr_ways * sizeof(struct wait_way) !=
	    left)
		return false;
	store->head = head;
	store->pieces = (const struct store_piece *)(const void *)at;
	at += head->nr_pieces * sizeof(struct store_piece);
	store->functions = (const struct store_function *)(const void *)at;
	at += head->nr_functions * sizeof(struct store_function);
	store->rows = (const struct store_row *)(const void *)at;
	at += head->nr_rows * sizeof(struct store_row);
	store->types = (const struct store_type *)(const void *)at;
	at += head->nr_types * sizeof(struct store_type);
	store->waits = (const struct wait_row *)(const void *)at;
	at += head->nr_waits * sizeof(struct wait_row);
	store->ways = (const struct wait_way *)(const void *)at;
	return true;
}

struct store *store_open(const struct store_key *key)
{
	struct kept_key kept_key = kept_key_of(key);
	struct store *store = g_new0(struct store, 1);

	if (!kept_open(&kept_key, &store->kept) ||
	    !lay_out(store, store->kept.bytes, store->kept.size))
		g_clear_pointer(&store, store_close);
	return store;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->made)
		g_array_unref(store->made);
	else
		kept_close(&store->kept);
	g_free(store);
}

static const struct store_row *find_row(const struct store *store, const struct store_function *f,
					u64 vaddr)
{
	const struct store_row *rows = &store->rows[f->first];
	u32 at;

	if (f->first > store->head->nr_rows || f->nr > store->head->nr_rows - f->first ||
	    vaddr - f->low > UINT32_MAX)
		return NULL;
	at = SEARCH(i, 0, f->nr, rows[i].at < vaddr - f->low);
	return at < f->nr && rows[at].at == vaddr - f->low ? &rows[at] : NULL;
}

const struct store_function *store_find(const struct store *store, u64 vaddr,
					const struct store_row **row)
{
	const struct store_function *function;
	u32 low = SEARCH(i, 0, store->head->nr_pieces, store->pieces[i].start <= vaddr);

	if (!low || store->pieces[low - 1].end <= vaddr ||
	    store->pieces[low - 1].function >= store->head->nr_functions)
		return NULL;
	function = &store->functions[store->pieces[low - 1].function];
	if (row)
		*row = find_row(store, function, vaddr);
	return function;
}

/* False: the numbers are damaged. */
static bool has_waits(const struct store *store, const struct store_function *f)
{
	return f->first_wait <= store->head->nr_waits &&
	       f->nr_waits <= store->head->nr_waits - f->first_wait;
}

static bool has_ways(const struct store *store, const struct wait_row *row)
{
	return row->nr && row->first <= store->head->nr_ways &&
	       row->nr <= store->head->nr_ways - row->first;
}

const struct wait_way *store_ways(const struct store *store, const struct store_function *function,
				  u64 vaddr, u32 *nr)
{
	const struct wait_row *rows = store->waits + function->first_wait;
	u64 at = vaddr - function->low;
	u32 found;

	if (!has_waits(store, function))
		return NULL;
	found = SEARCH(i, 0, function->nr_waits, rows[i].at < at);
	if (found == function->nr_waits || rows[found].at != at || !has_ways(store, &rows[found]))
		return NULL;
	*nr = rows[found].nr;
	return store->ways + rows[found].first;
}

u32 store_nr_types(const struct store *store)
{
	return (u32)store->head->nr_types;
}

const struct store_type *store_type(const struct store *store, u32 index)
{
	return index < store->head->nr_types ? &store->types[index] : NULL;
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct store_piece *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* True if @piece overlaps one of the first @nr pieces, which are sorted. */
static bool is_covered(const GArray *pieces, u32 nr, const struct store_piece *piece)
{
	const struct store_piece *rows = (const struct store_piece *)pieces->data;
	u32 at = SEARCH(i, 0, nr, rows[i].end <= piece->start);

	return at < nr && rows[at].start < piece->end;
}

/* Appends the waits of @function of @store, whose first one is then first_wait. */
static void copy_waits(const struct store *store, struct store_function *function,
		       struct store_parts *parts)
{
	u32 first = parts->waits->len;

	for (u32 i = 0; has_waits(store, function) && i < function->nr_waits; i++) {
		struct wait_row row = store->waits[function->first_wait + i];

		if (!has_ways(store, &row))
			continue;
		g_array_append_vals(parts->ways, store->ways + row.first, row.nr);
		row.first = parts->ways->len - row.nr;
		g_array_append_val(parts->waits, row);
	}
	function->first_wait = first;
	function->nr_waits = parts->waits->len - first;
}

/* Copies the function and its rows; returns its new index. */
static u32 copy_function(const struct store *store, const struct store_function *function,
			 struct store_parts *parts, const u32 *types)
{
	struct store_function copy = *function;
	u32 first = parts->rows->len;

	if (copy.first > store->head->nr_rows || copy.nr > store->head->nr_rows - copy.first)
		copy.nr = 0;
	g_array_append_vals(parts->rows, store->rows + copy.first, copy.nr);
	copy.first = first;
	for (u32 i = 0; i < copy.nr; i++) {
		struct store_row *row = &g_array_index(parts->rows, struct store_row, first + i);

		row->type = row->type && row->type <= store->head->nr_types ? types[row->type - 1]
									    : 0;
	}
	copy_waits(store, &copy, parts);
	g_array_append_val(parts->functions, copy);
	return parts->functions->len - 1;
}

/*
 * @parts has the newer answers. If one piece of a function of @store overlaps a piece of @parts, all of that function
 * is left out.
 *
 *	@parts: sw [1170, 11c7)		@store: sw [1040, 1043) [1170, 11c7): both are left out; walk: copied
 */
void store_merge(const struct store *store, struct store_parts *parts, const u32 *types)
{
	u64 nr = store->head->nr_functions;
	g_autofree u32 *moved = g_new0(u32, nr + 1); /* new index plus 1 */
	g_autofree u8 *gone = g_new0(u8, nr + 1);
	u32 own = parts->pieces->len;

	g_array_sort(parts->pieces, compare_pieces);
	for (u64 i = 0; i < store->head->nr_pieces; i++) {
		const struct store_piece *piece = &store->pieces[i];

		if (piece->function < nr && is_covered(parts->pieces, own, piece))
			gone[piece->function] = 1;
	}
	for (u64 i = 0; i < store->head->nr_pieces; i++) {
		struct store_piece piece = store->pieces[i];

		if (piece.function >= nr || gone[piece.function])
			continue;
		if (!moved[piece.function])
			moved[piece.function] = copy_function(store,
							      &store->functions[piece.function],
							      parts, types) +
						1;
		piece.function = moved[piece.function] - 1;
		g_array_append_val(parts->pieces, piece);
	}
}

/* All parts in one array of bytes; NULL: too large. */
static GArray *join_parts(const struct store_parts *parts)
{
	const struct store_head head = {
		.nr_pieces = parts->pieces->len,
		.nr_functions = parts->functions->len,
		.nr_rows = parts->rows->len,
		.nr_types = parts->types->len,
		.nr_waits = parts->waits->len,
		.nr_ways = parts->ways->len,
	};
	const GArray *arrays[] = { parts->pieces, parts->functions, parts->rows,
				   parts->types,  parts->waits,	    parts->ways };
	const u32 sizes[] = { sizeof(struct store_piece), sizeof(struct store_function),
			      sizeof(struct store_row),	  sizeof(struct store_type),
			      sizeof(struct wait_row),	  sizeof(struct wait_way) };
	GArray *all = g_array_new(false, false, 1);

	g_array_append_vals(all, &head, sizeof(head));
	for (u32 i = 0; i < ARRAY_SIZE(arrays); i++) {
		u64 bytes = (u64)arrays[i]->len * sizes[i];

		if (all->len + bytes > KEPT_FILE_MAX) {
			g_array_unref(all);
			return NULL;
		}
		g_array_append_vals(all, arrays[i]->data, (guint)bytes);
	}
	return all;
}

struct store *store_new(struct store_parts *parts)
{
	struct store *store = g_new0(struct store, 1);

	g_array_sort(parts->pieces, compare_pieces);
	store->made = join_parts(parts);
	if (store->made && lay_out(store, (const u8 *)store->made->data, store->made->len))
		return store;
	g_clear_pointer(&store->made, g_array_unref);
	g_free(store);
	return NULL;
}

void store_write(const struct store_key *key, struct store_parts *parts)
{
	struct kept_key kept_key = kept_key_of(key);
	g_autoptr(GArray) all = NULL;

	g_array_sort(parts->pieces, compare_pieces);
	all = join_parts(parts);
	if (all)
		kept_write(&kept_key, all->data, all->len);
}
