// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/columns.h"

#include <string.h>

#include "fields/accesses.h"
#include "fields/paths.h"
#include "fields/request_keys.h"

static bool same(const struct column *a, const struct column *b)
{
	return a->field == b->field;
}

static bool has(const GArray *list, const struct column *column)
{
	for (u32 i = 0; i < list->len; i++)
		if (same(&g_array_index(list, struct column, i), column))
			return true;
	return false;
}

static void add(GArray *list, const struct column *column)
{
	if (!has(list, column))
		g_array_append_val(list, *column);
}

static struct column column_of(struct columns *c, const struct field *field, u32 level)
{
	struct column column = { field, -1, level };

	c->needs |= field->needs;
	if (field->value)
		return column;
	for (u32 i = 0; i < c->groups->len; i++) {
		if (g_ptr_array_index(c->groups, i) != field)
			continue;
		column.key = (s32)i;
		column.level = g_array_index(c->levels, u32, i);
		return column;
	}
	column.key = (s32)c->groups->len;
	g_ptr_array_add(c->groups, (void *)field);
	g_array_append_val(c->levels, level);
	return column;
}

static const struct field *find_label(struct columns *c, const char *name)
{
	struct field *made;

	for (u32 i = 0; i < c->labels->len; i++) {
		const struct field *field = g_ptr_array_index(c->labels, i);

		if (!strcmp(field->name, name))
			return field;
	}
	made = field_label_new(name);
	g_ptr_array_add(c->labels, made);
	return made;
}

static const struct field *find_field(struct columns *c, const char *name, u32 families,
				      GError **error)
{
	return field_label_key(name) ? find_label(c, name)
				     : fields_find(name, families | FIELD_VALUE, error);
}

static void add_field(struct columns *c, GArray *list, const struct field *field, bool joined)
{
	u32 nr_groups = c->groups->len;
	struct column column =
		column_of(c, field, joined && c->nr_levels ? c->nr_levels - 1 : c->nr_levels);

	if (c->groups->len > nr_groups && column.level == c->nr_levels)
		c->nr_levels++;
	add(list, &column);
}

static bool add_names(struct columns *c, const struct columns_options *o, GArray *list,
		      const char *text, GError **error);

/*
 * Adds the field called @name to @list. A new key gets its own level, except if it is @joined. If one name stands for
 * several fields of tracepoints, they share a level.
 */
static bool add_name(struct columns *c, const struct columns_options *o, GArray *list,
		     const char *name, bool joined, GError **error)
{
	const struct field *field = find_field(c, name, o->families, NULL);
	const char *accesses = access_columns(name, o->memory && list == c->output);
	g_autoptr(GPtrArray) traces = g_ptr_array_new();

	if (accesses)
		return add_names(c, o, list, accesses, error);
	if (field) {
		add_field(c, list, field, joined);
		return true;
	}
	if (o->lexicon)
		fields_of_traces(o->lexicon, name, traces);
	for (u32 i = 0; i < traces->len; i++)
		add_field(c, list, g_ptr_array_index(traces, i), joined || i);
	return traces->len || fields_find(name, o->families | FIELD_VALUE, error);
}

/* Adds several names, separated by commas or blanks: "comm,{dso,symbol}". Names in braces share a level. */
static bool add_names(struct columns *c, const struct columns_options *o, GArray *list,
		      const char *text, GError **error)
{
	bool inside = false, joined = false;

	while (*text) {
		size_t len = strcspn(text, "{}, ");
		g_autofree char *name = g_strndup(text, len);

		if (!len) {
			inside = *text == '{' || (inside && *text != '}');
			joined = joined && inside;
			text++;
			continue;
		}
		text += len;
		if (!add_name(c, o, list, name, joined, error))
			return false;
		joined = inside;
	}
	return true;
}

static void add_value(GArray *list, const struct field *field)
{
	struct column column = { field, -1, 0 };

	add(list, &column);
}

static void add_named_value(GArray *list, const char *name)
{
	add_value(list, fields_find(name, FIELD_VALUE, NULL));
}

/* Adds the value to the shown columns, if it is a sort value. */
static void add_ordered_value(struct columns *c, const char *name)
{
	struct column column = { fields_find(name, FIELD_VALUE, NULL), -1, 0 };

	if (has(c->order, &column))
		add(c->output, &column);
}

/* Adds the columns that are shown without being named. */
static void add_standing(struct columns *c, const struct columns_options *o)
{
	if (o->children && o->latency_first)
		add_ordered_value(c, "latency_children");
	if (o->children)
		add_ordered_value(c, "overhead_children");
	if (o->children)
		add_ordered_value(c, "latency_children");
	if (o->latency_first)
		add_ordered_value(c, "latency");
	add_ordered_value(c, "overhead");
	add_ordered_value(c, "latency");
	if (o->show_modes) {
		add_named_value(c->output, "overhead_sys");
		add_named_value(c->output, "overhead_us");
	}
	if (o->show_modes && o->show_guest_modes) {
		add_named_value(c->output, "overhead_guest_sys");
		add_named_value(c->output, "overhead_guest_us");
	}
	if (o->show_value)
		add_named_value(c->output, o->show_value);
	if (o->show_samples)
		add_named_value(c->output, "sample");
	if (o->show_period)
		add_named_value(c->output, "period");
}

static void add_unless_named(struct columns *c, const char *name, const char *sort)
{
	if (!strstr(sort, name))
		add_named_value(c->order, name);
}

/* As upstream: sorts by overhead first, except if -s names overhead or latency. */
static void add_standing_order(struct columns *c, const struct columns_options *o, const char *sort)
{
	if (o->latency_first) {
		if (o->children)
			add_unless_named(c, "latency_children", sort);
		if (o->children)
			add_unless_named(c, "overhead_children", sort);
		add_unless_named(c, "latency", sort);
		add_unless_named(c, "overhead", sort);
		return;
	}
	if (o->latency && strstr(sort, "latency"))
		return;
	if (o->children)
		add_unless_named(c, "overhead_children", sort);
	if (o->children && o->latency && !strstr(sort, "overhead"))
		add_named_value(c->order, "latency_children");
	add_unless_named(c, "overhead", sort);
	if (o->latency && !strstr(sort, "overhead"))
		add_named_value(c->order, "latency");
}

static char *sort_text(const struct columns_options *o)
{
	const char *given = o->sort;

	if (!given)
		return g_strdup(o->sort_default);
	if (*given == '+')
		return g_strconcat(o->sort_default, ",", given + 1, NULL);
	/* Upstream's report of cycles per block adds a column of its own next to symbols. */
	if (strstr(given, "symbol") && !o->no_filler)
		return g_strconcat(given, o->families & FIELD_BRANCH ? ",ipc_lbr" : ",ipc_null",
				   NULL);
	return g_strdup(given);
}

/* Keys of the order are shown, and shown columns are part of the order. */
static void complete(struct columns *c)
{
	for (u32 i = 0; i < c->order->len; i++)
		add(c->output, columns_order(c, i));
	for (u32 i = 0; i < c->output->len; i++)
		add(c->order, columns_output(c, i));
}

/* The default columns: total and self shares, samples, the call tree, then the keys of -s, if any. */
static bool build_tree(struct columns *c, const struct columns_options *o, GError **error)
{
	struct column path;

	c->tree = c->has_self = true;
	path = column_of(c, &field_activity_path, 0);
	c->nr_levels = 1;
	add_named_value(c->order, "overhead_children");
	add_named_value(c->order, "overhead");
	add_named_value(c->output, "overhead_children");
	add_named_value(c->output, "overhead");
	add_named_value(c->output, "sample");
	if (o->show_period)
		add_named_value(c->output, "period");
	add(c->output, &path);
	if (o->sort && !add_names(c, o, c->order, o->sort, error))
		return false;
	complete(c);
	return true;
}

/* Sets the error message for a wrong name in -F, which refers to the names of --sort. Always false. */
static bool blame_fields(GError **error)
{
	g_auto(GStrv) parts = error ? g_strsplit((*error)->message, "--sort", 2) : NULL;

	if (!error)
		return false;
	g_free((*error)->message);
	(*error)->message = g_strjoinv("--fields", parts);
	return false;
}

static bool build(struct columns *c, const struct columns_options *o, GError **error)
{
	bool strict = o->fields && *o->fields != '+'; /* -F lists all columns */
	bool sorts = o->sort || !strict;
	g_autofree char *sort = sort_text(o);

	if (sorts && !strict)
		add_standing_order(c, o, sort);
	if (sorts && !add_names(c, o, c->order, sort, error))
		return false;
	if (!strict)
		add_standing(c, o);
	c->has_self = !strict && o->children;
	if (o->fields && !add_names(c, o, c->output, o->fields + !strict, error))
		return blame_fields(error);
	if (strict && !c->output->len)
		return error_set(error, PERF_ERROR_USAGE,
				 "Invalid --fields key: `%s' names no column", o->fields);
	if (o->last_key && !add_names(c, o, strict ? c->output : c->order, o->last_key, error))
		return false;
	complete(c);
	return true;
}

struct columns *columns_new(const struct columns_options *options, GError **error)
{
	struct columns *c = g_new0(struct columns, 1);

	c->groups = g_ptr_array_new();
	c->labels = g_ptr_array_new_with_free_func((GDestroyNotify)field_label_free);
	c->levels = g_array_new(FALSE, FALSE, sizeof(u32));
	c->output = g_array_new(FALSE, FALSE, sizeof(struct column));
	c->order = g_array_new(FALSE, FALSE, sizeof(struct column));
	if (!(options->tree ? build_tree : build)(c, options, error)) {
		columns_free(c);
		return NULL;
	}
	if (options->hidden)
		column_of(c, options->hidden, 0);
	if (options->lexicon && !request_keys_prepare(options->lexicon, c->needs, error)) {
		columns_free(c);
		return NULL;
	}
	return c;
}

void columns_free(struct columns *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->groups);
	g_ptr_array_unref(c->labels);
	g_array_unref(c->levels);
	g_array_unref(c->output);
	g_array_unref(c->order);
	g_free(c);
}

const char *columns_title(const struct columns *columns, const struct column *column)
{
	if (columns->has_self && column->field->value == VALUE_OVERHEAD)
		return "Self";
	if (columns->tree && column->field->value == VALUE_OVERHEAD_CHILDREN)
		return "Total";
	return column->field->header;
}

static bool is_named(const struct column *column, const char *const *names, u32 nr_names)
{
	for (u32 i = 0; i < nr_names; i++)
		if (!strcmp(column->field->name, names[i]))
			return true;
	return false;
}

void columns_hide(struct columns *c, const char *const *names, u32 nr_names)
{
	u32 left = 0;

	for (u32 i = 0; i < c->output->len; i++)
		left += columns_output(c, i)->key >= 0 &&
			!is_named(columns_output(c, i), names, nr_names);
	for (u32 i = c->output->len; left && i--;)
		if (is_named(columns_output(c, i), names, nr_names))
			g_array_remove_index(c->output, i);
}

void columns_keep_accesses(struct columns *c, u32 classes)
{
	for (u32 i = c->output->len; i--;) {
		const struct field *field = columns_output(c, i)->field;

		if (field->value == VALUE_ACCESS && !(classes >> field->access & 1))
			g_array_remove_index(c->output, i);
	}
}
