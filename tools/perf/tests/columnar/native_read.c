// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads blocks of ClickHouse's format Native, of the types that we write. */
#include <inttypes.h>
#include <string.h>

#include "tests/columnar/table.h"

struct reader {
	struct table_rows *rows;
	const u8 *at, *end;
};

static bool hold(struct reader *r, bool good, const char *problem)
{
	if (!good && !r->rows->problem)
		r->rows->problem = g_strdup(problem);
	return !r->rows->problem;
}

static const u8 *take(struct reader *r, u64 size)
{
	const u8 *at = r->at;

	if (!hold(r, size <= (u64)(r->end - r->at), "the bytes end too early"))
		return NULL;
	r->at += size;
	return at;
}

static u64 number(struct reader *r, u32 size)
{
	const u8 *bytes = take(r, size);
	u64 value = 0;

	if (bytes)
		memcpy(&value, bytes, size);
	return value;
}

static u64 varint(struct reader *r)
{
	u64 value = 0, byte;
	u32 shift = 0;

	do {
		byte = number(r, 1);
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 64);
	return value;
}

static char *text(struct reader *r)
{
	u64 size = varint(r);
	const u8 *bytes = take(r, size);

	return bytes ? g_strndup((const char *)bytes, size) : g_strdup("");
}

static void read_texts(struct reader *r, u64 nr, GPtrArray *cells)
{
	g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
	u64 kind, nr_keys;

	hold(r, number(r, 8) == 1, "another version of LowCardinality");
	kind = number(r, 8);
	hold(r, (kind & ~3ull) == 0x600, "the texts are not in the block");
	nr_keys = number(r, 8);
	for (u64 i = 0; i < nr_keys && !r->rows->problem; i++)
		g_ptr_array_add(keys, text(r));
	hold(r, number(r, 8) == nr, "another number of rows");
	for (u64 i = 0; i < nr && !r->rows->problem; i++) {
		u64 key = number(r, 1u << (kind & 3));

		if (hold(r, key < keys->len, "a text is not there"))
			g_ptr_array_add(cells, g_strdup(keys->pdata[key]));
	}
}

static void read_lists(struct reader *r, u64 nr, GPtrArray *cells)
{
	g_autofree u64 *ends = g_new0(u64, nr + 1);
	u64 at = 0;

	for (u64 i = 0; i < nr; i++)
		ends[i] = number(r, 8);
	for (u64 i = 0; i < nr && !r->rows->problem; i++) {
		GString *cell = g_string_new("[");

		hold(r, ends[i] >= at, "a list ends before it begins");
		for (u64 first = at; at < ends[i] && !r->rows->problem; at++)
			g_string_append_printf(cell, "%s%" PRIu64, at > first ? "," : "",
					       number(r, 8));
		g_ptr_array_add(cells, g_string_free(g_string_append_c(cell, ']'), FALSE));
	}
}

static char *cell_of(struct reader *r, const char *type)
{
	GString *hex;
	const u8 *bytes;

	if (!strcmp(type, "UInt32"))
		return g_strdup_printf("%u", (u32)number(r, 4));
	if (!strcmp(type, "Int32"))
		return g_strdup_printf("%d", (s32)number(r, 4));
	if (!strcmp(type, "UInt64"))
		return g_strdup_printf("%" PRIu64, number(r, 8));
	hold(r, !strcmp(type, "FixedString(16)"), "another type");
	bytes = take(r, 16);
	hex = g_string_new(NULL);
	for (u32 i = 0; bytes && i < 16; i++)
		g_string_append_printf(hex, "%02x", bytes[i]);
	return g_string_free(hex, FALSE);
}

static void read_column(struct reader *r, u64 column, u64 nr)
{
	g_autofree char *name = text(r), *type = text(r);
	struct table_column *c;

	if (column == r->rows->columns->len) {
		c = g_new0(struct table_column, 1);
		c->name = g_strdup(name);
		c->type = g_strdup(type);
		c->cells = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(r->rows->columns, c);
	}
	c = r->rows->columns->pdata[column];
	hold(r, !strcmp(c->name, name) && !strcmp(c->type, type), "blocks have unlike columns");
	if (!strcmp(type, "LowCardinality(String)"))
		read_texts(r, nr, c->cells);
	else if (!strcmp(type, "Array(UInt64)"))
		read_lists(r, nr, c->cells);
	else
		for (u64 i = 0; i < nr && !r->rows->problem; i++)
			g_ptr_array_add(c->cells, cell_of(r, type));
}

struct table_rows *native_read(const u8 *bytes, size_t size)
{
	struct reader r = { table_rows_new(), bytes, bytes + size };

	while (r.at < r.end && !r.rows->problem) {
		u64 columns = varint(&r), nr = varint(&r);

		hold(&r, !r.rows->nr_groups || columns == r.rows->columns->len,
		     "blocks have unlike numbers of columns");
		for (u64 i = 0; i < columns && !r.rows->problem; i++)
			read_column(&r, i, nr);
		r.rows->nr_rows += nr;
		r.rows->nr_groups++;
	}
	return r.rows;
}
