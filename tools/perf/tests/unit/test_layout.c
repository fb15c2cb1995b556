// SPDX-License-Identifier: GPL-2.0-or-later
/* What the data flow knows of values and of the layout of types: of one compiled program, asked directly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dwarf/debuginfo.h"
#include "programs.h"
#include "typeflow/code/code_facts.h"
#include "typeflow/layout/layout.h"
#include "typeflow/layout/value.h"

static const char source[] = "struct two { char tag, kind; } two;\n"
			     "struct one_array { char both[2]; long nr; } one_array;\n"
			     "struct two_arrays { char tag[1], kind[2]; long nr; } two_arrays;\n"
			     "struct word { int x, y; } *word;\n"
			     "struct words { long x, y, z; } *words;\n"
			     "int main(void) { return 0; }\n";

struct opened {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct debuginfo *debug;
};

static int open_source(void **state)
{
	struct opened *o = g_new0(struct opened, 1);
	struct debuginfo_source from = { 0 };
	g_autofree char *path = NULL, *command = NULL, *c = NULL;

	o->folder = g_dir_make_tmp("layout-XXXXXX", NULL);
	path = g_build_filename(o->folder, "program", NULL);
	c = g_build_filename(o->folder, "source.c", NULL);
	command = g_strdup_printf("gcc -g -o '%s' '%s'", path, c);
	if (!g_file_set_contents(c, source, -1, NULL) || system(command))
		return -1;
	o->dsos = dsos_new(&(struct dso_options){ .buildid_dir = o->folder });
	o->dso = dsos_get(o->dsos, path, NULL, 0, DSO_USER);
	from.dwarf = dso_dwarf(o->dso, &from.dwarf_bias);
	o->debug = debuginfo_new(&from);
	*state = o;
	return 0;
}

static int close_source(void **state)
{
	struct opened *o = *state;

	debuginfo_free(o->debug);
	dsos_free(o->dsos);
	program_remove(o->folder);
	g_free(o);
	return 0;
}

static const struct type *type_of(const struct opened *o, const char *variable)
{
	const struct symbol *symbol = dso_symbol_named(o->dso, variable);
	const struct variable *found;
	u64 start;

	assert_non_null(symbol);
	found = debuginfo_global(o->debug, symbol->start, 0, variable, symbol->start, &start);
	assert_non_null(found);
	return found->type;
}

/* n * 8 + 24 - (n * 2 + 4) is n * 6 + 20. */
static void test_difference_of_multiples(void **state)
{
	const struct value n = value_number(NULL, 1);
	const struct value added = value_const(24, 0), more = value_const(4, 0);
	struct value eight = value_scale(&n, 8, 2), two = value_scale(&n, 2, 3), difference;

	eight = value_add(&eight, &added, 4);
	two = value_add(&two, &more, 5);
	difference = value_subtract(&eight, &two, 6);
	assert_int_equal(difference.kind, VALUE_NUMBER);
	assert_int_equal(difference.stride, 6);
	assert_int_equal(difference.offset, 20);
}

/* The members of a structure are a sequence also if each is in an array of its own; two elements of one array are none. */
static void test_begins_as(void **state)
{
	const struct type *two = type_of(*state, "two");

	assert_true(layout_begins_as(type_of(*state, "two_arrays"), two));
	assert_false(layout_begins_as(type_of(*state, "one_array"), two));
}

/*
 * A pointer to %rsp + 16 tells that structures lie there, if they fill the place up to the next variable. Every place in a
 * frame is a multiple of 8 bytes, so structures of 8 bytes would fill any.
 */
static void test_memory_without_a_variable(void **state)
{
	static const char *const pointers[] = { "word", "words" };
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(struct block));
	const struct cfg cfg = { .nr = 0, .blocks = blocks };

	for (u32 i = 0; i < ARRAY_SIZE(pointers); i++) {
		const struct variable variables[] = { { .type = type_of(*state, pointers[i]) },
						      { .type = type_of(*state, "two") } };
		const struct location locations[] = {
			{ .high = 8, .offset = 16, .kind = LOCATION_REG_PLUS, .reg = X86_RSP },
			{ .high = 8,
			  .offset = 64,
			  .variable = 1,
			  .kind = LOCATION_MEM_REG,
			  .reg = X86_RSP },
		};
		const struct func_vars vars = { .variables = variables,
						.nr_variables = ARRAY_SIZE(variables),
						.locations = locations,
						.nr_locations = ARRAY_SIZE(locations) };
		struct code_facts *facts = code_facts_new(&cfg, &vars);

		assert_int_equal(facts->nameless->len, i);
		if (i) {
			const struct nameless *found =
				&g_array_index(facts->nameless, struct nameless, 0);

			assert_string_equal(found->type->name, "struct words");
			assert_int_equal(found->at, 16);
			assert_int_equal(found->end, 64);
		}
		code_facts_free(facts);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_difference_of_multiples),
		cmocka_unit_test(test_begins_as),
		cmocka_unit_test(test_memory_without_a_variable),
	};

	return cmocka_run_group_tests(tests, open_source, close_source);
}
