// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One operand against variables at stated places: what is typed, which of several wins, and
 * what is refused. Types are those of data/types/walk.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "typeflow/operand.h"

#define AT 0x401000

static struct dsos *dsos;
static struct object object;
static struct insn_decoder *decoder;
static const struct type *node_pointer, *pair_pointer, *number;

static int setup(void **state)
{
	const char *top = getenv("SRC");
	g_autofree char *path =
		g_strdup_printf("%s/tools/perf/tests/data/types/bin/walk", top ? top : ".");
	struct debuginfo_source source = { 0 };
	const struct func_vars *vars;
	enum debuginfo_absence why;

	dsos = dsos_new(&(struct dso_options){ .buildid_dir = "/nonexistent" });
	object.dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	source.dwarf = dso_dwarf(object.dso, &source.dwarf_bias);
	assert_non_null(source.dwarf);
	object.debug = debuginfo_new(&source);
	decoder = insn_decoder_new(INSN_X86_64, NULL);
	vars = debuginfo_function(object.debug, AT, &why);
	assert_non_null(vars);
	for (u32 i = 0; i < vars->nr_variables; i++) {
		const struct variable *v = &vars->variables[i];

		if (!g_strcmp0(v->name, "n"))
			node_pointer = v->type;
		if (!g_strcmp0(v->name, "p"))
			pair_pointer = v->type;
		if (!g_strcmp0(v->name, "i"))
			number = v->type;
	}
	assert_string_equal(node_pointer->name, "struct node*");
	assert_string_equal(pair_pointer->name, "struct pair*");
	assert_string_equal(number->name, "int");
	return 0;
}

static int teardown(void **state)
{
	insn_decoder_free(decoder);
	debuginfo_free(object.debug);
	dsos_free(dsos);
	return 0;
}

/* A variable of @type at a place. */
struct placed {
	const struct type *type;
	enum location_kind kind;
	u8 reg;
	s64 offset;
	u16 depth;
};

static char *ask(const char *code, size_t size, const struct placed *placed, u32 nr)
{
	struct variable variables[4] = { 0 };
	struct location locations[4] = { 0 };
	struct func_vars vars = { .variables = variables,
				  .locations = locations,
				  .nr_variables = nr,
				  .nr_locations = nr };
	struct access access = { .why = ACCESS_NO_VARIABLE };
	struct state state;
	struct insn insn;
	char text[200];

	for (u32 i = 0; i < nr; i++) {
		variables[i].type = placed[i].type;
		variables[i].depth = placed[i].depth;
		locations[i] = (struct location){ .low = AT,
						  .high = AT + 16,
						  .variable = i,
						  .kind = placed[i].kind,
						  .reg = placed[i].reg,
						  .offset = placed[i].offset };
	}
	assert_true(insn_decode(decoder, (const u8 *)code, size, AT, &insn));
	state_init(&state, object.debug, &vars);
	state_move(&state, AT);
	operand_access(&object, &state, &insn, &access);
	state_release(&state);
	if (!access.type)
		return g_strdup(access.how ? access_type_name(&access)
					   : access_why_word(access.why));
	type_offset_text(access.type, access.offset, text, sizeof(text));
	return g_strdup(text);
}

#define expect(text, code, ...)                                                                    \
	do {                                                                                       \
		struct placed placed_[] = { __VA_ARGS__ };                                         \
		g_autofree char *got = ask(code, sizeof(code) - 1, placed_, ARRAY_SIZE(placed_));  \
                                                                                                   \
		assert_string_equal(got, text);                                                    \
	} while (0)

#define MOV_8_RDI     "\x48\x8b\x47\x08"     /* mov 0x8(%rdi),%rax */
#define MOV_4_RDI     "\x8b\x47\x04"	     /* mov 0x4(%rdi),%eax */
#define MOV_64_RDI    "\x48\x8b\x47\x40"     /* mov 0x40(%rdi),%rax */
#define MOV_MINUS_RDI "\x48\x8b\x47\xf8"     /* mov -0x8(%rdi),%rax */
#define MOV_8_RSP     "\x48\x8b\x44\x24\x08" /* mov 0x8(%rsp),%rax */
#define MOV_INDEXED   "\x8b\x04\x37"	     /* mov (%rdi,%rsi),%eax */
#define MOV_SCALED_8  "\x8b\x44\xf7\x08"     /* mov 0x8(%rdi,%rsi,8),%eax */
#define MOV_SCALED_24 "\x8b\x44\xf7\x14"     /* mov 0x14(%rdi,%rsi,8),%eax */

static void test_pointer_in_register(void **state)
{
	expect("struct node +0x8 (l.next)", MOV_8_RDI, { node_pointer, LOCATION_REG, X86_RDI });
	/* The value is the register plus 8, so the operand is where it points. */
	expect("struct node +0 (key)", MOV_8_RDI, { node_pointer, LOCATION_REG_PLUS, X86_RDI, 8 });
	expect("no_var", MOV_8_RDI, { node_pointer, LOCATION_REG, X86_RSI });
	expect("no_pointer", MOV_8_RDI, { number, LOCATION_REG, X86_RDI });
}

static void test_outside(void **state)
{
	expect("bad_offset", MOV_MINUS_RDI, { node_pointer, LOCATION_REG, X86_RDI });
	expect("bad_offset", MOV_8_RDI, { pair_pointer, LOCATION_REG, X86_RDI });
	/* Behind the end of a structure that ends in an array without a bound. */
	expect("struct node +0x40 (tail)", MOV_64_RDI, { node_pointer, LOCATION_REG, X86_RDI });
}

static void test_several(void **state)
{
	/* The structure around the member, whichever comes first. */
	expect("struct node +0x4 (key)", MOV_4_RDI, { node_pointer, LOCATION_REG, X86_RDI },
	       { pair_pointer, LOCATION_REG, X86_RDI, 0, 3 });
	expect("struct node +0x4 (key)", MOV_4_RDI, { pair_pointer, LOCATION_REG, X86_RDI, 0, 3 },
	       { node_pointer, LOCATION_REG, X86_RDI });
	/* One that the access fits in beats one that it does not. */
	expect("struct node +0x8 (l.next)", MOV_8_RDI,
	       { pair_pointer, LOCATION_REG, X86_RDI, 0, 3 },
	       { node_pointer, LOCATION_REG, X86_RDI });
}

static void test_memory_places(void **state)
{
	expect("struct node* +0 (no field)", MOV_8_RSP,
	       { node_pointer, LOCATION_MEM_REG, X86_RSP, 8 });
	/* A variable that still lies in the structure that it was read from. */
	expect("struct node +0x8 (l.next)", MOV_8_RDI, { number, LOCATION_MEM_REG, X86_RDI, 8 },
	       { node_pointer, LOCATION_REG, X86_RDI });
	expect("no_var", MOV_8_RDI, { number, LOCATION_MEM_REG, X86_RDI, 8 });
}

static void test_index(void **state)
{
	/* Without a scale either register can be the pointer. */
	expect("struct pair +0 (x)", MOV_INDEXED, { number, LOCATION_REG, X86_RDI },
	       { pair_pointer, LOCATION_REG, X86_RSI });
	expect("struct node +0x14 (pairs.y)", MOV_SCALED_24,
	       { node_pointer, LOCATION_REG, X86_RDI });
	/* The member of one of many structures, or pairs[i - 1]. */
	expect("ambiguous", MOV_SCALED_8, { node_pointer, LOCATION_REG, X86_RDI });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pointer_in_register),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_memory_places),
		cmocka_unit_test(test_index),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
