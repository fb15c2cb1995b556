// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads Parquet by parquet.thrift and the pages "File Format", "Encodings" and "Data Pages" of its specification. */
#include <inttypes.h>
#include <string.h>
#include <zstd.h>

#include "tests/columnar/table.h"

struct bytes {
	const u8 *at, *end;
};

struct reader {
	struct table_rows *rows;
	const u8 *file;
	size_t size;
	u64 rows_before; /* of the row group */
};

/* A value of Thrift; the elements of a list and the fields of a struct are below it. */
struct node {
	u32 field, type;
	s64 number;
	struct bytes bytes;
	GPtrArray *below; /* struct node * */
};

enum {
	T_TRUE = 1,
	T_FALSE,
	T_BYTE,
	T_I16,
	T_I32,
	T_I64,
	T_DOUBLE,
	T_BINARY,
	T_LIST,
	T_SET,
	T_MAP,
	T_STRUCT
};
enum { INT32 = 1, INT64 = 2, BYTE_ARRAY = 6, FIXED = 7 };

static bool G_GNUC_PRINTF(3, 4) hold(struct reader *r, bool good, const char *fmt, ...)
{
	va_list args;

	if (good || r->rows->problem)
		return good && !r->rows->problem;
	va_start(args, fmt);
	r->rows->problem = g_strdup_vprintf(fmt, args);
	va_end(args);
	return false;
}

static u8 byte_of(struct reader *r, struct bytes *b)
{
	return hold(r, b->at < b->end, "the bytes end too early") ? *b->at++ : 0;
}

static u64 varint_of(struct reader *r, struct bytes *b)
{
	u64 value = 0;

	for (u32 shift = 0; shift < 64; shift += 7) {
		u8 byte = byte_of(r, b);

		value |= (u64)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	hold(r, false, "a varint does not end");
	return 0;
}

static s64 zigzag_of(struct reader *r, struct bytes *b)
{
	u64 value = varint_of(r, b);

	return (s64)(value >> 1 ^ -(value & 1));
}

static struct bytes part_of(struct reader *r, struct bytes *b, u64 size)
{
	struct bytes part = { b->at, b->at };

	if (!hold(r, size <= (u64)(b->end - b->at), "a part is longer than the whole"))
		return part;
	part.end = b->at += size;
	return part;
}

static void node_free(void *node)
{
	struct node *n = node;

	g_ptr_array_unref(n->below);
	g_free(n);
}

static struct node *value_of(struct reader *r, struct bytes *b, u32 field, u32 type, bool element);

static void read_list(struct reader *r, struct bytes *b, struct node *n)
{
	u8 head = byte_of(r, b);
	u64 nr = head >> 4 == 15 ? varint_of(r, b) : head >> 4;

	for (u64 i = 0; i < nr && !r->rows->problem; i++)
		g_ptr_array_add(n->below, value_of(r, b, (u32)i, head & 15, true));
}

static void read_struct(struct reader *r, struct bytes *b, struct node *n)
{
	u32 last = 0;

	for (u8 head; !r->rows->problem && (head = byte_of(r, b));) {
		last = head >> 4 ? last + (head >> 4) : (u32)zigzag_of(r, b);
		g_ptr_array_add(n->below, value_of(r, b, last, head & 15, false));
	}
}

static struct node *value_of(struct reader *r, struct bytes *b, u32 field, u32 type, bool element)
{
	struct node *n = g_new0(struct node, 1);

	n->field = field;
	n->type = type;
	n->below = g_ptr_array_new_with_free_func(node_free);
	if (type == T_TRUE || type == T_FALSE)
		n->number = element ? byte_of(r, b) == T_TRUE : type == T_TRUE;
	else if (type == T_BYTE)
		n->number = byte_of(r, b);
	else if (type == T_I16 || type == T_I32 || type == T_I64)
		n->number = zigzag_of(r, b);
	else if (type == T_BINARY)
		n->bytes = part_of(r, b, varint_of(r, b));
	else if (type == T_LIST)
		read_list(r, b, n);
	else if (hold(r, type == T_STRUCT, "Thrift type %u", type))
		read_struct(r, b, n);
	return n;
}

/* NULL: the struct has no such field. */
static const struct node *get(const struct node *n, u32 field)
{
	for (u32 i = 0; n && i < n->below->len; i++) {
		const struct node *f = n->below->pdata[i];

		if (f->field == field)
			return f;
	}
	return NULL;
}

static s64 num(const struct node *n, u32 field, s64 without)
{
	const struct node *f = get(n, field);

	return f ? f->number : without;
}

static u32 nr_below(const struct node *n)
{
	return n ? n->below->len : 0;
}

static char *text_of(const struct node *n)
{
	return n ? g_strndup((const char *)n->bytes.at, (size_t)(n->bytes.end - n->bytes.at))
		 : g_strdup("");
}

/* A leaf of the schema. */
struct leaf {
	char *name;
	s64 type, length, converted;
	bool list;
};

static char *hex_of(struct bytes b)
{
	GString *s = g_string_new(NULL);

	for (; b.at < b.end; b.at++)
		g_string_append_printf(s, "%02x", *b.at);
	return g_string_free(s, FALSE);
}

/* A value as PLAIN stores it, a text without its size. */
static char *plain_text(const struct leaf *l, struct bytes b)
{
	u32 word = 0;
	u64 number = 0;

	if (l->type == BYTE_ARRAY)
		return g_strndup((const char *)b.at, (size_t)(b.end - b.at));
	if (l->type == FIXED)
		return hex_of(b);
	if (l->type == INT32) {
		memcpy(&word, b.at, 4);
		return l->converted == 17 ? g_strdup_printf("%d", (s32)word)
					  : g_strdup_printf("%u", word);
	}
	memcpy(&number, b.at, 8);
	return g_strdup_printf("%" PRIu64, number);
}

static char *read_plain(struct reader *r, const struct leaf *l, struct bytes *b)
{
	struct bytes size;
	u32 length = l->type == INT32 ? 4 : l->type == INT64 ? 8 : (u32)l->length;

	if (l->type == BYTE_ARRAY) {
		size = part_of(r, b, 4);
		if (r->rows->problem)
			return NULL;
		memcpy(&length, size.at, 4);
	}
	size = part_of(r, b, length);
	return r->rows->problem ? NULL : plain_text(l, size);
}

static u64 bits_of(const u8 *bytes, u64 bit, u32 width)
{
	u64 value = 0;

	for (u32 i = 0; i < width; i++, bit++)
		value |= (u64)(bytes[bit / 8] >> bit % 8 & 1) << i;
	return value;
}

/* Takes all of @b. */
static u32 *read_hybrid(struct reader *r, struct bytes b, u32 nr, u32 width)
{
	u32 *out = g_new0(u32, nr + 1), at = 0;

	while (at < nr && !r->rows->problem) {
		u64 head = varint_of(r, &b), length = head & 1 ? (head >> 1) * 8 : head >> 1;
		struct bytes part =
			part_of(r, &b, head & 1 ? (head >> 1) * width : (width + 7) / 8);

		hold(r, length > 0, "a run has no values");
		for (u64 i = 0; i < length && at < nr && !r->rows->problem; i++)
			out[at++] = (u32)bits_of(part.at, head & 1 ? i * width : 0, width);
	}
	hold(r, b.at == b.end, "bytes are left behind the values of a hybrid");
	return out;
}

static u64 *read_delta(struct reader *r, struct bytes b, u32 nr)
{
	u64 *out = g_new0(u64, nr + 1), block = varint_of(r, &b), minis = varint_of(r, &b);
	u32 at = 1;

	hold(r, block && block % 128 == 0 && minis && block % minis == 0 && block / minis % 32 == 0,
	     "sizes of a delta's blocks");
	hold(r, varint_of(r, &b) == nr, "a delta has another number of values");
	out[0] = (u64)zigzag_of(r, &b);
	while (at < nr && !r->rows->problem) {
		u64 least = (u64)zigzag_of(r, &b);
		struct bytes widths = part_of(r, &b, minis);

		for (u64 m = 0; m < minis && at < nr && !r->rows->problem; m++) {
			u32 width = widths.at[m];
			struct bytes part = part_of(r, &b, block / minis * width / 8);

			for (u64 i = 0; i < block / minis && at < nr && !r->rows->problem;
			     i++, at++)
				out[at] = out[at - 1] + least + bits_of(part.at, i * width, width);
		}
	}
	hold(r, b.at == b.end, "bytes are left behind a delta");
	return out;
}

/* The page's bytes, not compressed. Free with g_free(). */
static u8 *unpack(struct reader *r, s64 codec, struct bytes b, u64 size)
{
	u8 *out = g_malloc0(size + 1);

	if (codec == 0)
		memcpy(out, b.at, MIN(size, (u64)(b.end - b.at)));
	hold(r,
	     codec ? codec == 6 && ZSTD_decompress(out, size, b.at, (size_t)(b.end - b.at)) == size
		   : size == (u64)(b.end - b.at),
	     "a page cannot be unpacked");
	return out;
}

static void note_encoding(struct table_column *c, const char *name)
{
	char *more;

	if (c->encodings && strstr(c->encodings, name))
		return;
	more = c->encodings ? g_strconcat(c->encodings, " ", name, NULL) : g_strdup(name);
	g_free(c->encodings);
	c->encodings = more;
}

/* Values of a data page as texts. */
static void read_values(struct reader *r, const struct leaf *l, struct table_column *c,
			struct bytes b, s64 encoding, const GPtrArray *dictionary, u32 nr,
			GPtrArray *out)
{
	if (encoding == 0) {
		note_encoding(c, "PLAIN");
		for (u32 i = 0; i < nr && !r->rows->problem; i++)
			g_ptr_array_add(out, read_plain(r, l, &b));
		hold(r, b.at == b.end, "bytes are left behind plain values");
	} else if (encoding == 5) {
		g_autofree u64 *values = read_delta(r, b, nr);

		note_encoding(c, "DELTA");
		for (u32 i = 0; i < nr; i++)
			g_ptr_array_add(out, g_strdup_printf("%" PRIu64, values[i]));
	} else if (hold(r, encoding == 8, "encoding %d", (int)encoding)) {
		u32 width = byte_of(r, &b);
		g_autofree u32 *codes = read_hybrid(r, b, nr, width);

		note_encoding(c, "DICTIONARY");
		hold(r, dictionary->len || !nr, "there is no dictionary");
		for (u32 i = 0; i < nr && hold(r, codes[i] < dictionary->len,
					       "a code is not in the dictionary");
		     i++)
			g_ptr_array_add(out, g_strdup(dictionary->pdata[codes[i]]));
	}
}

static int compare(const struct leaf *l, const char *a, const char *b)
{
	u64 x, y;

	if (l->type == BYTE_ARRAY || l->type == FIXED)
		return strcmp(a, b);
	if (l->converted == 17)
		return atoi(a) < atoi(b) ? -1 : atoi(a) > atoi(b);
	x = g_ascii_strtoull(a, NULL, 10);
	y = g_ascii_strtoull(b, NULL, 10);
	return x < y ? -1 : x > y;
}

/* Statistics are there unless a value is long, and are exact. */
static void check_range(struct reader *r, const struct leaf *l, const struct node *statistics,
			const GPtrArray *values, u32 from)
{
	g_autofree char *least = NULL, *greatest = NULL;
	const char *is_least = NULL, *is_greatest = NULL;

	hold(r, num(statistics, 3, -1) == 0, "null values are not counted");
	for (u32 i = from; i < values->len && !r->rows->problem; i++) {
		is_least = is_least && compare(l, is_least, values->pdata[i]) <= 0
				   ? is_least
				   : values->pdata[i];
		is_greatest = is_greatest && compare(l, is_greatest, values->pdata[i]) >= 0
				      ? is_greatest
				      : values->pdata[i];
	}
	if (r->rows->problem || !is_least || !get(statistics, 5)) {
		hold(r, !is_least || strlen(is_least) > 64 || strlen(is_greatest) > 64,
		     "%s has no range", l->name);
		return;
	}
	greatest = plain_text(l, get(statistics, 5)->bytes);
	least = plain_text(l, get(statistics, 6)->bytes);
	hold(r, !strcmp(least, is_least) && !strcmp(greatest, is_greatest),
	     "%s: from %s to %s, stated as from %s to %s", l->name, is_least, is_greatest, least,
	     greatest);
}

static struct bytes levels_of(struct reader *r, struct bytes *b)
{
	struct bytes size = part_of(r, b, 4);
	u32 length = 0;

	if (!r->rows->problem)
		memcpy(&length, size.at, 4);
	return part_of(r, b, length);
}

/* Rows of a list: levels, then the values. */
static void read_lists(struct reader *r, struct bytes *b, u32 nr, u32 **repetition,
		       u32 **definition, u32 *nr_values)
{
	*repetition = read_hybrid(r, levels_of(r, b), nr, 1);
	*definition = read_hybrid(r, levels_of(r, b), nr, 1);
	*nr_values = 0;
	for (u32 i = 0; i < nr; i++)
		*nr_values += (*definition)[i];
}

static void add_lists(struct table_column *c, const u32 *repetition, const u32 *definition, u32 nr,
		      GPtrArray *values, u32 from)
{
	GString *cell = NULL;

	for (u32 i = 0; i < nr; i++) {
		if (!repetition[i] && cell)
			g_ptr_array_add(c->cells,
					g_string_free(g_string_append_c(cell, ']'), FALSE));
		if (!repetition[i])
			cell = g_string_new("[");
		if (definition[i] && from < values->len)
			g_string_append_printf(cell, "%s%s", repetition[i] ? "," : "",
					       (char *)values->pdata[from++]);
	}
	if (cell)
		g_ptr_array_add(c->cells, g_string_free(g_string_append_c(cell, ']'), FALSE));
}

static void read_data_page(struct reader *r, const struct leaf *l, struct table_column *c,
			   struct bytes b, const struct node *header, const GPtrArray *dictionary,
			   GPtrArray *values)
{
	u32 nr = (u32)num(header, 1, 0), nr_values = nr, from = values->len;
	g_autofree u32 *repetition = NULL, *definition = NULL;

	hold(r, num(header, 3, -1) == 3 && num(header, 4, -1) == 3, "levels are not RLE");
	if (l->list)
		read_lists(r, &b, nr, &repetition, &definition, &nr_values);
	read_values(r, l, c, b, num(header, 2, -1), dictionary, nr_values, values);
	check_range(r, l, get(header, 5), values, from);
	r->rows->nr_pages++;
	if (r->rows->problem)
		return;
	if (l->list)
		add_lists(c, repetition, definition, nr, values, from);
	else
		for (u32 i = from; i < values->len; i++)
			g_ptr_array_add(c->cells, g_strdup(values->pdata[i]));
}

/* A page from @b. Returns how many values it has; those of the dictionary do not count. */
static u64 read_page(struct reader *r, const struct leaf *l, struct table_column *c,
		     struct bytes *b, s64 codec, GPtrArray *dictionary, GPtrArray *values)
{
	struct node *header = value_of(r, b, 0, T_STRUCT, false);
	struct bytes packed = part_of(r, b, (u64)num(header, 3, 0));
	u64 size = (u64)num(header, 2, 0), nr = 0;
	g_autofree u8 *page = unpack(r, codec, packed, size);
	struct bytes plain = { page, page + size };
	bool is_dictionary = num(header, 1, -1) == 2;

	if (is_dictionary) {
		hold(r, !dictionary->len && !values->len, "a dictionary is not the first page");
		for (s64 i = num(get(header, 7), 1, 0); i > 0 && !r->rows->problem; i--)
			g_ptr_array_add(dictionary, read_plain(r, l, &plain));
		hold(r, plain.at == plain.end, "bytes are left behind a dictionary");
	} else if (hold(r, num(header, 1, -1) == 0 && get(header, 5), "a page of another kind")) {
		read_data_page(r, l, c, plain, get(header, 5), dictionary, values);
		nr = (u64)num(get(header, 5), 1, 0);
	}
	node_free(header);
	return nr;
}

static void read_chunk(struct reader *r, const struct leaf *l, struct table_column *c,
		       const struct node *chunk)
{
	const struct node *meta = get(chunk, 3);
	s64 begin = num(meta, 11, num(meta, 9, 0)), size = num(meta, 7, 0);
	u64 nr = (u64)num(meta, 5, 0), have = 0;
	g_autoptr(GPtrArray) dictionary = g_ptr_array_new_with_free_func(g_free),
			     values = g_ptr_array_new_with_free_func(g_free);
	struct bytes b;

	if (!hold(r, begin >= 4 && size >= 0 && (u64)begin + (u64)size <= r->size,
		  "a column is not in the file"))
		return;
	hold(r, num(meta, 1, 0) == l->type && nr_below(get(meta, 3)) == (l->list ? 3 : 1),
	     "a column is not as in the schema");
	b = (struct bytes){ r->file + begin, r->file + begin + size };
	while (have < nr && !r->rows->problem) {
		u64 some = read_page(r, l, c, &b, num(meta, 4, -1), dictionary, values);

		hold(r, some || dictionary->len, "%s: a page has no values", l->name);
		if (have == 0 && some)
			hold(r, !get(meta, 11) || num(meta, 9, 0) > begin,
			     "the first page of data is not there");
		have += some;
	}
	hold(r, have == nr && b.at == b.end, "bytes are left behind a column");
	check_range(r, l, get(meta, 12), values, 0);
}

static void read_group(struct reader *r, const GArray *leaves, const struct node *group)
{
	u64 size = 0;

	hold(r, nr_below(get(group, 1)) == leaves->len, "a row group has other columns");
	for (u32 i = 0; i < leaves->len && !r->rows->problem; i++) {
		const struct node *chunk = get(group, 1)->below->pdata[i];
		struct table_column *c = r->rows->columns->pdata[i];

		read_chunk(r, &g_array_index(leaves, struct leaf, i), c, chunk);
		size += (u64)num(get(chunk, 3), 7, 0);
		hold(r, c->cells->len == r->rows_before + (u64)num(group, 3, 0),
		     "%s has another number of rows", c->name);
	}
	hold(r, size == (u64)num(group, 6, 0), "the size of a row group");
	r->rows_before += (u64)num(group, 3, 0);
	r->rows->nr_groups++;
}

static const char *type_name(const struct leaf *l)
{
	return l->list		       ? "list"
	       : l->type == BYTE_ARRAY ? "text"
	       : l->type == FIXED      ? "bytes"
	       : l->type == INT64      ? "u64"
	       : l->converted == 17    ? "s32"
				       : "u32";
}

/* Required leaves below the root, and lists of the form that the specification recommends. */
static void read_schema(struct reader *r, const struct node *schema, GArray *leaves)
{
	for (u32 i = 1; i < nr_below(schema) && !r->rows->problem; i++) {
		const struct node *e = schema->below->pdata[i];
		struct leaf l = { .name = text_of(get(e, 4)), .list = get(e, 5) };
		struct table_column *c = g_new0(struct table_column, 1);

		if (l.list &&
		    hold(r, i + 2 < nr_below(schema) && num(e, 6, -1) == 3, "a group is no list")) {
			hold(r, num(schema->below->pdata[i + 1], 3, -1) == 2,
			     "a list does not repeat");
			e = schema->below->pdata[i += 2];
		}
		hold(r, num(e, 3, -1) == 0, "a column is not required");
		l.type = num(e, 1, -1);
		l.length = num(e, 2, 0);
		l.converted = num(e, 6, -1);
		g_array_append_val(leaves, l);
		c->name = l.name;
		c->type = g_strdup(type_name(&l));
		c->cells = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(r->rows->columns, c);
	}
}

static void read_footer(struct reader *r, const struct node *meta)
{
	g_autoptr(GArray) leaves = g_array_new(FALSE, FALSE, sizeof(struct leaf));

	read_schema(r, get(meta, 2), leaves);
	hold(r, nr_below(get(meta, 7)) == leaves->len, "columns have no order");
	for (u32 i = 0; i < nr_below(get(meta, 4)) && !r->rows->problem; i++)
		read_group(r, leaves, get(meta, 4)->below->pdata[i]);
	for (u32 i = 0; i < nr_below(get(meta, 5)); i++) {
		g_ptr_array_add(r->rows->notes, text_of(get(get(meta, 5)->below->pdata[i], 1)));
		g_ptr_array_add(r->rows->notes, text_of(get(get(meta, 5)->below->pdata[i], 2)));
	}
	r->rows->nr_rows = r->rows_before;
	hold(r, r->rows_before == (u64)num(meta, 3, -1), "the number of rows");
}

struct table_rows *parquet_read(const u8 *bytes, size_t size)
{
	struct reader r = { table_rows_new(), bytes, size, 0 };
	struct bytes footer = { bytes, bytes };
	struct node *meta;
	u32 length;

	if (!hold(&r,
		  size >= 12 && !memcmp(bytes, "PAR1", 4) && !memcmp(bytes + size - 4, "PAR1", 4),
		  "no Parquet file"))
		return r.rows;
	memcpy(&length, bytes + size - 8, 4);
	if (!hold(&r, length <= size - 12, "the footer is longer than the file"))
		return r.rows;
	footer = (struct bytes){ bytes + size - 8 - length, bytes + size - 8 };
	meta = value_of(&r, &footer, 0, T_STRUCT, false);
	hold(&r, footer.at == footer.end, "bytes are left behind the footer");
	if (!r.rows->problem)
		read_footer(&r, meta);
	node_free(meta);
	return r.rows;
}
