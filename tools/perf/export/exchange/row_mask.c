// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/row_mask.h"

#include <fnmatch.h>
#include <string.h>

#include "base/intern.h"

#define HIDDEN "(hidden)"

/* What is known of the texts of one column. */
struct column_rule {
	GPtrArray *patterns; /* char *: NULL: all fit */
	GHashTable *masked;  /* text -> what it becomes */
};

struct row_mask {
	GHashTable *columns; /* names of those that may leave; NULL: all */
	GHashTable *rules;   /* name -> struct column_rule */
	struct intern *texts;
};

static void free_rule(void *p)
{
	struct column_rule *rule = p;

	g_ptr_array_unref(rule->patterns);
	g_hash_table_unref(rule->masked);
	g_free(rule);
}

struct row_mask *row_mask_new(void)
{
	struct row_mask *mask = g_new0(struct row_mask, 1);

	mask->rules = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_rule);
	return mask;
}

void row_mask_free(struct row_mask *mask)
{
	if (!mask)
		return;
	if (mask->columns)
		g_hash_table_unref(mask->columns);
	g_hash_table_unref(mask->rules);
	g_free(mask);
}

static bool can_mask(enum row_table table, const struct column_spec *column)
{
	return table != TABLE_PUSHES && table != TABLE_EVENTS && column->kind == COLUMN_TEXT &&
	       strcmp(column->name, "host") && strcmp(column->name, "event");
}

char *row_mask_names(void)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GString *names = g_string_new(NULL);

	for (u32 t = 0; t < NR_ROW_TABLES; t++)
		for (u32 i = 0; i < row_tables[t].nr_columns; i++) {
			const struct column_spec *column = &row_tables[t].columns[i];

			if (can_mask(t, column) && g_hash_table_add(seen, (void *)column->name))
				g_string_append_printf(names, "%s%s", names->len ? ", " : "",
						       column->name);
		}
	return g_string_free(names, FALSE);
}

static bool check_name(const char *name, GError **error)
{
	g_autofree char *names = row_mask_names();

	for (u32 t = 0; t < NR_ROW_TABLES; t++)
		for (u32 i = 0; i < row_tables[t].nr_columns; i++)
			if (can_mask(t, &row_tables[t].columns[i]) &&
			    !strcmp(row_tables[t].columns[i].name, name))
				return true;
	return error_set(error, PERF_ERROR_USAGE, "`%s' is none of %s", name, names);
}

bool row_mask_columns(struct row_mask *mask, const char *names, GError **error)
{
	g_auto(GStrv) words = g_strsplit(names, ",", 0);

	if (!mask->columns)
		mask->columns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (u32 i = 0; words[i]; i++) {
		if (!check_name(words[i], error))
			return false;
		g_hash_table_add(mask->columns, g_strdup(words[i]));
	}
	return true;
}

bool row_mask_values(struct row_mask *mask, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : NULL;
	struct column_rule *rule;

	if (!equals)
		return error_set(error, PERF_ERROR_USAGE, "expected COLUMN=PATTERN");
	if (!check_name(name, error))
		return false;
	rule = g_hash_table_lookup(mask->rules, name);
	if (!rule) {
		rule = g_new0(struct column_rule, 1);
		rule->patterns = g_ptr_array_new_with_free_func(g_free);
		rule->masked = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(mask->rules, g_steal_pointer(&name), rule);
	}
	g_ptr_array_add(rule->patterns, g_strdup(equals + 1));
	return true;
}

void row_mask_begin(struct row_mask *mask, struct intern *texts)
{
	GHashTableIter i;
	void *rule;

	mask->texts = texts;
	g_hash_table_iter_init(&i, mask->rules);
	while (g_hash_table_iter_next(&i, NULL, &rule))
		g_hash_table_remove_all(((struct column_rule *)rule)->masked);
}

static bool fits(const struct column_rule *rule, const char *text)
{
	for (u32 i = 0; i < rule->patterns->len; i++)
		if (!fnmatch(rule->patterns->pdata[i], text, 0))
			return true;
	return false;
}

static u32 masked_text(struct row_mask *mask, struct column_rule *rule, u32 text)
{
	void *masked;

	if (!text)
		return 0;
	if (!g_hash_table_lookup_extended(rule->masked, GUINT_TO_POINTER(text), NULL, &masked)) {
		bool leaves = fits(rule, intern_text(mask->texts, text));

		masked = GUINT_TO_POINTER(leaves ? text : intern_id(mask->texts, HIDDEN));
		g_hash_table_insert(rule->masked, GUINT_TO_POINTER(text), masked);
	}
	return GPOINTER_TO_UINT(masked);
}

static void mask_column(struct row_mask *mask, const char *name, u32 *texts, u32 nr)
{
	struct column_rule *rule = g_hash_table_lookup(mask->rules, name);

	if (mask->columns && !g_hash_table_contains(mask->columns, name))
		memset(texts, 0, nr * sizeof(*texts));
	for (u32 i = 0; rule && i < nr; i++)
		texts[i] = masked_text(mask, rule, texts[i]);
}

void row_mask_apply(struct row_mask *mask, const struct row_table_spec *table, struct rowset *rows)
{
	enum row_table number = (enum row_table)(table - row_tables);

	for (u32 i = 0; i < table->nr_columns; i++)
		if (can_mask(number, &table->columns[i]))
			mask_column(mask, table->columns[i].name, rows->values[i].words,
				    rows->nr_rows);
}
