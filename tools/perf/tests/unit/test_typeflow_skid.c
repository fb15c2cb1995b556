// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which memory access a late sample belongs to, instruction by instruction: functions in assembly,
 * each with what is expected of its instructions as a text of one character per instruction,
 *
 *	m	it accesses memory itself
 *	1-9	it does not, and the sample belongs to the access so many instructions before it
 *	-	it does not, and it cannot be told what the sample belongs to
 *	?	anything else
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "dso/dsos.h"
#include "insn/insn.h"
#include "typeflow/typeflow.h"

#define SOURCE "int main(void) { return 0; }\n"

static const struct {
	const char *name, *code, *expected;
} functions[] = {
	{ "straight", "mov 8(%rdi),%rax; add %rsi,%rax; add $1,%rsi; ret", "m12m" },
	/* The store is the nearest access, whatever the load did. */
	{ "nearest", "mov (%rdi),%rax; mov %rax,8(%rdi); add $1,%rax; ret", "mm1m" },
	/* What begins a function has come from anywhere. */
	{ "entry", "add $1,%rsi; mov (%rdi),%rax; ret", "-mm" },
	/* Another path leads to the label. */
	{ "target", "test %rsi,%rsi; je 1f; mov (%rdi),%rax; 1: add $1,%rax; add $2,%rax; ret",
	  "--m--m" },
	/* The way on is the only one, the label has two. */
	{ "not_taken", "cmpq $0,(%rdi); je 1f; add $1,%rsi; add $2,%rsi; 1: xor %eax,%eax; ret",
	  "m123-m" },
	/* Nothing but a jump leads to the label. */
	{ "taken", "mov (%rdi),%rax; jmp 1f; .byte 0xcc; 1: add $1,%rax; ret", "m1--m" },
	{ "loop", "1: add $1,%rcx; mov 8(%rdi),%rdi; test %rdi,%rdi; jne 1b; ret", "-m12m" },
	{ "after_call", "mov (%rdi),%rbx; call straight; add $1,%rbx; ret", "mm-m" },
	{ "after_syscall", "mov (%rdi),%rax; syscall; add $1,%rax; ret", "m1-m" },
	{ "after_division", "mov (%rdi),%rax; cqo; idiv %rsi; add $1,%rax; ret", "m12-m" },
	{ "far",
	  "mov (%rdi),%rax; inc %rax; inc %rax; inc %rax; inc %rax; inc %rax; inc %rax; inc %rax; "
	  "inc %rax; inc %rax; ret",
	  "m12345678-m" },
	/* No path leads there; that it accesses nothing is known all the same. */
	{ "unreached", "ret; add $1,%rax; ret", "m-m" },
	/* Enough for the answers to be kept for the next run. */
	{ "long", "mov (%rdi),%rax; add $1,%rax; jmp 1f; .rept 50000; nop; .endr; 1: ret", NULL },
};

struct program {
	char *folder, *path;
	struct dsos *dsos;
	struct dso *dso;
};

static void open_program(struct program *p)
{
	p->dsos = dsos_new(&(struct dso_options){ .buildid_dir = p->folder });
	p->dso = dsos_get(p->dsos, p->path, NULL, 0, DSO_USER);
}

static void build(struct program *p)
{
	g_autoptr(GString) source = g_string_new(SOURCE);
	g_autofree char *c = NULL, *line = NULL;

	p->folder = g_dir_make_tmp("skid-XXXXXX", NULL);
	c = g_build_filename(p->folder, "source.c", NULL);
	p->path = g_build_filename(p->folder, "program", NULL);
	for (u32 i = 0; i < ARRAY_SIZE(functions); i++)
		g_string_append_printf(
			source, "asm(\".globl %s; .type %s,@function; %s: %s; .size %s,.-%s\");\n",
			functions[i].name, functions[i].name, functions[i].name, functions[i].code,
			functions[i].name, functions[i].name);
	assert_true(g_file_set_contents(c, source->str, -1, NULL));
	line = g_strdup_printf("gcc -g -no-pie -Wl,--build-id -o '%s' '%s'", p->path, c);
	assert_int_equal(system(line), 0);
	open_program(p);
}

static void remove_program(struct program *p)
{
	g_autofree char *line = g_strdup_printf("rm -r '%s'", p->folder);

	dsos_free(p->dsos);
	assert_int_equal(system(line), 0);
	g_free(p->folder);
	g_free(p->path);
}

/* How many instructions lie between, both ends included but one; @starts are those before. */
static char character(const struct access *access, const GArray *starts, u64 vaddr)
{
	if (access->how != ACCESS_UNKNOWN)
		return 'm';
	if (access->why != ACCESS_NO_MEMORY)
		return access->why == ACCESS_NO_DEBUGINFO || access->why == ACCESS_NO_FUNCTION ||
				       access->why == ACCESS_NO_UNIT
			       ? 'm'
			       : '?';
	if (!access->back)
		return '-';
	for (u32 i = starts->len; i-- > 0;)
		if (g_array_index(starts, u64, i) == vaddr - access->back)
			return (char)('0' + starts->len - i);
	return '?';
}

static char *judge(struct typeflow *flow, struct dso *dso, u64 start, u64 end)
{
	struct insn_decoder *decoder = insn_decoder_new(INSN_X86_64, NULL);
	g_autoptr(GArray) starts = g_array_new(false, false, sizeof(u64));
	GString *text = g_string_new(NULL);
	struct access access;
	struct insn insn;

	for (u64 at = start; at < end; at += insn.size) {
		size_t left;
		const u8 *code = dso_code(dso, at, &left);

		assert_non_null(code);
		assert_true(insn_decode(decoder, code, left, at, &insn));
		typeflow_lookup(flow, dso, at, &access);
		g_string_append_c(text, character(&access, starts, at));
		g_array_append_val(starts, at);
	}
	insn_decoder_free(decoder);
	return g_string_free(text, false);
}

static char *judge_function(struct typeflow *flow, struct dso *dso, const char *name)
{
	const struct symbol *symbol = dso_symbol_named(dso, name);

	assert_non_null(symbol);
	return judge(flow, dso, symbol->start, symbol->end);
}

static void test_rules(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	struct program p;

	build(&p);
	for (u32 i = 0; i < ARRAY_SIZE(functions); i++) {
		g_autofree char *got = judge_function(flow, p.dso, functions[i].name);

		if (functions[i].expected && strcmp(got, functions[i].expected) != 0)
			fail_msg("%s: %s, not %s", functions[i].name, got, functions[i].expected);
	}
	typeflow_free(flow);
	remove_program(&p);
}

/* Answers of an earlier run say the same, and nothing is analysed for them. */
static void test_kept(void **state)
{
	g_autofree char *first = NULL, *second = NULL;
	struct typeflow_counts counts;
	struct typeflow *flow;
	struct program p;

	build(&p);
	flow = typeflow_new(FUSION_NONE, p.folder);
	first = judge_function(flow, p.dso, "long");
	typeflow_free(flow);
	flow = typeflow_new(FUSION_NONE, p.folder);
	second = judge_function(flow, p.dso, "long");
	typeflow_counts(flow, &counts);
	assert_int_equal(counts.instructions, 0);
	assert_true(g_str_has_prefix(first, "m12-"));
	assert_string_equal(first, second);
	typeflow_free(flow);
	remove_program(&p);
}

/* Without symbols there is no function, and so no path; but an instruction is what it is. */
static void test_stripped(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	g_autofree char *strip = NULL, *got = NULL;
	const struct symbol *symbol;
	struct program p;
	u64 start, end;

	build(&p);
	symbol = dso_symbol_named(p.dso, "straight");
	assert_non_null(symbol);
	start = symbol->start;
	end = symbol->end;
	dsos_free(p.dsos);
	strip = g_strdup_printf("strip -s '%s'", p.path);
	assert_int_equal(system(strip), 0);
	open_program(&p);
	got = judge(flow, p.dso, start, end);
	assert_string_equal(got, "m--m");
	typeflow_free(flow);
	remove_program(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_stripped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
