// SPDX-License-Identifier: GPL-2.0-or-later
/* -s, -F and the options that add columns: what stands in which column, what rows are sorted by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fields/columns.h"

static char *names(const GArray *list)
{
	GString *out = g_string_new(NULL);

	for (u32 i = 0; i < list->len; i++)
		g_string_append_printf(out, "%s%s", i ? " " : "",
				       g_array_index(list, struct column, i).field->name);
	return g_string_free(out, FALSE);
}

static void assert_columns(const struct columns_options *options, const char *output,
			   const char *order)
{
	g_autoptr(GError) error = NULL;
	struct columns_options o = *options;
	struct columns *c;
	g_autofree char *have_output = NULL, *have_order = NULL;

	o.families |= FIELD_NORMAL | FIELD_MEMORY;
	o.sort_default = COLUMNS_DEFAULT_SORT;
	c = columns_new(&o, &error);
	assert_non_null(c);
	have_output = names(c->output);
	have_order = names(c->order);
	assert_string_equal(have_output, output);
	assert_string_equal(have_order, order);
	columns_free(c);
}

static void by_default_overhead_command_object_symbol(void **state)
{
	assert_columns(&(struct columns_options){ 0 }, "overhead comm dso symbol",
		       "overhead comm dso symbol");
}

static void keys_of_s_stand_in_its_order_behind_overhead(void **state)
{
	assert_columns(&(struct columns_options){ .sort = "dso,comm" }, "overhead dso comm",
		       "overhead dso comm");
	assert_columns(&(struct columns_options){ .sort = " pid ,  cpu" }, "overhead pid cpu",
		       "overhead pid cpu");
	assert_columns(&(struct columns_options){ .sort = "comm,dso,comm" }, "overhead comm dso",
		       "overhead comm dso");
}

static void plus_adds_to_the_default(void **state)
{
	assert_columns(&(struct columns_options){ .sort = "+cpu" }, "overhead comm dso symbol cpu",
		       "overhead comm dso symbol cpu");
	assert_columns(&(struct columns_options){ .fields = "+period" },
		       "overhead period comm dso symbol", "overhead comm dso symbol period");
}

static void a_last_key_is_behind_all_others(void **state)
{
	assert_columns(&(struct columns_options){ .last_key = "parent" },
		       "overhead comm dso symbol parent", "overhead comm dso symbol parent");
	assert_columns(&(struct columns_options){ .last_key = "parent", .sort = "sym" },
		       "overhead symbol parent", "overhead symbol parent");
	assert_columns(&(struct columns_options){ .last_key = "parent", .fields = "comm,overhead" },
		       "comm overhead parent", "comm overhead parent");
}

static void F_says_it_all(void **state)
{
	assert_columns(&(struct columns_options){ .fields = "comm,overhead" }, "comm overhead",
		       "comm overhead");
	assert_columns(&(struct columns_options){ .fields = "sample,comm", .sort = "dso" },
		       "sample comm dso", "dso sample comm");
}

static void what_sort_says_of_overhead_counts(void **state)
{
	assert_columns(&(struct columns_options){ .sort = "comm,overhead" }, "overhead comm",
		       "comm overhead");
}

static void options_add_columns_of_values(void **state)
{
	struct columns_options o = { .sort = "comm", .show_samples = true, .show_period = true };

	assert_columns(&o, "overhead sample period comm", "overhead comm sample period");
	o = (struct columns_options){ .sort = "comm", .show_modes = true };
	assert_columns(&o, "overhead overhead_sys overhead_us comm",
		       "overhead comm overhead_sys overhead_us");
}

static void children_come_before_self(void **state)
{
	struct columns_options o = { .children = true, .sort = "comm", .families = FIELD_NORMAL };
	struct columns *c = columns_new(&o, NULL);

	assert_columns(&o, "overhead_children overhead comm", "overhead_children overhead comm");
	assert_string_equal(columns_title(c, columns_output(c, 0)), "Children");
	assert_string_equal(columns_title(c, columns_output(c, 1)), "Self");
	columns_free(c);
}

static void whole_symbol_brings_upstreams_ipc_column(void **state)
{
	assert_columns(&(struct columns_options){ .sort = "symbol" }, "overhead symbol ipc_null",
		       "overhead symbol ipc_null");
	assert_columns(&(struct columns_options){ .sort = "symbol_to",
						  .families = FIELD_NORMAL | FIELD_BRANCH },
		       "overhead symbol_to ipc_lbr", "overhead symbol_to ipc_lbr");
	assert_columns(&(struct columns_options){ .sort = "sym" }, "overhead symbol",
		       "overhead symbol");
}

static void latency_stands_beside_overhead(void **state)
{
	assert_columns(&(struct columns_options){ .latency = true, .sort = "comm" },
		       "overhead latency comm", "overhead latency comm");
	assert_columns(
		&(struct columns_options){ .latency = true, .children = true, .sort = "comm" },
		"overhead_children latency_children overhead latency comm",
		"overhead_children latency_children overhead latency comm");
	assert_columns(
		&(struct columns_options){ .latency = true, .latency_first = true, .sort = "comm" },
		"latency overhead comm", "latency overhead comm");
	assert_columns(&(struct columns_options){ .latency = true, .sort = "overhead,comm" },
		       "overhead comm", "overhead comm");
	assert_columns(&(struct columns_options){ .latency = true, .sort = "latency,comm" },
		       "latency comm", "latency comm");
}

static void prefixes_are_decided_by_upstreams_order(void **state)
{
	static const char *const pairs[][2] = {
		{ "sym", "symbol" },	  { "SYM", "symbol" },		 { "p", "pid" },
		{ "src", "srcline" },	  { "srcf", "srcfile" },	 { "tr", "transaction" },
		{ "tra", "transaction" }, { "trac", "trace" },		 { "trace", "trace" },
		{ "type", "type" },	  { "typeo", "typeoff" },	 { "weight", "weight" },
		{ "cg", "cgroup" },	  { "act", "activity" },	 { "trace_", "trace_id" },
		{ "mem", "mem" },	  { "local_w", "local_weight" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(pairs); i++) {
		const struct field *f = fields_find(pairs[i][0], FIELD_NORMAL | FIELD_MEMORY, NULL);

		assert_non_null(f);
		assert_string_equal(f->name, pairs[i][1]);
	}
}

static void a_wrong_key_names_the_nearest(void **state)
{
	g_autoptr(GError) error = NULL;
	const char *nearest;

	assert_null(fields_find("symbool", FIELD_NORMAL, &error));
	assert_non_null(strstr(error->message, "`symbool'"));
	nearest = strchr(error->message, ':') + 1;
	assert_non_null(strstr(nearest, "nearest first: symbol "));
	assert_null(strstr(error->message, "dso_from")); /* not of this family */
}

static void an_empty_key_is_none(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(fields_find("", FIELD_NORMAL, &error));
	assert_non_null(error);
}

static void branch_keys_need_branches(void **state)
{
	struct columns_options o = { .sort = "symbol_from", .families = FIELD_NORMAL };
	g_autoptr(GError) error = NULL;
	struct columns *c;

	assert_null(columns_new(&o, &error));
	assert_string_equal(error->message,
			    "Invalid --sort key: `symbol_from' is for branches, and these "
			    "are samples: record branches with '-b'");
	o.families |= FIELD_BRANCH;
	c = columns_new(&o, NULL);
	assert_non_null(c);
	columns_free(c);
}

static void fields_must_name_a_column(void **state)
{
	struct columns_options o = { .fields = ",", .families = FIELD_NORMAL };
	g_autoptr(GError) error = NULL;

	assert_null(columns_new(&o, &error));
	assert_string_equal(error->message, "Invalid --fields key: `,' names no column");
}

static void assert_levels(const char *sort, u32 nr_levels, const char *levels)
{
	struct columns_options o = { .sort = sort, .families = FIELD_NORMAL };
	struct columns *c = columns_new(&o, NULL);

	assert_int_equal(c->nr_levels, nr_levels);
	for (u32 i = 0; i < c->levels->len; i++)
		assert_int_equal(g_array_index(c->levels, u32, i), levels[i] - '0');
	columns_free(c);
}

static void each_key_is_a_level_unless_braces_join_some(void **state)
{
	assert_levels("comm,dso,sym", 3, "012");
	assert_levels("{comm,dso},sym", 2, "001");
	assert_levels("pid,{comm,dso}", 2, "011");
	assert_levels("pid,{comm,dso},{sym,cpu}", 3, "01122");
}

static void a_single_choice_takes_its_column_away(void **state)
{
	static const char *const comm[] = { "comm" }, *const both[] = { "comm", "dso" };
	struct columns_options o = { .sort = "comm,dso", .families = FIELD_NORMAL };
	struct columns *c = columns_new(&o, NULL);
	g_autofree char *left = NULL, *kept = NULL;

	columns_hide(c, both, 2); /* nothing would be left */
	kept = names(c->output);
	assert_string_equal(kept, "overhead comm dso");
	columns_hide(c, comm, 1);
	left = names(c->output);
	assert_string_equal(left, "overhead dso");
	columns_free(c);
}

static void every_row_of_the_table_is_whole(void **state)
{
	const struct field *f;

	for (u32 i = 0; (f = fields_at(i)); i++) {
		assert_non_null(f->name);
		assert_non_null(f->header);
		/* A sum of branches is a value that has its place among the keys. */
		assert_int_equal(f->family == FIELD_VALUE || field_is_of_branches(f),
				 f->value != VALUE_NONE);
		assert_int_equal(f->value != VALUE_NONE, !f->key);
		assert_int_equal(!f->key, !f->print);
		assert_ptr_equal(fields_find(f->name, f->family, NULL), f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default_overhead_command_object_symbol),
		cmocka_unit_test(keys_of_s_stand_in_its_order_behind_overhead),
		cmocka_unit_test(plus_adds_to_the_default),
		cmocka_unit_test(a_last_key_is_behind_all_others),
		cmocka_unit_test(F_says_it_all),
		cmocka_unit_test(what_sort_says_of_overhead_counts),
		cmocka_unit_test(options_add_columns_of_values),
		cmocka_unit_test(children_come_before_self),
		cmocka_unit_test(whole_symbol_brings_upstreams_ipc_column),
		cmocka_unit_test(latency_stands_beside_overhead),
		cmocka_unit_test(prefixes_are_decided_by_upstreams_order),
		cmocka_unit_test(a_wrong_key_names_the_nearest),
		cmocka_unit_test(an_empty_key_is_none),
		cmocka_unit_test(branch_keys_need_branches),
		cmocka_unit_test(fields_must_name_a_column),
		cmocka_unit_test(each_key_is_a_level_unless_braces_join_some),
		cmocka_unit_test(a_single_choice_takes_its_column_away),
		cmocka_unit_test(every_row_of_the_table_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
