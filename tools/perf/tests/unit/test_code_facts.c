// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of the variables that debug information says lie in one slot of the frame is meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typeflow/code_facts.h"

#define SLOT (-24)

static const struct type eight = { .kind = TYPE_BASE, .size = 8, .name = "long" };

/* What gcc writes for a method inlined into one of a derived class, each with a `this` in the slot:
 *
 *	outer's scope	0x100                              0x140
 *	inner's scope	      0x108  0x110    0x118  0x120
 *	where both lie	0x100                              0x140
 */
static const struct range scopes[] = {
	{ 0x100, 0x140 },
	{ 0x108, 0x110 },
	{ 0x118, 0x120 },
};
static const struct variable variables[] = {
	{ .name = "outer", .type = &eight, .scope = 0, .nr_scope = 1, .depth = 1 },
	{ .name = "inner", .type = &eight, .scope = 1, .nr_scope = 2, .depth = 2 },
};
static const struct location locations[] = {
	{ .low = 0x100, .high = 0x140, .offset = SLOT, .variable = 0, .kind = LOCATION_MEM_CFA },
	{ .low = 0x100, .high = 0x140, .offset = SLOT, .variable = 1, .kind = LOCATION_MEM_CFA },
};

static const char *at(const struct code_facts *facts, u64 vaddr)
{
	const struct variable *variable;
	s64 offset = -1;

	variable = code_facts_frame(facts, FACTS_CFA, SLOT, 8, vaddr, &offset);
	assert_non_null(variable);
	assert_int_equal(offset, 0);
	return variable->name;
}

static void test_code_of_scopes(void **state)
{
	const struct cfg cfg = { .nr = 0 };
	const struct func_vars vars = {
		.variables = variables,
		.nr_variables = ARRAY_SIZE(variables),
		.scopes = scopes,
		.nr_scopes = ARRAY_SIZE(scopes),
		.locations = locations,
		.nr_locations = ARRAY_SIZE(locations),
	};
	struct code_facts *facts = code_facts_new(&cfg, &vars);

	assert_string_equal(at(facts, 0x104), "outer");
	assert_string_equal(at(facts, 0x108), "inner");
	assert_string_equal(at(facts, 0x110), "outer");
	assert_string_equal(at(facts, 0x117), "outer");
	assert_string_equal(at(facts, 0x118), "inner");
	assert_string_equal(at(facts, 0x120), "outer");
	code_facts_free(facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_of_scopes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
