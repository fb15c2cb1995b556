// SPDX-License-Identifier: GPL-2.0-or-later
/* types/layouts.cc, compiled here: how its structures lie in memory, and what their members are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "annotate/layout.h"
#include "dso/dso.h"
#include "dso/dsos.h"
#include "dwarf/debuginfo.h"
#include "dwarf/vars.h"
#include "have.h"

struct program {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct debuginfo *debug;
};

static void open_program(struct program *p)
{
	const char *top = getenv("SRC");
	g_autofree char *path = NULL, *command = NULL;
	struct debuginfo_source from = { 0 };

	if (!have("g++")) {
		print_message("g++ is not installed\n");
		skip();
	}
	p->folder = g_dir_make_tmp("layout-XXXXXX", NULL);
	path = g_strdup_printf("%s/program", p->folder);
	command = g_strdup_printf(
		"g++ -g -O0 -no-pie -o %s %s/tools/perf/tests/unit/types/layouts.cc", path,
		top ? top : ".");
	assert_int_equal(system(command), 0);
	p->dsos = dsos_new(&(struct dso_options){ .buildid_dir = p->folder });
	p->dso = dsos_get(p->dsos, path, NULL, 0, DSO_USER);
	from.dwarf = dso_dwarf(p->dso, &from.dwarf_bias);
	assert_non_null(from.dwarf);
	p->debug = debuginfo_new(&from);
}

static void close_program(struct program *p)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", p->folder);

	debuginfo_free(p->debug);
	dsos_free(p->dsos);
	assert_int_equal(system(command), 0);
	g_free(p->folder);
}

static const struct type *type_of(struct program *p, const char *variable)
{
	const struct symbol *symbol = dso_symbol_named(p->dso, variable);
	const struct symbol *main_symbol = dso_symbol_named(p->dso, "main");
	const struct variable *found;
	u64 start;

	assert_non_null(symbol);
	found = debuginfo_global(p->debug, symbol->start, main_symbol->start, NULL, 0, &start);
	assert_non_null(found);
	return found->type;
}

static bool add_line(const struct type_line *line, void *arg)
{
	static const char *const kinds[] = { "", "hole", "padding" };
	GString *text = arg;

	g_string_append_printf(text, "%*s%s%s %u+%u\n", (int)line->depth * 2, "", line->name,
			       kinds[line->kind], (u32)line->offset, (u32)line->size);
	return true;
}

static void check(struct program *p, const char *variable, bool holes, const char *expect)
{
	g_autoptr(GString) text = g_string_new(NULL);

	type_each_line(type_of(p, variable), holes, add_line, text);
	assert_string_equal(text->str, expect);
}

static void test_holes(void **state)
{
	struct program p;

	open_program(&p);
	check(&p, "a_plain", true,
	      " 0+24\n"
	      "  side 0+1\n"
	      "  hole 1+7\n"
	      "  id 8+8\n"
	      "  quantity 16+4\n"
	      "  padding 20+4\n");
	check(&p, "a_plain", false,
	      " 0+24\n"
	      "  side 0+1\n"
	      "  id 8+8\n"
	      "  quantity 16+4\n");
	check(&p, "a_bits", true,
	      " 0+16\n"
	      "  a 0+1\n"
	      "  b 0+1\n"
	      "  hole 1+7\n"
	      "  c 8+8\n");
	close_program(&p);
}

/* What lies over each other has no holes, structures inside of it have. */
static void test_unions(void **state)
{
	struct program p;

	open_program(&p);
	check(&p, "a_choice", true,
	      " 0+64\n"
	      "  kind 0+4\n"
	      "  hole 4+4\n"
	      "   8+8\n"
	      "    number 8+8\n"
	      "     8+8\n"
	      "      low 8+1\n"
	      "      hole 9+3\n"
	      "      high 12+4\n"
	      "  inner 16+48\n");
	close_program(&p);
}

static void test_base(void **state)
{
	struct program p;

	open_program(&p);
	check(&p, "a_derived", true,
	      " 0+16\n"
	      "   0+9\n"
	      "    x 0+8\n"
	      "    y 8+1\n"
	      "  z 9+1\n"
	      "  padding 10+6\n");
	close_program(&p);
}

static bool stop_at_once(const struct type_line *line, void *arg)
{
	u32 *nr = arg;

	++*nr;
	return false;
}

static void test_stops(void **state)
{
	struct program p;
	u32 nr = 0;

	open_program(&p);
	type_each_line(type_of(&p, "a_choice"), true, stop_at_once, &nr);
	assert_int_equal(nr, 1);
	close_program(&p);
}

static void check_find(struct program *p, const char *variable, const char *path, s64 offset,
		       u64 size)
{
	struct type_line line;
	bool found = type_find_line(type_of(p, variable), path, &line);

	assert_int_equal(found, offset >= 0);
	if (!found)
		return;
	assert_int_equal(line.offset, offset);
	assert_int_equal(line.size, size);
}

static void test_find(void **state)
{
	struct program p;

	open_program(&p);
	check_find(&p, "a_plain", "id", 8, 8);
	check_find(&p, "a_plain", "+0x10", 16, 4);
	check_find(&p, "a_plain", "8", 8, 8);
	check_find(&p, "a_plain", "i", -1, 0);
	check_find(&p, "a_plain", "id.id", -1, 0);
	check_find(&p, "a_plain", "24", -1, 0);
	check_find(&p, "a_plain", "8x", -1, 0);
	/* Through what has no name, and a base. */
	check_find(&p, "a_choice", "high", 12, 4);
	check_find(&p, "a_choice", "number", 8, 8);
	check_find(&p, "a_choice", "inner", 16, 48);
	check_find(&p, "a_derived", "y", 8, 1);
	check_find(&p, "a_derived", "z", 9, 1);
	close_program(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holes), cmocka_unit_test(test_unions),
		cmocka_unit_test(test_base),  cmocka_unit_test(test_stops),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
