// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of the variables that debug information says lie in one slot of the frame is meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typeflow/code/code_facts.h"

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
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(struct block));
	const struct cfg cfg = { .nr = 0, .blocks = blocks };
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

/*
 * gcc says of `db` of `sqlite3 *db = v->db`, where db is v's first member, that it is in memory at v: that
 * tells of no pointer to a pointer. Of an object it tells that it was passed by its address.
 */
static void test_memory_at_register(void **state)
{
	static const struct type object = { .kind = TYPE_STRUCT, .size = 24, .name = "struct s" };
	static const struct type *const types[] = { &eight, &object };
	u32 block = 0;
	struct insn insn = { .vaddr = 0x100, .size = 4 };
	const struct block whole = { .end = 1 };
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(whole));
	const struct cfg cfg = { .insns = &insn, .nr = 1, .block_of = &block, .blocks = blocks };

	g_array_append_val(blocks, whole);
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		const struct variable variable = { .name = "db", .type = types[i] };
		const struct location location = {
			.low = 0x100, .high = 0x110, .kind = LOCATION_MEM_REG, .reg = X86_RDI
		};
		const struct func_vars vars = { .variables = &variable,
						.nr_variables = 1,
						.locations = &location,
						.nr_locations = 1 };
		struct code_facts *facts = code_facts_new(&cfg, &vars);

		assert_int_equal(facts->nr, i);
		if (i)
			assert_ptr_equal(facts->facts[0].value.type, &object);
		code_facts_free(facts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_at_register),
		cmocka_unit_test(test_code_of_scopes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
