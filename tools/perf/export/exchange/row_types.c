// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/row_types.h"

#include <string.h>

#include "annotate/layout.h"
#include "dwarf/types.h"
#include "export/exchange/row_files.h"
#include "typeflow/typeflow.h"

#define MOST_MEMBERS                                                                               \
	4096 /* rows of one type: members of damaged debug information may nest without end */
#define MOST_DEPTH 16
#define PATH_SIZE  512

void row_types_init(struct row_types *t)
{
	t->fields = g_array_new(FALSE, TRUE, sizeof(u32));
	t->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

void row_types_release(struct row_types *t)
{
	g_array_unref(t->fields);
	g_hash_table_unref(t->known);
}

static u32 path_of(struct exchange_tables *tables, const struct access *a)
{
	struct type_use use = access_use(a);
	char path[PATH_SIZE] = "";

	if (a->offset == TYPE_OFFSET_ANY || a->offset < 0)
		return 0;
	type_lock(a->type);
	type_use_path(a->type, (u64)a->offset, &use, path, sizeof(path));
	type_unlock(a->type);
	return exchange_text(tables, path);
}

/* The label's text has type, offset and path: equal texts have one path. */
u32 row_types_field(struct row_types *t, struct exchange_tables *tables,
		    const struct exchange_sample *s)
{
	u32 label = s->labels[LABEL_FIELD], *field;

	if (!label || !s->access)
		return 0;
	if (t->fields->len <= label)
		g_array_set_size(t->fields, label + 1);
	field = &g_array_index(t->fields, u32, label);
	if (!*field)
		*field = 1 + path_of(tables, s->access);
	return *field - 1;
}

/* The rows of one type, while its lines are gone through. */
struct type_rows {
	struct exchange_tables *tables;
	struct row_files *files;
	u32 build_id, type, nr;
	u64 size;
	GString *path;
	size_t ends[MOST_DEPTH + 1]; /* of the path at each depth */
};

/* The path of a member is that of what it is in, and its own name; those without a name add nothing. */
static void set_path(struct type_rows *l, const struct type_line *line)
{
	g_string_truncate(l->path, line->depth ? l->ends[line->depth - 1] : 0);
	if (line->depth && line->name[0])
		g_string_append_printf(l->path, "%s%s", l->path->len ? "." : "", line->name);
	l->ends[line->depth] = l->path->len;
}

static bool add_line(const struct type_line *line, void *arg)
{
	struct type_rows *l = arg;
	struct rowset *b = row_files_rows(l->files, TABLE_TYPES);

	if (line->depth > MOST_DEPTH)
		return true;
	set_path(l, line);
	if (line->depth && !line->name[0])
		return true;
	rowset_set(b, TYPES_BUILD_ID, l->build_id);
	rowset_set(b, TYPES_TYPE, l->type);
	rowset_set(b, TYPES_SIZE, l->size);
	rowset_set(b, TYPES_FIELD, exchange_text(l->tables, l->path->str));
	rowset_set(b, TYPES_OFFSET, line->offset);
	rowset_set(b, TYPES_LENGTH, line->size);
	row_files_end_row(l->files, TABLE_TYPES);
	return ++l->nr < MOST_MEMBERS;
}

void row_types_write(struct row_types *t, struct exchange_tables *tables, struct row_files *files,
		     const struct exchange_sample *s, u32 dso, u32 build_id)
{
	struct type_rows l = { tables, files, build_id, s->labels[LABEL_TYPE], 0, 0, NULL, { 0 } };
	const struct type *type;
	u64 key;

	if (!l.type || !s->access)
		return;
	type = s->access->type;
	type_lock(type);
	key = (u64)dso << 32 | type_identity(type);
	if (!g_hash_table_contains(t->known, &key)) {
		g_hash_table_add(t->known, g_memdup2(&key, sizeof(key)));
		l.size = type->size;
		l.path = g_string_new(NULL);
		type_each_line(type, false, add_line, &l);
		g_string_free(l.path, TRUE);
	}
	type_unlock(type);
}
